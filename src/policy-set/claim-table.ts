/** The claims that policies read, each with a number, and the values of the person of the current match. */
import { type ClaimReference, toClaimReference } from '../engine/claims/claim-path.js';
import { type ClaimSet, findValue } from '../engine/claims/claim-set.js';
import { parseInstant } from '../engine/claims/instant.js';
import type { JsonPrimitive, JsonValue } from '../engine/claims/json-value.js';
import { grow } from './growing.js';
import { UNKNOWN_VALUE, type ValueNumber, type ValueTable } from './value-table.js';

export type ClaimNumber = number;

/** Reads each claim of a person at most once per match, in the forms that checks compare. */
export class ClaimTable {
  readonly #values: ValueTable;
  readonly #numbers = new Map<string, ClaimNumber>();
  readonly #references: ClaimReference[] = [];
  #claims: ClaimSet | undefined;
  /** The claims that this match has read. */
  readonly #read: ClaimNumber[] = [];
  /** By claim, in the current match. */
  readonly #found: (JsonValue | undefined | typeof UNREAD)[] = [];
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
    this.#found.push(UNREAD);
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

  /** Starts a match. */
  begin(claims: ClaimSet): void {
    this.#claims = claims;
  }

  /** Ends the match, so that nothing about the person is retained. */
  end(): void {
    this.#claims = undefined;
    for (const claim of this.#read) this.#found[claim] = UNREAD;
    this.#read.length = 0;
  }

  /** Returns the value of a claim; `undefined` where it is not defined. */
  value(claim: ClaimNumber): JsonValue | undefined {
    const found = this.#found[claim];
    // The values of a claim set are JSON, which has no symbols.
    return found === UNREAD ? this.#readClaim(claim) : (found as JsonValue | undefined);
  }

  /** Returns the number of a claim's value among those that checks compare with; {@link UNKNOWN_VALUE} for any other. */
  valueNumber(claim: ClaimNumber): ValueNumber {
    if (this.#found[claim] === UNREAD) this.#readClaim(claim);
    return this.#valueNumbers[claim] as number;
  }

  /** Returns the value of a claim that is a number; NaN for any other. */
  amount(claim: ClaimNumber): number {
    if (this.#found[claim] === UNREAD) this.#readClaim(claim);
    return this.#amounts[claim] as number;
  }

  /** Returns the instant of a claim that is a date; NaN for any other. */
  instant(claim: ClaimNumber): number {
    if (this.#found[claim] === UNREAD) this.#readClaim(claim);
    return this.#instants[claim] as number;
  }

  #readClaim(claim: ClaimNumber): JsonValue | undefined {
    // Only called in a match.
    const value = findValue(this.#claims as ClaimSet, this.reference(claim));
    this.#read.push(claim);
    this.#found[claim] = value;
    this.#valueNumbers[claim] =
      value === undefined || !isPrimitive(value) ? UNKNOWN_VALUE : this.#values.find(value);
    this.#amounts[claim] = typeof value === 'number' ? value : Number.NaN;
    this.#instants[claim] = typeof value === 'string' ? (parseInstant(value) ?? Number.NaN) : Number.NaN;
    return value;
  }
}

/** Marks a claim that the current match has not read. */
const UNREAD = Symbol('not read');

/** Returns whether a value is a string, a number, a boolean or `null`. */
export function isPrimitive(value: JsonValue): value is JsonPrimitive {
  return typeof value !== 'object' || value === null;
}
