/** Removes expired records in the background, in small steps (S194). */
import type { AuditChain } from './audit/audit-chain.js';
import { sweepAudit } from './audit/sweep-audit.js';
import type { Clock, Timer } from './ports/ports.js';
import type { Store } from './ports/store/store.js';

/** Ports of the sweeper. */
export interface ExpirySweeperPorts {
  readonly store: Pick<
    Store,
    'sweepTokens' | 'sweepTransient' | 'sweepAudit' | 'readAuditRetention' | 'listSeals' | 'pruneSeals'
  >;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Retention period of the audit log. Default: unlimited. */
  readonly auditRetentionMs?: number | undefined;
  /** Authenticates the record of removed audit entries. */
  readonly auditChain: AuditChain;
  /** Called with the error of a failed step. The sweeper continues. */
  readonly onFailure: (error: unknown) => void;
}

/** Expired tokens are kept for a day, so that callers see "expired" rather than "invalid". */
const KEPT_MS = 24 * 60 * 60 * 1_000;
/**
 * Records that unauthenticated callers can create are kept for minutes only: long enough to report "expired" and for clock differences, too short
 * to fill the store.
 */
const TRANSIENT_KEPT_MS = 5 * 60 * 1_000;
const STEP_ROWS = 200;
const BETWEEN_STEPS_MS = 100;
const BETWEEN_ROUNDS_MS = 60_000;

/**
 * Starts the sweeper. Several instances may run on one store.
 *
 * @returns A function that stops the sweeper after the current step.
 */
export function startExpirySweeper({
  store,
  clock,
  timer,
  auditRetentionMs,
  auditChain: chain,
  onFailure,
}: ExpirySweeperPorts): () => Promise<void> {
  let stopped = false;
  let step = Promise.resolve();
  const remove = async () => {
    const tokens = await store.sweepTokens(clock.now() - KEPT_MS, STEP_ROWS);
    const ended = tokens + (await store.sweepTransient(clock.now() - TRANSIENT_KEPT_MS, STEP_ROWS));
    if (auditRetentionMs === undefined) return ended;
    return ended + (await sweepAudit({ store, chain }, clock.now() - auditRetentionMs, STEP_ROWS));
  };
  const runStep = async () => {
    const removed = await remove().catch((error: unknown) => {
      onFailure(error);
      return 0;
    });
    if (!stopped) wait(removed > 0 ? BETWEEN_STEPS_MS : BETWEEN_ROUNDS_MS);
  };
  let cancel = () => {};
  const wait = (ms: number) => {
    cancel = timer.after(ms, () => {
      step = runStep();
    });
  };
  wait(BETWEEN_STEPS_MS);
  return async () => {
    stopped = true;
    cancel();
    await step;
  };
}
