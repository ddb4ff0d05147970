/** SQLite through a guard: libsql ends the process on values that it does not know, so none reaches it (D1, S201). */
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type Libsql from 'libsql';
import { assertBindable } from '../bindable.js';

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
      const statement = guardStatement(sql, placesIn(text), () => open);
      // What begins with a comment is hardly asked twice.
      if (!text.startsWith('/*')) prepared.set(text, statement);
      return statement;
    },
  };
}

function guardStatement(
  statement: Libsql.Statement<unknown[]>,
  places: number,
  isOpen: () => boolean,
): GuardedStatement {
  const checked = (parameters: readonly unknown[]) => {
    if (!isOpen()) throw new Error('the database is closed');
    // libsql binds NULL where a value is missing.
    if (parameters.length !== places) {
      throw new TypeError(`the statement takes ${places} values, not ${parameters.length}`);
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
function placesIn(text: string): number {
  return text.split('?').length - 1;
}
