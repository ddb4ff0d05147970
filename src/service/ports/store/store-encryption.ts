/** A store whose values are encrypted, and how they come under another key. */

/** The encryption of a store's values, and how they come under a new key, or under one at all. */
export interface StoreEncryption {
  /** Of the key that writes. */
  readonly keyId: string;
  /** Whether everything was encrypted once: a value in clear is then refused. As it was when the store was opened. */
  readonly whole: boolean;
  /** How many values are not under the key that writes. */
  countOthers(): Promise<number>;
  /**
   * Brings them there, each few in a step of their own; to be stopped and gone on with at any time.
   *
   * @param limit - Of each step.
   * @returns How many each step brought.
   */
  encryptAll(limit: number): AsyncIterable<number>;
  /**
   * Where nothing else is left: forgets every other key, and takes care that nothing of what values were remains in the file.
   *
   * @returns Whether that was so.
   */
  finish(): Promise<boolean>;
  /** The tables in which the engine keeps what rows were until it is told not to; absent where `finish` takes care of them. */
  readonly leftBehind?: string;
}
