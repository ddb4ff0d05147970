/** The one error of the client: why a call came to nothing, for programs and for people (contract §4). */
import type { ErrorSubcode } from '../service/errors.js';
import { membersOf } from './read-response.js';

/** What the client finds out by itself. */
export type OwnErrorCode =
  /** No answer came: there is no connection, or it broke. Whether the request arrived is not known. */
  | 'network_failed'
  /** What answered is not the service, or something that stands before it. */
  | 'answer_invalid'
  /** What the browser came back with is no answer to this request for authorization. */
  | 'callback_invalid'
  /** There are no tokens, or those that there were have ended: the person has to be asked again. */
  | 'authorization_needed';

/** Why a call came to nothing: the service's `error_subcode`, or what the client found out by itself. A newer service may say others. */
export type ClientErrorCode = ErrorSubcode | OwnErrorCode | (string & {});

/** What is known of a refusal beside its code. */
export interface ClientErrorDetails {
  readonly status?: number;
  readonly error?: string;
  readonly errorCode?: string;
  readonly context?: Readonly<Record<string, unknown>>;
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
}

/** Thrown by everything in this client but for wrong settings, which are `RangeError`s, and aborts, which throw the signal's own reason. */
export class ClientError extends Error {
  override readonly name = 'ClientError';
  readonly code: ClientErrorCode;
  /** The HTTP status; absent where no answer came. */
  readonly status: number | undefined;
  /** RFC 6749's word where one fits. */
  readonly error: string | undefined;
  /** Such as `E4003`. */
  readonly errorCode: string | undefined;
  /** What a program needs to know: `problems` with JSON Pointers, limits, missing scopes. */
  readonly context: Readonly<Record<string, unknown>>;
  /** The `X-Request-Id` of the answer, by which the service's log finds the request. */
  readonly requestId: string | undefined;
  /** After how many seconds asking again makes sense. */
  readonly retryAfterSeconds: number | undefined;

  /** @param description - A sentence for people; never holds a token. */
  constructor(code: ClientErrorCode, description: string, details: ClientErrorDetails = {}) {
    super(description, 'cause' in details ? { cause: details.cause } : {});
    this.code = code;
    this.status = details.status;
    this.error = details.error;
    this.errorCode = details.errorCode;
    this.context = details.context ?? {};
    this.requestId = details.requestId;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** An answer that is none of the service's. Never throws. */
export function invalidResponse(description: string, details: ClientErrorDetails = {}): ClientError {
  return new ClientError('answer_invalid', description, details);
}

/** A refusal as the service words it; `answer_invalid` where somebody else does. Never throws. */
export function toClientError({ status, headers }: Response, body: unknown): ClientError {
  const details = {
    status,
    ...optional('requestId', headers.get('x-request-id') ?? undefined),
    ...optional('retryAfterSeconds', secondsOf(headers.get('retry-after'))),
  };
  const { error, error_code, error_subcode, error_description, context } = membersOf(body);
  if (typeof error !== 'string')
    return invalidResponse(`The service did not answer: HTTP ${status}.`, details);
  const code = typeof error_subcode === 'string' ? error_subcode : error;
  const description = typeof error_description === 'string' ? error_description : code;
  return new ClientError(code, description, {
    ...details,
    error,
    ...optional('errorCode', typeof error_code === 'string' ? error_code : undefined),
    context: membersOf(context),
  });
}

/** Whether a refusal says that the access token is not good, or no longer. */
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
