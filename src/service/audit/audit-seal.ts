/** The records that make the audit log tamper-evident. Instants are epoch milliseconds. */

/** A sealed entry's canonical text, read from the store. */
export interface AuditLine {
  readonly position: number;
  readonly at: number;
  /** A JSON array of the entry's columns as they are stored, in the order of the table. */
  readonly text: string;
}

/** Positions from one to another, both included; without a bound where one is absent. */
export interface PositionRange {
  readonly from?: number;
  readonly to?: number;
}

/** The state of the log at a seal. Kept outside of the database, it shows what was changed or removed since. */
export interface AuditHead {
  /** The seal's number: 1, 2, 3 … */
  readonly number: number;
  /** The highest position that this seal, or one before it, covers. */
  readonly position: number;
  /** How many entries this seal and those before it cover. */
  readonly entries: number;
  /** When the seal was made. */
  readonly at: number;
  /** SHA-256 of the seal and the hash of the seal before it. */
  readonly hash: string;
  /** HMAC of all of the above, under the audit key. */
  readonly mac: string;
}

/** A seal as the store keeps it. `gaps` and `lines` are JSON texts, since the hash covers them as they are written. */
export interface AuditSeal extends AuditHead {
  /** The newest instant among the entries that this seal covers. */
  readonly lastAt: number;
  /** Positions that were skipped and may still appear: `[from, to, since]` each. */
  readonly gaps: string;
  /** The entries that this seal covers: `[position, at, hash]` each. */
  readonly lines: string;
}

/** What retention removed, and the proof that it was retention. */
export interface AuditRetention {
  /** Entries from before this instant may have been removed. */
  readonly keptFrom: number;
  /** HMAC of `keptFrom`; absent where nothing was removed since there are seals. */
  readonly mac?: string;
  /** The last seal that was removed, as a JSON text with an HMAC of its own; absent where the first is still there. */
  readonly start?: string;
}
