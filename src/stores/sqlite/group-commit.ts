/** Group commit: one flush makes the commits of many requests durable, without blocking the process (V12, S183). */
import { closeSync, fdatasync, fsyncSync, openSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';

export interface GroupCommit {
  /** Notes that a statement may have committed. */
  committed(): void;
  /** Resolves once every commit so far is durable. After a failed flush, it always rejects: what is on disk is then unknown. */
  flush(): Promise<void>;
}

/** Creates a group commit. @param sync - Flushes to disk what was written before the call. */
export function createGroupCommit(sync: () => Promise<void>): GroupCommit {
  /** Whether there may be commits since the start of the last flush. */
  let pending = false;
  /** Whether a flush waits for the end of another one. */
  let waiting = false;
  let last: Promise<void> = Promise.resolve();
  const start = () => {
    pending = false;
    waiting = false;
    return sync();
  };
  return {
    committed: () => {
      pending = true;
    },
    flush: () => {
      if (pending && !waiting) {
        waiting = true;
        last = last.then(start);
      }
      return last;
    },
  };
}

/** Flushes the write-ahead log of a database. */
export interface LogFile {
  sync(): Promise<void>;
  close(): void;
}

/**
 * Opens the write-ahead log of a database in WAL mode. Closing its descriptor releases no locks of this process, since SQLite locks other files. The
 * descriptor stays valid while the database is open: SQLite deletes the log only when the last connection is closed.
 *
 * @param path - Path of the database, which must be open.
 */
export function openLogFile(path: string): LogFile {
  // SQLite resolves symbolic links.
  const database = realpathSync(path);
  const descriptor = openSync(`${database}-wal`, 'r+');
  syncFolder(dirname(database));
  let open = true;
  return {
    sync: () =>
      new Promise((resolve, reject) => {
        fdatasync(descriptor, (error) => (error === null ? resolve() : reject(error)));
      }),
    close: () => {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}

/** Makes the names of new files in a folder durable: flushing a file does not flush the folder that names it. */
export function syncFolder(path: string): void {
  // Windows cannot flush folders, and need not.
  if (process.platform !== 'win32') syncFile(path, 'r');
}

/** Flushes a file to disk. @param flags - Windows flushes only files that are open for writing. */
export function syncFile(path: string, flags = 'r+'): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
