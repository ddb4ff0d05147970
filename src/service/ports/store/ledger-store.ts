/** Store port of the ledger: what applications have learned about people (S360–S367). */

/** One thing that was learned under a grant. Instants in epoch milliseconds. */
export interface LearnedRecord {
  /** A keyed hash of the grant and of what was learned. */
  readonly entry: string;
  readonly authorizationId: string;
  /** What was learned, as JSON; encrypted in a store with encryption. Always the same for the same `entry`. */
  readonly detail: string;
  readonly firstAt: number;
  readonly lastAt: number;
  /** How often this outcome replaced another one of the same query. */
  readonly changes: number;
}

/** Selects the records to delete: those about one person, of one application or of all. */
export interface LearnedSelector {
  readonly userId: string;
  readonly clientId?: string;
}

/** Stores the ledger. */
export interface LedgerStore {
  /**
   * Inserts records, in one transaction. For an existing entry, advances `lastAt` and adds `changes`. Ignores records of grants that do not
   * exist, such as after a concurrent erasure.
   */
  recordLearned(records: readonly LearnedRecord[]): Promise<void>;

  /** Lists the records of these grants, ordered by `firstAt`. */
  listLearned(authorizationIds: readonly string[]): Promise<readonly LearnedRecord[]>;

  /** Deletes the records of a person's grants. @returns Number of records. */
  deleteLearned(selector: LearnedSelector): Promise<number>;

  /**
   * Deletes records whose `lastAt` is before an instant, the oldest first.
   *
   * @param limit - Maximum number of records.
   * @returns Number of deleted records; 0 when none are left.
   */
  sweepLearned(before: number, limit: number): Promise<number>;
}
