/** Renders errors as the wire has them: status, headers and body from the one table of errors (contract §4). */
import { type ErrorContext, type ErrorSubcode, ServiceError, StoreUnavailable } from '../service/index.js';
import type { RequestContext } from './request-context.js';

export interface ErrorResponse {
  readonly status: number;
  /** For a person's browser, which could make nothing of a challenge. */
  readonly pageStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: ErrorBody;
}

/** What every refusal says, whole requests and single presets alike (contract §4). */
export interface ErrorBody {
  readonly error: string;
  readonly error_code: string;
  readonly error_description: string;
  readonly error_subcode: ErrorSubcode;
  readonly context: ErrorContext;
}

/** How the caller authenticates, as far as the request shows it. */
type Caller = Pick<RequestContext, 'request' | 'dpop'>;

const RETRY_AFTER_SECONDS = '1';

/** The answer to whatever a handler threw; what is not ours to tell becomes `server_error` with the request id (S27). */
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

/** An error as the wire writes it. Never throws. */
export function toErrorBody({ definition, subcode, context, description }: ServiceError): ErrorBody {
  return {
    error: definition.error,
    error_code: definition.errorCode,
    error_description: description,
    error_subcode: subcode,
    context,
  };
}

/** Whether the failure is ours, so that it belongs into the log. */
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
      // RFC 6749 §5.2: a challenge for who tried that way.
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
    case 'insufficient_scope':
      return { 'WWW-Authenticate': challenge(caller, insufficientScope(context)) };
    case 'method_not_allowed':
      return { Allow: String(context['allow']) };
    case 'unsupported_media_type':
      return { Accept: String(context['accept']) };
    case 'temporarily_unavailable':
      return { 'Retry-After': RETRY_AFTER_SECONDS };
    case 'rate_limited':
      return { 'Retry-After': String(context['retry_after_seconds']) };
    default:
      return {};
  }
}

/** A challenge of the scheme that the request used (RFC 6750 §3, RFC 9449 §7.1). */
function challenge(caller: Caller | undefined, ...parameters: readonly string[]): string {
  const dpop = caller?.dpop;
  const scheme = dpop === undefined ? 'Bearer' : 'DPoP';
  const all = dpop === undefined ? parameters : [...parameters, `algs="${dpop.algorithms.join(' ')}"`];
  return all.length === 0 ? scheme : `${scheme} ${all.join(', ')}`;
}

/** RFC 6750 §3: for each claim the first scope that covers it, as far as there is one. */
function insufficientScope({ missing }: ErrorContext): string {
  const scopes = Array.isArray(missing)
    ? missing.flatMap((entry: { readonly scopes: readonly string[] }) => entry.scopes.slice(0, 1))
    : [];
  const scope = scopes.length === 0 ? '' : `, scope="${[...new Set(scopes)].join(' ')}"`;
  return `error="insufficient_scope"${scope}`;
}

/** @param pointer - JSON Pointer into the parameters; `''` for the request as a whole. */
export function malformed(pointer: string, code: string, message: string): ServiceError {
  return new ServiceError('malformed_body', { problems: [{ pointer, code, message }] });
}
