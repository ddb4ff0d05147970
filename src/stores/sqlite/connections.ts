/** SQLite connections: values are checked, the writer waits for locks without blocking, and every query's reads have a connection of their own. */
import type { CompiledQuery, DatabaseConnection, QueryResult, SqliteDatabase, SqliteStatement } from 'kysely';
import Libsql from 'libsql';
import { assertBindable } from '../bindable.js';
import { createRevision, type Revision, type RowReader } from '../read-cache.js';

/** All our transactions write: taking the lock first, none finds in its midst that another program wrote before it. */
const BEGIN = 'begin immediate';

/** A statement that also reads a single row. */
interface GuardedStatement extends SqliteStatement {
  /** The first row; `undefined` where there is none. */
  get<Row>(parameters: readonly unknown[]): Row | undefined;
}

interface GuardedDatabase extends SqliteDatabase {
  prepare(text: string): GuardedStatement;
}

/** Wraps an open database, in the form that the dialect expects. */
export function guardDatabase(database: Libsql.Database): GuardedDatabase {
  let open = true;
  // Ours are few, and parsing one costs more than running it.
  const prepared = new Map<string, GuardedStatement>();
  return {
    close: () => {
      open = false;
      prepared.clear();
      database.close();
    },
    prepare: (text) => {
      if (!open) throw new Error('the database is closed');
      const known = prepared.get(text);
      if (known !== undefined) return known;
      const sql = database.prepare(text === 'begin' ? BEGIN : text);
      const statement = guardStatement(sql, countPlaceholders(text), () => open);
      // What begins with a comment is hardly asked twice.
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
  const checked = (parameters: readonly unknown[]) => {
    if (!isOpen()) throw new Error('the database is closed');
    // libsql binds NULL where a value is missing.
    if (parameters.length !== placeholders) {
      throw new TypeError(`the statement needs ${placeholders} values, got ${parameters.length}`);
    }
    return parameters.map(assertBindable);
  };
  return {
    reader: statement.reader,
    all: (parameters) => statement.all(checked(parameters)) as unknown[],
    get: <Row>(parameters: readonly unknown[]) => statement.get(checked(parameters)) as Row | undefined,
    run: (parameters) =>
      statement.run(checked(parameters)) as { changes: number | bigint; lastInsertRowid: number | bigint },
    iterate: (parameters) => statement.iterate(checked(parameters)) as IterableIterator<unknown>,
  };
}

/** How many values a statement takes; ours hold no question mark in a text. */
function countPlaceholders(text: string): number {
  return text.split('?').length - 1;
}

const WAIT_MS = 30;
/** With the driver's own short wait about five seconds in all. */
const MAX_ATTEMPTS = 100;

/**
 * Lets a connection retry a statement that SQLite did not begin, since another program held the lock (V12, S183). Waits between attempts
 * without blocking the process; other uses of the connection wait as long.
 *
 * @param afterStatement - Called after each statement, before its caller continues.
 */
export function retryWhenBusy(connection: DatabaseConnection, afterStatement: () => void): void {
  const execute: DatabaseConnection['executeQuery'] = connection.executeQuery.bind(connection);
  connection.executeQuery = async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await execute<Row>(query);
      } catch (error) {
        if (!isBusy(error) || attempt === MAX_ATTEMPTS) throw error;
      } finally {
        afterStatement();
      }
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
  };
}

/** Whether SQLite gave up since another program holds the lock. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'SQLITE_BUSY';
}

/** The reads of every query. */
export interface ReadConnection extends RowReader {
  readonly revision: Revision;
  close(): void;
}

const DATA_VERSION = 'PRAGMA data_version';

/**
 * Opens a file for reading only (V11, V12). In WAL mode readers and writers do not wait for each other; a read sees what is committed.
 *
 * @param path - An existing file with its tables.
 * @param busyTimeoutMs - How long to wait while the file is locked as a whole, which is rare.
 */
export function openReadConnection(path: string, busyTimeoutMs: number): ReadConnection {
  const file = new Libsql(path, { readonly: true });
  file.pragma(`busy_timeout = ${busyTimeoutMs}`);
  const database = guardDatabase(file);
  return {
    row: async ({ sql, parameters }) => database.prepare(sql).get(parameters),
    rows: async ({ sql, parameters }) => database.prepare(sql).all(parameters) as never,
    // Counts the commits of every other connection and program.
    revision: createRevision(
      () => database.prepare(DATA_VERSION).get<{ data_version: number }>([])?.data_version ?? Number.NaN,
      // Ticks run before the process returns to the event loop, and so before it receives another request.
      (callback) => process.nextTick(callback),
    ),
    close: () => void database.close(),
  };
}
