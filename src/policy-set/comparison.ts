/** How a claim is compared with the keys of conditions, and the keys that a person's value meets. */
import { isJsonArray, type JsonPrimitive } from '../engine/claims/json-value.js';
import { AMOUNT, type ClaimNumber, type ClaimTable, INSTANT, isPrimitive, SLOTS } from './claim-table.js';

/**
 * A kind of comparison: the value equals the key, has it as an element, starts with it or contains it; is a number or an instant of
 * at least the key, or negated of at least the negated key; or is merely defined, for the key `true`.
 */
export type KeyKind =
  | 'equals'
  | 'element'
  | 'prefix'
  | 'trigram'
  | 'defined'
  | 'numberFrom'
  | 'numberTo'
  | 'instantFrom'
  | 'instantTo';

/** Prefixes are cut to one of these lengths, so that few prefixes of a value have to be looked up. */
export const PREFIX_LENGTHS: readonly number[] = [16, 8, 6, 4, 3, 2, 1];
export const TRIGRAM_LENGTH = 3;

/** Returns whether keys are bounds: a value meets all keys up to the greatest one. */
export function isRange(kind: KeyKind): boolean {
  return kind.endsWith('From') || kind.endsWith('To');
}

const NO_KEYS: readonly JsonPrimitive[] = [];

/** Returns the keys that the person of the match meets; for a range, the greatest of them. */
export function keysOfPerson(
  kind: KeyKind,
  claim: ClaimNumber,
  claims: ClaimTable,
): readonly JsonPrimitive[] {
  const value = claims.value(claim);
  if (value === undefined) return NO_KEYS;
  const amount = claims.numbers[claim * SLOTS + AMOUNT] as number;
  const instant = claims.numbers[claim * SLOTS + INSTANT] as number;
  switch (kind) {
    case 'equals':
      return isPrimitive(value) ? [value] : NO_KEYS;
    case 'element':
      return isJsonArray(value) ? [...new Set(value.filter(isPrimitive))] : NO_KEYS;
    case 'prefix':
      return typeof value === 'string' ? prefixesOf(value) : NO_KEYS;
    case 'trigram':
      return typeof value === 'string' ? trigramsOf(value) : NO_KEYS;
    case 'defined':
      return [true];
    case 'numberFrom':
      return boundOf(amount);
    case 'numberTo':
      return boundOf(-amount);
    case 'instantFrom':
      return boundOf(instant);
    case 'instantTo':
      return boundOf(-instant);
  }
}

/** @param bound - NaN for a value of another type. */
function boundOf(bound: number): readonly number[] {
  return Number.isNaN(bound) ? [] : [bound];
}

function prefixesOf(text: string): readonly string[] {
  return PREFIX_LENGTHS.filter((length) => length <= text.length).map((length) => text.slice(0, length));
}

/** Returns the distinct substrings of three code units. */
export function trigramsOf(text: string): readonly string[] {
  const trigrams = new Set<string>();
  for (let end = TRIGRAM_LENGTH; end <= text.length; end += 1)
    trigrams.add(text.slice(end - TRIGRAM_LENGTH, end));
  return [...trigrams];
}
