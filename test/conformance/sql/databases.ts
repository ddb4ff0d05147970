/** The databases of the SQL conformance tests, with a common interface. */
import { DuckDBInstance } from '@duckdb/node-api';
import Libsql from 'libsql';
import pg from 'pg';
import type { DialectName, SqlParameter, WrittenSql } from '../../../src/sql/index.js';

export interface CheckedDatabase {
  readonly dialect: DialectName;
  /** Runs a statement without a result. */
  readonly run: (text: string, parameters?: readonly (SqlParameter | null)[]) => Promise<void>;
  /** Returns the ids that a statement selects. */
  readonly select: (statement: WrittenSql) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

export function openSqlite(file = new Libsql(':memory:')): CheckedDatabase {
  return {
    dialect: 'sqlite',
    run: async (text, parameters = []) => {
      file.prepare(text).run([...parameters]);
    },
    select: async ({ text, parameters }) =>
      (file.prepare(text).all([...parameters]) as { id: string }[]).map(({ id }) => id),
    close: async () => {
      file.close();
    },
  };
}

export async function openPostgres(url: string): Promise<CheckedDatabase> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // JIT compilation takes longer than running the statement on a hundred people.
  await client.query('SET jit = off');
  return {
    dialect: 'postgres',
    run: async (text, parameters = []) => {
      await client.query(text, [...parameters]);
    },
    select: async ({ text, parameters }) => {
      const { rows } = await client.query(text, [...parameters]);
      return (rows as { id: string }[]).map(({ id }) => id);
    },
    close: () => client.end(),
  };
}

export async function openDuckdb(path = ':memory:'): Promise<CheckedDatabase> {
  const instance = await DuckDBInstance.create(path, { threads: '1' });
  const connection = await instance.connect();
  return {
    dialect: 'duckdb',
    run: async (text, parameters = []) => {
      await connection.run(text, [...parameters]);
    },
    select: async ({ text, parameters }) => {
      const reader = await connection.runAndReadAll(text, [...parameters]);
      return reader.getRowsJson().map(([id]) => String(id));
    },
    close: async () => {
      connection.closeSync();
      instance.closeSync();
    },
  };
}
