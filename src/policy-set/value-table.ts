/** The strings, numbers, booleans and `null` that checks compare with: each is stored once, and has a number. */
import type { JsonPrimitive } from '../engine/claims/json-value.js';
import { grow } from './growing.js';

/** The number of a value, reused after its last use is released. */
export type ValueNumber = number;

/** The result of {@link ValueTable.find} for a value that no check compares with. */
export const UNKNOWN_VALUE = -1;

/** Stores values by number, so that checks compare integers. */
export class ValueTable {
  readonly #numbers = new Map<JsonPrimitive, ValueNumber>();
  readonly #values: JsonPrimitive[] = [];
  readonly #freed: ValueNumber[] = [];
  #uses = new Int32Array(64);
  /** By number of a value: its point on the grid (`grid.ts`), if ordering operators compare with the value. */
  #points = new Float64Array(64);

  /** Approximate memory, in bytes. */
  get bytes(): number {
    return this.#values.length * BYTES_PER_VALUE + this.#uses.length * 12;
  }

  /** Returns the number of a value; {@link UNKNOWN_VALUE} if no check compares with it. */
  find(value: JsonPrimitive): ValueNumber {
    return this.#numbers.get(value) ?? UNKNOWN_VALUE;
  }

  /** Adds a use of a value, and the value itself if it is new. Returns its number. */
  use(value: JsonPrimitive): ValueNumber {
    let number = this.#numbers.get(value);
    if (number === undefined) {
      number = this.#freed.pop() ?? this.#values.length;
      if (number >= this.#uses.length) {
        this.#uses = grow(this.#uses, number + 1);
        this.#points = grow(this.#points, number + 1);
      }
      this.#numbers.set(value, number);
      this.#values[number] = value;
      this.#uses[number] = 0;
    }
    this.useNumber(number);
    return number;
  }

  /** Adds a use of a value that has a number. */
  useNumber(number: ValueNumber): void {
    this.#uses[number] = (this.#uses[number] as number) + 1;
  }

  /** Ends a use of a value. After its last use, the value is removed and its number becomes free. */
  release(number: ValueNumber): void {
    const left = (this.#uses[number] as number) - 1;
    this.#uses[number] = left;
    if (left > 0) return;
    this.#numbers.delete(this.get(number));
    this.#values[number] = null;
    this.#freed.push(number);
  }

  get(number: ValueNumber): JsonPrimitive {
    return this.#values[number] as JsonPrimitive;
  }

  setPoint(number: ValueNumber, point: number): void {
    this.#points[number] = point;
  }

  /** By number of a value: the point that {@link setPoint} stored. Adding a value can replace the array. */
  get points(): Float64Array {
    return this.#points;
  }
}

/** Approximate memory of a short string and its entries, in bytes. */
const BYTES_PER_VALUE = 72;
