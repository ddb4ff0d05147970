/** Writes what is shown and refused into the audit log before it leaves: one write for all requests of a turn, one write at a time. */
import type { EndOfTurn } from '../ports/ports.js';
import type { Store } from '../ports/store/store.js';
import type { AuditEntry } from './audit-entry.js';

/** Takes entries of what changes nothing in the store. What changes something is recorded by the store itself, with the change. */
export interface AuditTrail {
  /** Resolves once the entries are on the disk; rejects as the store does: then what they tell must not leave. */
  record(entries: readonly AuditEntry[]): Promise<void>;
  /**
   * Takes an entry that nobody waits for: how long a refusal takes must not tell why (S121). It is lost where the store fails, or the
   * process ends without waiting, before the next write.
   */
  note(entry: AuditEntry): void;
  /** Resolves once nothing waits to be written any more, whether that failed or not: for an orderly stop. Never rejects. */
  settled(): Promise<void>;
}

/** Entries that wait for their write. */
interface Batch {
  readonly entries: AuditEntry[];
  readonly written: Promise<void>;
}

/** @param atEndOfTurn - When a batch is closed at the earliest; it is closed later while the one before is being written. */
export function createAuditTrail(store: Pick<Store, 'recordAudit'>, atEndOfTurn: EndOfTurn): AuditTrail {
  let open: Batch | undefined;
  let lastWrite: Promise<void> = Promise.resolve();
  const begin = (): Batch => {
    const entries: AuditEntry[] = [];
    const ready = Promise.all([new Promise<void>(atEndOfTurn), lastWrite]);
    const written = ready.then(() => {
      open = undefined;
      return store.recordAudit(entries);
    });
    lastWrite = written.catch(() => undefined);
    return { entries, written };
  };
  const record = (entries: readonly AuditEntry[]) => {
    if (entries.length === 0) return Promise.resolve();
    open ??= begin();
    open.entries.push(...entries);
    return open.written;
  };
  return {
    record,
    // What fails for the store is told by whoever has to wait for it.
    note: (entry) => void record([entry]).catch(() => undefined),
    // Each write waits for the one before.
    settled: () => lastWrite,
  };
}
