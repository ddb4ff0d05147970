/** Compares the audit log with its seals, and finds the first place where it was tampered with. */
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Clock } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';
import {
  type AuditChain,
  type ChainLink,
  type Gap,
  isGapOpen,
  parseGaps,
  parseLines,
  readLines,
  type SealedLine,
} from './audit-chain.js';
import type { AuditHead, AuditLine, AuditSeal, PositionRange } from './audit-trail.js';

/** The kinds of tampering that are detected, with their meaning. */
export const AUDIT_PROBLEMS = {
  entry_changed: 'the entry was changed after it was sealed',
  entry_removed: 'the entry was removed before its retention period ended',
  entry_inserted: 'the entry was inserted among sealed ones',
  entry_not_sealed: 'the entry is more than ten minutes old and no seal covers it',
  seal_removed: 'the seal of the entries from here on was removed',
  seal_changed: 'the seal of the entries from here on was changed, or made with another key',
  gap_forged: 'the seal of the entries from here on has open gaps that must be closed, or that never existed',
  log_truncated: 'the log ends before the head: the sealed entries from here on were removed',
  log_replaced: 'the log from here on does not belong to the head',
  head_not_genuine: 'the head was changed, or made with another key',
  retention_changed: 'the record of removals by retention was changed, or made with another key',
} as const satisfies Readonly<Record<string, string>>;

export type AuditProblemKind = keyof typeof AUDIT_PROBLEMS;

/** The first place where the log was tampered with. */
export interface AuditProblem {
  readonly kind: AuditProblemKind;
  /** The first affected position; absent if no entry is affected. */
  readonly position?: number;
}

/** The result of the verification. */
export interface AuditVerification {
  /** Absent if the log matches its seals. */
  readonly problem?: AuditProblem;
  /** Number of verified seals. */
  readonly seals: number;
  /** Number of entries that match their seal. */
  readonly entries: number;
  /** Number of entries without a seal, which may have been changed undetectably. */
  readonly unsealed: number;
  /** Whether the given head is part of the log, or precedes the first seal that retention kept. */
  readonly head?: 'included' | 'before_retention';
}

/** Ports of the verification. */
export interface VerificationPorts {
  readonly store: Pick<Store, 'listSeals' | 'readAuditRetention' | 'listAuditLines'>;
  readonly chain: AuditChain;
  readonly clock: Clock;
}

const SEALS_PER_READ = 10;
/** Age from which an entry must be sealed: a running service seals within seconds. */
const SEALED_WITHIN_MS = 600_000;

/**
 * Compares every sealed entry with its seal. The service may write, seal and sweep meanwhile.
 *
 * @param head - A copy from outside the database. Without one, the removal of the newest entries together with their seals is not detected.
 */
export async function verifyAudit(ports: VerificationPorts, head?: AuditHead): Promise<AuditVerification> {
  const verification = createVerification(ports, head);
  try {
    await verification.run();
  } catch (error) {
    if (!(error instanceof ProblemFound)) throw error;
    return { ...verification.counts(), problem: error.problem };
  }
  return verification.counts();
}

/** Thrown at the first problem, which ends the verification. */
class ProblemFound extends Error {
  readonly problem: AuditProblem;

  constructor(kind: AuditProblemKind, position?: number) {
    super(AUDIT_PROBLEMS[kind]);
    this.problem = { kind, ...omitUndefined({ position }) };
  }
}

function createVerification({ store, chain, clock }: VerificationPorts, head: AuditHead | undefined) {
  const now = clock.now();
  const counts = { seals: 0, entries: 0, unsealed: 0 };
  let headState: AuditVerification['head'];
  let keptFrom = 0;
  /** Positions of entries in gaps, which a later seal must cover. */
  const uncovered = new Set<number>();
  /** Open gaps of the previous seal; absent if retention removed that seal. */
  let openBefore: readonly Gap[] | undefined;

  const readRetention = async (): Promise<ChainLink> => {
    const retention = await store.readAuditRetention();
    const start = chain.decodeStart(retention);
    const from = chain.verifyKeptFrom(retention);
    if (start === undefined || from === undefined) throw new ProblemFound('retention_changed');
    keptFrom = from;
    return start;
  };

  /** Compares a link with the head if it has the number of the head. */
  const compareHead = (link: ChainLink, previousPosition: number) => {
    if (head === undefined || link.number !== head.number) return;
    if (link.hash !== head.hash) throw new ProblemFound('log_replaced', previousPosition + 1);
    headState = 'included';
  };

  const checkSeal = async (previous: ChainLink, seal: AuditSeal): Promise<void> => {
    const affected = previous.position + 1;
    if (seal.number !== previous.number + 1) throw new ProblemFound('seal_removed', affected);
    if (!chain.follows(previous, seal)) throw new ProblemFound('seal_changed', affected);
    compareHead(seal, previous.position);
    compareGaps(previous, seal);
    await compareEntries(previous, seal);
    counts.seals += 1;
  };

  /** Checks that the seal's open gaps are legitimate, and that entries sealed late were in a gap. */
  const compareGaps = (previous: ChainLink, seal: AuditSeal): void => {
    const gaps = parseGaps(seal);
    const before = openBefore;
    openBefore = gaps;
    if (!gaps.every((gap) => mayBeOpen(gap, before, previous, seal)))
      throw new ProblemFound('gap_forged', previous.position + 1);
    if (before === undefined) return;
    const late = parseLines(seal).find(
      ([position]) => position <= previous.position && !isWithin(before, position),
    );
    if (late !== undefined) throw new ProblemFound('entry_inserted', late[0]);
  };

  /** Compares entries and lines in order of position, so that the first mismatch found is the one with the lowest position. */
  const compareEntries = async (previous: ChainLink, seal: AuditSeal): Promise<void> => {
    const lines = new Map(parseLines(seal).map((line) => [line[0], line]));
    const late = [...lines.keys()].filter((position) => position <= previous.position);
    const ranges: readonly PositionRange[] = [
      ...(counts.seals === 0 ? [] : late.map((position) => ({ from: position, to: position }))),
      { ...(counts.seals === 0 ? {} : { from: previous.position + 1 }), to: seal.position },
    ];
    const isOpen = openIn(seal);
    for (const position of late) uncovered.delete(position);
    const closed = [...uncovered].find((position) => !isOpen(position));
    if (closed !== undefined) throw new ProblemFound('entry_inserted', closed);
    const expected = [...lines.values()].sort(([left], [right]) => left - right);
    let next = 0;
    const skipTo = async (position: number) => {
      for (; next < expected.length; next += 1) {
        const line = expected[next];
        if (line === undefined || line[0] >= position) return;
        await assertRetained(line);
      }
    };
    for await (const page of readLines(store, ranges)) {
      for (const entry of page) {
        await skipTo(entry.position);
        const line = expected[next];
        if (line === undefined || line[0] !== entry.position) {
          if (!isOpen(entry.position)) throw new ProblemFound('entry_inserted', entry.position);
          uncovered.add(entry.position);
          continue;
        }
        assertUnchanged(entry, line);
        next += 1;
        counts.entries += 1;
      }
    }
    await skipTo(Number.POSITIVE_INFINITY);
  };

  const assertUnchanged = (entry: AuditLine, [position, , hash]: SealedLine) => {
    if (chain.hashLine(entry)[2] !== hash) throw new ProblemFound('entry_changed', position);
  };

  /** Reads retention again first, since the sweeper may have removed the entry meanwhile. */
  const assertRetained = async ([position, at]: SealedLine): Promise<void> => {
    if (at < keptFrom) return;
    await readRetention();
    if (at >= keptFrom) throw new ProblemFound('entry_removed', position);
  };

  const countUnsealed = async (last: ChainLink): Promise<void> => {
    // The newest seal is never removed by retention.
    if (counts.seals === 0 && last.number > 0) throw new ProblemFound('seal_removed', last.position + 1);
    counts.unsealed = uncovered.size;
    for await (const page of readLines(store, counts.seals === 0 ? [{}] : [{ from: last.position + 1 }])) {
      const old = page.find(({ at }) => at < now - SEALED_WITHIN_MS);
      if (old !== undefined) throw new ProblemFound('entry_not_sealed', old.position);
      counts.unsealed += page.length;
    }
  };

  const run = async (): Promise<void> => {
    if (head !== undefined && !chain.isGenuine(head)) throw new ProblemFound('head_not_genuine');
    const start = await readRetention();
    let previous = start;
    if (start.number === 0) openBefore = [];
    compareHead(start, 0);
    if (head !== undefined && head.number < start.number) headState = 'before_retention';
    for (;;) {
      const seals = await store.listSeals(previous.number, SEALS_PER_READ);
      const [first] = seals;
      if (first !== undefined && first.number !== previous.number + 1) {
        const moved = await readRetention();
        // The sweeper removed seals meanwhile, and maybe more after this list was read: continue from the new start of the chain.
        if (moved.number > previous.number) {
          compareHead(moved, 0);
          previous = moved;
          openBefore = undefined;
          uncovered.clear();
          continue;
        }
      }
      for (const seal of seals) {
        await checkSeal(previous, seal);
        previous = seal;
      }
      if (seals.length < SEALS_PER_READ) break;
    }
    if (head !== undefined && headState === undefined) {
      if (head.number > previous.number) throw new ProblemFound('log_truncated', previous.position + 1);
      headState = 'before_retention';
    }
    await countUnsealed(previous);
  };

  return {
    run,
    counts: (): AuditVerification => ({ ...counts, ...omitUndefined({ head: headState }) }),
  };
}

/** Returns whether a position is in an open gap of a seal. */
function openIn(seal: AuditSeal): (position: number) => boolean {
  const gaps = parseGaps(seal);
  return (position) => isWithin(gaps, position);
}

function isWithin(gaps: readonly Gap[], position: number): boolean {
  return gaps.some(([from, to]) => position >= from && position <= to);
}

/** Whether a seal may have an open gap: a new one, or a part of an open gap of the previous seal. */
function mayBeOpen(
  gap: Gap,
  before: readonly Gap[] | undefined,
  previous: ChainLink,
  seal: AuditSeal,
): boolean {
  const [from, to, since] = gap;
  if (!gap.every(Number.isSafeInteger) || from > to || !isGapOpen(gap, seal.at)) return false;
  if (from > previous.position) return since === seal.at && to <= seal.position;
  return before?.some((outer) => outer[0] <= from && to <= outer[1] && outer[2] === since) ?? true;
}
