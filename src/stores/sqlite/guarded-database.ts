/** SQLite through a guard: libsql ends the process on values that it does not know, so none reaches it (D1, S201). */
import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type Libsql from 'libsql';

/** All our transactions write: taking the lock first, none finds in its midst that another program wrote before it. */
const BEGIN = 'begin immediate';

/** Wraps an open database, in the form that the dialect expects. */
export function guardDatabase(database: Libsql.Database): SqliteDatabase {
  let open = true;
  return {
    close: () => {
      open = false;
      database.close();
    },
    prepare: (text) => {
      if (!open) throw new Error('the database is closed');
      return guardStatement(database.prepare(text === 'begin' ? BEGIN : text), placesIn(text), () => open);
    },
  };
}

function guardStatement(
  statement: Libsql.Statement<unknown[]>,
  places: number,
  isOpen: () => boolean,
): SqliteStatement {
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
    run: (parameters) =>
      statement.run(checked(parameters)) as { changes: number | bigint; lastInsertRowid: number | bigint },
    iterate: (parameters) => statement.iterate(checked(parameters)) as IterableIterator<unknown>,
  };
}

/** How many values a statement takes; ours hold no question mark in a text. */
function placesIn(text: string): number {
  return text.split('?').length - 1;
}

/**
 * Lets through strings without U+0000, finite numbers, big integers, `null` and bytes (D1, D2).
 *
 * @throws {TypeError} For anything else.
 */
export function assertBindable(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
      // SQLite reads a text up to its first NUL: two keys would become one.
      if (value.includes('\0') || /\p{Surrogate}/u.test(value))
        throw new TypeError('a text in the store is well-formed and holds no U+0000');
      return value;
    case 'number':
      if (Number.isFinite(value)) return value;
      break;
    case 'bigint':
      return value;
    case 'object':
      if (value === null) return value;
      if (value instanceof Uint8Array) return value;
      break;
  }
  throw new TypeError(
    `the store takes strings, finite numbers, big integers, null and bytes, not a ${typeof value}`,
  );
}
