/** A person's credentials as one organization may see them: nothing in them is exact enough for two organizations to join people by (V5). */
import { type Credential, parseInstant } from '../../engine/index.js';
import type { PairwiseIdentifiers } from '../subjects/pairwise-identifiers.js';

/** Claims that identify a person everywhere: every organization gets another value. */
const PAIRWISE_CLAIMS: ReadonlySet<string> = new Set(['identity.service_uuid']);

/** Finer than the granularity of a deployment: for what is about to expire. In milliseconds. */
const FINER_UNITS: readonly number[] = [3_600_000, 60_000, 1_000];

const MS_PER_SECOND = 1_000;

/** RFC 3339 cannot write an earlier instant. */
const FIRST_INSTANT = parseInstant('0000-01-01') ?? 0;

export interface OrganizationView {
  /**
   * Rounds the expiries of credentials down and replaces claims that identify a person everywhere. The instants of issue stay exact, since
   * they decide which credential attests a claim: round them with {@link roundDown} before an organization sees them.
   *
   * @param now - Epoch milliseconds.
   */
  of(credentials: readonly Credential[], organizationId: string, now: number): readonly Credential[];
  /** Rounds an instant down to the granularity. */
  roundDown(at: number): number;
  /**
   * Rounds an expiry down to the coarsest unit that keeps an expiry in the future there: the granularity, an hour, a minute or a second. An
   * expiry that is past is rounded to the granularity; one less than a second away is exact.
   */
  roundExpiry(expiresAt: number, now: number): number;
}

/** @param granularitySeconds - How coarse the instants are that an organization sees. */
export function createOrganizationView(
  identifiers: PairwiseIdentifiers,
  granularitySeconds: number,
): OrganizationView {
  const granularity = granularitySeconds * MS_PER_SECOND;
  const units = [granularity, ...FINER_UNITS.filter((unit) => unit < granularity)];
  const roundExpiry = (expiresAt: number, now: number) => {
    if (expiresAt <= now) return floor(expiresAt, granularity);
    return units.map((unit) => floor(expiresAt, unit)).find((at) => at > now) ?? expiresAt;
  };
  const claimsOf = (claims: Credential['claims'], organizationId: string): Credential['claims'] =>
    Object.keys(claims).some((path) => PAIRWISE_CLAIMS.has(path))
      ? Object.fromEntries(
          Object.entries(claims).map(([path, value]) => [
            path,
            PAIRWISE_CLAIMS.has(path) && value !== null
              ? identifiers.uuid(organizationId, path, value)
              : value,
          ]),
        )
      : claims;
  return {
    of: (credentials, organizationId, now) =>
      credentials.map((credential) => ({
        ...credential,
        ...(credential.expiresAt === undefined ? {} : { expiresAt: roundExpiry(credential.expiresAt, now) }),
        claims: claimsOf(credential.claims, organizationId),
      })),
    roundDown: (at) => floor(at, granularity),
    roundExpiry,
  };
}

function floor(at: number, unit: number): number {
  return Math.max(Math.floor(at / unit) * unit, FIRST_INSTANT);
}
