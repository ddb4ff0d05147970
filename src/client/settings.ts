/** What an application tells its client, and what that comes to: a fetch without cookies, a clock, a way to authenticate. */

import * as oauth from 'oauth4webapi';
import { systemClock } from '../system/clock.js';
import { MS_PER_SECOND } from '../util/time.js';

/** How the client sends a request; the global `fetch` is one. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** The platform's `CryptoKey`, whose types are there with the platform's. */
export type SigningKey = typeof globalThis extends {
  crypto: { subtle: { generateKey(...options: never[]): Promise<infer Made> } };
}
  ? Extract<Made, { readonly type: string }>
  : object;

/** What an application tells its client. */
export interface ClientSettings {
  /** The service's base URL, such as `https://claims.example/v2`; plain http on loopback names only. */
  readonly issuer: string;
  /** The id under which the application is registered. */
  readonly clientId: string;
  /** Where people come back to: one that is registered, letter by letter. */
  readonly redirectUri: string;
  /** For an application that keeps a secret: on a server, and never in a browser. */
  readonly clientSecret?: string;
  /**
   * How the application is registered to authenticate at the token and revocation endpoints. Where absent: `client_secret_basic` with a
   * secret, `private_key_jwt` with a key, otherwise `none`. With `none` and a secret, the secret is sent for `userToken` and `grants` only.
   */
  readonly tokenEndpointAuthMethod?:
    | 'none'
    | 'client_secret_basic'
    | 'client_secret_post'
    | 'private_key_jwt';
  /** For an application that signs instead (`private_key_jwt`, RFC 7523). */
  readonly signingKey?: { readonly key: SigningKey; readonly kid: string };
  /** The global one where absent. */
  readonly fetch?: Fetch;
  /** Epoch milliseconds; the system's clock where absent. */
  readonly clock?: { now(): number };
  /** How long before its end an access token is replaced, in seconds; 30 where absent. */
  readonly refreshAheadSeconds?: number;
}

/** The settings, read once. */
export interface ResolvedSettings {
  /** Without a slash at its end. */
  readonly issuer: string;
  readonly redirectUri: string;
  readonly application: oauth.Client;
  /** At the token and revocation endpoints. */
  readonly authentication: oauth.ClientAuth;
  /** By the secret or the key, where there is one. */
  readonly credentialAuthentication: oauth.ClientAuth;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly refreshAheadMs: number;
  /** Whether the issuer is on this machine, so that plain http will do. */
  readonly insecure: boolean;
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const DEFAULT_REFRESH_AHEAD_SECONDS = 30;

/**
 * Reads settings.
 *
 * @throws {RangeError} When the issuer is no https URL (http on loopback), a secret and a key are both there, or the authentication method
 *   needs the other.
 */
export function resolveSettings(settings: ClientSettings): ResolvedSettings {
  const { clientId, redirectUri, refreshAheadSeconds = DEFAULT_REFRESH_AHEAD_SECONDS } = settings;
  const issuer = settings.issuer.replace(/\/$/, '');
  const { protocol, hostname } = parseUrl(issuer);
  const insecure = protocol === 'http:' && LOOPBACK.test(hostname);
  if (protocol !== 'https:' && !insecure) {
    throw new RangeError(`the issuer is an https URL, or http on a loopback name: ${issuer}`);
  }
  const clock = settings.clock ?? systemClock;
  const send: Fetch = settings.fetch ?? ((url, init) => fetch(url, init));
  return {
    issuer,
    redirectUri,
    // The library compares the times of ID tokens with the system's clock, less this.
    application: {
      client_id: clientId,
      get [oauth.clockSkew]() {
        return Math.round((clock.now() - systemClock.now()) / MS_PER_SECOND);
      },
    },
    ...authenticationOf(settings),
    // Cookies say nothing here, and the service allows none from elsewhere; a redirect is no answer.
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
    throw new RangeError(`the issuer is a URL: ${text}`);
  }
}

function authenticationOf({
  clientSecret,
  signingKey,
  tokenEndpointAuthMethod: method,
}: ClientSettings): Pick<ResolvedSettings, 'authentication' | 'credentialAuthentication'> {
  if (clientSecret !== undefined && signingKey !== undefined) {
    throw new RangeError('an application has a secret or a key, and not both');
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
  // A list is read by GET, which has no body: the header serves every method.
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
  return new RangeError(`\`tokenEndpointAuthMethod\` ${method} needs ${needs}`);
}
