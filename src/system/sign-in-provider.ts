/** OpenID Connect providers with oauth4webapi: discovery, authorization requests, and the validation of responses (S320–S324). */
import { importJWK, type JWK } from 'jose';
import * as oauth from 'oauth4webapi';
import type { JsonValue } from '../engine/index.js';
import type { Clock } from '../service/index.js';
import { valueAt } from '../service/json/value-at.js';
import {
  type ExpectedResponse,
  type ProviderIdentity,
  type ProviderOutcome,
  type ProviderRequest,
  ProviderUnavailable,
  type SignInProvider,
  type SignInProviderSettings,
} from '../service/ports/sign-in-provider.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { MS_PER_MINUTE, MS_PER_SECOND } from '../util/time.js';
import { systemClock } from './clock.js';

/** How the service authenticates at the token endpoint of a provider. */
export type ProviderCredential =
  | { readonly method: 'none' }
  | { readonly method: 'client_secret_basic' | 'client_secret_post'; readonly secret: string }
  /** A private JWK with `alg`, and with `kid` if the provider needs it. */
  | { readonly method: 'private_key_jwt'; readonly privateJwk: unknown };

const METADATA_LIFETIME_MS = 60 * MS_PER_MINUTE;
const TIMEOUT_MS = 10 * MS_PER_SECOND;
const MAX_RESPONSE_BYTES = 1_048_576;
const CLOCK_TOLERANCE_SECONDS = 5;
/** Registered errors of authorization responses (RFC 6749 §4.1.2.1, OpenID Connect Core §3.1.2.6), which a message may name. */
const KNOWN_ERRORS: readonly string[] = [
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_request',
  'invalid_scope',
  'login_required',
  'server_error',
  'temporarily_unavailable',
  'unauthorized_client',
  'unmet_authentication_requirements',
  'unsupported_response_type',
];
const WRONG_CLAIM = 'its iss, aud, azp or nonce is wrong';
/** Faults of an ID token, by error code of oauth4webapi. Other codes are errors of the provider or of its configuration. */
const ID_TOKEN_FAULTS: ReadonlyMap<string, string> = new Map([
  [oauth.JWT_CLAIM_COMPARISON, WRONG_CLAIM],
  [oauth.JWT_TIMESTAMP_CHECK, 'it is expired or not yet valid'],
  [oauth.INVALID_RESPONSE, 'it or the response that contains it is malformed, or its signature is wrong'],
  [oauth.KEY_SELECTION, 'it is not signed with a key of the provider'],
]);

/** The metadata of a provider, with the endpoints that sign-ins need. */
interface Discovered {
  readonly server: oauth.AuthorizationServer;
  readonly authorizationEndpoint: URL;
  /** Absent if the provider does not support RP-initiated logout. */
  readonly endSessionEndpoint?: URL;
  /** When the metadata was requested, epoch milliseconds. */
  readonly at: number;
}

/**
 * Creates a provider. Sends no request before the first sign-in, so that the service starts without the provider.
 *
 * @throws {TypeError} If the private key is malformed.
 */
export async function createSignInProvider(
  settings: SignInProviderSettings,
  credential: ProviderCredential,
  clock: Clock = systemClock,
): Promise<SignInProvider> {
  const authentication = await toClientAuthentication(credential);
  const client: oauth.Client = {
    client_id: settings.clientId,
    [oauth.clockTolerance]: CLOCK_TOLERANCE_SECONDS,
    // oauth4webapi adds this skew to the system clock when it validates ID tokens.
    get [oauth.clockSkew]() {
      return Math.round((clock.now() - systemClock.now()) / MS_PER_SECOND);
    },
  };
  const options = {
    [oauth.customFetch]: fetchBounded,
    // Settings allow http for loopback issuers only.
    [oauth.allowInsecureRequests]: settings.issuer.startsWith('http:'),
  };
  let found: Promise<Discovered> | undefined;
  const discover = async (): Promise<Discovered> => {
    const cached = await found?.catch(() => undefined);
    if (cached !== undefined && clock.now() - cached.at < METADATA_LIFETIME_MS) return cached;
    found = readMetadata(settings.issuer, options, clock.now());
    return await found;
  };
  return {
    settings,
    createAuthorizationUrl: (request) =>
      orUnavailable(async () =>
        toAuthorizationUrl((await discover()).authorizationEndpoint, request, settings),
      ),
    redeemResponse: (parameters, expected) =>
      orUnavailable(async () => {
        const { server } = await discover();
        return await redeem(
          { server, client, authentication, options, settings, clock },
          parameters,
          expected,
        );
      }),
    createLogoutUrl: (postLogoutRedirectUri, state) =>
      orUnavailable(async () => {
        const { endSessionEndpoint } = await discover();
        if (endSessionEndpoint === undefined) return undefined;
        const url = new URL(endSessionEndpoint);
        url.searchParams.set('client_id', settings.clientId);
        url.searchParams.set('post_logout_redirect_uri', postLogoutRedirectUri);
        if (state !== '') url.searchParams.set('state', state);
        return url.href;
      }),
  };
}

async function toClientAuthentication(credential: ProviderCredential): Promise<oauth.ClientAuth> {
  switch (credential.method) {
    case 'none':
      return oauth.None();
    case 'client_secret_basic':
      return oauth.ClientSecretBasic(credential.secret);
    case 'client_secret_post':
      return oauth.ClientSecretPost(credential.secret);
    case 'private_key_jwt':
      return oauth.PrivateKeyJwt(await importPrivateKey(credential.privateJwk));
  }
}

/** @throws {TypeError} */
async function importPrivateKey(json: unknown): Promise<oauth.PrivateKey> {
  const isPrivate =
    typeof json === 'object' && json !== null && 'd' in json && 'alg' in json && typeof json.alg === 'string';
  if (!isPrivate) throw new TypeError('the key must be a private JWK (RFC 7517) with `alg`');
  const jwk = json as JWK;
  const key = await importJWK(jwk).catch((cause: unknown) => {
    throw new TypeError('the key must be a private JWK (RFC 7517) with a supported `alg`', { cause });
  });
  if (key instanceof Uint8Array) throw new TypeError('the key must be a private JWK, not a symmetric one');
  // Without `extractable`, the imported key cannot be exported.
  return { key, ...omitUndefined({ kid: jwk.kid }) };
}

type Options = Readonly<Record<typeof oauth.customFetch, typeof fetchBounded>> &
  Readonly<Record<typeof oauth.allowInsecureRequests, boolean>>;

async function readMetadata(issuer: string, options: Options, at: number): Promise<Discovered> {
  const url = new URL(issuer);
  const response = await oauth.discoveryRequest(url, { algorithm: 'oidc', ...options });
  const server = await oauth.processDiscoveryResponse(url, response);
  // oauth4webapi compares normalized URLs, but `iss` is compared as a string.
  if (server.issuer !== issuer) throw new TypeError('the metadata has another `issuer`');
  const { authorization_endpoint: authorization = '', end_session_endpoint: endSession } = server;
  return {
    server,
    authorizationEndpoint: parseEndpoint(authorization, options),
    ...(endSession === undefined ? {} : { endSessionEndpoint: parseEndpoint(endSession, options) }),
    at,
  };
}

/** Parses the URL of an endpoint to which browsers are sent; oauth4webapi checks those of its own requests. */
function parseEndpoint(text: string, options: Options): URL {
  const url = new URL(text);
  const isAllowed =
    url.protocol === 'https:' || (url.protocol === 'http:' && options[oauth.allowInsecureRequests]);
  if (!isAllowed) throw new TypeError('the endpoints of a provider must be https URLs');
  return url;
}

async function toAuthorizationUrl(
  endpoint: URL,
  { acrValues, prompt, maxAgeSeconds, ...request }: ProviderRequest,
  { clientId, scopes }: SignInProviderSettings,
): Promise<string> {
  const url = new URL(endpoint);
  const parameters = {
    response_type: 'code',
    client_id: clientId,
    redirect_uri: request.redirectUri,
    scope: scopes.join(' '),
    state: request.state,
    nonce: request.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(request.codeVerifier),
    code_challenge_method: 'S256',
    ...(acrValues.length === 0 ? {} : { acr_values: acrValues.join(' ') }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(maxAgeSeconds === undefined ? {} : { max_age: String(maxAgeSeconds) }),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

interface Redemption {
  readonly server: oauth.AuthorizationServer;
  readonly client: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly options: Options;
  readonly settings: SignInProviderSettings;
  readonly clock: Clock;
}

async function redeem(
  redemption: Redemption,
  parameters: ReadonlyMap<string, string>,
  { redirectUri, state, nonce, codeVerifier }: ExpectedResponse,
): Promise<ProviderOutcome> {
  const { server, client, authentication, options, clock } = redemption;
  let validated: URLSearchParams;
  try {
    validated = oauth.validateAuthResponse(server, client, new URLSearchParams([...parameters]), state);
  } catch (error) {
    return { accepted: false, fault: describeResponseFault(error) };
  }
  if (!validated.has('code')) return { accepted: false, fault: RESPONSE_FAULT };
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    validated,
    redirectUri,
    codeVerifier,
    options,
  );
  let tokens: oauth.TokenEndpointResponse;
  try {
    tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    // OpenID Connect does not require this check over TLS, but an ID token with a wrong signature is not from this provider.
    await oauth.validateApplicationLevelSignature(server, response, options);
  } catch (error) {
    const fault = describeTokenFault(error);
    if (fault === undefined) throw error;
    return { accepted: false, fault };
  }
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  if (claims === undefined) throw new TypeError('the response has no ID token');
  // oauth4webapi checks `azp` only if `aud` has several values (OpenID Connect Core §3.1.3.7).
  if (claims.azp !== undefined && claims.azp !== client.client_id)
    return { accepted: false, fault: `The ID token is invalid: ${WRONG_CLAIM}.` };
  const userInfo = await readUserInfo(claims, tokens.access_token, redemption);
  return toOutcome(claims, userInfo, clock.now());
}

/** Reads the user information if the ID token lacks a mapped claim (OpenID Connect Core §5.4) and the provider has the endpoint. */
async function readUserInfo(
  claims: oauth.IDToken,
  accessToken: string,
  { server, client, options, settings }: Redemption,
): Promise<oauth.UserInfoResponse | undefined> {
  const { name, email, emailVerified } = settings.claims;
  // Parsed JSON.
  const isSigned = (pointer: string) => valueAt(claims as JsonValue, pointer) !== undefined;
  if ([name, email, emailVerified].every(isSigned) || server.userinfo_endpoint === undefined)
    return undefined;
  const response = await oauth.userInfoRequest(server, client, accessToken, options);
  return await oauth.processUserInfoResponse(server, client, claims.sub, response);
}

function toOutcome(
  claims: oauth.IDToken,
  userInfo: oauth.UserInfoResponse | undefined,
  now: number,
): ProviderOutcome {
  const { sub, acr, amr, auth_time: authTime } = claims;
  if (authTime !== undefined && !isPast(authTime, now))
    return { accepted: false, fault: 'The ID token is invalid: its auth_time is in the future.' };
  const identity: ProviderIdentity = {
    subject: sub,
    // Limited to now, in case the clock of the provider is ahead.
    ...(authTime === undefined
      ? {}
      : { authenticatedAt: Math.min(Math.floor(authTime * MS_PER_SECOND), now) }),
    ...(typeof acr === 'string' ? { acr } : {}),
    amr: Array.isArray(amr) ? amr.filter((one): one is string => typeof one === 'string') : [],
    claims,
    ...omitUndefined({ userInfo }),
  };
  return { accepted: true, identity };
}

function isPast(authTime: number, now: number): boolean {
  return authTime >= 0 && authTime * MS_PER_SECOND <= now + CLOCK_TOLERANCE_SECONDS * MS_PER_SECOND;
}

const RESPONSE_FAULT =
  'The response does not belong to this request: its state, iss or code is missing or wrong.';

function describeResponseFault(error: unknown): string {
  if (!(error instanceof oauth.AuthorizationResponseError)) return RESPONSE_FAULT;
  const code = KNOWN_ERRORS.includes(error.error) ? error.error : 'an unregistered error';
  return `The sign-in provider reported ${code}.`;
}

/** Returns the fault of a code or an ID token; `undefined` for an error of the provider or of its configuration. */
function describeTokenFault(error: unknown): string | undefined {
  if (error instanceof oauth.ResponseBodyError)
    return error.error === 'invalid_grant'
      ? 'The sign-in provider rejected the code: it is expired, already used or of another request.'
      : undefined;
  const reason =
    error instanceof oauth.OperationProcessingError ? ID_TOKEN_FAULTS.get(error.code ?? '') : undefined;
  return reason === undefined ? undefined : `The ID token is invalid: ${reason}.`;
}

async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw new ProviderUnavailable(error);
  }
}

/** Sends a request without following redirects. Throws if the response is late or larger than {@link MAX_RESPONSE_BYTES}. */
async function fetchBounded(url: string, init: object): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT_MS) });
  const { status, statusText, headers } = response;
  if (response.body === null) return new Response(null, { status, statusText, headers });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body) {
    length += chunk.byteLength;
    if (length > MAX_RESPONSE_BYTES) throw new RangeError('the response of the provider is too large');
    chunks.push(chunk);
  }
  return new Response(Buffer.concat(chunks), { status, statusText, headers });
}
