/** Measures the space of a filled store on disk by table, with its indexes, and the heights of the most used indexes. */
import Libsql from 'libsql';
import pg from 'pg';
import type { IndexSize, StoreSize } from './results.js';

/** Tables with rows for each person. */
const TABLES = [
  'person',
  'credential',
  'authorization_record',
  'access_token',
  'refresh_token',
  'audit_entry',
];

interface Part {
  readonly name: string;
  readonly tableName: string;
  readonly bytes: number;
  readonly pages: number;
  readonly height: number;
}

/** The path of a page, such as `/1c2/000/`, has one slash for each level down to the page; the path of an overflow page has a plus sign. */
const SQLITE_PARTS = `
  select stat.name, coalesce(master.tbl_name, stat.name) as tableName, sum(pgsize) as bytes, count(*) as pages,
    max(case when path like '%+%' then 0 else length(path) - length(replace(path, '/', '')) end) as height
  from dbstat as stat left join sqlite_master as master on master.name = stat.name
  group by stat.name`;

/** Measures a SQLite store. */
export function measureSqlite(path: string): StoreSize {
  const file = new Libsql(path);
  const parts = file.prepare(SQLITE_PARTS).all([]) as Part[];
  const pages = file.prepare(
    'select page_count * page_size as bytes from pragma_page_count, pragma_page_size',
  );
  const { bytes } = pages.get([]) as { readonly bytes: number };
  file.close();
  return sizeOf(bytes, parts);
}

const POSTGRES_PARTS = `
  select part.relname as name, owner.relname as "tableName", pg_table_size(part.oid)::float8 as bytes,
    (pg_relation_size(part.oid) / 8192)::float8 as pages,
    case when part.relkind = 'i' and pg_relation_size(part.oid) > 0 then (select level + 1 from bt_metap(part.relname)) else 0 end::float8 as height
  from pg_class as part
  left join pg_index as indexed on indexed.indexrelid = part.oid
  join pg_class as owner on owner.oid = coalesce(indexed.indrelid, part.oid)
  where part.relnamespace = 'public'::regnamespace and part.relkind in ('r', 'i')`;

/** Measures a PostgreSQL store. @param url - Its user must be a superuser, to create the extension pageinspect, which reads the heights. */
export async function measurePostgres(url: string): Promise<StoreSize> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('create extension if not exists pageinspect');
    const { rows: parts } = await client.query<Part>(POSTGRES_PARTS);
    const { rows } = await client.query<{ bytes: number }>(
      'select pg_database_size(current_database())::float8 as bytes',
    );
    return sizeOf(rows[0]?.bytes ?? Number.NaN, parts);
  } finally {
    await client.end();
  }
}

function sizeOf(bytes: number, parts: readonly Part[]): StoreSize {
  const sum = (some: readonly Part[]) => some.reduce((total, part) => total + part.bytes, 0);
  return {
    bytes,
    tables: TABLES.map((table) => {
      const own = parts.filter(({ tableName }) => tableName === table);
      const tableBytes = sum(own.filter(({ name }) => name === table));
      return { table, tableBytes, indexBytes: sum(own) - tableBytes };
    }),
    indexes: INDEXES.flatMap(([index, names]) => {
      const part = parts.find(({ name }) => names.includes(name));
      return part === undefined
        ? []
        : [{ index, pages: part.pages, height: part.height } satisfies IndexSize];
    }),
  };
}

/** The indexes that requests use most, with their names on both stores. */
const INDEXES: readonly (readonly [index: string, names: readonly string[]])[] = [
  ['access tokens by hash', ['access_token_pkey', 'sqlite_autoindex_access_token_1']],
  ['credentials by person', ['credential_of_person']],
  ['people by id', ['person_pkey', 'sqlite_autoindex_person_1']],
];
