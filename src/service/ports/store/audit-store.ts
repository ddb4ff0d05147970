/** The audit log: what is added is never changed. */
import type { AuditEntry, AuditQuery, AuditRecord } from '../../audit/audit-entry.js';

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
   * @returns How many were removed; 0 when there is nothing left to remove.
   */
  sweepAudit(before: number, limit: number): Promise<number>;
}
