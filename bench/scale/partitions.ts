/**
 * Partitions the large tables of a filled PostgreSQL store, runs lookups of the service on it, and explains the statements that the service sent.
 * The service does not create such a store: this shows which partitions its statements would read.
 */
import pg from 'pg';
import type { Store } from '../../src/service/index.js';
import { openPostgresStore } from '../../src/stores/postgres/index.js';
import { accessToken, email, hash, personId } from './population.js';
import type { PartitionedLookup, PartitionResults } from './results.js';

const PARTITIONS = 16;
/** The partitioned tables with the column whose hash determines the partition of a row. */
const KEYS: Readonly<Record<string, string>> = {
  person: 'id',
  credential: 'person_id',
  authorization_record: 'id',
  access_token: 'token_hash',
  refresh_token: 'token_hash',
};

/** The limit of statements that find one row. */
const LIMIT = '1';
/** The number of a person whom every store contains. */
const PERSON = 7;

interface Lookup {
  readonly run: (store: Store, person: number) => Promise<unknown>;
  /** The values of the statement's parameters. */
  readonly values: (person: number) => readonly string[];
}

/** Lookups that requests use. */
const LOOKUPS: Readonly<Record<string, Lookup>> = {
  'an access token with its grant': {
    run: (store, person) => store.findAccessToken(hash(accessToken(person))),
    values: (person) => [hash(accessToken(person))],
  },
  'the credentials of a person': {
    run: (store, person) => store.readCredentials(personId(person)),
    values: (person) => [personId(person)],
  },
  'a person by id': {
    run: (store, person) => store.findPerson('id', personId(person)),
    values: (person) => [personId(person), LIMIT],
  },
  'a person by e-mail': {
    run: (store, person) => store.findPerson('email', email(person)),
    values: (person) => [email(person), LIMIT],
  },
};

/**
 * Partitions a store, and counts the partitions that each lookup reads.
 *
 * @param url - A filled store. Its tables are replaced by partitioned ones.
 * @param people - The number of people in the store, for the results.
 */
export async function measurePartitions(url: string, people: number): Promise<PartitionResults> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const [table, key] of Object.entries(KEYS)) await partition(client, table, key);
    await client.query('vacuum analyze');
    const store = await openPostgresStore(url, { maxConnections: 1 });
    const lookups: PartitionedLookup[] = [];
    for (const [lookup, { run, values }] of Object.entries(LOOKUPS)) {
      const found = await run(store, PERSON);
      if (found === undefined || (Array.isArray(found) && found.length === 0))
        throw new Error(`${lookup} must be found`);
      lookups.push({ lookup, read: await explainLast(client, values(PERSON)) });
    }
    await store.close();
    return { people, partitions: PARTITIONS, keys: KEYS, lookups };
  } finally {
    await client.end();
  }
}

/** Replaces a table by a partitioned one with the same rows. Unique indexes without the key become indexes that are not unique. */
async function partition(client: pg.Client, table: string, key: string): Promise<void> {
  const { rows: indexes } = await client.query<{ definition: string }>(
    `select indexdef as definition from pg_indexes where schemaname = 'public' and tablename = '${table}'`,
  );
  await client.query(`create table partitioned (like ${table} including defaults including generated including identity)
    partition by hash (${key})`);
  for (let part = 0; part < PARTITIONS; part += 1)
    await client.query(
      `create table ${table}_${part} partition of partitioned for values with (modulus ${PARTITIONS}, remainder ${part})`,
    );
  await client.query(`insert into partitioned overriding system value select * from ${table}`);
  await client.query(`drop table ${table} cascade`);
  await client.query(`alter table partitioned rename to ${table}`);
  for (const { definition } of indexes)
    await client.query(definition.replace('CREATE UNIQUE INDEX', 'CREATE INDEX'));
}

/** A node of a plan. */
interface PlanNode {
  readonly 'Relation Name'?: string;
  readonly 'Actual Loops'?: number;
  readonly Plans?: readonly PlanNode[];
}

/** Explains the last statement of the store's connection as prepared: without knowledge of its values, as after several executions. */
async function explainLast(
  client: pg.Client,
  values: readonly string[],
): Promise<Readonly<Record<string, number>>> {
  const { rows } = await client.query<{ query: string }>(
    `select query from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`,
  );
  const [statement] = rows;
  if (statement === undefined || rows.length !== 1) throw new Error('the store must have one connection');
  await client.query('deallocate all');
  await client.query('set plan_cache_mode = force_generic_plan');
  await client.query(`prepare explained as ${statement.query}`);
  const explained = await client.query<{ 'QUERY PLAN': readonly { readonly Plan: PlanNode }[] }>(
    `explain (analyze, format json) execute explained (${values.map((value) => client.escapeLiteral(value)).join(', ')})`,
  );
  const plan = explained.rows[0]?.['QUERY PLAN'][0]?.Plan;
  const read = plan === undefined ? [] : relationsOf(plan);
  return Object.fromEntries(
    Object.keys(KEYS)
      .map((table) => [
        table,
        new Set(read.filter((relation) => relation.replace(/_\d+$/, '') === table)).size,
      ])
      .filter(([, count]) => count !== 0),
  ) as Readonly<Record<string, number>>;
}

/** The tables that a plan read. */
function relationsOf({
  'Relation Name': relation,
  'Actual Loops': loops = 0,
  Plans: inner = [],
}: PlanNode): readonly string[] {
  return [...(relation !== undefined && loops > 0 ? [relation] : []), ...inner.flatMap(relationsOf)];
}
