/** Checks that conditions in queries of Kysely and Drizzle select the same people as the engine (V14). */
import { once } from 'node:events';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { pgTable, text as pgText } from 'drizzle-orm/pg-core';
import { sql as drizzleSql } from 'drizzle-orm/sql';
import { sqliteTable, text as sqliteText } from 'drizzle-orm/sqlite-core';
import { drizzle as drizzleSqlite } from 'drizzle-orm/sqlite-proxy';
import { Kysely, PostgresDialect, type SqlBool, SqliteDialect, sql } from 'kysely';
import Libsql from 'libsql';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { QueryError, re2js } from '../../src/index.js';
import { type SqlLayout, SqlTranslationError, toWhere } from '../../src/sql/index.js';
import { createDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';
import { compile } from '../support/with-re2js.js';
import { type CheckedDatabase, openPostgres, openSqlite } from './sql/databases.js';
import { claimSetOf, drawBatch, LAYOUT_KINDS } from './sql/population.js';
import { load } from './sql/tables.js';

const SEED = 20_261_123;
const SIZES = { queries: 12, people: 40 };

interface Schema {
  readonly [table: string]: { readonly id: string };
}

/** A query builder on one database. */
interface Builder {
  readonly name: string;
  readonly database: CheckedDatabase;
  /** Returns the ids of the people for whom a query's condition is true. */
  select(query: unknown, layout: SqlLayout, now: number): Promise<readonly string[]>;
}

let empty: EmptyDatabase;
let builders: readonly Builder[];
const closing: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  empty = await createDatabase();
  const file = new Libsql(':memory:');
  const sqlite = openSqlite(file);
  closing.push(sqlite.close);
  const postgres = await openPostgres(empty.url);
  closing.push(postgres.close);
  const pool = new pg.Pool({ connectionString: empty.url, max: 1 });
  const kyselySqlite = new Kysely<Schema>({ dialect: new SqliteDialect({ database: file }) });
  const kyselyPostgres = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const onSqlite = drizzleSqlite(async (text, parameters) => ({
    rows: file
      .prepare(text)
      .raw()
      .all([...parameters]),
  }));
  const onPostgres = drizzlePostgres(pool);
  // `pool.end()` resolves before its connection is closed, and removing the database would terminate that connection with an error.
  const endPool = () => Promise.all([pool.totalCount > 0 ? once(pool, 'remove') : undefined, pool.end()]);
  closing.push(endPool);
  const ids = (rows: readonly { readonly id: string | null }[]) => rows.map(({ id }) => String(id));
  const withKysely = (database: CheckedDatabase, kysely: Kysely<Schema>): Builder => ({
    name: `Kysely, ${database.dialect}`,
    database,
    select: async (query, layout, now) => {
      const { table } = layout.people;
      const where = toWhere(sql<SqlBool>, query, { dialect: database.dialect, layout, now, regex: re2js });
      return ids(await kysely.selectFrom(table).select('id').where(where).execute());
    },
  });
  builders = [
    withKysely(sqlite, kyselySqlite),
    withKysely(postgres, kyselyPostgres),
    {
      name: 'Drizzle, sqlite',
      database: sqlite,
      select: async (query, layout, now) => {
        const people = sqliteTable(layout.people.table, { id: sqliteText('id') });
        const where = toWhere(drizzleSql, query, { dialect: 'sqlite', layout, now, regex: re2js });
        return ids(await onSqlite.select().from(people).where(where));
      },
    },
    {
      name: 'Drizzle, postgres',
      database: postgres,
      select: async (query, layout, now) => {
        const people = pgTable(layout.people.table, { id: pgText('id') });
        const where = toWhere(drizzleSql, query, { dialect: 'postgres', layout, now, regex: re2js });
        return ids(await onPostgres.select().from(people).where(where));
      },
    },
  ];
});

afterAll(async () => {
  for (const close of closing) await close();
  await empty.remove();
});

// V14
it.each(LAYOUT_KINDS)(
  'conditions in Kysely and Drizzle select the people that satisfy random policies, in the layout %s',
  async (kind) => {
    const batch = drawBatch(SEED, kind, SIZES);
    const { layout, now, people } = batch;
    for (const database of new Set(builders.map((one) => one.database))) await load(database, batch);
    let compared = 0;
    for (const query of batch.queries) {
      const expected = (() => {
        try {
          const compiled = compile(query);
          return people.filter((person) => compiled.test(claimSetOf(person, now))).map(({ id }) => id);
        } catch (error) {
          if (error instanceof QueryError) return undefined;
          throw error;
        }
      })();
      if (expected === undefined) continue;
      for (const { name, select } of builders) {
        try {
          const found = await select(query, layout, now);
          expect([name, query, [...found].sort()]).toEqual([name, query, [...expected].sort()]);
          compared += 1;
        } catch (error) {
          if (!(error instanceof SqlTranslationError)) throw error;
        }
      }
    }
    expect(compared).toBeGreaterThan(SIZES.queries * builders.length * 0.7);
  },
);

// S423
it('queries of Kysely and Drizzle reject a check that no value of a column passes', async () => {
  const layout: SqlLayout = {
    kind: 'columns',
    people: { table: 'wide', id: 'id' },
    columns: { 'x.banned': { column: 'banned', type: 'boolean' } },
  };
  const people = ['true', 'false'].map((banned) => ({
    id: banned,
    credentials: [{ id: 'c', source: 's', issuedAt: 0, claims: { 'x.banned': banned } }],
  }));
  for (const database of new Set(builders.map((one) => one.database)))
    await load(database, { now: 0, layout, queries: [], people });
  const notBanned = (value: unknown) => ({ policy: { not: { claim: 'x.banned', operator: '==', value } } });
  for (const { name, select } of builders) {
    expect([name, await select(notBanned(true), layout, 0)]).toEqual([name, ['false']]);
    await expect(select(notBanned('true'), layout, 0)).rejects.toThrow(SqlTranslationError);
  }
});

const PEOPLE = {
  kind: 'columns',
  people: { table: 'people', id: 'id' },
  columns: { 'identity.age': { column: 'age', type: 'integer' } },
} as const;
const ADULT = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
const writeTemplate = (texts: TemplateStringsArray, ...values: readonly unknown[]) =>
  texts.reduce((text, next, index) => `${text}[${String(values[index - 1])}]${next}`);

// V14
it('a condition names the table, or its alias', () => {
  const options = { dialect: 'sqlite', layout: PEOPLE } as const;
  expect(toWhere(writeTemplate, ADULT, options)).toBe(
    `("people"."age" >= CAST([18] AS INTEGER) AND typeof("people"."age") IN ('integer','real'))`,
  );
  expect(toWhere(writeTemplate, ADULT, { ...options, alias: 'guests' })).toContain('"guests"."age"');
});

// V14
it.each(['k', 'C', 'e1', 'keys', '', 'a"b'])(
  'a condition rejects the alias %o, which the translation itself uses or which is not a name',
  (alias) => {
    const options = { dialect: 'sqlite', layout: PEOPLE, alias } as const;
    expect(() => toWhere(writeTemplate, ADULT, options)).toThrow(RangeError);
  },
);
