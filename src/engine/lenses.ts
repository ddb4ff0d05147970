/** The three lenses of projections: names, parameters, and the value that each extracts (L5, L23). */
import { isJsonArray, isJsonObject, type JsonValue } from './claims/json-value.js';

export const LENS_NAMES = ['pluck', 'pick', 'at'] as const;

export type LensName = (typeof LENS_NAMES)[number];

/** A claim and the lens through which it is disclosed (L5). */
export type Projection =
  | { readonly claim: string; readonly lens: 'pluck' }
  | { readonly claim: string; readonly lens: 'pick'; readonly fields?: readonly string[] }
  | { readonly claim: string; readonly lens: 'at'; readonly index: number };

/** Extracts the disclosed part of a value; `null` where the lens does not fit (L23). Never throws. */
export type Extraction = (value: JsonValue) => JsonValue;

const pluck: Extraction = (value) => value;

/**
 * Extracts the named own members of an object that are present, in canonical order; without names, all members.
 * Returns `null` for any other value (L23).
 */
function pick(fields: readonly string[] | undefined): Extraction {
  if (fields === undefined) return (value) => (isJsonObject(value) ? value : null);
  const names = [...fields].sort();
  return (value) => {
    if (!isJsonObject(value)) return null;
    const present = names.filter((name) => Object.hasOwn(value, name));
    return Object.fromEntries(present.map((name) => [name, value[name] as JsonValue]));
  };
}

/** Extracts the element at an index, a negative one counted from the end; `null` where it does not exist (L23). */
function at(index: number): Extraction {
  return (value) => (isJsonArray(value) ? (value.at(index) ?? null) : null);
}

/** Returns the extraction of a projection. */
export function toExtraction(projection: Projection): Extraction {
  switch (projection.lens) {
    case 'pluck':
      return pluck;
    case 'pick':
      return pick(projection.fields);
    case 'at':
      return at(projection.index);
  }
}
