/** How a claim is compared with the keys of conditions, and the keys that a person's value meets. */
import { isJsonArray, isPrimitive, type JsonPrimitive } from '../engine/claims/json-value.js';
import {
  AMOUNT,
  type ClaimNumber,
  type ClaimTable,
  INSTANT,
  SLOTS,
  type Slot,
  VALUE,
} from './claim-table.js';

/**
 * How a value is compared with a key:
 *
 * - `equals`: the key is the number of the value;
 * - `element`, `prefix`: the key is an element of the value, or the start of the value;
 * - `trigram`: the key is the number of three consecutive characters of the value;
 * - `presence`: the key is `VALUE`, `AMOUNT` or `INSTANT` if the claim does not have that number, and the complement (such as `~VALUE`) if it does;
 * - `numberFrom`, `instantFrom`: the key is at most twice the point of the value (`grid.ts`), so that an odd key can express an excluded bound;
 * - `numberTo`, `instantTo`: the key is at most twice that point, negated.
 */
export type KeyKind =
  | 'equals'
  | 'element'
  | 'prefix'
  | 'trigram'
  | 'presence'
  | 'numberFrom'
  | 'numberTo'
  | 'instantFrom'
  | 'instantTo';

/** Prefixes are cut to one of these lengths, so that few prefixes of a value have to be looked up. */
export const PREFIX_LENGTHS: readonly number[] = [16, 8, 6, 4, 3, 2, 1];
export const TRIGRAM_LENGTH = 3;

/** Returns whether keys are bounds: a value that meets a key also meets all smaller ones. */
export function isRange(kind: KeyKind): boolean {
  return kind.endsWith('From') || kind.endsWith('To');
}

const NO_KEYS: readonly JsonPrimitive[] = [];

/** Returns the keys that the person of the match meets, each once; for a range, the greatest of them. */
export function keysOfPerson(kind: KeyKind, claim: ClaimNumber, claims: ClaimTable): Iterable<JsonPrimitive> {
  const value = claims.value(claim);
  if (kind === 'presence')
    return [VALUE, AMOUNT, INSTANT].map((slot) =>
      Number.isNaN(claims.numbers[claim * SLOTS + slot]) ? slot : ~slot,
    );
  if (value === undefined) return NO_KEYS;
  switch (kind) {
    case 'equals':
      return [claims.numbers[claim * SLOTS + VALUE] as number];
    case 'element':
      return isJsonArray(value) ? new Set(value.filter(isPrimitive)) : NO_KEYS;
    case 'prefix':
      return typeof value === 'string' ? prefixesOf(value) : NO_KEYS;
    case 'trigram':
      return typeof value === 'string' ? new Set(trigramsOf(value)) : NO_KEYS;
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

/** @param sign - 1 where keys are lower bounds; −1 where they are negated upper bounds. */
function boundOf(claims: ClaimTable, claim: ClaimNumber, slot: Slot, sign: 1 | -1): readonly JsonPrimitive[] {
  const point = claims.numbers[claim * SLOTS + slot] as number;
  // A value of another type has no point.
  return Number.isNaN(point) ? NO_KEYS : [2 * sign * point];
}

function prefixesOf(text: string): readonly string[] {
  return PREFIX_LENGTHS.filter((length) => length <= text.length).map((length) => text.slice(0, length));
}

const CHARACTER_BITS = 7;
const TRIGRAM_MASK = (1 << (TRIGRAM_LENGTH * CHARACTER_BITS)) - 1;

/** Returns a number for each substring of three code units. Different substrings of ASCII have different numbers. */
export function trigramsOf(text: string): readonly number[] {
  const trigrams: number[] = [];
  let trigram = 0;
  for (let index = 0; index < text.length; index += 1) {
    trigram = ((trigram << CHARACTER_BITS) ^ text.charCodeAt(index)) & TRIGRAM_MASK;
    if (index >= TRIGRAM_LENGTH - 1) trigrams.push(trigram);
  }
  return trigrams;
}
