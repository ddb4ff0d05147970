/** Seals the audit log beside the requests, so that what is changed in a sealed part can be seen. */
import type { Clock } from '../ports/clock.js';
import type { Store } from '../ports/store/store.js';
import type { Timer } from '../ports/timer.js';
import {
  type AuditChain,
  AuditChainError,
  type ChainLink,
  type Gap,
  parseGaps,
  type SealedLine,
} from './audit-chain.js';
import type { AuditSeal } from './audit-seal.js';

const LINES_PER_SEAL = 500;
const BETWEEN_SEALS_MS = 1_000;
const AFTER_FAILURE_MS = 60_000;
/** Within a backlog. */
const BETWEEN_STEPS_MS = 10;
/** Seals that are made at an orderly stop, at most. */
const LAST_SEALS = 20;
/** A position that was skipped may belong to a transaction that has not committed yet. No transaction of ours lasts as long as this. */
const GAP_CLOSES_AFTER_MS = 600_000;

/** What sealing needs. */
export interface SealingPorts {
  readonly store: Pick<Store, 'findLastSeal' | 'readAuditRetention' | 'listAuditLines' | 'addSeal'>;
  readonly clock: Clock;
  readonly chain: AuditChain;
}

/** Makes the next seal, where entries are not sealed yet. Returns whether there may be more of them. */
export type AuditSealer = () => Promise<boolean>;

/**
 * Creates a sealer. It remembers the last seal that it saw, and refuses to go on when the store no longer has it.
 *
 * Several sealers may work on one store: a seal's number is a primary key, so of two that make the same seal one adds it.
 *
 * @returns A function that throws {@link AuditChainError} when the end of the chain is not genuine.
 */
export function createAuditSealer({ store, clock, chain }: SealingPorts): AuditSealer {
  let seen: ChainLink | undefined;
  return async () => {
    const last = await store.findLastSeal();
    if (last !== undefined && !chain.isGenuine(last))
      throw new AuditChainError('the last seal is not genuine, or was made with another key');
    const previous = last ?? chain.readStart(await store.readAuditRetention());
    if (previous === undefined) throw new AuditChainError('the start of the chain is not genuine');
    assertNotBehind(previous, seen);
    seen = previous;
    const gaps = last === undefined ? [] : parseGaps(last);
    const unsealed = [...gaps.map(([from, to]) => ({ from, to })), { from: previous.position + 1 }];
    const found = await store.listAuditLines(unsealed, LINES_PER_SEAL);
    if (found.length === 0) return false;
    if (found.some(({ position }) => !Number.isSafeInteger(position)))
      throw new AuditChainError('the position of an entry is not a safe integer');
    const now = clock.now();
    const lines = found.map(chain.hashLine);
    const position = Math.max(previous.position, ...found.map((line) => line.position));
    const content = {
      position,
      entries: previous.entries + lines.length,
      at: now,
      gaps: JSON.stringify(nextGaps(gaps, previous.position, position, lines, now)),
      lines: JSON.stringify(lines),
    };
    const seal: AuditSeal = {
      ...content,
      ...chain.seal(previous, content),
      lastAt: Math.max(...found.map(({ at }) => at)),
    };
    if (await store.addSeal(seal)) seen = seal;
    return lines.length === LINES_PER_SEAL;
  };
}

/** What the sealing beside the requests needs. */
export interface SealerPorts extends SealingPorts {
  readonly timer: Timer;
  /** Called with the error of a step that failed; the next is made a minute later. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Starts to seal the audit log, once a second while there is something to seal.
 *
 * @returns A function that seals what is left and stops.
 */
export function startAuditSealer({ timer, onFailure, ...ports }: SealerPorts): () => Promise<void> {
  const seal = createAuditSealer(ports);
  let stopped = false;
  let step = Promise.resolve();
  let callOff = () => {};
  const takeStep = async () => {
    const waitMs = await seal().then(
      (more) => (more ? BETWEEN_STEPS_MS : BETWEEN_SEALS_MS),
      (error: unknown) => {
        onFailure(error);
        return AFTER_FAILURE_MS;
      },
    );
    if (!stopped) wait(waitMs);
  };
  const wait = (ms: number) => {
    callOff = timer.after(ms, () => {
      step = takeStep();
    });
  };
  wait(BETWEEN_SEALS_MS);
  return async () => {
    stopped = true;
    callOff();
    await step;
    await sealAll(seal).catch(onFailure);
  };
}

async function sealAll(seal: AuditSealer): Promise<void> {
  for (let seals = 0; seals < LAST_SEALS; seals += 1) if (!(await seal())) return;
}

function assertNotBehind(previous: ChainLink, seen: ChainLink | undefined): void {
  if (seen === undefined || previous.number > seen.number) return;
  if (previous.number < seen.number || previous.hash !== seen.hash)
    throw new AuditChainError('a seal that was there before is missing');
}

/** The gaps that stay open, and those between the entries of this seal. */
function nextGaps(
  gaps: readonly Gap[],
  after: number,
  upTo: number,
  lines: readonly SealedLine[],
  now: number,
): readonly Gap[] {
  const open = gaps.filter(([, , since]) => since + GAP_CLOSES_AFTER_MS > now);
  const skipped: readonly Gap[] = upTo > after ? [[after + 1, upTo, now]] : [];
  return lines.reduce<readonly Gap[]>(
    (left, [position]) => left.flatMap((gap) => without(gap, position)),
    [...open, ...skipped],
  );
}

function without([from, to, since]: Gap, position: number): readonly Gap[] {
  if (position < from || position > to) return [[from, to, since]];
  const before: readonly Gap[] = position > from ? [[from, position - 1, since]] : [];
  const behind: readonly Gap[] = position < to ? [[position + 1, to, since]] : [];
  return [...before, ...behind];
}
