/** Seals the audit log in the background, which makes later changes of the sealed part detectable. */
import type { Clock, Timer } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';
import { repeat } from '../repeat.js';
import {
  type AuditChain,
  AuditChainError,
  type ChainLink,
  type Gap,
  isGapOpen,
  newestInstant,
  parseGaps,
  readLines,
  type SealedLine,
} from './audit-chain.js';
import type { AuditLine, AuditSeal, PositionRange } from './audit-trail.js';

/** Maximum number of entries of a seal, besides those in gaps that it closes. */
const LINES_PER_SEAL = 500;
const BETWEEN_SEALS_MS = 1_000;
const AFTER_FAILURE_MS = 60_000;
/** Interval between seals during a backlog. */
const BETWEEN_STEPS_MS = 10;
/** Maximum number of seals at an orderly stop. */
const LAST_SEALS = 20;

/** Ports of the sealer. */
export interface SealingPorts {
  readonly store: Pick<
    Store,
    'findLastSeal' | 'listSeals' | 'readAuditRetention' | 'listAuditLines' | 'addSeal'
  >;
  readonly clock: Clock;
  readonly chain: AuditChain;
}

/** Adds the next seal if there are unsealed entries or gaps to close. Returns whether more entries may be left. */
export type AuditSealer = () => Promise<boolean>;

/**
 * Creates a sealer. It remembers the last seal that it read or added, and fails if the store no longer has that seal.
 *
 * Several sealers may run on one store: the number of a seal is a primary key, so only one of two seals with the same number is added.
 *
 * @returns A function that throws {@link AuditChainError} when the end of the chain is not genuine.
 */
export function createAuditSealer({ store, clock, chain }: SealingPorts): AuditSealer {
  let lastSeen: ChainLink | undefined;
  return async () => {
    const { previous, gaps } = await getChainEnd(store, chain);
    assertNotBehind(previous, lastSeen);
    lastSeen = previous;
    const now = clock.now();
    const closing = gaps.filter((gap) => !isGapOpen(gap, now));
    // No later seal may cover an entry of a gap that this seal closes.
    const found: AuditLine[] = [];
    for await (const lines of readLines(store, closing.map(toRange))) found.push(...lines);
    const open = gaps.filter((gap) => isGapOpen(gap, now));
    const unsealed = [...open.map(toRange), { from: previous.position + 1 }];
    const recent = await store.listAuditLines(unsealed, LINES_PER_SEAL);
    found.push(...recent);
    // Without new entries a seal is made only to close gaps.
    if (found.length === 0 && closing.length === 0) return false;
    if (found.some(({ position }) => !Number.isSafeInteger(position)))
      throw new AuditChainError('the position of an entry must be a safe integer');
    const lines = found.map(chain.hashLine);
    const position = Math.max(previous.position, ...found.map((line) => line.position));
    const content = {
      position,
      entries: previous.entries + lines.length,
      at: now,
      gaps: JSON.stringify(nextGaps(open, previous.position, position, lines, now)),
      lines: JSON.stringify(lines),
    };
    const seal: AuditSeal = {
      ...content,
      ...chain.seal(previous, content),
      lastAt: newestInstant(lines),
    };
    // Another sealer was faster, and may not have read all of these entries.
    if (!(await store.addSeal(seal))) return true;
    lastSeen = seal;
    return recent.length === LINES_PER_SEAL;
  };
}

/** The seal that the next one continues, and its open gaps. */
interface ChainEnd {
  readonly previous: ChainLink;
  readonly gaps: readonly Gap[];
}

/**
 * Gets the end of the chain, with every column of the last seal checked.
 *
 * @throws {AuditChainError} If the end is not genuine, or the seal before it is missing.
 */
async function getChainEnd(store: SealingPorts['store'], chain: AuditChain): Promise<ChainEnd> {
  // Number of the last seal in the previous attempt, which did not find the link before that seal; -1 in the first attempt.
  for (let missedBefore = -1; ; ) {
    const last = await store.findLastSeal();
    if (last !== undefined && !chain.isGenuine(last))
      throw new AuditChainError('the last seal is not genuine, or was made with another key');
    const before = await findLinkBefore(last, store, chain);
    if (before !== undefined) {
      if (last === undefined) return { previous: before, gaps: [] };
      if (!chain.follows(before, last))
        throw new AuditChainError('the last seal is not genuine: its columns do not match its hash');
      return { previous: last, gaps: parseGaps(last) };
    }
    // Another instance may have added and pruned seals meanwhile: retry while there is a newer seal.
    const number = last?.number ?? 0;
    if (number <= missedBefore) throw new AuditChainError('the seal before the last one is missing');
    missedBefore = number;
  }
}

/** Finds the link before the last seal: the previous seal, or the start of the chain. The hash of the last seal covers the hash of this link. */
async function findLinkBefore(
  last: AuditSeal | undefined,
  store: SealingPorts['store'],
  chain: AuditChain,
): Promise<ChainLink | undefined> {
  const number = last === undefined ? 0 : last.number - 1;
  if (number > 0) {
    const [before] = await store.listSeals(number - 1, 1);
    if (before?.number === number) return before;
  }
  const start = chain.decodeStart(await store.readAuditRetention());
  if (start === undefined) throw new AuditChainError('the start of the chain is not genuine');
  return start.number === number ? start : undefined;
}

/** Ports of the background sealer. */
export interface SealerPorts extends SealingPorts {
  readonly timer: Timer;
  /** Called with the error of each failed attempt to seal. The sealer tries again after a minute. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Starts to seal the audit log, once a second.
 *
 * @returns A function that stops the sealer and seals the remaining entries, in at most `LAST_SEALS` seals.
 */
export function startAuditSealer({ timer, onFailure, ...ports }: SealerPorts): () => Promise<void> {
  const seal = createAuditSealer(ports);
  const stop = repeat(timer, BETWEEN_SEALS_MS, () =>
    seal().then(
      (more) => (more ? BETWEEN_STEPS_MS : BETWEEN_SEALS_MS),
      (error: unknown) => {
        onFailure(error);
        return AFTER_FAILURE_MS;
      },
    ),
  );
  return async () => {
    await stop();
    await sealAll(seal).catch(onFailure);
  };
}

async function sealAll(seal: AuditSealer): Promise<void> {
  for (let seals = 0; seals < LAST_SEALS; seals += 1) if (!(await seal())) return;
}

function assertNotBehind(previous: ChainLink, lastSeen: ChainLink | undefined): void {
  if (lastSeen === undefined || previous.number > lastSeen.number) return;
  if (previous.number < lastSeen.number || previous.hash !== lastSeen.hash)
    throw new AuditChainError('a seal that this process saw is missing or was replaced');
}

function toRange([from, to]: Gap): PositionRange {
  return { from, to };
}

/** Returns the open gaps that remain, and the gaps between the entries of this seal. */
function nextGaps(
  open: readonly Gap[],
  after: number,
  upTo: number,
  lines: readonly SealedLine[],
  now: number,
): readonly Gap[] {
  const skipped: readonly Gap[] = upTo > after ? [[after + 1, upTo, now]] : [];
  return lines.reduce<readonly Gap[]>(
    (remaining, [position]) => remaining.flatMap((gap) => excludePosition(gap, position)),
    [...open, ...skipped],
  );
}

function excludePosition([from, to, since]: Gap, position: number): readonly Gap[] {
  if (position < from || position > to) return [[from, to, since]];
  const before: readonly Gap[] = position > from ? [[from, position - 1, since]] : [];
  const after: readonly Gap[] = position < to ? [[position + 1, to, since]] : [];
  return [...before, ...after];
}
