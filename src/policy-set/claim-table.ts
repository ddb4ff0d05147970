/** The claims that policies read, each with a number, and the values of the person of the current match. */
import { type ClaimReference, toClaimReference } from '../engine/claims/claim-path.js';
import { type ClaimSet, findValue } from '../engine/claims/claim-set.js';
import { parseInstant } from '../engine/claims/instant.js';
import { isPrimitive, type JsonValue } from '../engine/claims/json-value.js';
import { pointOf, pointOfInstant } from './grid.js';
import { grow } from './growing.js';
import { UNKNOWN_VALUE, type ValueTable } from './value-table.js';

export type ClaimNumber = number;

/** The index of a number that checks compare: {@link SLOTS} times the number of the claim, plus {@link VALUE}, {@link AMOUNT} or {@link INSTANT}. */
export type Slot = number;

/** The number of the claim's value in the {@link ValueTable}, {@link UNKNOWN_VALUE} if no check compares with it; NaN where the claim is not defined. */
export const VALUE = 0;
/** The point of the claim's value where it is a number; NaN for another value, or if no check compares the slot. */
export const AMOUNT = 1;
/** The point of the instant of the claim's value where it is a date; NaN for another value, or if no check compares the slot. */
export const INSTANT = 2;
export const SLOTS = 3;

/** Reads each claim of a person once per match, in the forms that checks compare. */
export class ClaimTable {
  readonly #values: ValueTable;
  readonly #claimNumbers = new Map<string, ClaimNumber>();
  readonly #references: ClaimReference[] = [];
  #claims: ClaimSet | undefined;
  /** By claim, in the current match: its value. */
  readonly #found: (JsonValue | undefined)[] = [];
  /** By slot: the number of the person of the current match; NaN between matches. */
  #numbers = new Float64Array(48);
  /** By slot: whether a check compares it. */
  #isCompared = new Uint8Array(48);

  /** @param values - The values that checks compare with. */
  constructor(values: ValueTable) {
    this.#values = values;
  }

  /** Returns the number of a claim, assigned on first use. */
  numberOf(path: string): ClaimNumber {
    const known = this.#claimNumbers.get(path);
    if (known !== undefined) return known;
    const number = this.#references.length;
    this.#references.push(toClaimReference(path));
    this.#claimNumbers.set(path, number);
    this.#found.push(undefined);
    const size = (number + 1) * SLOTS;
    if (size > this.#numbers.length) {
      this.#numbers = grow(this.#numbers, size);
      this.#isCompared = grow(this.#isCompared, size);
    }
    this.#numbers.fill(Number.NaN, number * SLOTS, size);
    return number;
  }

  /** Records that a check compares the number of a slot: a match computes only these numbers. */
  useSlot(slot: Slot): void {
    this.#isCompared[slot] = 1;
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
    for (let claim = 0; claim < this.#references.length; claim += 1) {
      const value = findValue(claims, this.reference(claim));
      this.#found[claim] = value;
      if (value === undefined) continue;
      const slot = claim * SLOTS;
      this.#numbers[slot + VALUE] =
        this.#isCompared[slot + VALUE] === 1 ? this.#valueNumberOf(value) : UNKNOWN_VALUE;
      if (typeof value === 'number' && this.#isCompared[slot + AMOUNT] === 1)
        this.#numbers[slot + AMOUNT] = pointOf(value);
      if (typeof value === 'string' && this.#isCompared[slot + INSTANT] === 1)
        this.#numbers[slot + INSTANT] = pointOfInstant(parseInstant(value));
    }
  }

  /** Ends the match, so that nothing about the person is retained. */
  end(): void {
    this.#claims = undefined;
    this.#found.fill(undefined);
    this.#numbers.fill(Number.NaN);
  }

  /** The numbers of the person of the current match, by slot. A new array may replace it when a claim is added. */
  get numbers(): Float64Array {
    return this.#numbers;
  }

  /** Returns the value of a claim; `undefined` where it is not defined. */
  value(claim: ClaimNumber): JsonValue | undefined {
    return this.#found[claim];
  }

  #valueNumberOf(value: JsonValue): number {
    return isPrimitive(value) ? this.#values.find(value) : UNKNOWN_VALUE;
  }
}
