/** Removes expired records in the background, in small steps (S194). */
import type { AuditChain } from './audit/audit-chain.js';
import { sweepAudit } from './audit/sweep-audit.js';
import type { Clock, Timer } from './ports/ports.js';
import type { Store } from './ports/store/store.js';
import { repeat } from './repeat.js';

/** Ports of the sweeper. */
export interface ExpirySweeperPorts {
  readonly store: Pick<
    Store,
    | 'sweepTokens'
    | 'sweepTransient'
    | 'sweepLearned'
    | 'sweepGrants'
    | 'listEndedCredentials'
    | 'removeEndedCredentials'
    | 'sweepAudit'
    | 'findLastSeal'
    | 'readAuditRetention'
    | 'listSeals'
    | 'pruneSeals'
  >;
  readonly clock: Clock;
  readonly timer: Timer;
  /** Retention period of the audit log. Default: unlimited. */
  readonly auditRetentionMs?: number | undefined;
  /** Retention period of the ledger. Default: unlimited. */
  readonly ledgerRetentionMs?: number | undefined;
  /** Retention period of ended grants with their tokens. Default: unlimited. */
  readonly endedGrantRetentionMs?: number | undefined;
  /** Retention period of expired and revoked credentials, and the keyed hash by which a revoked one is recognized later. Default: unlimited. */
  readonly endedCredentials?:
    | { readonly retentionMs: number; readonly hashId: (id: string) => string }
    | undefined;
  /** Authenticates the record of removed audit entries. */
  readonly auditChain: AuditChain;
  /** Called after each step without a failure. */
  readonly onStep?: (step: SweepStep) => void;
  /** Called with the error of each part of a step that fails. The other parts and later steps continue. */
  readonly onFailure: (error: unknown) => void;
}

/** A completed step of the sweeper. */
export interface SweepStep {
  /** Number of removed records of each kind. */
  readonly removed: Readonly<Record<SweptKind, number>>;
  /** Whether the removed records of all kinds together reach the limit of one kind, so that more may be left. */
  readonly isBacklog: boolean;
  /** When it ended, epoch milliseconds. */
  readonly at: number;
}

type SweptKind = 'tokens' | 'transient' | 'learned' | 'grants' | 'credentials' | 'audit';

/** Expired tokens are kept for a day, so that callers see "expired" rather than "invalid". */
export const EXPIRED_TOKEN_RETENTION_MS = 24 * 60 * 60 * 1_000;
/**
 * Records that unauthenticated callers can create are kept for minutes only: long enough to report "expired" and for clock differences, too short
 * to fill the store.
 */
export const TRANSIENT_RETENTION_MS = 5 * 60 * 1_000;
/** Maximum number of rows of each kind per step: increased while there is a backlog and steps are short, decreased after a long step. */
const FIRST_STEP_ROWS = 200;
const STEP_ROWS = { least: 50, most: 5_000 };
/** After a step shorter or longer than these, the next one removes more or fewer rows: on SQLite, requests wait for a step. */
const SHORT_STEP_MS = 10;
const LONG_STEP_MS = 20;
/** Minimum interval during a backlog; after a longer step, the interval is as long as the step. */
const BETWEEN_FULL_STEPS_MS = 10;
/** Interval after a step that removed fewer records than the limit, and before the first step. */
const BETWEEN_STEPS_MS = 100;
/** Interval after a step that removed nothing. */
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
  ledgerRetentionMs,
  endedGrantRetentionMs,
  endedCredentials,
  auditChain: chain,
  onStep,
  onFailure,
}: ExpirySweeperPorts): () => Promise<void> {
  let limit = FIRST_STEP_ROWS;
  let hasFailed = false;
  /** Runs a part of a step. A failure affects no other part. */
  const attempt = async (work: Promise<number> | undefined): Promise<number> => {
    try {
      return (await work) ?? 0;
    } catch (error) {
      hasFailed = true;
      onFailure(error);
      return 0;
    }
  };
  const before = (retentionMs: number) => clock.now() - retentionMs;
  const remove = async (): Promise<SweepStep['removed']> => ({
    tokens: await attempt(store.sweepTokens(before(EXPIRED_TOKEN_RETENTION_MS), limit)),
    transient: await attempt(store.sweepTransient(before(TRANSIENT_RETENTION_MS), limit)),
    learned: await attempt(
      ledgerRetentionMs === undefined ? undefined : store.sweepLearned(before(ledgerRetentionMs), limit),
    ),
    grants: await attempt(
      endedGrantRetentionMs === undefined
        ? undefined
        : store.sweepGrants(before(endedGrantRetentionMs), limit),
    ),
    credentials: await attempt(
      endedCredentials === undefined ? undefined : removeCredentials(endedCredentials, store, clock, limit),
    ),
    audit: await attempt(
      auditRetentionMs === undefined
        ? undefined
        : sweepAudit({ store, chain }, before(auditRetentionMs), limit),
    ),
  });
  return repeat(timer, BETWEEN_STEPS_MS, async () => {
    const startedAt = clock.now();
    hasFailed = false;
    const removed = await remove();
    const at = clock.now();
    const ms = at - startedAt;
    const count = Object.values(removed).reduce((sum, one) => sum + one, 0);
    const isBacklog = count >= limit;
    if (!hasFailed) onStep?.({ removed, isBacklog, at });
    limit = nextLimit(limit, ms, isBacklog);
    if (isBacklog) return Math.max(ms, BETWEEN_FULL_STEPS_MS);
    return count > 0 ? BETWEEN_STEPS_MS : BETWEEN_ROUNDS_MS;
  });
}

/** Returns the number of removed credentials. */
async function removeCredentials(
  { retentionMs, hashId }: NonNullable<ExpirySweeperPorts['endedCredentials']>,
  store: ExpirySweeperPorts['store'],
  clock: Clock,
  limit: number,
): Promise<number> {
  const at = clock.now();
  const ids = await store.listEndedCredentials(at - retentionMs, limit);
  if (ids.length === 0) return 0;
  return await store.removeEndedCredentials(new Map(ids.map((id) => [id, hashId(id)])), at - retentionMs, at);
}

/** Returns the limit of the next step. @param limit - The limit of the last step. @param ms - The duration of the last step. */
function nextLimit(limit: number, ms: number, isBacklog: boolean): number {
  if (ms > LONG_STEP_MS) return Math.max(STEP_ROWS.least, Math.floor(limit / 2));
  return isBacklog && ms < SHORT_STEP_MS ? Math.min(STEP_ROWS.most, limit * 2) : limit;
}
