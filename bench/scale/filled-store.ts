/** Fills stores of any schema version with many people: bulk statements, with indexes and triggers created afterwards. */
import Libsql from 'libsql';
import pg from 'pg';
import { reportProgress } from '../figures/progress.js';
import { type PopulationRow, populate } from './population.js';

const BATCH_ROWS = 20_000;
const PROGRESS_ROWS = 1_000_000;
const POLL_MS = 1_000;

/** Collects rows by table, and hands them over in batches. */
async function writeBatches(
  rows: Iterable<PopulationRow>,
  columnsOf: ReadonlyMap<string, ReadonlySet<string>>,
  write: (table: string, columns: readonly string[], batch: readonly PopulationRow[]) => void | Promise<void>,
): Promise<void> {
  const batches = new Map<string, PopulationRow[]>();
  const flush = async (table: string, batch: readonly PopulationRow[]) => {
    const [first] = batch;
    if (first === undefined) return;
    // Rows of one table can have different columns.
    const columns = [...new Set(batch.flatMap(({ values }) => Object.keys(values)))];
    const stored = columnsOf.get(table);
    await write(
      table,
      columns.filter((column) => stored?.has(column)),
      batch,
    );
  };
  let count = 0;
  for (const row of rows) {
    if (!columnsOf.has(row.table)) continue;
    const batch = batches.get(row.table) ?? [];
    batches.set(row.table, batch);
    batch.push(row);
    count += 1;
    if (count % PROGRESS_ROWS === 0) reportProgress(`${count} rows`);
    if (batch.length < BATCH_ROWS) continue;
    await flush(row.table, batch);
    batch.length = 0;
  }
  for (const [table, batch] of batches) await flush(table, batch);
}

/** An index or a trigger, with the statement that creates it. */
interface Dropped {
  readonly type: string;
  readonly name: string;
  readonly sql: string;
}

/** @param path - A migrated store that no process has open. */
export async function fillSqlite(path: string, people: number, now: number): Promise<void> {
  const file = new Libsql(path);
  for (const setting of ['synchronous = OFF', 'foreign_keys = OFF', 'cache_size = -1500000'])
    file.pragma(setting);
  const all = <Row>(text: string) => file.prepare(text).all([]) as Row[];
  const columnsOf = new Map(
    all<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").map(({ name }) => [
      name,
      new Set(all<{ name: string }>(`PRAGMA table_info(${name})`).map((column) => column.name)),
    ]),
  );
  const dropped = all<Dropped>(
    "SELECT type, name, sql FROM sqlite_master WHERE type IN ('index', 'trigger') AND sql IS NOT NULL",
  );
  for (const { type, name } of dropped) file.exec(`DROP ${type} ${name}`);
  await writeBatches(populate(people, now), columnsOf, (table, columns, batch) => {
    const insert = file.prepare(
      `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
    );
    file.exec('BEGIN');
    for (const { values } of batch) insert.run(columns.map((column) => values[column] ?? null));
    file.exec('COMMIT');
  });
  for (const { sql } of dropped) file.exec(sql);
  file.pragma('wal_checkpoint(TRUNCATE)');
  file.close();
}

/** Selects whether every entry of the audit log is sealed. */
const IS_SEALED = `select coalesce((select max(position) from audit_entry), 0) <=
  coalesce((select max(position) from audit_seal), 0) as sealed`;

/** Waits until the service has sealed the entries with which its store was filled, since sealing takes much of its time. */
export async function waitUntilSealed(location: string): Promise<void> {
  while (!(await isSealed(location))) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
}

/** A store of a version without seals counts as sealed. */
async function isSealed(location: string): Promise<boolean> {
  if (!location.startsWith('postgres:')) {
    const file = new Libsql(location, { readonly: true });
    try {
      const hasSeals =
        file.prepare("select 1 from sqlite_master where name = 'audit_seal'").all([]).length > 0;
      const [row] = (hasSeals ? file.prepare(IS_SEALED).all([]) : [{ sealed: 1 }]) as { sealed: number }[];
      return row?.sealed === 1;
    } finally {
      file.close();
    }
  }
  const client = new pg.Client({ connectionString: location });
  await client.connect();
  try {
    const { rows: tables } = await client.query("select 1 where to_regclass('audit_seal') is not null");
    if (tables.length === 0) return true;
    const { rows } = await client.query<{ sealed: boolean }>(IS_SEALED);
    return rows[0]?.sealed === true;
  } finally {
    await client.end();
  }
}

/** @param url - A migrated store. The user must be a superuser. */
export async function fillPostgres(url: string, people: number, now: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const all = async <Row>(text: string) => (await client.query(text)).rows as Row[];
  // Foreign keys and triggers do not apply to replicas.
  await client.query('set session_replication_role = replica');
  await client.query('set synchronous_commit = off');
  await client.query("set maintenance_work_mem = '512MB'");
  const columnsOf = new Map<string, Set<string>>();
  for (const { table_name: table, column_name: column } of await all<{
    table_name: string;
    column_name: string;
  }>("select table_name, column_name from information_schema.columns where table_schema = 'public'"))
    columnsOf.set(table, (columnsOf.get(table) ?? new Set()).add(column));
  const dropped = await all<{ name: string; sql: string }>(
    `select indexname as name, indexdef as sql from pg_indexes where schemaname = 'public'
     and indexname not in (select conname from pg_constraint where conname is not null)`,
  );
  for (const { name } of dropped) await client.query(`drop index ${name}`);
  await writeBatches(populate(people, now), columnsOf, async (table, columns, batch) => {
    const list = columns.join(', ');
    await client.query(
      `insert into ${table} (${list}) select ${list} from json_populate_recordset(null::${table}, $1)`,
      [JSON.stringify(batch.map(({ values }) => values))],
    );
  });
  for (const { sql } of dropped) await client.query(sql);
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  await client.end();
}
