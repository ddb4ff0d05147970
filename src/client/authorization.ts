/** The authorization code flow with PKCE, `state` and `iss` (RFC 6749 §4.1, RFC 7636, RFC 9207). */

import * as oauth from 'oauth4webapi';
import type { Condition } from '../builder/index.js';
import type { Check, PolicyInput } from '../engine/index.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { ClientError, toClientError } from './client-error.js';
import { type CallOptions, type Connection, requestOptions } from './connection.js';
import { jsonText } from './json-text.js';
import { assertOptions } from './options.js';
import { membersOf, readResponse, rejectAsInvalid, withoutResponse } from './read-response.js';
import { CONDITION_TYPE, type Tokens, toTokens } from './tokens.js';

/** A question that the service may answer if the person agrees (RFC 9396). */
export interface ConditionRequest {
  /** A check or a policy, as JSON or from `proviso/builder`. */
  readonly query: Condition | { readonly check: Check } | { readonly policy: PolicyInput };
  /** Why the application asks, shown to the person: at most 200 characters. */
  readonly purpose: string;
}

/** Options of an authorization request. */
export interface AuthorizationOptions extends CallOptions {
  /** The requested scopes, such as the `scopes` of a query from `proviso/builder`. Optional with `conditions`. */
  readonly scopes?: readonly string[];
  /** The questions to ask instead of requesting data, at most ten: `evaluate` answers exactly these queries, without evidence. */
  readonly conditions?: readonly ConditionRequest[];
  /** A hint about the person: their name or e-mail address at the service. */
  readonly loginHint?: string;
  /** The preferred language of the pages. */
  readonly locale?: string;
  /** A redirect URI other than that of the settings. */
  readonly redirectUri?: string;
}

const AUTHORIZATION_OPTIONS: readonly (keyof AuthorizationOptions)[] = [
  'scopes',
  'conditions',
  'loginHint',
  'locale',
  'redirectUri',
  'signal',
];

/**
 * The state of a pending authorization request. Plain JSON. Store it in the session of this browser, so that a response in another browser
 * is rejected. Delete it after use, so that a repeated response is rejected.
 */
export interface PendingAuthorization {
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** Present if `openid` is requested. */
  readonly nonce?: string;
}

/** A started authorization request. */
export interface AuthorizationRequest {
  /** The URL to redirect the browser to. */
  readonly url: string;
  readonly pending: PendingAuthorization;
}

const OPENID = 'openid';

/** Creates an authorization request: the URL and the state to store. */
export async function beginAuthorization(
  options: AuthorizationOptions,
  { metadata, settings }: Connection,
): Promise<AuthorizationRequest> {
  assertOptions(options, AUTHORIZATION_OPTIONS);
  const { scopes = [], conditions, loginHint, locale, redirectUri, signal } = options;
  const { authorization_endpoint = '' } = await metadata({ signal });
  const pending = {
    state: oauth.generateRandomState(),
    codeVerifier: oauth.generateRandomCodeVerifier(),
    redirectUri: redirectUri ?? settings.redirectUri,
    ...(scopes.includes(OPENID) ? { nonce: oauth.generateRandomNonce() } : {}),
  };
  const url = new URL(authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: settings.application.client_id,
    redirect_uri: pending.redirectUri,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    ...(conditions === undefined ? {} : { authorization_details: toDetails(conditions) }),
    state: pending.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.codeVerifier),
    code_challenge_method: 'S256',
    ...(pending.nonce === undefined ? {} : { nonce: pending.nonce }),
    ...omitUndefined({ login_hint: loginHint, locale }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, pending };
}

function toDetails(conditions: readonly ConditionRequest[]): string {
  return jsonText(conditions.map(({ query, purpose }) => ({ type: CONDITION_TYPE, query, purpose })));
}

/**
 * Validates an authorization response and redeems its code.
 *
 * @throws {ClientError} `callback_invalid` if it is not a response to this request; `access_denied` and others for an error response;
 *   `invalid_grant` if the code is invalid or expired; `network_failed`, `response_invalid` or another error of the service.
 */
export async function redeemCode(
  callback: string | URL | URLSearchParams,
  pending: PendingAuthorization,
  connection: Connection,
  { signal }: CallOptions = {},
): Promise<Tokens> {
  const { settings } = connection;
  const { application, authentication } = settings;
  const server = await connection.metadata({ signal });
  const parameters = validateCallback(callback, pending, server, application);
  const requestedAt = settings.now();
  const { response, body } = await readResponse(
    () =>
      oauth.authorizationCodeGrantRequest(
        server,
        application,
        authentication,
        parameters,
        pending.redirectUri,
        pending.codeVerifier,
        requestOptions(settings, signal),
      ),
    signal,
  );
  if (!response.ok) throw toClientError(response, body);
  const tokens = toTokens(body, requestedAt);
  // There is no ID token if the person granted neither `openid` nor a scope that implies it.
  const hasIdToken = tokens.scopes.includes(OPENID) || membersOf(body)['id_token'] !== undefined;
  const identified = pending.nonce !== undefined && hasIdToken;
  await rejectAsInvalid(
    oauth.processAuthorizationCodeResponse(
      server,
      application,
      response,
      identified ? { expectedNonce: pending.nonce, requireIdToken: true } : {},
    ),
  );
  return tokens;
}

/** Checks that a callback is the response of this service to this request, and returns its parameters. */
function validateCallback(
  callback: string | URL | URLSearchParams,
  pending: Partial<PendingAuthorization> | undefined | null,
  server: oauth.AuthorizationServer,
  application: oauth.Client,
): URLSearchParams {
  // A session without a pending authorization: the callback was opened again, or in another browser.
  const { state, codeVerifier, redirectUri } = pending ?? {};
  if (typeof state !== 'string' || typeof codeVerifier !== 'string' || typeof redirectUri !== 'string')
    throw new ClientError(
      'callback_invalid',
      'There is no complete pending authorization for this callback.',
    );
  try {
    // Servers often pass only a path (`request.url`), which any base completes.
    const given = typeof callback === 'string' ? new URL(callback, server.issuer) : callback;
    const parameters = oauth.validateAuthResponse(server, application, given, state);
    if (parameters.getAll('code').length !== 1)
      throw new RangeError('the response must have exactly one `code`');
    return parameters;
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      const description = error.error_description ?? error.error;
      throw new ClientError(error.error, description, { error: error.error, cause: withoutResponse(error) });
    }
    const description = 'The callback is not a response to this authorization request.';
    throw new ClientError('callback_invalid', description, { cause: withoutResponse(error) });
  }
}
