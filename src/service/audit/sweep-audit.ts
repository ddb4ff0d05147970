/** Removes audit entries after the retention period, and records proof that retention removed them. */
import type { Store } from '../ports/store/store.js';
import { type AuditChain, AuditChainError, type ChainLink, parseLines } from './audit-chain.js';

/** Ports of the removal. */
export interface AuditSweepPorts {
  readonly store: Pick<
    Store,
    'sweepAudit' | 'findLastSeal' | 'readAuditRetention' | 'listSeals' | 'pruneSeals'
  >;
  readonly chain: AuditChain;
}

/** Maximum number of seals removed in one step. */
const SEALS_PER_STEP = 10;

/**
 * Removes entries before an instant, the oldest first. If there are none, removes seals all of whose entries have been removed.
 *
 * @param limit - Maximum number of entries.
 * @returns Number of entries or seals removed; 0 when nothing is left to remove.
 * @throws {AuditChainError} If the last seal or a seal to be removed is not genuine, or was made with another key.
 */
export async function sweepAudit(
  { store, chain }: AuditSweepPorts,
  before: number,
  limit: number,
): Promise<number> {
  // With another key, the MAC of the removal could not be verified with the key of the seals.
  const last = await store.findLastSeal();
  if (last !== undefined && !chain.isGenuine(last))
    throw new AuditChainError('the last seal is not genuine, or was made with another key');
  const removed = await store.sweepAudit(before, limit, chain.keptFromMac(before));
  return removed > 0 ? removed : await pruneSeals({ store, chain }, before);
}

/** Removes at most `SEALS_PER_STEP` of the oldest seals, but never the newest one, which the next seal continues. */
async function pruneSeals({ store, chain }: AuditSweepPorts, before: number): Promise<number> {
  const retention = await store.readAuditRetention();
  const start = chain.decodeStart(retention);
  if (start === undefined) throw new AuditChainError('the start of the chain is not genuine');
  const keptFrom = Math.min(before, retention.keptFrom);
  const seals = await store.listSeals(start.number, SEALS_PER_STEP + 1);
  let last: ChainLink = start;
  for (const seal of seals.slice(0, -1)) {
    // `lastAt` is not verified yet: it can only prevent a removal. A seal is removed only after its hash is verified.
    if (seal.lastAt >= keptFrom) break;
    if (!chain.follows(last, seal)) {
      // Another instance has removed seals since the start was read.
      if ((await store.readAuditRetention()).start !== retention.start)
        return await pruneSeals({ store, chain }, before);
      throw new AuditChainError('a seal to be removed is not genuine');
    }
    if (parseLines(seal).some(([, at]) => at >= keptFrom))
      throw new AuditChainError('a seal to be removed covers entries within the retention period');
    last = seal;
  }
  if (last.number === start.number) return 0;
  await store.pruneSeals(last.number, chain.encodeStart(last));
  return last.number - start.number;
}
