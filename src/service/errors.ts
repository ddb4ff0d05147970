/**
 * The error catalogue: HTTP status, body and documentation of every error derive from this table, with two exceptions of the status: 408 for a request that does
 * not arrive in time, and 400 instead of 401 for a page.
 */
import { ProvisoError } from '../util/proviso-error.js';

/** One error. `error` is a code of RFC 6749 if one applies. `description` is constant, so that it cannot leak data. */
export interface ErrorDefinition {
  readonly errorCode: string;
  readonly status: number;
  readonly error: string;
  readonly description: string;
}

export const ERRORS = {
  malformed_body: row('E4000', 400, 'invalid_request', 'The request is malformed; see `problems`.'),
  redirect_uri_mismatch: row(
    'E4000',
    400,
    'invalid_request',
    '`redirect_uri` does not match a registered URI (exact match required, except for the port on a loopback IP address).',
  ),
  post_logout_redirect_uri_mismatch: row(
    'E4000',
    400,
    'invalid_request',
    '`post_logout_redirect_uri` does not match a registered URI (exact match required, port included).',
  ),
  invalid_query: row('E4001', 400, 'invalid_query', 'The query is invalid; see `problems`.'),
  query_too_large: row('E4002', 400, 'query_too_large', 'The query exceeds a limit; see `problems`.'),
  insufficient_scope: row(
    'E4003',
    403,
    'insufficient_scope',
    'The granted scopes do not cover every claim of the request; `missing` lists the required scopes, and `conditions` the granted conditions, if any.',
  ),
  evidence_limited: row(
    'E4003',
    403,
    'insufficient_scope',
    'The values of `claims` are not disclosed to this client or under these scopes: ask for the outcomes of checks, or for a verdict.',
  ),
  inference_bound: row(
    'E4014',
    403,
    'inference_bound',
    'An outcome of the query could narrow `claims` further than this service permits, together with the answers that the organization already has.',
  ),
  cursor_invalid: row(
    'E4000',
    400,
    'invalid_request',
    'The `cursor` is malformed, or was issued for another list, other filters or another caller.',
  ),
  preset_unavailable: row(
    'E4004',
    404,
    'preset_unavailable',
    'No active credential attests this preset; `status` gives the reason.',
  ),
  preset_expired: row(
    'E4010',
    410,
    'preset_expired',
    'The credential that attested this preset has expired.',
  ),
  preset_not_found: row(
    'E4044',
    404,
    'preset_not_found',
    'Unknown preset; `GET /presets` lists the presets.',
  ),
  invalid_grant: row(
    'E4005',
    400,
    'invalid_grant',
    'The code or refresh token is invalid, expired, revoked or used, was issued to another client, or does not match the request.',
  ),
  invalid_client: row(
    'E4006',
    401,
    'invalid_client',
    'Client authentication failed: the client is unknown or revoked, its secret or assertion is wrong, or its authentication method is not registered.',
  ),
  invalid_dpop_proof: row(
    'E4043',
    400,
    'invalid_dpop_proof',
    'The DPoP proof is missing, repeated, invalid, already used, or made for another request (RFC 9449).',
  ),
  use_dpop_nonce: row(
    'E4045',
    400,
    'use_dpop_nonce',
    'The DPoP proof has no current nonce; repeat the request with the `DPoP-Nonce` of this response.',
  ),
  unsupported_grant_type: row(
    'E4007',
    400,
    'unsupported_grant_type',
    '`grant_type` must be `authorization_code` or `refresh_token`.',
  ),
  unsupported_response_type: row(
    'E4007',
    400,
    'unsupported_response_type',
    '`response_type` must be `code`.',
  ),
  invalid_scope: row(
    'E4007',
    400,
    'invalid_scope',
    '`scope` is malformed or empty, or names scopes that are unknown, not requested or not registered for the client.',
  ),
  invalid_authorization_details: row(
    'E4007',
    400,
    'invalid_authorization_details',
    '`authorization_details` is malformed, or has details that are unknown, not granted, or not registered for the client (RFC 9396); see `problems`.',
  ),
  unauthorized_client: row(
    'E4007',
    400,
    'unauthorized_client',
    'The client is not registered for this `grant_type`. Reserved: not returned at present.',
  ),
  login_required: row(
    'E4007',
    400,
    'login_required',
    '`prompt` must not be `none`: every request requires consent.',
  ),
  request_not_supported: row(
    'E4007',
    400,
    'request_not_supported',
    '`request` is not supported: send the parameters directly.',
  ),
  request_uri_not_supported: row(
    'E4007',
    400,
    'request_uri_not_supported',
    '`request_uri` is not supported, unless it names a pushed request: send the parameters directly.',
  ),
  invalid_request_uri: row(
    'E4007',
    400,
    'invalid_request_uri',
    'The `request_uri` is unknown, expired or already used, or was issued to another client.',
  ),
  invalid_transition: row(
    'E4009',
    409,
    'invalid_transition',
    'The current `status` of the authorization does not allow this.',
  ),
  grant_not_found: row(
    'E4046',
    404,
    'grant_not_found',
    'No person with this identifier has an active grant to this application whose scopes cover the identifier.',
  ),
  palm_verification_required: row(
    'E4047',
    403,
    'palm_verification_required',
    'The person must be verified by palm before this can be approved.',
  ),
  reauthentication_required: row(
    'E4008',
    403,
    'access_denied',
    'The application requires a more recent sign-in: the person must sign in again before this can be approved.',
  ),
  sign_in_rejected: row(
    'E4008',
    403,
    'access_denied',
    'The response of the login was rejected: it is an error, invalid, expired or already used, or of another browser or sign-in.',
  ),
  administrator_approval_disabled: row(
    'E4008',
    403,
    'access_denied',
    "The request has the administrator's token, but only the person can approve here, unless the setting `administratorApproval` is `always`.",
  ),
  access_denied: row(
    'E4008',
    403,
    'access_denied',
    'The caller is not allowed to do this: its identity, the `Host` or the `Origin` is not permitted.',
  ),
  not_found: row(
    'E4011',
    404,
    'not_found',
    'The path does not exist, or the object that it names does not exist or is not visible to the caller.',
  ),
  method_not_allowed: row(
    'E4012',
    405,
    'method_not_allowed',
    'The method is not allowed; `Allow` lists the allowed methods.',
  ),
  unsupported_media_type: row(
    'E4012',
    415,
    'unsupported_media_type',
    'The `Content-Type` must be one of those in `Accept` of the response, in UTF-8 and without `Content-Encoding`.',
  ),
  body_too_large: row('E4013', 413, 'too_large', 'The body exceeds the size limit.'),
  url_too_large: row('E4013', 414, 'too_large', 'The URL exceeds the length limit.'),
  headers_too_large: row(
    'E4013',
    431,
    'too_large',
    'The request has too many header lines, or its request line and headers are too large.',
  ),
  token_missing: row(
    'E4042',
    401,
    'invalid_token',
    'The request has no access token; send it as `Authorization: Bearer`, or `DPoP` for a token bound to a key.',
  ),
  token_expired: row('E4041', 401, 'invalid_token', 'The access token has expired.'),
  token_invalid: row('E4042', 401, 'invalid_token', 'The access token is invalid or was revoked.'),
  token_proof_invalid: row(
    'E4043',
    401,
    'invalid_dpop_proof',
    'The DPoP proof is missing, repeated, invalid, already used, or made for another request or access token (RFC 9449).',
  ),
  token_nonce_required: row(
    'E4045',
    401,
    'use_dpop_nonce',
    'The DPoP proof has no current nonce; repeat the request with the `DPoP-Nonce` of this response.',
  ),
  rate_limited: row(
    'E4029',
    429,
    'rate_limited',
    'Too many requests; `Retry-After` gives the seconds to wait.',
  ),
  server_error: row(
    'E5000',
    500,
    'server_error',
    'Internal error; the log has the details under the request id.',
  ),
  sign_in_unavailable: row(
    'E5003',
    503,
    'temporarily_unavailable',
    'The sign-in provider cannot be reached, or its configuration or response is invalid; the log has the details.',
  ),
  temporarily_unavailable: row(
    'E5003',
    503,
    'temporarily_unavailable',
    'The service is temporarily unavailable; try again shortly.',
  ),
} as const satisfies Readonly<Record<string, ErrorDefinition>>;

/** The key of an error, returned as `error_subcode`. Stable. */
export type ErrorSubcode = keyof typeof ERRORS;

/** Machine-readable details of an error: pointers, limits, missing scopes. */
export type ErrorContext = Readonly<Record<string, unknown>>;

/** Thrown for a rejected request. */
export class ServiceError extends ProvisoError<ErrorSubcode> {
  override readonly name = 'ServiceError';
  readonly subcode: ErrorSubcode;
  readonly context: ErrorContext;

  /** Returned as `error_description`. */
  readonly description: string;

  /**
   * @param options - `cause` is for the log and never shown. `description` replaces the constant description to name the fault of this request:
   *   printable ASCII without `"` and `\` (RFC 6749 §4.1.2.1) and without personal data.
   */
  constructor(
    subcode: ErrorSubcode,
    context: ErrorContext = {},
    options: { readonly cause?: unknown; readonly description?: string } = {},
  ) {
    const { description, ...cause } = options;
    super(subcode, description ?? ERRORS[subcode].description, cause);
    this.subcode = subcode;
    this.context = context;
    this.description = description ?? ERRORS[subcode].description;
  }

  get definition(): ErrorDefinition {
    return ERRORS[this.subcode];
  }
}

function row(errorCode: string, status: number, error: string, description: string): ErrorDefinition {
  return { errorCode, status, error, description };
}
