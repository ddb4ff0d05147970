/**
 * The log: JSON, a line an event, on standard error (S198, S199).
 *
 * What a line may hold is listed here and nowhere else: no member takes a text that a caller wrote, but for request ids, which are
 * checked where they come in. Of failures there is the kind, the code and the place, never the message: drivers repeat values in theirs.
 */

import pino from 'pino';
import type { RequestLogEntry } from '../http/index.js';
import { omitUndefined } from '../util/omit-undefined.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface ServiceLog {
  /** Each request; those that matter to security by name. */
  request(entry: RequestLogEntry): void;
  /** What of ours failed. @param requestId - Of the request that it failed; absent where it was none. */
  failure(what: string, error: unknown, requestId?: string): void;
  /** What the process does: it starts, leaves, ends. */
  event(event: string, fields?: Readonly<Record<string, string | number>>): void;
  /** Writes what is still kept. */
  flush(): void;
}

/** Where lines go: standard error's number, or in tests what takes them. */
export type LogTarget = number | { write(line: string): void };

type Refusal = NonNullable<RequestLogEntry['subcode']>;

/** What whoever watches over a service looks for (S199). */
const SECURITY_EVENTS: Readonly<Partial<Record<Refusal, string>>> = {
  invalid_client: 'authentication_failed',
  token_invalid: 'authentication_failed',
  // A code or a refresh token that is wrong, over, another's, or shown a second time.
  invalid_grant: 'grant_refused',
  insufficient_scope: 'scope_refused',
  access_denied: 'access_refused',
  rate_limited: 'rate_limited',
};

const REVOCATIONS: ReadonlySet<string | undefined> = new Set(['revoke', 'revokeCredential']);
const STANDARD_ERROR = 2;
const MAX_STACK_LINES = 12;
const MAX_CAUSES = 4;

export function createServiceLog(level: LogLevel, target: LogTarget = STANDARD_ERROR): ServiceLog {
  const lines = typeof target === 'number' ? pino.destination({ dest: target, sync: false }) : undefined;
  const logger = pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    lines ?? (target as { write(line: string): void }),
  );
  return {
    request: (entry) => {
      const event = eventOf(entry);
      if (event !== undefined && entry.status >= 400) logger.warn(toFields(entry, event));
      else if (logger.isLevelEnabled('info')) logger.info(toFields(entry, event ?? 'answered'));
    },
    failure: (what, error, requestId) => {
      logger.error({ event: 'failed', what, ...(requestId && { requestId }), failure: describe(error) });
    },
    event: (event, fields = {}) => logger.info({ event, ...fields }),
    flush: () => lines?.flushSync(),
  };
}

function eventOf({ subcode, operation, status }: RequestLogEntry): string | undefined {
  if (subcode !== undefined) return SECURITY_EVENTS[subcode];
  return REVOCATIONS.has(operation) && status < 400 ? 'revoked' : undefined;
}

function toFields(entry: RequestLogEntry, event: string): Readonly<Record<string, unknown>> {
  const { requestId, operation, status, subcode, address, clientId, durationMs } = entry;
  return {
    event,
    requestId,
    operation: operation ?? 'none',
    status,
    ...omitUndefined({ subcode }),
    address,
    ...omitUndefined({ clientId }),
    durationMs: Math.round(durationMs * 100) / 100,
  };
}

/** An error without what it says: its kind, its code, where it was thrown, and the same of what caused it. */
function describe(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return { kind: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return {
    kind: error.name,
    ...(/^[A-Z0-9_]{1,40}$/.test(code) ? { code } : {}),
    at: frames.slice(0, MAX_STACK_LINES).map((line) => line.trim()),
    ...(error.cause === undefined || depth === MAX_CAUSES ? {} : { cause: describe(error.cause, depth + 1) }),
  };
}
