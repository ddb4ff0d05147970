/** The settings of a deployment, and the two environments (V1, V2). */
import { SECONDS_PER_DAY } from '../util/time.js';
/** What a deployment sets: where the service is, and how long what it issues lives (V3, V8–V10). */

export interface Settings {
  /** The base URL, without a slash at its end: the issuer. Never taken from a request (S7). */
  readonly issuer: string;
  /** How long a request for authorization can be approved, in seconds. */
  readonly requestLifetimeSeconds: number;
  /** How long the `request_uri` of a pushed authorization request can be used, in seconds (RFC 9126 §2.2). */
  readonly pushedRequestLifetimeSeconds: number;
  /** In seconds; 600 at most (RFC 6749 §4.1.2). */
  readonly codeLifetimeSeconds: number;
  readonly accessTokenLifetimeSeconds: number;
  /** From the first issue of a family to its end, however often it rotates. */
  readonly refreshTokenLifetimeSeconds: number;
  /** How long a person stays signed in at a browser, in seconds. */
  readonly sessionLifetimeSeconds: number;
  /** How long a person may take back that they ended a grant, in seconds. */
  readonly undoSeconds: number;
  /** How coarse the instants of people's credentials are that an organization sees, in seconds. */
  readonly timestampGranularitySeconds: number;
  /** How many requests may come with one access token in a minute. */
  readonly rateLimitPerMinute: number;
  /** Of one client that authenticated, in a minute; 0 for no limit. */
  readonly clientRateLimitPerMinute: number;
  /** Of one address, in a minute; 0 for no limit. */
  readonly addressRateLimitPerMinute: number;
  /** Wrong secrets for one client from one address, in a minute; 0 for no limit. */
  readonly secretFailuresPerMinute: number;
  /** Authorization requests from one address, in a minute; 0 for no limit. */
  readonly authorizationRateLimitPerMinute: number;
  /** User-token requests of one client that find no grant, in a minute; 0 for no limit. */
  readonly userTokenMissesPerMinute: number;
}

const MAX_CODE_LIFETIME_SECONDS = 600;
const MAY_BE_ZERO: ReadonlySet<string> = new Set([
  'clientRateLimitPerMinute',
  'addressRateLimitPerMinute',
  'secretFailuresPerMinute',
  'authorizationRateLimitPerMinute',
  'userTokenMissesPerMinute',
]);

/**
 * The defaults, with the issuer and what a deployment changes.
 *
 * @throws {RangeError} When a number is not a whole one of 1 or more, a limit that may be none of 0 or more, or a code would live longer than ten minutes (S88).
 */
export function createSettings(issuer: string, changes: Partial<Omit<Settings, 'issuer'>> = {}): Settings {
  const settings = {
    issuer,
    requestLifetimeSeconds: 900,
    pushedRequestLifetimeSeconds: 60,
    codeLifetimeSeconds: 60,
    accessTokenLifetimeSeconds: 3_600,
    refreshTokenLifetimeSeconds: 30 * SECONDS_PER_DAY,
    sessionLifetimeSeconds: 8 * 3_600,
    undoSeconds: 60,
    timestampGranularitySeconds: SECONDS_PER_DAY,
    rateLimitPerMinute: 300,
    clientRateLimitPerMinute: 0,
    addressRateLimitPerMinute: 0,
    secretFailuresPerMinute: 0,
    authorizationRateLimitPerMinute: 0,
    userTokenMissesPerMinute: 0,
    ...changes,
  };
  const { issuer: _issuer, ...numbers } = settings;
  for (const [name, number] of Object.entries(numbers)) {
    const least = MAY_BE_ZERO.has(name) ? 0 : 1;
    if (!Number.isSafeInteger(number) || number < least) {
      throw new RangeError(`\`${name}\` must be an integer of at least ${least}, got ${number}`);
    }
  }
  if (settings.codeLifetimeSeconds > MAX_CODE_LIFETIME_SECONDS) {
    throw new RangeError(
      `\`codeLifetimeSeconds\` must be at most ${MAX_CODE_LIFETIME_SECONDS}, got ${settings.codeLifetimeSeconds}`,
    );
  }
  return Object.freeze(settings);
}

/** The two environments, as one object that all policy differences read (V1, V2). */

export type EnvironmentName = 'sandbox' | 'production';

export interface Environment {
  readonly name: EnvironmentName;
  /** Made-up people and applications are put into an empty store. */
  readonly seeded: boolean;
  /** Only requests for a loopback name are answered, so that no web page can reach the sandbox by a name of its own (D21). */
  readonly loopbackOnly: boolean;
}

export const SANDBOX: Environment = Object.freeze({ name: 'sandbox', seeded: true, loopbackOnly: true });

/** Real people: nothing is made up, and nobody decides for a person but that person and the administrator (V2). */
export const PRODUCTION: Environment = Object.freeze({
  name: 'production',
  seeded: false,
  loopbackOnly: false,
});
