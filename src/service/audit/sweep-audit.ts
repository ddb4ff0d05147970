/** Removes audit entries after the retention period, and records proof that retention removed them. */
import type { Store } from '../ports/store/store.js';
import { type AuditChain, AuditChainError, type ChainLink, parseLines } from './audit-chain.js';

/** Ports of the removal. */
export interface AuditSweepPorts {
  readonly store: Pick<Store, 'sweepAudit' | 'readAuditRetention' | 'listSeals' | 'pruneSeals'>;
  readonly chain: AuditChain;
}

/** Seals that are removed in one step. Each covers as many entries as were removed in several steps before. */
const SEALS_PER_STEP = 10;

/**
 * Removes entries from before an instant, the oldest first, and then seals of which every entry was removed.
 *
 * @param limit - How many entries are removed at most.
 * @returns Number of entries or seals removed; 0 when none are left.
 * @throws {AuditChainError} When a seal that would be removed is not genuine.
 */
export async function sweepAudit(
  { store, chain }: AuditSweepPorts,
  before: number,
  limit: number,
): Promise<number> {
  const removed = await store.sweepAudit(before, limit, chain.keptFromMac(before));
  return removed > 0 ? removed : await pruneSeals({ store, chain }, before);
}

/** The newest seal stays, since it is what the next continues from. */
async function pruneSeals({ store, chain }: AuditSweepPorts, before: number): Promise<number> {
  const retention = await store.readAuditRetention();
  const start = chain.readStart(retention);
  if (start === undefined) throw new AuditChainError('the start of the chain is not genuine');
  const keptFrom = Math.min(before, retention.keptFrom);
  const seals = await store.listSeals(start.number, SEALS_PER_STEP + 1);
  let last: ChainLink = start;
  for (const seal of seals.slice(0, -1)) {
    // The hash is checked only for seals whose `lastAt` is past retention.
    if (seal.lastAt >= keptFrom) break;
    if (!chain.follows(last, seal)) throw new AuditChainError('a seal that is to be removed is not genuine');
    if (parseLines(seal).some(([, at]) => at >= keptFrom))
      throw new AuditChainError('a seal that is to be removed covers entries that are kept');
    last = seal;
  }
  if (last.number === start.number) return 0;
  await store.pruneSeals(last.number, chain.writeStart(last));
  return last.number - start.number;
}
