/** Converts errors to responses, with status, headers and body from the error catalogue. */
import { type ErrorContext, type ErrorSubcode, ServiceError, StoreUnavailable } from '../service/index.js';
import type { RequestContext } from './request-context.js';

export interface ErrorResponse {
  readonly status: number;
  /** Status of an error page: 400 instead of 401, since a browser cannot respond to the challenge. */
  readonly pageStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

/** The body of an error response, and of the error of a single preset in a batch. */
export interface ErrorBody {
  readonly error: string;
  readonly error_code: string;
  readonly error_description: string;
  readonly error_subcode: ErrorSubcode;
  readonly context: ErrorContext;
}

/** The parts of a request that show how the caller authenticates. */
type Caller = Pick<RequestContext, 'request' | 'dpop'>;

const RETRY_AFTER_SECONDS = '1';

/** Returns the response for a thrown value. An unexpected error becomes `server_error` with the request id, without details (S27). */
export function toErrorResponse(thrown: unknown, requestId: string, caller?: Caller): ErrorResponse {
  const error = toServiceError(thrown, requestId);
  const { definition } = error;
  return {
    status: definition.status,
    pageStatus: definition.status === 401 ? 400 : definition.status,
    headers: headersOf(error, caller),
    body: toErrorBody(error),
  };
}

/** Returns the error body. Never throws. */
export function toErrorBody({ definition, subcode, context, description }: ServiceError): ErrorBody {
  return {
    error: definition.error,
    error_code: definition.errorCode,
    error_description: description,
    error_subcode: subcode,
    context,
  };
}

/** Whether a thrown value is a failure of the service, which must be logged. */
export function isServerFailure(thrown: unknown): boolean {
  return !(thrown instanceof ServiceError) || thrown.definition.status >= 500;
}

function toServiceError(thrown: unknown, requestId: string): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof StoreUnavailable)
    return new ServiceError('temporarily_unavailable', {}, { cause: thrown });
  return new ServiceError('server_error', { request_id: requestId }, { cause: thrown });
}

function headersOf(
  { subcode, context }: ServiceError,
  caller: Caller | undefined,
): Readonly<Record<string, string>> {
  switch (subcode) {
    case 'invalid_client':
      // RFC 6749 §5.2: a challenge if the client used Basic.
      return /^basic\b/i.test(caller?.request.headers.authorization ?? '')
        ? { 'WWW-Authenticate': 'Basic realm="proviso"' }
        : {};
    case 'token_missing':
      return { 'WWW-Authenticate': challenge(caller) };
    case 'token_expired':
    case 'token_invalid':
      return { 'WWW-Authenticate': challenge(caller, 'error="invalid_token"') };
    case 'token_proof_invalid':
      return { 'WWW-Authenticate': challenge(caller, 'error="invalid_dpop_proof"') };
    case 'token_nonce_required':
      return { 'WWW-Authenticate': challenge(caller, 'error="use_dpop_nonce"') };
    case 'evidence_limited':
    case 'insufficient_scope':
      return { 'WWW-Authenticate': challenge(caller, insufficientScope(context)) };
    case 'method_not_allowed':
      return { Allow: String(context['allow']) };
    case 'unsupported_media_type':
      return { Accept: String(context['accept']) };
    case 'sign_in_unavailable':
    case 'temporarily_unavailable':
      return { 'Retry-After': RETRY_AFTER_SECONDS };
    case 'rate_limited':
      return { 'Retry-After': String(context['retry_after_seconds']) };
    default:
      return {};
  }
}

/** Returns a challenge for the scheme of the request (RFC 6750 §3, RFC 9449 §7.1). */
function challenge(caller: Caller | undefined, ...parameters: readonly string[]): string {
  const dpop = caller?.dpop;
  const scheme = dpop === undefined ? 'Bearer' : 'DPoP';
  const members = dpop === undefined ? parameters : [...parameters, `algs="${dpop.algorithms.join(' ')}"`];
  return members.length === 0 ? scheme : `${scheme} ${members.join(', ')}`;
}

/** Returns the parameters of RFC 6750 §3, with the first scope that covers each missing claim. */
function insufficientScope({ missing }: ErrorContext): string {
  const scopes = Array.isArray(missing)
    ? missing.flatMap((entry: { readonly scopes: readonly string[] }) => entry.scopes.slice(0, 1))
    : [];
  const scope = scopes.length === 0 ? '' : `, scope="${[...new Set(scopes)].join(' ')}"`;
  return `error="insufficient_scope"${scope}`;
}

/** Creates a `malformed_body` error. @param pointer - JSON Pointer to the parameter; `''` for the request as a whole. */
export function malformed(pointer: string, code: string, message: string): ServiceError {
  return new ServiceError('malformed_body', { problems: [{ pointer, code, message }] });
}
