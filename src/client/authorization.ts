/** Asking a person, and taking their answer: the authorization code flow with PKCE, state and `iss` (RFC 6749 §4.1, RFC 7636, RFC 9207). */

import * as oauth from 'oauth4webapi';
import { omitUndefined } from '../util/omit-undefined.js';
import { ClientError, toClientError } from './client-error.js';
import { type CallOptions, type Connection, requestOptions } from './connection.js';
import { readResponse, rejectAsInvalid, withoutResponse } from './read-response.js';
import { type Tokens, toTokens } from './tokens.js';

/** What a person is asked for. */
export interface AuthorizationOptions extends CallOptions {
  /** Such as the `scopes` of a query that `proviso/builder` made. */
  readonly scopes: readonly string[];
  /** Who the person probably is: their name or e-mail address at the service. */
  readonly loginHint?: string;
  /** The language of the pages. */
  readonly locale?: string;
  /** Another redirect URI than that of the settings. */
  readonly redirectUri?: string;
}

/**
 * What has to be there when the browser comes back. Plain JSON; kept for this one browser, in its session, and thrown away when it is used:
 * an answer that is brought by anybody else finds none.
 */
export interface PendingAuthorization {
  readonly state: string;
  readonly codeVerifier: string;
  readonly redirectUri: string;
  /** With `openid`. */
  readonly nonce?: string;
}

/** A request for authorization that has begun. */
export interface AuthorizationRequest {
  /** Where to send the browser. */
  readonly url: string;
  readonly pending: PendingAuthorization;
}

const OPENID = 'openid';

/** Makes the address of a request for authorization, and what to keep meanwhile. */
export async function beginAuthorization(
  { scopes, loginHint, locale, signal, ...options }: AuthorizationOptions,
  { metadata, settings }: Connection,
): Promise<AuthorizationRequest> {
  const { authorization_endpoint = '' } = await metadata({ signal });
  const pending = {
    state: oauth.generateRandomState(),
    codeVerifier: oauth.generateRandomCodeVerifier(),
    redirectUri: options.redirectUri ?? settings.redirectUri,
    ...(scopes.includes(OPENID) ? { nonce: oauth.generateRandomNonce() } : {}),
  };
  const url = new URL(authorization_endpoint);
  const parameters = {
    response_type: 'code',
    client_id: settings.application.client_id,
    redirect_uri: pending.redirectUri,
    scope: scopes.join(' '),
    state: pending.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(pending.codeVerifier),
    code_challenge_method: 'S256',
    ...(pending.nonce === undefined ? {} : { nonce: pending.nonce }),
    ...omitUndefined({ login_hint: loginHint, locale }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return { url: url.href, pending };
}

/**
 * Redeems the code with which a browser came back.
 *
 * @throws {ClientError} `callback_invalid` when it is no answer to this request; `access_denied` and others when the person or the service
 *   said no; `invalid_grant` when the code is not good, or no longer.
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
  // Whoever approves may leave `openid` out: then there is no ID token to look at.
  const identified = pending.nonce !== undefined && tokens.scopes.includes(OPENID);
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

/** The parameters of an answer to this very request, by this very service. */
function validateCallback(
  callback: string | URL | URLSearchParams,
  { state }: PendingAuthorization,
  server: oauth.AuthorizationServer,
  application: oauth.Client,
): URLSearchParams {
  try {
    // A path alone is what most servers have.
    const given = typeof callback === 'string' ? new URL(callback, server.issuer) : callback;
    const parameters = oauth.validateAuthResponse(server, application, given, state);
    if (parameters.getAll('code').length !== 1) throw new RangeError('an answer has one code');
    return parameters;
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      const description = error.error_description ?? error.error;
      throw new ClientError(error.error, description, { error: error.error, cause: withoutResponse(error) });
    }
    const description = 'What the browser came back with is no answer to this request.';
    throw new ClientError('callback_invalid', description, { cause: withoutResponse(error) });
  }
}
