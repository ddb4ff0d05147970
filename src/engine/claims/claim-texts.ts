/** What a claim set has written of itself so far: texts that every answer on it has in common (L21, L22). */
import { formatInstant } from './instant.js';
import type { JsonValue } from './json-value.js';

/** Each text is written when it is first asked for, and once. */
export class ClaimTexts {
  readonly #at: number;
  readonly #values: readonly (JsonValue | undefined)[];
  #atText = '';
  #expiry = Number.NaN;
  #expiryText = '';
  /** By slot: the value as JSON. */
  readonly #written: (string | undefined)[];

  /**
   * @param at - The instant for which the claims are indexed, epoch milliseconds.
   * @param values - By slot.
   * @param earlier - Of the same values at another instant: what that has written, and writes, is known to both.
   */
  constructor(at: number, values: readonly (JsonValue | undefined)[], earlier?: ClaimTexts) {
    this.#at = at;
    this.#values = values;
    this.#written = earlier === undefined ? [] : earlier.#written;
  }

  /** The instant for which the claims are indexed. */
  get at(): string {
    if (this.#atText === '') this.#atText = formatInstant(this.#at);
    return this.#atText;
  }

  /** An instant at which an answer on these claims expires: most answers on one claim set expire together. */
  expiry(at: number): string {
    if (this.#expiry !== at) {
      this.#expiry = at;
      this.#expiryText = formatInstant(at);
    }
    return this.#expiryText;
  }

  /** The value in a slot as JSON; the claim must be defined. */
  value(slot: number): string {
    const known = this.#written[slot];
    if (known !== undefined) return known;
    const text = JSON.stringify(this.#values[slot]);
    this.#written[slot] = text;
    return text;
  }
}
