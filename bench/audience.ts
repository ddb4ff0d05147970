/**
 * Compares the statements that `toSql` creates with hand-written ones for the same policies, on PostgreSQL and DuckDB.
 *
 * `npm run check -- bench-audience [people] [rounds] [part of a name]`. Each round runs both statements, in alternating order, so that other load
 * affects both; ratios are taken within a round. Both must count the same number of people before they are timed. The indexes of `adviseIndexes`
 * exist for both, and the output names those in the plan of the created statement.
 */
import { cpus } from 'node:os';
import { DuckDBInstance } from '@duckdb/node-api';
import pg from 'pg';
import type { PolicyItemInput } from '../src/index.js';
import {
  adviseIndexes,
  type ColumnsLayout,
  type DialectName,
  type DocumentsLayout,
  SERVICE_STORE_LAYOUT,
  type SqlLayout,
  toSql,
  type WrittenSql,
} from '../src/sql/index.js';
import { parseCount, rejectOptions } from '../test/support/check-options.js';
import { createPostgresCluster } from '../test/support/postgres-cluster.js';
import { spreadOf } from './timing/statistics.js';

const PEOPLE = parseCount('people', process.argv[2] ?? '1000000');
const ROUNDS = parseCount('rounds', process.argv[3] ?? '11');
const ONLY = process.argv[4] ?? '';
/** Target duration of all runs of the hand-written statement: fast statements run more rounds. */
const MS_FOR_ALL_ROUNDS = 15_000;
/** Maximum number of rounds, as a multiple of `ROUNDS`. */
const MAX_ROUNDS_FACTOR = 30;
const NOW = Date.parse('2026-06-01T00:00:00Z');

const WEST = ['DE', 'FR', 'BE', 'NL', 'AT'];
const SINCE = '2025-06-01';

/** Six checks, nested three deep, which about a fifth of the people pass. */
const BROAD: readonly PolicyItemInput[] = [
  { claim: 'identity.age', operator: '>=', value: 18 },
  {
    anyOf: [
      { claim: 'identity.country', operator: 'in', value: WEST },
      {
        allOf: [
          { claim: 'identity.nationalities', operator: 'contains', value: 'FR' },
          { claim: 'contact.email', operator: 'startsWith', value: 'a' },
        ],
      },
    ],
  },
  { not: { claim: 'kyc.is_high_risk', operator: '==', value: true } },
  { claim: 'kyc.verified_at', operator: '>=', value: SINCE },
];

/** One check, which one person passes: DuckDB uses an index only for a single condition. */
const SINGLE_CHECK: readonly PolicyItemInput[] = [
  { claim: 'contact.email', operator: '==', value: emails(9)[8] ?? '' },
];

/** Three checks, which several hundred people pass. */
const NARROW: readonly PolicyItemInput[] = [
  { claim: 'contact.email', operator: 'in', value: emails(400) },
  { claim: 'identity.age', operator: '>=', value: 18 },
  { not: { claim: 'kyc.is_high_risk', operator: '==', value: true } },
];

const DOCUMENTS: DocumentsLayout = {
  kind: 'documents',
  people: { table: 'people', id: 'id' },
  claims: 'claims',
};

const COLUMNS: ColumnsLayout = {
  kind: 'columns',
  people: { table: 'people', id: 'id' },
  columns: {
    'identity.age': { column: 'age', type: 'integer' },
    'identity.country': { column: 'country', type: 'text' },
    'identity.nationalities': { column: 'nationalities', type: 'json' },
    'contact.email': { column: 'email', type: 'text' },
    'kyc.is_high_risk': { column: 'high_risk', type: 'boolean' },
    'kyc.verified_at': { column: 'verified_at', type: 'date' },
  },
};

/** A policy on a layout, with a hand-written statement for it. */
interface Comparison {
  readonly name: string;
  readonly layout: SqlLayout;
  readonly policy: readonly PolicyItemInput[];
  /** The hand-written condition after `WHERE`; `s` is a person. */
  readonly byHand: string;
  /** Parameters of the hand-written statement. */
  readonly bound?: readonly string[];
}

interface Database {
  readonly dialect: DialectName;
  run(text: string): Promise<void>;
  count(statement: WrittenSql): Promise<number>;
  explain(statement: WrittenSql): Promise<string>;
}

const quotedList = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ');

const ON_DOCUMENTS: readonly Comparison[] = [
  {
    name: 'documents, broad',
    layout: DOCUMENTS,
    policy: BROAD,
    byHand: `(claims ->> 'identity.age')::numeric >= 18 AND (claims ->> 'identity.country' IN (${quotedList(WEST)})
      OR (claims -> 'identity.nationalities' @> '["FR"]' AND claims ->> 'contact.email' LIKE 'a%'))
      AND (claims ->> 'kyc.is_high_risk')::boolean IS NOT TRUE AND (claims ->> 'kyc.verified_at')::date >= '${SINCE}'`,
  },
  {
    name: 'documents, narrow',
    layout: DOCUMENTS,
    policy: NARROW,
    byHand: `claims ->> 'contact.email' IN (${quotedList(emails(400))}) AND (claims ->> 'identity.age')::numeric >= 18
      AND (claims ->> 'kyc.is_high_risk')::boolean IS NOT TRUE`,
  },
];

/** Hand-written SQL for a claim's value in the attesting credential. */
const attestedValue = (
  claim: string,
) => `(SELECT c.claims::jsonb ->> '${claim}' FROM credential c WHERE c.person_id = s.id
  AND c.issued_at <= ${NOW} AND (c.expires_at IS NULL OR c.expires_at > ${NOW}) AND (c.revoked_at IS NULL OR c.revoked_at > ${NOW})
  AND c.claims::jsonb ? '${claim}' ORDER BY c.issued_at DESC, c.id LIMIT 1)`;

const ON_STORE: readonly Comparison[] = [
  {
    name: "the service's store, broad",
    layout: SERVICE_STORE_LAYOUT,
    policy: BROAD,
    byHand: `${attestedValue('identity.age')}::numeric >= 18 AND (${attestedValue('identity.country')} IN (${quotedList(WEST)})
      OR (${attestedValue('identity.nationalities')}::jsonb @> '["FR"]' AND ${attestedValue('contact.email')} LIKE 'a%'))
      AND ${attestedValue('kyc.is_high_risk')}::boolean IS NOT TRUE AND ${attestedValue('kyc.verified_at')}::date >= '${SINCE}'`,
  },
];

const ON_COLUMNS: readonly Comparison[] = [
  {
    name: 'columns, broad',
    layout: COLUMNS,
    policy: BROAD,
    byHand: `age >= 18 AND (country IN (${quotedList(WEST)}) OR (list_contains(json_extract_string(nationalities, '$[*]'), 'FR')
      AND starts_with(email, 'a')))
      AND high_risk IS NOT TRUE AND verified_at >= DATE '${SINCE}'`,
  },
  {
    name: 'columns, narrow',
    layout: COLUMNS,
    policy: SINGLE_CHECK,
    byHand: 'email = $1',
    bound: emails(9).slice(8),
  },
  {
    // DuckDB plans a statement with parameters again at each run.
    name: 'columns, narrow, by hand without parameters',
    layout: COLUMNS,
    policy: SINGLE_CHECK,
    byHand: `email = '${emails(9)[8]}'`,
  },
];

const COUNTRIES = ['DE', 'FR', 'IT', 'ES', 'PL', 'NL', 'BE', 'SE', 'AT', 'PT', 'US', 'GB'];

function emails(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => {
    const person = 97 * index + 1;
    return `${'abcdefgh'[person % 8]}${person}@example.org`;
  });
}

/** Derives each person from a number by hashes of the database, so that every run measures the same people. */
const personColumns = (hash: (salt: string, of: number) => string, dialect: DialectName) => {
  const list = dialect === 'postgres' ? `(ARRAY[${quotedList(COUNTRIES)}])` : `([${quotedList(COUNTRIES)}])`;
  const country = (salt: string) => `${list}[1 + ${hash(salt, 12)}]`;
  return {
    age: hash('age', 90),
    country: country('country'),
    second: country('second'),
    email: `substr('abcdefgh', CAST(1 + i % 8 AS integer), 1) || i || '@example.org'`,
    risk: `${hash('risk', 10)} = 0`,
    verified: `(DATE '2024-01-01' + CAST(${hash('verified', 1_000)} AS integer))`,
  };
};

const postgresHash = (salt: string, of: number) => `(abs(hashtext('${salt}' || i)::bigint) % ${of})`;
const duckdbHash = (salt: string, of: number) => `CAST(hash('${salt}' || i) % ${of} AS integer)`;

const select = (dialect: DialectName, comparisons: readonly Comparison[]) =>
  comparisons.filter(({ name }) => `${dialect}: ${name}`.includes(ONLY));
const onDocuments = select('postgres', ON_DOCUMENTS);
const onStore = select('postgres', ON_STORE);
const onColumns = select('duckdb', ON_COLUMNS);
if (onDocuments.length + onStore.length + onColumns.length === 0)
  rejectOptions(`no name of a comparison contains "${ONLY}"`);
await onPostgres();
await onDuckdb();

async function onPostgres(): Promise<void> {
  const cluster = await createPostgresCluster();
  const client = new pg.Client({ connectionString: cluster.url });
  await client.connect();
  // PostgreSQL compiles statements with a high estimated cost, which takes longer than it saves here.
  await client.query('SET jit = off');
  const database: Database = {
    dialect: 'postgres',
    run: async (text) => {
      await client.query(text);
    },
    count: async ({ text, parameters }) =>
      Number(((await client.query(text, [...parameters])).rows as { count: string }[])[0]?.count),
    explain: async ({ text, parameters }) =>
      ((await client.query(`EXPLAIN ${text}`, [...parameters])).rows as Record<string, string>[])
        .map((row) => row['QUERY PLAN'])
        .join('\n'),
  };
  const { age, country, second, email, risk, verified } = personColumns(postgresHash, 'postgres');
  const claims = `jsonb_build_object('identity.age', ${age}, 'identity.country', ${country}, 'identity.nationalities',
    jsonb_build_array(${country}, ${second}), 'contact.email', ${email}, 'kyc.is_high_risk', ${risk}, 'kyc.verified_at', ${verified})`;
  await database.run('CREATE TABLE people (id text PRIMARY KEY, claims jsonb NOT NULL)');
  await database.run(`INSERT INTO people SELECT 'p' || i, ${claims} FROM generate_series(1, ${PEOPLE}) AS i`);
  if (onStore.length > 0) await createCredentials(database);
  for (const comparison of [...onDocuments, ...onStore]) await createIndexes(comparison, database);
  await database.run('VACUUM ANALYZE');
  for (const comparison of onDocuments) await compare(comparison, database, 'people');
  for (const comparison of onStore) await compare(comparison, database, 'person');
  await client.end();
  await cluster.remove();
}

/** Creates the same people in the layout of the service's store. */
async function createCredentials(database: Database): Promise<void> {
  await database.run('CREATE TABLE person (id text PRIMARY KEY)');
  await database.run(`CREATE TABLE credential (id text PRIMARY KEY, person_id text NOT NULL, issued_at bigint NOT NULL, expires_at bigint,
    revoked_at bigint, claims text NOT NULL)`);
  await database.run('INSERT INTO person SELECT id FROM people');
  // Each person has two credentials; if both contain a claim, the one issued last attests it.
  const part = (names: string) =>
    `(SELECT jsonb_object_agg(key, value) FROM jsonb_each(claims) WHERE key ~ '${names}')::text`;
  await database.run(
    `INSERT INTO credential SELECT 'a' || id, id, 1000, NULL, NULL, ${part('^(identity|contact)')} FROM people`,
  );
  await database.run(
    `INSERT INTO credential SELECT 'b' || id, id, 2000, ${NOW} + 1000, NULL, ${part('^kyc|country')} FROM people`,
  );
}

async function onDuckdb(): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const read = async ({ text, parameters }: WrittenSql) =>
    (await connection.runAndReadAll(text, [...parameters])).getRowsJson();
  const database: Database = {
    dialect: 'duckdb',
    run: async (text) => {
      await connection.run(text);
    },
    count: async (statement) => Number((await read(statement))[0]?.[0]),
    explain: async ({ text, parameters }) =>
      // Index lookups depend on the parameters, so the plan is made at run time.
      (await read({ text: `EXPLAIN ANALYZE ${text}`, parameters })).map((row) => String(row[1])).join('\n'),
  };
  const { age, country, second, email, risk, verified } = personColumns(duckdbHash, 'duckdb');
  await database.run(`CREATE TABLE people AS SELECT 'p' || i AS id, ${age} AS age, ${country} AS country, CAST(to_json([${country}, ${second}]) AS JSON)
    AS nationalities, ${email} AS email, ${risk} AS high_risk, ${verified} AS verified_at FROM range(1, ${PEOPLE + 1}) AS t(i)`);
  for (const comparison of onColumns) await createIndexes(comparison, database);
  for (const comparison of onColumns) await compare(comparison, database, 'people');
  connection.closeSync();
  instance.closeSync();
}

async function createIndexes({ policy, layout }: Comparison, { dialect, run }: Database): Promise<void> {
  for (const { statement } of adviseIndexes({ policy: { allOf: policy } }, layout, dialect)) {
    await run(statement.replace('CREATE INDEX', 'CREATE INDEX IF NOT EXISTS'));
  }
}

async function compare(
  { name, policy, layout, byHand, bound = [] }: Comparison,
  database: Database,
  table: string,
): Promise<void> {
  const { dialect } = database;
  const translated = toSql({ policy: { allOf: policy } }, { dialect, layout, now: NOW, select: 'count' });
  const handWritten: WrittenSql = {
    text: `SELECT count(*) AS count FROM ${table} AS s WHERE ${byHand}`,
    parameters: bound,
  };
  const [found, expected] = [await database.count(translated), await database.count(handWritten)];
  if (found !== expected) throw new Error(`${name}: ${found} people by toSql, ${expected} by hand`);
  const rounds = roundsFor(await measure(() => database.count(handWritten)));
  const translatedTimes: number[] = [];
  const handWrittenTimes: number[] = [];
  const turns = [
    [translated, translatedTimes],
    [handWritten, handWrittenTimes],
  ] as const;
  for (let round = 0; round < rounds; round += 1) {
    for (const [statement, times] of round % 2 === 0 ? turns : turns.toReversed()) {
      times.push(await measure(() => database.count(statement)));
    }
  }
  const ratios = translatedTimes.map((time, round) => (100 * (handWrittenTimes[round] ?? Number.NaN)) / time);
  const { q1, median, q3 } = spreadOf(ratios);
  print(`${dialect}: ${name}: ${found.toLocaleString('en')} of ${PEOPLE.toLocaleString('en')} people`);
  print(`  toSql    ${describe(spreadOf(translatedTimes).median)}`);
  print(`  by hand  ${describe(spreadOf(handWrittenTimes).median)}`);
  print(
    `  ${median.toFixed(0)} % of the hand-written statement's speed (median of ${rounds} rounds; middle half ${q1.toFixed(0)} to ${q3.toFixed(0)} %)`,
  );
  const plan = await database.explain(translated);
  const used = [
    ...plan.matchAll(/(?:using|Index Scan on|on) (\w*_(?:of_person|text|value|elements|ordered_text))\b/g),
  ].map(([, index]) => index);
  const scans = /Type: Index Scan/.test(plan) ? ['an index scan'] : [];
  print(`  indexes in the plan: ${[...new Set([...used, ...scans])].join(', ') || 'none'}`);
  if (process.env['PLAN'] !== undefined) print(plan);
}

function describe(ms: number): string {
  return `${ms.toFixed(1)} ms, ${Math.round((PEOPLE * 1_000) / ms).toLocaleString('en')} people per second`;
}

/** Returns the number of rounds for a hand-written statement that takes this many milliseconds. */
function roundsFor(ms: number): number {
  return Math.max(ROUNDS, Math.min(ROUNDS * MAX_ROUNDS_FACTOR, Math.round(MS_FOR_ALL_ROUNDS / ms)));
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

print(`${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} cores`);
