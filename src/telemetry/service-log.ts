/**
 * The service log: one JSON line per event, on standard error (S198, S199).
 *
 * The members of lines about requests and failures are defined here. None contains caller-supplied text except request ids, which are validated at
 * input. Failures are logged with type, code and stack, without the message, since drivers include values in messages.
 */

import pino from 'pino';
import type { RequestLogEntry } from '../http/index.js';
import { omitUndefined } from '../util/omit-undefined.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export interface ServiceLog {
  /** Logs a request, under the name of the security event if it is one. */
  request(entry: RequestLogEntry): void;
  /** Logs a failure of the service. @param what - The operation that failed. @param requestId - The failed request; absent outside of requests. */
  failure(what: string, error: unknown, requestId?: string): void;
  /** Logs a process event, such as start and end. @param level - Default: `info`. */
  event(event: string, fields?: Readonly<Record<string, string | number>>, level?: 'info' | 'error'): void;
  /** Writes buffered lines. */
  flush(): void;
}

/** A file descriptor, or a writer in tests. */
export type LogTarget = number | { write(line: string): void };

type RejectionReason = NonNullable<RequestLogEntry['subcode']>;

/** Names of security events (S199). */
const SECURITY_EVENTS: Readonly<Partial<Record<RejectionReason, string>>> = {
  invalid_client: 'authentication_failed',
  token_invalid: 'authentication_failed',
  token_proof_invalid: 'authentication_failed',
  invalid_dpop_proof: 'authentication_failed',
  sign_in_rejected: 'authentication_failed',
  // A code or refresh token that is invalid, expired, replayed or another client's.
  invalid_grant: 'grant_refused',
  insufficient_scope: 'scope_refused',
  access_denied: 'access_refused',
  rate_limited: 'rate_limited',
};

const REVOCATIONS: ReadonlySet<string | undefined> = new Set(['revoke', 'revokeCredential']);
const STANDARD_ERROR = 2;
const MAX_STACK_LINES = 12;
const MAX_CAUSES = 4;

/** Several processes may write to one pipe, which keeps a write of up to this length in one piece (`PIPE_BUF`, as on Linux). */
const MAX_WRITE_BYTES = 4_096;
/** The stack frames of a line, with those of all causes: leaves room for the other members, so that the line is at most {@link MAX_WRITE_BYTES} long. */
const MAX_FRAME_BYTES = 3_000;
/** Lines that wait to be written, in bytes; beyond this, lines are dropped. */
const MAX_BUFFERED_BYTES = 16_777_216;

/** @param process - Number of this process, if the instance has several. */
export function createServiceLog(
  level: LogLevel,
  target: LogTarget = STANDARD_ERROR,
  process?: number,
): ServiceLog {
  const isShared = process !== undefined;
  const lines = typeof target === 'number' ? openLines(target, isShared) : undefined;
  const logger = pino(
    {
      level,
      base: isShared ? { process } : null,
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
    event: (event, fields = {}, eventLevel = 'info') => logger[eventLevel]({ event, ...fields }),
    flush: () => lines?.flushSync(),
  };
}

/** Opens a log destination. After a write error, such as on a full disk, keeps unwritten lines and tries again with each further line. */
function openLines(dest: number, isShared: boolean) {
  const lines = pino.destination({
    dest,
    sync: false,
    maxLength: MAX_BUFFERED_BYTES,
    ...(isShared && { maxWrite: MAX_WRITE_BYTES }),
  });
  const { flushSync } = lines;
  // Without a listener, the error would end the process. `flushSync`, which pino also calls when the process exits, would retry forever.
  lines.on('error', () => {
    lines.flushSync = () => undefined;
  });
  lines.on('write', () => {
    lines.flushSync = flushSync;
  });
  // When a line is dropped, pino does not try to write the waiting lines. Writing an empty line starts that attempt.
  lines.on('drop', () => lines.write(''));
  return lines;
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

/** Describes an error without its message: type, code, stack, and its causes. */
function describe(error: unknown, depth = 0, budget = { bytes: MAX_FRAME_BYTES }): unknown {
  if (!(error instanceof Error)) return { kind: typeof error };
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const { message, stack = '' } = error;
  // The message precedes the frames, and its lines may look like frames.
  const start = stack.indexOf(message);
  const lines = stack.slice(start < 0 ? 0 : start + message.length).split('\n');
  const frames = lines.filter((line) => /^\s+at /.test(line)).map((line) => line.trim());
  const at = frames.slice(0, MAX_STACK_LINES).filter((frame) => {
    budget.bytes -= Buffer.byteLength(JSON.stringify(frame));
    return budget.bytes >= 0;
  });
  return {
    kind: error.name,
    ...(/^[A-Z0-9_]{1,40}$/.test(code) ? { code } : {}),
    at,
    ...(error.cause === undefined || depth === MAX_CAUSES
      ? {}
      : { cause: describe(error.cause, depth + 1, budget) }),
  };
}
