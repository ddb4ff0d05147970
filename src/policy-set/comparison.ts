/** How a claim is compared with the keys of conditions, and the keys that a person's value meets. */
import { type ClaimReference, toClaimReference } from '../engine/claims/claim-path.js';
import { type ClaimSet, findValue } from '../engine/claims/claim-set.js';
import { parseInstant } from '../engine/claims/instant.js';
import { isJsonArray, type JsonPrimitive, type JsonValue } from '../engine/claims/json-value.js';

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
export const PREFIX_LENGTHS: readonly number[] = [16, 8, 4, 2, 1];
export const TRIGRAM_LENGTH = 3;

/** A comparison of one claim, with the keys of the person of the current match. */
export class Comparison {
  readonly isRange: boolean;
  readonly #kind: KeyKind;
  readonly #claim: ClaimReference;
  #keys: readonly JsonPrimitive[] | undefined;

  constructor(claim: string, kind: KeyKind) {
    this.#claim = toClaimReference(claim);
    this.#kind = kind;
    this.isRange = kind.endsWith('From') || kind.endsWith('To');
  }

  /** Returns the keys that the person meets; for a range, the greatest of them. Computed once per match. */
  keys(claims: ClaimSet): readonly JsonPrimitive[] {
    if (this.#keys === undefined) {
      const value = findValue(claims, this.#claim);
      this.#keys = value === undefined ? NO_KEYS : keysOf(this.#kind, value);
    }
    return this.#keys;
  }

  /** Ends the match, so that no claims are retained. */
  end(): void {
    this.#keys = undefined;
  }
}

const NO_KEYS: readonly JsonPrimitive[] = [];

function keysOf(kind: KeyKind, value: JsonValue): readonly JsonPrimitive[] {
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
      return typeof value === 'number' ? [value] : NO_KEYS;
    case 'numberTo':
      return typeof value === 'number' ? [-value] : NO_KEYS;
    case 'instantFrom':
      return instantOf(value, 1);
    case 'instantTo':
      return instantOf(value, -1);
  }
}

function instantOf(value: JsonValue, sign: 1 | -1): readonly number[] {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined;
  return instant === undefined ? [] : [sign * instant];
}

function prefixesOf(text: string): readonly string[] {
  return PREFIX_LENGTHS.filter((length) => length <= text.length).map((length) => text.slice(0, length));
}

function trigramsOf(text: string): readonly string[] {
  const trigrams = new Set<string>();
  for (let end = TRIGRAM_LENGTH; end <= text.length; end += 1)
    trigrams.add(text.slice(end - TRIGRAM_LENGTH, end));
  return [...trigrams];
}

function isPrimitive(value: JsonValue): value is JsonPrimitive {
  return typeof value !== 'object' || value === null;
}
