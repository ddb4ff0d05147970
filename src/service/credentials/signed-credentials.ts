/** Credentials that an issuer signed: what identifies one and its subject (V18), and how its claims are mapped to the catalogue. */
import type { JsonValue } from '../../engine/index.js';
import { segmentsOf } from '../../engine/problems.js';
import type { ServiceContext } from '../context.js';
import type { VerifiedCredential } from '../ports/verifiers.js';

type IdentityContext = Pick<ServiceContext, 'digest' | 'credentialKey'>;

/** What identifies a credential that an issuer signed. */
export interface SignedIdentity {
  readonly id: string;
  /** A keyed hash of the issuer and its subject; absent where the credential states none. */
  readonly subject?: string;
}

/** The ids that are derived here; no credential of our own JSON may have one. */
const DERIVED_ID = /^(?:jti|jws)_[A-Za-z0-9_-]{43}$/;

/** Whether an id is one that {@link identifySignedCredential} may derive. */
export function isDerivedId(id: string): boolean {
  return DERIVED_ID.test(id);
}

/**
 * Identifies a signed credential: by issuer and `jti`, or where the issuer gave none by issuer and signed content. Neither changes with
 * the signature, the choice or the order of disclosures, and no issuer can take an id of another.
 *
 * `jti_` is followed by the SHA-256 of the JSON array `[issuer, jti]`, which an administrator can compute as well. `jws_` is keyed:
 * the signed content may contain claims, which a plain hash would let a reader of the store guess.
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
    ...(subject === undefined ? {} : { subject: keyed('subject', subject) }),
  };
}

/**
 * The claims of a credential, by claim path, under every mapping of one of its types; where two mappings write one path,
 * the later one holds. A pointer at which the credential has nothing is left out. Pointers count the elements of arrays as the issuer
 * signed them; a claim that is an array contains those that were disclosed. Never throws.
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

function valueAt(content: JsonValue, pointer: string): JsonValue | undefined {
  if (pointer === '') return content;
  if (!pointer.startsWith('/')) return undefined;
  let value: JsonValue | undefined = content;
  for (const name of segmentsOf(pointer)) {
    value = memberOf(value, name);
    if (value === undefined) return undefined;
  }
  return value;
}

/** Removes the elements that were not disclosed. */
function withoutHoles(value: JsonValue): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  // `flatMap` skips holes.
  if (Array.isArray(value)) return value.flatMap((element) => [withoutHoles(element)]);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutHoles(member)]));
}

function memberOf(value: JsonValue, name: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  // An array's own `length` is no element.
  if (Array.isArray(value) && !/^(0|[1-9]\d*)$/.test(name)) return undefined;
  return Object.hasOwn(value, name) ? (value as Readonly<Record<string, JsonValue>>)[name] : undefined;
}
