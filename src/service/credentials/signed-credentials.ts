/** Signed credentials: their identity, their subject (V18), and the mapping of their claims to the catalogue. */
import { MAX_VALUE_DEPTH } from '../../engine/claims/json-value.js';
import type { JsonValue } from '../../engine/index.js';
import type { ServiceContext } from '../context.js';
import { valueAt } from '../json/value-at.js';
import type { VerifiedCredential } from '../ports/verifiers.js';

type IdentityContext = Pick<ServiceContext, 'digest' | 'credentialKey'>;

/** The identity of a signed credential. */
export interface SignedIdentity {
  readonly id: string;
  /** Keyed hash of the issuer and the subject; absent for a credential without a subject. */
  readonly subjectHash?: string;
}

/** Returns the keyed hash of a credential's id, by which a revoked credential is recognized after its person was erased. */
export function hashCredentialId(id: string, { digest, credentialKey }: IdentityContext): string {
  return digest.hmacSha256(credentialKey, JSON.stringify(['credential-id', id]));
}

/** Form of derived ids, which credentials in JSON format must not have. */
const DERIVED_ID = /^(?:jti|jws)_[A-Za-z0-9_-]{43}$/;

/** Whether an id has the form of the ids that {@link identifySignedCredential} derives. */
export function isDerivedId(id: string): boolean {
  return DERIVED_ID.test(id);
}

/**
 * Identifies a signed credential by its issuer and its `jti` (the `id` of a W3C credential); without a `jti`, by its issuer and its signed content. The
 * id does not depend on the signature or on the choice and order of disclosures, and ids of different issuers cannot collide.
 *
 * `jti_` is followed by the SHA-256 of the JSON array `[issuer, jti]`, which an administrator can compute. `jws_` is followed by a keyed hash,
 * since claims could be guessed from a plain hash of the signed content.
 */
export function identifySignedCredential(
  { id, issuer, subject, signedContent }: VerifiedCredential,
  { digest, credentialKey }: IdentityContext,
): SignedIdentity {
  const keyed = (kind: string, value: string) =>
    digest.hmacSha256(credentialKey, JSON.stringify([kind, issuer.issuer, value]));
  return {
    id:
      id === undefined
        ? `jws_${keyed('signed-content', signedContent)}`
        : `jti_${digest.sha256(JSON.stringify([issuer.issuer, id]))}`,
    ...(subject === undefined ? {} : { subjectHash: keyed('subject', subject) }),
  };
}

/**
 * Maps the members of a credential to claim paths, by every mapping of one of its types. If two mappings write the same path, the later one wins.
 * Pointers without a value are skipped. Pointers count array elements as the issuer signed them; an array claim contains the disclosed elements.
 * Never throws.
 */
export function mapClaims({ issuer, types, content }: VerifiedCredential): {
  readonly claims: Readonly<Record<string, JsonValue>>;
} {
  const claims: [string, JsonValue][] = [];
  for (const mapping of issuer.mappings) {
    if (!types.includes(mapping.type)) continue;
    for (const [pointer, path] of Object.entries(mapping.claims)) {
      const value = valueAt(content, pointer);
      if (value !== undefined) claims.push([path, withoutHoles(value)]);
    }
  }
  return { claims: Object.fromEntries(claims) };
}

/** Removes the array elements that were not disclosed. Leaves values nested deeper than `depth` unchanged: ingestion rejects such claims. */
function withoutHoles(value: JsonValue, depth: number = MAX_VALUE_DEPTH): JsonValue {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  // `flatMap` skips holes.
  if (Array.isArray(value)) return value.flatMap((element) => [withoutHoles(element, depth - 1)]);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withoutHoles(member, depth - 1)]),
  );
}
