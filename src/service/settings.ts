/** Settings of a deployment – its URL, lifetimes and limits (V3, V8–V10) – and its environments (V1, V2). */
import { SECONDS_PER_DAY } from '../util/time.js';

export interface Settings {
  /** The issuer: base URL without a trailing slash. Never taken from a request (S7). */
  readonly issuer: string;
  /** Lifetime of a pending authorization, in seconds. */
  readonly requestLifetimeSeconds: number;
  /** Lifetime of a pushed authorization request, in seconds (RFC 9126 §2.2). */
  readonly pushedRequestLifetimeSeconds: number;
  /** In seconds; at most 600 (RFC 6749 §4.1.2). */
  readonly codeLifetimeSeconds: number;
  readonly accessTokenLifetimeSeconds: number;
  /** Lifetime of a token family in seconds, independent of rotations. */
  readonly refreshTokenLifetimeSeconds: number;
  /** Lifetime of a session, in seconds. */
  readonly sessionLifetimeSeconds: number;
  /** How long a person may undo the withdrawal of a grant, in seconds; less than 600. */
  readonly undoSeconds: number;
  /** Granularity of the instants that organizations see, in seconds. */
  readonly timestampGranularitySeconds: number;
  /** Requests per minute with one access token. */
  readonly rateLimitPerMinute: number;
  /** Requests per minute of one authenticated client; 0 for no limit. */
  readonly clientRateLimitPerMinute: number;
  /** Requests per minute of one address; 0 for no limit. */
  readonly addressRateLimitPerMinute: number;
  /** Wrong secrets per minute from one address for one client, for one person, or for the administrator; 0 for no limit. */
  readonly secretFailuresPerMinute: number;
  /** Authorization requests per minute from one address; 0 for no limit. */
  readonly authorizationRateLimitPerMinute: number;
  /** Requests of one client to `client/user-token` per minute for which no grant is found, or whose selectors do not all identify the same person; 0 for no limit. */
  readonly userTokenMissesPerMinute: number;
}

const MAX_CODE_LIFETIME_SECONDS = 600;
/** `undoSeconds` must be less: an operator who revokes grants also revokes those that were withdrawn up to this long before. */
export const UNDO_LIMIT_SECONDS = 600;
const MAY_BE_ZERO: ReadonlySet<string> = new Set([
  'clientRateLimitPerMinute',
  'addressRateLimitPerMinute',
  'secretFailuresPerMinute',
  'authorizationRateLimitPerMinute',
  'userTokenMissesPerMinute',
]);

/**
 * Creates settings from the defaults, the issuer and changes.
 *
 * @throws {RangeError} If a value is not an integer of at least 1 (limits that can be disabled: at least 0), codes are valid for more than ten
 *   minutes (S88), or a withdrawal can be undone for ten minutes or more.
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
    const minimum = MAY_BE_ZERO.has(name) ? 0 : 1;
    if (!Number.isSafeInteger(number) || number < minimum) {
      throw new RangeError(`\`${name}\` must be an integer of at least ${minimum} (got ${number})`);
    }
  }
  if (settings.codeLifetimeSeconds > MAX_CODE_LIFETIME_SECONDS) {
    throw new RangeError(
      `\`codeLifetimeSeconds\` must be at most ${MAX_CODE_LIFETIME_SECONDS} (got ${settings.codeLifetimeSeconds})`,
    );
  }
  if (settings.undoSeconds >= UNDO_LIMIT_SECONDS) {
    throw new RangeError(
      `\`undoSeconds\` must be less than ${UNDO_LIMIT_SECONDS} (got ${settings.undoSeconds})`,
    );
  }
  return Object.freeze(settings);
}

/** The names of the environments (V1, V2). */
export type EnvironmentName = 'sandbox' | 'production';

export interface Environment {
  readonly name: EnvironmentName;
  /** Whether an empty store is filled with sample people and applications. */
  readonly seeded: boolean;
  /** Whether only requests for a loopback host are accepted, against DNS rebinding (D21). */
  readonly loopbackOnly: boolean;
}

export const SANDBOX: Environment = Object.freeze({ name: 'sandbox', seeded: true, loopbackOnly: true });

/** Real people: no sample data, and only the person or the administrator decides for a person (V2). */
export const PRODUCTION: Environment = Object.freeze({
  name: 'production',
  seeded: false,
  loopbackOnly: false,
});
