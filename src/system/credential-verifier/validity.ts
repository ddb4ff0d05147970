/** From when and until when a credential holds, by all that it says on it. */
import { CredentialRefusal } from './refusal.js';

/** How far an issuer's clock may be ahead of ours. An end is taken to the millisecond. */
const CLOCK_TOLERANCE_MS = 60_000;

/** The years 0000 to 9999: what lies outside of them could be taken in, and never be told again (RFC 3339 §5.6). */
const FIRST_INSTANT = -62_167_219_200_000;
const LAST_INSTANT = 253_402_300_799_999;

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i;

export interface Validity {
  readonly issuedAt: number;
  readonly expiresAt?: number;
}

/**
 * The latest start and the earliest end. A number is seconds since the epoch (NumericDate of RFC 7519), a text is a
 * date-time of RFC 3339; what is `undefined` is not said. Throws a refusal where it does not hold at `now`.
 */
export function checkValidity(starts: readonly unknown[], ends: readonly unknown[], now: number): Validity {
  const from = starts.filter((start) => start !== undefined).map(toInstant);
  const until = ends.filter((end) => end !== undefined).map(toInstant);
  // Among active credentials the one issued last speaks (L11): one that does not say when cannot be placed.
  if (from.length === 0)
    throw new CredentialRefusal('malformed', 'iat, nbf or validFrom says when it was issued.');
  const issuedAt = Math.max(...from);
  if (issuedAt > now + CLOCK_TOLERANCE_MS) {
    throw new CredentialRefusal('not_yet_valid', 'iat, nbf and validFrom have come.');
  }
  if (until.length === 0) return { issuedAt };
  const expiresAt = Math.min(...until);
  if (now >= expiresAt) throw new CredentialRefusal('expired', 'exp and validUntil are yet to come.');
  return { issuedAt, expiresAt };
}

function toInstant(value: unknown): number {
  const instant =
    typeof value === 'number'
      ? Math.trunc(value * 1_000)
      : typeof value === 'string' && DATE_TIME.test(value)
        ? Date.parse(value)
        : Number.NaN;
  // Written so that NaN is refused as well.
  if (!(instant >= FIRST_INSTANT && instant <= LAST_INSTANT)) {
    const message = 'Instants are NumericDate or RFC 3339 date-times, of the years 0000 to 9999.';
    throw new CredentialRefusal('malformed', message);
  }
  return instant;
}
