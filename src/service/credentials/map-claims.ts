/** From a verified credential to claims: what its issuer's mappings name, and nothing else. */
import type { JsonValue } from '../../engine/index.js';
import { segmentsOf } from '../../engine/problems.js';
import type { VerifiedCredential } from '../ports/verifiers.js';

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
