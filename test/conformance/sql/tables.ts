/** Creates and fills the tables of each layout, on each database. */
import type { ColumnType, DialectName, SqlLayout } from '../../../src/sql/index.js';
import type { CheckedDatabase } from './databases.js';
import type { Batch, Person } from './population.js';

type Row = readonly (string | number | null)[];

const JSON_TYPES: Readonly<Record<DialectName, string>> = {
  postgres: 'jsonb',
  sqlite: 'text',
  duckdb: 'json',
};

const TYPES: Readonly<Record<ColumnType, (dialect: DialectName) => string>> = {
  integer: () => 'bigint',
  number: () => 'double precision',
  text: () => 'text',
  boolean: () => 'boolean',
  date: (dialect) => (dialect === 'sqlite' ? 'text' : 'date'),
  // SQLite has no such columns: queries on them are rejected.
  timestamptz: (dialect) => (dialect === 'sqlite' ? 'text' : 'timestamptz'),
  json: (dialect) => JSON_TYPES[dialect],
};

/** Replaces the people in the tables of a layout. */
export async function load(database: CheckedDatabase, { layout, people }: Batch): Promise<void> {
  for (const { name, columns, rows } of tablesOf(layout, people, database.dialect)) {
    await database.run(`DROP TABLE IF EXISTS ${name}`);
    await database.run(`CREATE TABLE ${name} (${columns.join(', ')})`);
    // Batched within the parameter limit of a statement.
    for (let start = 0; start < rows.length; start += 100) {
      await insert(database, name, columns, rows.slice(start, start + 100));
    }
  }
}

async function insert(
  database: CheckedDatabase,
  name: string,
  columns: readonly string[],
  rows: readonly Row[],
) {
  let position = 0;
  const values = rows.map((row) => {
    const placeholders = row.map((_, index) => {
      position += 1;
      const type = columns[index]?.split(' ').slice(1).join(' ');
      return database.dialect === 'sqlite' ? '?' : `CAST($${position} AS ${type})`;
    });
    return `(${placeholders.join(', ')})`;
  });
  await database.run(
    `INSERT INTO ${name} VALUES ${values.join(', ')}`,
    rows
      .flat()
      .map((value) => (database.dialect === 'duckdb' && typeof value === 'number' ? String(value) : value)),
  );
}

function tablesOf(layout: SqlLayout, people: readonly Person[], dialect: DialectName) {
  const json = JSON_TYPES[dialect];
  switch (layout.kind) {
    case 'credentials':
      return [
        { name: 'person', columns: ['id text'], rows: people.map(({ id }): Row => [id]) },
        {
          name: 'credential',
          columns: [
            'id text',
            'person_id text',
            'issued_at bigint',
            'expires_at bigint',
            'revoked_at bigint',
            'claims text',
          ],
          rows: people.flatMap(({ id, credentials }) =>
            credentials.map(
              (one): Row => [
                one.id,
                id,
                one.issuedAt,
                one.expiresAt ?? null,
                one.revokedAt ?? null,
                document(one.claims),
              ],
            ),
          ),
        },
      ];
    case 'documents':
      return [
        {
          name: 'document',
          columns: ['id text', `claims ${json}`],
          rows: people.map(({ id, credentials }): Row => [id, document(credentials[0]?.claims ?? {})]),
        },
      ];
    case 'claims':
      return [
        { name: 'claimant', columns: ['id text'], rows: people.map(({ id }): Row => [id]) },
        {
          name: 'claim',
          columns: ['claimant text', 'path text', `value ${json}`],
          rows: people.flatMap(({ id, credentials }) =>
            Object.entries(credentials[0]?.claims ?? {}).map(([path, value]): Row => [id, path, value]),
          ),
        },
      ];
    case 'columns': {
      const columns = Object.entries(layout.columns);
      return [
        {
          name: 'wide',
          columns: ['id text', ...columns.map(([, { column, type }]) => `${column} ${TYPES[type](dialect)}`)],
          rows: people.map(
            ({ id, credentials }): Row => [
              id,
              ...columns.map(([path, { type }]) => cell(credentials[0]?.claims[path], type)),
            ],
          ),
        },
      ];
    }
  }
}

function document(claims: Readonly<Record<string, string>>): string {
  return `{${Object.entries(claims)
    .map(([path, text]) => `${JSON.stringify(path)}: ${text}`)
    .join(', ')}}`;
}

function cell(text: string | undefined, type: ColumnType): string | number | null {
  if (text === undefined) return null;
  if (type === 'json') return text;
  const value: unknown = JSON.parse(text);
  return typeof value === 'boolean' ? Number(value) : (value as string | number);
}
