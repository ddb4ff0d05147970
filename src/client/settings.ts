/** What an application tells its client, and what that comes to: a fetch without cookies, a clock, a way to authenticate. */
import * as oauth from 'oauth4webapi';
import { systemClock } from '../system/clock.js';

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
export interface ReadSettings {
  /** Without a slash at its end. */
  readonly issuer: string;
  readonly redirectUri: string;
  readonly application: oauth.Client;
  readonly authentication: oauth.ClientAuth;
  readonly fetch: Fetch;
  readonly now: () => number;
  readonly refreshAheadMs: number;
  /** Whether the issuer is on this machine, so that plain http will do. */
  readonly insecure: boolean;
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/;
const MS_PER_SECOND = 1_000;
const DEFAULT_REFRESH_AHEAD_SECONDS = 30;

/**
 * Reads settings.
 *
 * @throws {RangeError} When the issuer is no https URL (http on loopback), or a secret and a key are both there.
 */
export function readSettings(settings: ClientSettings): ReadSettings {
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
    authentication: authenticationOf(settings),
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

function authenticationOf({ clientSecret, signingKey }: ClientSettings): oauth.ClientAuth {
  if (clientSecret !== undefined && signingKey !== undefined) {
    throw new RangeError('an application has a secret or a key, and not both');
  }
  if (signingKey !== undefined)
    return oauth.PrivateKeyJwt({ key: signingKey.key as oauth.CryptoKey, kid: signingKey.kid });
  return clientSecret === undefined ? oauth.None() : oauth.ClientSecretBasic(clientSecret);
}
