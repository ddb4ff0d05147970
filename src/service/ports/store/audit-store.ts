/** The audit log: what is added is never changed. */
import type { AuditEntry, AuditQuery, AuditRecord } from '../../audit/audit-entry.js';
import type { AuditLine, AuditRetention, AuditSeal, PositionRange } from '../../audit/audit-seal.js';

/** Keeps the audit log. */
export interface AuditStore {
  /** Adds entries to the audit log, in order and all or none. */
  recordAudit(entries: readonly AuditEntry[]): Promise<void>;

  /** Entries of the audit log, in the order of their instants, and of those of one instant as they were written. */
  listAudit(query: AuditQuery): Promise<readonly AuditRecord[]>;

  /**
   * Removes entries of the audit log from before an instant, the oldest first. The log refuses to lose any other.
   *
   * @param limit - At most so many at once.
   * @param mac - Recorded with the instant: proof that whoever removed them has the audit key.
   * @returns How many were removed; 0 when there is nothing left to remove.
   */
  sweepAudit(before: number, limit: number, mac?: string): Promise<number>;

  /**
   * Lists entries as seals cover them, by position.
   *
   * @param ranges - Ascending and disjoint.
   */
  listAuditLines(ranges: readonly PositionRange[], limit: number): Promise<readonly AuditLine[]>;

  /** Finds the seal with the highest number. */
  findLastSeal(): Promise<AuditSeal | undefined>;

  /** Lists seals with a higher number, in order. */
  listSeals(after: number, limit: number): Promise<readonly AuditSeal[]>;

  /** Adds a seal unless there is one of its number; returns whether it was added. A seal is never changed. */
  addSeal(seal: AuditSeal): Promise<boolean>;

  /**
   * Removes seals up to a number, and records where the chain starts from now on. A seal that covers an entry that is kept is not removed: the
   * call then rejects.
   *
   * @param start - What {@link readAuditRetention} returns from now on.
   */
  pruneSeals(upTo: number, start: string): Promise<void>;

  /** Reads what was removed from the audit log, with its proofs. */
  readAuditRetention(): Promise<AuditRetention>;
}
