/** How a claim is compared with the keys of conditions, and the keys that a person's value meets. */
import { isJsonArray, type JsonPrimitive } from '../engine/claims/json-value.js';
import {
  AMOUNT,
  type ClaimNumber,
  type ClaimTable,
  INSTANT,
  isPrimitive,
  SLOTS,
  type Slot,
} from './claim-table.js';

/**
 * A kind of comparison: the value equals the key, has it as an element, starts with it or contains it; has a point of
 * at least the key, or negated of at least the key; or is merely defined, for the key `true`.
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
const NO_BOUND: readonly number[] = [];

/** Returns the keys that the person of the match meets; for a range, the greatest of them. */
export function keysOfPerson(
  kind: KeyKind,
  claim: ClaimNumber,
  claims: ClaimTable,
): readonly JsonPrimitive[] {
  const value = claims.value(claim);
  if (value === undefined) return NO_KEYS;
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
      return boundOf(claims, claim, AMOUNT, 1);
    case 'numberTo':
      return boundOf(claims, claim, AMOUNT, -1);
    case 'instantFrom':
      return boundOf(claims, claim, INSTANT, 1);
    case 'instantTo':
      return boundOf(claims, claim, INSTANT, -1);
  }
}

/** @param sign - 1 for the greatest of least bounds; −1 for the negated least of greatest bounds. */
function boundOf(claims: ClaimTable, claim: ClaimNumber, slot: Slot, sign: 1 | -1): readonly number[] {
  const point = claims.numbers[claim * SLOTS + slot] as number;
  // A value of another type has no point.
  return Number.isNaN(point) ? NO_BOUND : [sign * point];
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
