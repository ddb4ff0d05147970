/**
 * SQLite connections, which check bound values: one that writes and retries when busy, without blocking, and one that reads the token and the
 * credentials for each claims query.
 */
import type { CompiledQuery, DatabaseConnection, QueryResult, SqliteDatabase, SqliteStatement } from 'kysely';
import Libsql from 'libsql';
import { assertBindable } from '../bindable.js';
import { type CommitDetector, createRevision, type RowReader } from '../read-cache.js';

/** All transactions write, so they take the write lock first and cannot fail with a stale snapshot. */
const BEGIN = 'begin immediate';

/** A statement that also reads a single row. */
interface GuardedStatement extends SqliteStatement {
  /** Returns the first row; `undefined` without rows. */
  get<Row>(parameters: readonly unknown[]): Row | undefined;
}

interface GuardedDatabase extends SqliteDatabase {
  prepare(text: string): GuardedStatement;
}

/** Wraps an open database for the Kysely dialect. */
export function guardDatabase(database: Libsql.Database): GuardedDatabase {
  let open = true;
  // Cached: there are few distinct statements, and parsing one costs more than running it.
  const prepared = new Map<string, GuardedStatement>();
  return {
    close: () => {
      open = false;
      prepared.clear();
      database.close();
    },
    prepare: (text) => {
      if (!open) throw new Error('the database is closed');
      const cached = prepared.get(text);
      if (cached !== undefined) return cached;
      const sql = database.prepare(text === 'begin' ? BEGIN : text);
      const statement = guardStatement(sql, countPlaceholders(text), () => open);
      // Statements that start with a comment are rarely repeated.
      if (!text.startsWith('/*')) prepared.set(text, statement);
      return statement;
    },
  };
}

function guardStatement(
  statement: Libsql.Statement<unknown[]>,
  placeholders: number,
  isOpen: () => boolean,
): GuardedStatement {
  const check = (parameters: readonly unknown[]) => {
    if (!isOpen()) throw new Error('the database is closed');
    // libsql binds NULL for a missing value.
    if (parameters.length !== placeholders) {
      throw new TypeError(`the statement must have ${placeholders} values, got ${parameters.length}`);
    }
    return parameters.map(assertBindable);
  };
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(check(parameters)) as unknown[],
    get: <Row>(parameters: readonly unknown[]) => statement.get(check(parameters)) as Row | undefined,
    run: (parameters) =>
      statement.run(check(parameters)) as { changes: number | bigint; lastInsertRowid: number | bigint },
    iterate: (parameters) => statement.iterate(check(parameters)) as IterableIterator<unknown>,
  };
}

/** Counts the placeholders of a statement; statements contain no question marks in literals. */
function countPlaceholders(text: string): number {
  return text.split('?').length - 1;
}

/** Attempts in successive event-loop turns: most transactions of other processes take less than a millisecond. */
const QUICK_ATTEMPTS = 20;
/** Before each further attempt, a statement waits for one millisecond more: about five seconds in total. */
const MAX_ATTEMPTS = 120;
/** Statements that need no write lock. */
const LOCKLESS = /^(?:select |\/\*|rollback$)/;

/**
 * Makes a connection retry statements while another program holds the lock (V12, S183). Waits without blocking the process. Other users of the
 * connection wait as well, so they share the attempts. Once the attempts are used up, statements fail at once, except for one attempt per
 * interval, until the lock is free.
 *
 * @param afterStatement - Called after each attempt of a statement, with its text and whether it succeeded, before its caller continues.
 */
export function retryWhenBusy(connection: DatabaseConnection, afterStatement: AfterStatement): void {
  const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
  /** Failed attempts since a statement last acquired the lock. */
  let attempts = 0;
  /** The error of statements until the next attempt. */
  let rejection: Error | undefined;
  const wait = () =>
    new Promise<void>((resolve) => {
      if (attempts <= QUICK_ATTEMPTS) setImmediate(resolve);
      else setTimeout(resolve, attempts - QUICK_ATTEMPTS);
    });
  connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    const needsLock = !LOCKLESS.test(query.sql);
    for (;;) {
      if (needsLock && rejection !== undefined) throw rejection;
      let succeeded = false;
      try {
        const result = await execute<Row>(query);
        succeeded = true;
        if (needsLock) attempts = 0;
        return result;
      } catch (error) {
        // SQLite has already rolled back after an error such as a full disk. The caller must receive that error, not the one of the rollback.
        if (query.sql === 'rollback') return { rows: [] };
        if (!isBusy(error)) throw error;
        attempts += 1;
        if (attempts >= MAX_ATTEMPTS) {
          rejection = error;
          void wait().then(() => {
            rejection = undefined;
          });
          throw error;
        }
      } finally {
        afterStatement(query.sql, succeeded);
      }
      await wait();
    }
  };
}

/** Receives each attempt of a statement: its text, and whether it succeeded. */
export type AfterStatement = (text: string, succeeded: boolean) => void;

/** Returns a function that calls `committed` after statements that may have committed. */
export function detectCommits(committed: () => void): AfterStatement {
  let inTransaction = false;
  return (text, succeeded) => {
    // No rollback follows a transaction that could not begin.
    if (text === 'begin') inTransaction = succeeded;
    if (text === 'commit' || text === 'rollback') inTransaction = false;
    if (!inTransaction && !text.startsWith('select ')) committed();
  };
}

/** Returns a function that returns whether other connections have committed since its last call. */
export function createForeignCommitDetector(database: GuardedDatabase): () => boolean {
  let last = readDataVersion(database);
  return () => {
    const current = readDataVersion(database);
    const changed = current !== last;
    last = current;
    return changed;
  };
}

/** Reads the data version, which changes with each commit of any other connection or program. */
function readDataVersion(database: GuardedDatabase): number {
  return database.prepare(DATA_VERSION).get<{ data_version: number }>([])?.data_version ?? Number.NaN;
}

/** Whether a statement failed because another program holds the lock. */
export function isBusy(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}

/** The connection that reads the token and the credentials for each claims query. */
export interface ReadConnection extends RowReader {
  readonly commits: CommitDetector;
  close(): void;
}

const DATA_VERSION = 'PRAGMA data_version';
const CHANGES_FROM = 'SELECT number, subject FROM recent_change WHERE number >= ? ORDER BY number';
const LAST_CHANGE = 'SELECT number, subject FROM recent_change ORDER BY number DESC LIMIT 1';

/** A row of `recent_change`. */
interface Change {
  readonly number: number;
  readonly subject: string;
}

/** The subject of a change that concerns all cached values. */
const EVERYTHING = '*';

/**
 * Opens a read-only connection (V11, V12). In WAL mode, readers and writers do not block each other, and reads see committed data.
 *
 * @param path - An existing file. Its tables must be created before the first read.
 * @param busyTimeoutMs - How long to wait while the whole file is locked, which is rare.
 */
export function openReadConnection(path: string, busyTimeoutMs: number): ReadConnection {
  const file = new Libsql(path, { readonly: true, timeout: busyTimeoutMs });
  const database = guardDatabase(file);
  return {
    row: async ({ sql, parameters }) => database.prepare(sql).get(parameters),
    rows: async ({ sql, parameters }) => database.prepare(sql).all(parameters) as never,
    commits: {
      revision: createRevision(() => readDataVersion(database), setImmediate),
      changedSubjects: createChangeReader(database),
    },
    close: () => void database.close(),
  };
}

/** Reads the table `recent_change`, to which triggers add the subject of each change that the read cache must notice. */
function createChangeReader(database: GuardedDatabase): CommitDetector['changedSubjects'] {
  let last = 0;
  return () => {
    // Starts with the last known row. If that is absent, later rows may have been deleted as well.
    const rows = database.prepare(CHANGES_FROM).all([last]) as readonly Change[];
    // No change was ever recorded: the trigger `recent_change_is_limited` never deletes the newest row.
    if (rows.length === 0 && last === 0) return [];
    if (rows[0]?.number !== last) {
      last = database.prepare(LAST_CHANGE).get<Change>([])?.number ?? 0;
      return undefined;
    }
    last = rows.at(-1)?.number ?? last;
    const subjects = rows.slice(1).map(({ subject }) => subject);
    return subjects.includes(EVERYTHING) ? undefined : subjects;
  };
}
