/** What may be used so often, or only once, over all instances. */

/** What a caller asked for, by an id that tells nothing of the caller. */
export interface SharedUse {
  readonly id: string;
  /** By how much later their bucket will be empty. */
  readonly ms: number;
}

/** The outcome of a reservation. */
export interface UseReservation {
  readonly reserved: boolean;
  /** When the bucket will be empty, epoch milliseconds. */
  readonly emptyAt: number;
}

/** Counts uses. */
export interface UseStore {
  /**
   * Adds what callers asked for to what they asked for of other instances.
   *
   * @param uses - Each id once. A negative `ms` gives back what was added or reserved before.
   * @returns When each one's bucket will be empty, epoch milliseconds.
   */
  addUse(uses: readonly SharedUse[], now: number): Promise<ReadonlyMap<string, number>>;

  /**
   * Adds a use if its bucket has room for it, in one statement: of any number of concurrent reservations, over all instances, exactly as
   * many succeed as fit.
   *
   * @param capacityMs - The content of a full bucket.
   */
  reserveUse(use: SharedUse, capacityMs: number, now: number): Promise<UseReservation>;

  /** Records that an assertion was used; tells whether this was the first time. Of several at once exactly one is told so. */
  useAssertion(id: string, expiresAt: number): Promise<boolean>;
}
