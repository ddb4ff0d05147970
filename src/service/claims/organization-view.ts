/** The view of one organization: pairwise identifiers and rounded instants, so that organizations cannot correlate people (V5, D5, S140). */

import { type Credential, type JsonValue, parseInstant } from '../../engine/index.js';
import { MS_PER_SECOND } from '../../util/time.js';
import type { Digest } from '../ports/ports.js';
import type { SubjectIndex } from '../ports/store/grant-store.js';

/** Claims that identify a person globally: each organization gets a different value. */
const PAIRWISE_CLAIMS: ReadonlySet<string> = new Set(['identity.service_uuid']);

/** Finer units for expiries in the near future, in milliseconds. */
const FINER_UNITS: readonly number[] = [3_600_000, 60_000, 1_000];

/** The earliest instant that RFC 3339 can express. */
const FIRST_INSTANT = parseInstant('0000-01-01') ?? 0;

export interface OrganizationView {
  /**
   * Rounds the expiries of credentials down and replaces claims that identify a person globally. The instants of issue and the ids stay unchanged, since
   * they decide which credential attests a claim: before an organization sees them, use {@link roundDown} and {@link PairwiseIdentifiers.credential}.
   *
   * @param now - Epoch milliseconds.
   */
  pseudonymize(
    credentials: readonly Credential[],
    organizationId: string,
    now: number,
  ): readonly Credential[];
  /** Rounds an instant down to the granularity. */
  roundDown(at: number): number;
  /**
   * Rounds an expiry down. A future expiry is rounded to the coarsest unit (the granularity, an hour, a minute or a second) that leaves it in the
   * future, or not at all. A past expiry is rounded to the granularity.
   */
  roundExpiry(expiresAt: number, now: number): number;
}

/** @param granularitySeconds - Granularity of the instants that an organization sees. */
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
    pseudonymize: (credentials, organizationId, now) =>
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

/** Keyed, one-way identifiers that differ by organization. Immutable; safe to share. */
export interface PairwiseIdentifiers {
  /** `sub` and `app_scoped_user_id`: the identifier of a person for one organization. */
  subject(organizationId: string, userId: string): string;
  /** The index by which the store finds grants when an organization names a person by `subject`. Unknown subjects have an index as well. */
  index(organizationId: string, subject: string): SubjectIndex;
  /** Returns an identifier that depends on the organization and on the secret key of its indexes ({@link SubjectIndex}). */
  sector(organizationId: string): string;
  /** The pairwise identifier of a credential in evidence. */
  credential(organizationId: string, credentialId: string): string;
  /** The pairwise value of a claim that identifies a person globally, as a UUID (version 8, RFC 9562). */
  uuid(organizationId: string, path: string, value: JsonValue): string;
}

/** Maximum number of cached credential identifiers. */
const MAX_CACHED_IDS = 10_000;

/** 96 bits, enough to distinguish sectors. Not a secret. */
const SECTOR_CHARACTERS = 16;

/** @param key - Secret. Changing it changes all identifiers. */
export function createPairwiseIdentifiers(digest: Digest, key: string): PairwiseIdentifiers {
  // JSON separates the parts unambiguously.
  const derive = (kind: string, organizationId: string, id: string) =>
    digest.hmacSha256(key, JSON.stringify([kind, organizationId, id]));
  // Cached: the identifier never changes, and appears in every result for which the credential attests a claim.
  const idsByOrganization = new Map<string, Map<string, string>>();
  let cachedCount = 0;
  const sector = (organizationId: string) => derive('sector', organizationId, '').slice(0, SECTOR_CHARACTERS);
  return {
    index: (organizationId, subject) => ({
      sector: sector(organizationId),
      hash: derive('subject-index', organizationId, subject),
    }),
    sector,
    subject: (organizationId, userId) => `usr_${derive('subject', organizationId, userId)}`,
    credential: (organizationId, credentialId) => {
      const cached = idsByOrganization.get(organizationId)?.get(credentialId);
      if (cached !== undefined) return cached;
      const id = `crd_${derive('credential', organizationId, credentialId)}`;
      if (cachedCount === MAX_CACHED_IDS) {
        idsByOrganization.clear();
        cachedCount = 0;
      }
      const ids = idsByOrganization.get(organizationId) ?? new Map<string, string>();
      idsByOrganization.set(organizationId, ids.set(credentialId, id));
      cachedCount += 1;
      return id;
    },
    uuid: (organizationId, path, value) =>
      toUuid(derive('claim', organizationId, JSON.stringify([path, value]))),
  };
}

/** Formats the first 128 bits of a digest as a UUID of version 8, custom (RFC 9562 §5.8); version and variant replace six of them. */
function toUuid(digest: string): string {
  const bytes = [...atob(digest.replaceAll('-', '+').replaceAll('_', '/'))].map((byte) => byte.charCodeAt(0));
  const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 0b11) | 0b1000).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    variant + hex.slice(17, 20),
    hex.slice(20, 32),
  ].join('-');
}
