/** What every query reads, on a connection of its own: it waits for no transaction and sees what is committed, and nothing else (V11, V12). */
import Libsql from 'libsql';
import type { Freshness } from '../read-memory.js';
import type { RowReader } from '../row-reader.js';
import { guardDatabase } from './guarded-database.js';

/** A {@link RowReader} with an end, which knows when what it reads has changed. */
export interface CommittedReads extends RowReader {
  readonly freshness: Freshness;
  close(): void;
}

const DATA_VERSION = 'PRAGMA data_version';

/**
 * Opens a file for reading alone. In WAL mode a reader stands in nobody's way, and nobody in its.
 *
 * @param path - Of a file that is there already, with its tables.
 * @param busyTimeoutMs - How long to wait where the file is locked as a whole, which it hardly ever is.
 */
export function openCommittedReads(path: string, busyTimeoutMs: number): CommittedReads {
  const file = new Libsql(path, { readonly: true });
  file.pragma(`busy_timeout = ${busyTimeoutMs}`);
  const database = guardDatabase(file);
  return {
    row: async ({ sql, parameters }) => database.prepare(sql).get(parameters),
    rows: async ({ sql, parameters }) => database.prepare(sql).all(parameters) as never,
    freshness: {
      // Whichever connection and program a commit was made by.
      revision: () =>
        database.prepare(DATA_VERSION).get<{ data_version: number }>([])?.data_version ?? Number.NaN,
      afterTurn: (callback) => void setImmediate(callback),
    },
    close: () => void database.close(),
  };
}
