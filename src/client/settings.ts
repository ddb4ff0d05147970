/** The settings of a client: fetch without cookies, clock, client authentication. */

import * as oauth from 'oauth4webapi';
import { systemClock } from '../system/clock.js';
import { MS_PER_SECOND } from '../util/time.js';
import { assertOptions } from './options.js';

/** Sends a request, as the global `fetch` does. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** `CryptoKey`, if the types of the platform include it. */
export type SigningKey = typeof globalThis extends {
  crypto: { subtle: { generateKey(...options: never[]): Promise<infer Made> } };
}
  ? Extract<Made, { readonly type: string }>
  : object;

/** Authentication methods at the token and revocation endpoints. */
const METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'] as const;

/** The settings of a client. */
export interface ClientSettings {
  /** The service's base URL, such as `https://claims.example/v2`; plain http on loopback names only. */
  readonly issuer: string;
  /** The client id of the application. */
  readonly clientId: string;
  /** A registered redirect URI; compared exactly, except for the port on a loopback IP address. */
  readonly redirectUri: string;
  /** The client secret. For servers only, never in a browser. */
  readonly clientSecret?: string;
  /**
   * The registered authentication method at the token and revocation endpoints. Default: `client_secret_basic` with a
   * secret, `private_key_jwt` with a key, otherwise `none`. With `none` and a secret, the secret is sent for `userToken` and `grants` only.
   */
  readonly tokenEndpointAuthMethod?: (typeof METHODS)[number];
  /** The signing key for `private_key_jwt` (RFC 7523), instead of a secret. */
  readonly signingKey?: { readonly key: SigningKey; readonly kid: string };
  /** Default: the global `fetch`. */
  readonly fetch?: Fetch;
  /** Clock, in epoch milliseconds. Default: the system clock. */
  readonly clock?: { now(): number };
  /** How long before its expiry an access token is refreshed, in seconds. Default: 30. */
  readonly refreshAheadSeconds?: number;
}

const SETTINGS: readonly (keyof ClientSettings)[] = [
  'issuer',
  'clientId',
  'redirectUri',
  'clientSecret',
  'tokenEndpointAuthMethod',
  'signingKey',
  'fetch',
  'clock',
  'refreshAheadSeconds',
];

/** The validated settings. */
export interface ResolvedSettings {
  /** Without a trailing slash. */
  readonly issuer: string;
  readonly redirectUri: string;
  readonly application: oauth.Client;
  /** Authentication at the token and revocation endpoints. */
  readonly authentication: oauth.ClientAuth;
  /** Authentication by secret or key, if there is one. */
  readonly credentialAuthentication: oauth.ClientAuth;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly refreshAheadMs: number;
  /** Whether the issuer is an http URL, which is allowed on loopback names only. */
  readonly insecure: boolean;
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const DEFAULT_REFRESH_AHEAD_SECONDS = 30;

/**
 * Validates settings.
 *
 * @throws {TypeError} If `issuer`, `clientId` or `redirectUri` is not a string, `clientSecret` is empty or not a string, the key is not a private
 *   `CryptoKey`, or a setting is unknown.
 * @throws {RangeError} If the issuer is not an https URL (or http on loopback), or has credentials, a query or a fragment; if
 *   `refreshAheadSeconds` is invalid; if both a secret and a key are given; if the authentication method is unknown, or does not fit the secret or key.
 */
export function resolveSettings(settings: ClientSettings): ResolvedSettings {
  for (const name of ['issuer', 'clientId', 'redirectUri'] as const) {
    // Callers without type checks may pass anything.
    if (typeof (settings as Partial<ClientSettings> | undefined | null)?.[name] !== 'string')
      throw new TypeError(`\`${name}\` must be a string`);
  }
  assertOptions(settings, SETTINGS);
  const { clientId, redirectUri, refreshAheadSeconds = DEFAULT_REFRESH_AHEAD_SECONDS } = settings;
  const issuer = settings.issuer.replace(/\/$/, '');
  const { protocol, hostname, username, password } = parseUrl(issuer);
  // Paths are appended to the issuer (RFC 8414 §2), and `fetch` rejects credentials in URLs.
  if (username + password !== '' || /[?#]/.test(issuer))
    throw new RangeError('`issuer` must have no user name, password, query or fragment');
  const insecure = protocol === 'http:' && LOOPBACK.test(hostname);
  if (protocol !== 'https:' && !insecure) {
    throw new RangeError(`\`issuer\` must be an https URL, or http on a loopback name (got ${issuer})`);
  }
  if (!(Number.isFinite(refreshAheadSeconds) && refreshAheadSeconds >= 0))
    throw new RangeError(
      `\`refreshAheadSeconds\` must be a finite number of 0 or more (got ${refreshAheadSeconds})`,
    );
  const clock = settings.clock ?? systemClock;
  const send: Fetch = settings.fetch ?? ((url, init) => fetch(url, init));
  return {
    issuer,
    redirectUri,
    // oauth4webapi adds this skew to the system clock when it validates ID tokens.
    application: {
      client_id: clientId,
      get [oauth.clockSkew]() {
        return Math.round((clock.now() - systemClock.now()) / MS_PER_SECOND);
      },
    },
    ...authenticationOf(settings),
    // The service's CORS headers do not allow cookies, and it never redirects API requests.
    fetch: (url, init) => send(url, { ...init, credentials: 'omit', redirect: 'manual' }),
    now: () => clock.now(),
    refreshAheadMs: refreshAheadSeconds * MS_PER_SECOND,
    insecure,
  };
}

function parseUrl(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new RangeError(`\`issuer\` must be a URL (got ${text})`);
  }
}

function authenticationOf({
  clientSecret,
  signingKey,
  tokenEndpointAuthMethod: method,
}: ClientSettings): Pick<ResolvedSettings, 'authentication' | 'credentialAuthentication'> {
  if (method !== undefined && !METHODS.includes(method))
    throw new RangeError(`\`tokenEndpointAuthMethod\` must be one of ${METHODS.join(', ')} (got ${method})`);
  if (clientSecret !== undefined && signingKey !== undefined) {
    throw new RangeError('`clientSecret` and `signingKey` must not be combined');
  }
  if (signingKey !== undefined) {
    if (method !== undefined && method !== 'private_key_jwt')
      throw new RangeError(
        `\`tokenEndpointAuthMethod\` must be private_key_jwt with a \`signingKey\` (got ${method})`,
      );
    const signed = oauth.PrivateKeyJwt({ key: signingKey.key as oauth.CryptoKey, kid: signingKey.kid });
    return { authentication: signed, credentialAuthentication: signed };
  }
  if (method === 'private_key_jwt') throw unsupported(method, 'a `signingKey`');
  if (clientSecret === undefined) {
    if (method !== undefined && method !== 'none') throw unsupported(method, 'a `clientSecret`');
    return { authentication: oauth.None(), credentialAuthentication: oauth.None() };
  }
  // Lists use GET, which has no body: authenticate by the header.
  const inHeader = oauth.ClientSecretBasic(clientSecret);
  const registered = {
    none: oauth.None(),
    client_secret_basic: inHeader,
    client_secret_post: oauth.ClientSecretPost(clientSecret),
  };
  return {
    authentication: registered[method ?? 'client_secret_basic'],
    credentialAuthentication: inHeader,
  };
}

function unsupported(method: string, needs: string): RangeError {
  return new RangeError(`\`tokenEndpointAuthMethod\` ${method} requires ${needs}`);
}
