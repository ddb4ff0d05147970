/** Finds claims that are not defined because their credential expired, was revoked or is not yet valid (L10). */
import { ClaimSet, type Credential, findClaim, type JsonValue, toClaimReference } from '../engine/index.js';

/** A claim that is not defined at the instant of evaluation, although an inactive credential contains it. */
export interface InactiveClaim {
  readonly claim: string;
  /** The value in the credential. */
  readonly value: JsonValue;
  /** Why the credential is not active. */
  readonly reason: 'expired' | 'revoked' | 'not_yet_valid';
  /** The instant at which the credential expired, was revoked or becomes valid, epoch milliseconds. */
  readonly at: number;
  readonly credentialId: string;
  readonly source: string;
}

const NEVER = Number.POSITIVE_INFINITY;

/** A credential with a claim, and the interval in which the credential is active; the end is exclusive. */
interface ActiveInterval {
  readonly credential: Credential;
  readonly value: JsonValue;
  readonly from: number;
  readonly until: number;
}

/**
 * Finds the credential that attested an undefined claim last, or, if there is none, the one that will attest it first.
 * A credential that is never active, such as one that was revoked before it was issued, does not count.
 *
 * @param now - Epoch milliseconds; at this instant, the claim is not defined.
 */
export function findInactiveClaim(
  claim: string,
  credentials: readonly Credential[],
  now: number,
): InactiveClaim | undefined {
  const reference = toClaimReference(claim);
  const intervals = credentials.flatMap((credential): ActiveInterval[] => {
    const value = findClaim(ClaimSet.of(credential.claims), reference)?.value;
    const { issuedAt: from, expiresAt = NEVER, revokedAt = NEVER } = credential;
    const until = Math.min(expiresAt, revokedAt);
    return value === undefined || until <= from ? [] : [{ credential, value, from, until }];
  });
  const [last] = intervals
    .filter(({ until }) => until <= now)
    .sort(byNumberThenPrecedence(({ until }) => -until));
  if (last !== undefined) {
    const { revokedAt } = last.credential;
    return toInactiveClaim(claim, last, revokedAt === last.until ? 'revoked' : 'expired', last.until);
  }
  const [first] = intervals.filter(({ from }) => from > now).sort(byNumberThenPrecedence(({ from }) => from));
  return first && toInactiveClaim(claim, first, 'not_yet_valid', first.from);
}

/** Orders by a number, and then as credentials take precedence (L11). */
function byNumberThenPrecedence(
  numberOf: (interval: ActiveInterval) => number,
): (one: ActiveInterval, other: ActiveInterval) => number {
  return (one, other) =>
    numberOf(one) - numberOf(other) ||
    other.from - one.from ||
    (one.credential.id < other.credential.id ? -1 : 1);
}

function toInactiveClaim(
  claim: string,
  { credential: { id, source }, value }: ActiveInterval,
  reason: InactiveClaim['reason'],
  at: number,
): InactiveClaim {
  return { claim, value, reason, at, credentialId: id, source };
}
