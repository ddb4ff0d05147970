/** The texts of a list operand, to be asked for one (L16, L18). */

/** Laid out when it is first asked, since most queries are asked less than all of. Never throws. */
export class TextSet {
  readonly #texts: readonly string[];
  #laidOut: ReadonlySet<string> | undefined;

  /** @param texts - Not to be changed afterwards. */
  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  has(text: string): boolean {
    this.#laidOut ??= new Set(this.#texts);
    return this.#laidOut.has(text);
  }
}
