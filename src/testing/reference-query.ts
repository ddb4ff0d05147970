/** Normalizes valid queries for the reference interpreter, and writes their canonical texts (L4, L5, L25). Shares no code with the engine's parser. */
import type { JsonObject, JsonValue } from '../engine/claims/json-value.js';
import type { Check, Policy, PolicyItem, Query } from '../engine/query/query.js';
import { isArray, isObject } from './reference-values.js';

/** A check, and its pointer in the query as received. */
export interface PlacedCheck extends Check {
  readonly pointer: string;
}

/** Normalizes a query: writes each item as `{check}` or `{policy}`, replaces the array in `not` by its item, and adds the default `index` to the lens `at`. */
export function normalize(query: JsonObject): Query {
  const { projections } = query;
  if (projections === undefined) return normalizeItem(query);
  const completed = elements(projections).map((projection) =>
    projection.lens === 'at' ? { index: 0, ...projection } : projection,
  );
  // `examine` has found it valid, which its type does not express.
  return { projections: completed } as unknown as Query;
}

function normalizeItem(item: JsonObject): PolicyItem {
  const { check, policy } = item;
  if (policy !== undefined) return { policy: normalizePolicy(policy as JsonObject) };
  if (check !== undefined) return { check: check as unknown as Check };
  return item.claim === undefined ? { policy: normalizePolicy(item) } : { check: item as unknown as Check };
}

function normalizePolicy({ allOf, anyOf, not }: JsonObject): Policy {
  if (allOf !== undefined) return { allOf: elements(allOf).map(normalizeItem) };
  if (anyOf !== undefined) return { anyOf: elements(anyOf).map(normalizeItem) };
  const [item] = isArray(not as JsonValue) ? elements(not) : [not as JsonObject];
  return { not: normalizeItem(item as JsonObject) };
}

/** Returns the checks of a query as received, in document order. */
export function checksOf(item: JsonObject, pointer = ''): readonly PlacedCheck[] {
  if (item.claim !== undefined) return [{ ...(item as unknown as Check), pointer }];
  return ['check', 'policy', 'allOf', 'anyOf', 'not'].flatMap((name) => {
    const value = item[name];
    const place = `${pointer}/${name}`;
    if (value === undefined) return [];
    if (!isArray(value)) return checksOf(value as JsonObject, place);
    return elements(value).flatMap((inner, index) => checksOf(inner, `${place}/${index}`));
  });
}

/** Serializes a value by RFC 8785: without white space, members in the order of the code units of their names, −0 as 0. */
export function writeCanonical(value: JsonValue): string {
  if (isArray(value)) return `[${value.map(writeCanonical).join(',')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([name, inner]) => `${JSON.stringify(name)}:${writeCanonical(inner)}`).join(',')}}`;
}

/** The elements of an array, which `examine` has found to be objects. */
function elements(array: JsonValue | undefined): readonly JsonObject[] {
  return array as unknown as readonly JsonObject[];
}
