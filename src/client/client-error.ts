/** The error of the client, with a code for programs and a message for people. */
import type { ErrorSubcode } from '../service/errors.js';
import { ProvisoError } from '../util/proviso-error.js';
import { membersOf } from './read-response.js';

/** Error codes of the client itself. */
export type LocalErrorCode =
  /** No response: no connection, or it was lost. The request may have been processed. */
  | 'network_failed'
  /** The response does not come from the service (but, for example, from a proxy), or is malformed. */
  | 'response_invalid'
  /** The callback is not a response to this authorization request. */
  | 'callback_invalid'
  /** There are no tokens, or they have expired: the person must authorize again. */
  | 'authorization_needed';

/** The code of an error: the service's `error_subcode`, or one of the client. A newer service may return other codes. */
export type ClientErrorCode = ErrorSubcode | LocalErrorCode | (string & {});

/** Details of an error. */
export interface ClientErrorDetails {
  readonly status?: number;
  readonly error?: string;
  readonly errorCode?: string;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/**
 * The error that all methods throw, except for invalid settings (`RangeError` or `TypeError`), queries that are not JSON, unknown options and `grants`
 * of a client without a secret (`TypeError`), aborts (the signal's reason), and errors of the token storage, which are thrown unchanged.
 */
export class ClientError extends ProvisoError<ClientErrorCode> {
  override readonly name = 'ClientError';
  /** The HTTP status; `undefined` without a response. */
  readonly status: number | undefined;
  /** The error code of RFC 6749, if one applies. */
  readonly error: string | undefined;
  /** The service's error code, such as `E4003`. */
  readonly errorCode: string | undefined;
  /** Details for programs: `problems` with JSON Pointers, limits, missing scopes. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The `X-Request-Id` of the response, which identifies the request in the service's log. */
  readonly requestId: string | undefined;
  /** Seconds to wait before retrying. */
  readonly retryAfterSeconds: number | undefined;

  /** @param description - The message. Must not contain tokens. */
  constructor(code: ClientErrorCode, description: string, details: ClientErrorDetails = {}) {
    super(code, description, 'cause' in details ? { cause: details.cause } : {});
    this.status = details.status;
    this.error = details.error;
    this.errorCode = details.errorCode;
    this.context = details.context ?? {};
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** Creates the error for an invalid response. Never throws. */
export function invalidResponse(description: string, details: ClientErrorDetails = {}): ClientError {
  return new ClientError('response_invalid', description, details);
}

/** Converts an error response; `response_invalid` if it does not come from the service. Never throws. */
export function toClientError({ status, headers }: Response, body: unknown): ClientError {
  const details = {
    status,
    ...optional('requestId', headers.get('x-request-id') ?? undefined),
    ...optional('retryAfterSeconds', secondsOf(headers.get('retry-after'))),
  };
  const { error, error_code, error_subcode, error_description, context } = membersOf(body);
  if (typeof error !== 'string')
    return invalidResponse(`The response does not come from the service: HTTP ${status}.`, details);
  const code = typeof error_subcode === 'string' ? error_subcode : error;
  const description = typeof error_description === 'string' ? error_description : code;
  return new ClientError(code, description, {
    ...details,
    error,
    ...optional('errorCode', typeof error_code === 'string' ? error_code : undefined),
    context: membersOf(context),
  });
}

/** Whether an error means that the access token is invalid or expired. */
export function isTokenRejected(error: unknown): boolean {
  return error instanceof ClientError && error.status === 401 && error.error === 'invalid_token';
}

function optional<Name extends string, Value>(
  name: Name,
  value: Value | undefined,
): { readonly [name in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { readonly [name in Name]: Value });
}

function secondsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : undefined;
}
