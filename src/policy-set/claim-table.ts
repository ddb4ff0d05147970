/** The claims that policies read, each with a number, and the values of the person of the current match. */
import { type ClaimReference, toClaimReference } from '../engine/claims/claim-path.js';
import { type ClaimSet, findValue } from '../engine/claims/claim-set.js';
import { parseInstant } from '../engine/claims/instant.js';
import type { JsonPrimitive, JsonValue } from '../engine/claims/json-value.js';
import { grow } from './growing.js';
import { UNKNOWN_VALUE, type ValueNumber, type ValueTable } from './value-table.js';

export type ClaimNumber = number;

/** Reads each claim of a person once per match, in the forms that checks compare. */
export class ClaimTable {
  readonly #values: ValueTable;
  readonly #numbers = new Map<string, ClaimNumber>();
  readonly #references: ClaimReference[] = [];
  #claims: ClaimSet | undefined;
  /** By claim, in the current match: its value, in the forms that checks compare. */
  readonly #found: (JsonValue | undefined)[] = [];
  #valueNumbers = new Int32Array(16);
  #amounts = new Float64Array(16);
  #instants = new Float64Array(16);

  /** @param values - The values that checks compare with. */
  constructor(values: ValueTable) {
    this.#values = values;
  }

  /** Number of claims. */
  get size(): number {
    return this.#references.length;
  }

  /** Returns the number of a claim, assigned on first use. */
  numberOf(path: string): ClaimNumber {
    const known = this.#numbers.get(path);
    if (known !== undefined) return known;
    const number = this.#references.length;
    this.#references.push(toClaimReference(path));
    this.#numbers.set(path, number);
    this.#found.push(undefined);
    if (number >= this.#amounts.length) {
      this.#valueNumbers = grow(this.#valueNumbers, number + 1);
      this.#amounts = grow(this.#amounts, number + 1);
      this.#instants = grow(this.#instants, number + 1);
    }
    return number;
  }

  reference(claim: ClaimNumber): ClaimReference {
    return this.#references[claim] as ClaimReference;
  }

  /** Whether a match is under way. */
  get isMatching(): boolean {
    return this.#claims !== undefined;
  }

  /** Starts a match: reads every claim once. */
  begin(claims: ClaimSet): void {
    this.#claims = claims;
    for (const [claim, reference] of this.#references.entries()) {
      const value = findValue(claims, reference);
      this.#found[claim] = value;
      this.#valueNumbers[claim] =
        value === undefined || !isPrimitive(value) ? UNKNOWN_VALUE : this.#values.find(value);
      this.#amounts[claim] = typeof value === 'number' ? value : Number.NaN;
      this.#instants[claim] = typeof value === 'string' ? (parseInstant(value) ?? Number.NaN) : Number.NaN;
    }
  }

  /** Ends the match, so that nothing about the person is retained. */
  end(): void {
    this.#claims = undefined;
    this.#found.fill(undefined);
    this.#valueNumbers.fill(UNKNOWN_VALUE);
    this.#amounts.fill(Number.NaN);
    this.#instants.fill(Number.NaN);
  }

  /** Returns the value of a claim; `undefined` where it is not defined. */
  value(claim: ClaimNumber): JsonValue | undefined {
    return this.#found[claim];
  }

  /** Returns the number of a claim's value among those that checks compare with; {@link UNKNOWN_VALUE} for any other. */
  valueNumber(claim: ClaimNumber): ValueNumber {
    return this.#valueNumbers[claim] as number;
  }

  /** Returns the value of a claim that is a number; NaN for any other. */
  amount(claim: ClaimNumber): number {
    return this.#amounts[claim] as number;
  }

  /** Returns the instant of a claim that is a date; NaN for any other. */
  instant(claim: ClaimNumber): number {
    return this.#instants[claim] as number;
  }
}

/** Returns whether a value is a string, a number, a boolean or `null`. */
export function isPrimitive(value: JsonValue): value is JsonPrimitive {
  return typeof value !== 'object' || value === null;
}
