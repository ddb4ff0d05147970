/**
 * Measures how long it takes to find a client's grant by person, with few people and with many: the time must not depend on the number of
 * people, nor on whether the person exists. Fills stores of several sizes by bulk statements, and alternates between them, so that other
 * load on the machine affects all sizes alike. Compares medians of single look-ups.
 *
 *   npm run check -- bench-lookups [--people 1000000] [--rounds 30] [--store sqlite|postgres]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Libsql from 'libsql';
import pg from 'pg';
import { spreadOf } from '../../bench/timing/statistics.js';
import { createPairwiseIdentifiers } from '../../src/service/claims/organization-view.js';
import type { GrantSelector, Store } from '../../src/service/index.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { parseChoice, parseCount } from '../support/check-options.js';
import { createPostgresCluster } from '../support/postgres-cluster.js';
import { createSeededChoice } from './seeded-choice.js';

/** Maximum ratio of the median times: of each store to the smallest, and of people without a grant to unknown people. */
const MAX_RATIO = 1.5;
const SIZES = [1_000, 100_000];
/** People who granted something to another client only. */
const STRANGERS = 1_000;
/** Number of people who are looked up, per kind and store. */
const SAMPLES = 500;
const LOOKUPS = 100;
const BATCH_SIZE = 50_000;
const CREATED_AT = 1_780_000_000_000;
const CLIENT_ID = 'lender';
const OTHER_CLIENT_ID = 'other';
const ORGANIZATION_ID = 'org-lender';

const identifiers = createPairwiseIdentifiers(systemDigest, 'k'.repeat(43));

// The built package: the sources import SQL files as text, which only the bundler supports.
const { openSqliteStore } = (await import(new URL('../../dist/server/sqlite.js', import.meta.url).href)) as {
  openSqliteStore: (path: string) => Promise<Store>;
};
const { openPostgresStore } = (await import(
  new URL('../../dist/server/postgres.js', import.meta.url).href
)) as {
  openPostgresStore: (url: string, options: { maxConnections: number }) => Promise<Store>;
};

const { values } = parseArgs({
  options: {
    people: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '30' },
    store: { type: 'string' },
  },
});
const people = parseCount('people', values.people);
const rounds = parseCount('rounds', values.rounds);
if (values.store !== undefined) parseChoice('store', values.store, ['sqlite', 'postgres']);
const sizes = [...SIZES.filter((size) => size < people), people];

/** SQL that inserts people, and their grants, with the numbers `from` to `to`, in a database's dialect. */
interface BulkStatements {
  readonly people: (from: number, to: number) => string;
  readonly grants: (from: number, to: number, clientId: string) => string;
}

const GRANT_COLUMNS = `id, client_id, person_id, status, redirect_uri, requested_scopes, granted_scopes, created_at, request_expires_at,
  updated_at, approved_at, subject_sector, subject_hash`;
const SECTOR = identifiers.sector(ORGANIZATION_ID);

const SQLITE_STATEMENTS: BulkStatements = {
  people: (from, to) => `insert into person (id, name, about, email, evm_address)
    with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to})
    select 'p-' || i, 'name-' || i, '', 'p' || i || '@people.example', printf('0x%040x', i) from n`,
  grants: (from, to, clientId) => `insert into authorization_record (${GRANT_COLUMNS})
    with recursive n (i) as (select ${from} union all select i + 1 from n where i < ${to})
    select lower(hex(randomblob(16))), '${clientId}', 'p-' || i, 'consumed', 'r', '["openid"]', '["openid"]', ${CREATED_AT}, ${CREATED_AT}, ${CREATED_AT} + i, ${CREATED_AT},
      '${SECTOR}', substr(hex(randomblob(22)), 1, 43) from n`,
};

const POSTGRES_STATEMENTS: BulkStatements = {
  people: (from, to) => `insert into person (id, name, about, email, evm_address)
    select 'p-' || i, 'name-' || i, '', 'p' || i || '@people.example', '0x' || lpad(to_hex(i), 40, '0')
    from generate_series(${from}, ${to}) as n (i)`,
  grants: (from, to, clientId) => `insert into authorization_record (${GRANT_COLUMNS})
    select md5(random()::text || i), '${clientId}', 'p-' || i, 'consumed', 'r', '["openid"]', '["openid"]', ${CREATED_AT}, ${CREATED_AT}, ${CREATED_AT} + i, ${CREATED_AT},
      '${SECTOR}', substr(md5(random()::text) || md5(random()::text), 1, 43) from generate_series(${from}, ${to}) as n (i)`,
};

/** A filled store, the selectors to look up in it, and the measured times in microseconds. */
interface FilledStore {
  readonly size: number;
  readonly store: Store;
  readonly selectors: ReadonlyMap<Kind, readonly GrantSelector[]>;
  readonly times: Map<Kind, number[]>;
}

const SELECTOR_TYPES = ['id', 'e-mail', 'wallet'] as const;
const GRANT_STATES = ['with a grant', 'without one', 'unknown'] as const;
type Kind = `${(typeof SELECTOR_TYPES)[number]}, ${(typeof GRANT_STATES)[number]}`;
const KINDS = SELECTOR_TYPES.flatMap((by) => GRANT_STATES.map((state): Kind => `${by}, ${state}`));

let tooSlow = false;
if (values.store !== 'postgres') await benchSqlite();
if (values.store !== 'sqlite') await benchPostgres();
process.exitCode = tooSlow ? 1 : 0;

async function benchSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-lookups-'));
  try {
    await bench('SQLite', async (size) => {
      const path = join(folder, `${size}.sqlite`);
      const store = await openSqliteStore(path);
      await registerApplications(store);
      const file = new Libsql(path);
      file.pragma('synchronous = OFF');
      file.pragma('foreign_keys = OFF');
      await fillStore(size, SQLITE_STATEMENTS, async (statement) => void file.exec(statement));
      file.close();
      return store;
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function benchPostgres(): Promise<void> {
  const cluster = await createPostgresCluster();
  try {
    await bench('PostgreSQL', async (size) => {
      const url = new URL(cluster.url);
      url.pathname = `/people_${size}`;
      await withConnection(cluster.url, (run) => run(`create database people_${size}`));
      const store = await openPostgresStore(url.href, { maxConnections: 1 });
      await registerApplications(store);
      await withConnection(url.href, async (run) => {
        await run('set synchronous_commit = off');
        await run('set session_replication_role = replica');
        await fillStore(size, POSTGRES_STATEMENTS, run);
        await run('vacuum analyze');
      });
      return store;
    });
  } finally {
    await cluster.remove();
  }
}

async function withConnection(
  url: string,
  work: (run: (statement: string) => Promise<void>) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await work(async (statement) => void (await client.query(statement)));
  } finally {
    await client.end();
  }
}

async function registerApplications(store: Store): Promise<void> {
  for (const clientId of [CLIENT_ID, OTHER_CLIENT_ID]) {
    await store.insertApplication({
      clientId,
      name: clientId,
      organizationId: ORGANIZATION_ID,
      redirectUris: [],
      scopes: ['openid'],
      idTokenAlgorithm: 'ES256',
      createdAt: CREATED_AT,
    });
  }
}

async function fillStore(
  size: number,
  statements: BulkStatements,
  run: (statement: string) => Promise<void>,
): Promise<void> {
  for (let from = 1; from <= size; from += BATCH_SIZE) {
    const to = Math.min(from + BATCH_SIZE - 1, size);
    await run(statements.people(from, to));
    await run(statements.grants(from, to, CLIENT_ID));
    progress(`${to} of ${size} people`);
  }
  await run(statements.people(size + 1, size + STRANGERS));
  await run(statements.grants(size + 1, size + STRANGERS, OTHER_CLIENT_ID));
}

async function bench(engine: string, open: (size: number) => Promise<Store>): Promise<void> {
  const stores: FilledStore[] = [];
  for (const size of sizes) {
    progress(`${engine}: filling ${size}`);
    const store = await open(size);
    stores.push({
      size,
      store,
      selectors: await drawSelectors(size, store),
      times: new Map(KINDS.map((kind) => [kind, []])),
    });
  }
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    progress(`${engine}: round ${round} of ${rounds}`);
    for (let index = 0; index < LOOKUPS; index += 1) {
      // One look-up of each kind in each store, so that other load on the machine affects all alike.
      for (const kind of rotate(KINDS, index)) {
        for (const filled of rotate(stores, index)) {
          const us = await timeLookup(filled, kind, round * LOOKUPS + index);
          if (round > 0) filled.times.get(kind)?.push(us);
        }
      }
    }
  }
  progress('');
  report(engine, stores);
  for (const { store } of stores) await store.close();
}

/** Draws the selectors of each kind, from a seed that depends on the size. */
async function drawSelectors(size: number, store: Store): Promise<FilledStore['selectors']> {
  const choice = createSeededChoice(size, 'lookups');
  const drawNumbers = (from: number, count: number) =>
    Array.from({ length: SAMPLES }, () => choice.between(from, from + count));
  const subjectOf = (person: number) =>
    identifiers.index(ORGANIZATION_ID, identifiers.subject(ORGANIZATION_ID, `p-${person}`));
  const numbers = {
    'with a grant': drawNumbers(1, size),
    'without one': drawNumbers(size + 1, STRANGERS),
    unknown: drawNumbers(size + STRANGERS + 1, 1_000_000),
  } as const;
  await indexSamples(numbers['with a grant'], subjectOf, store);
  const toSelector: Readonly<Record<(typeof SELECTOR_TYPES)[number], (person: number) => GrantSelector>> = {
    id: (person) => ({ by: 'subject', subject: subjectOf(person) }),
    'e-mail': (person) => ({ by: 'email', value: `p${person}@people.example` }),
    wallet: (person) => ({ by: 'evmAddress', value: `0x${person.toString(16).padStart(40, '0')}` }),
  };
  return new Map(
    SELECTOR_TYPES.flatMap((by) =>
      GRANT_STATES.map((state) => [`${by}, ${state}` as const, numbers[state].map(toSelector[by])] as const),
    ),
  );
}

/** Stores the keyed hashes of the people who are looked up, which the bulk statements cannot compute. */
async function indexSamples(
  sampled: readonly number[],
  subjectOf: (person: number) => ReturnType<typeof identifiers.index>,
  store: Store,
): Promise<void> {
  const grants = [];
  for (const person of sampled) {
    const value = `p${person}@people.example`;
    const grant = await store.findActiveGrant(CLIENT_ID, { by: 'email', value }, [], Date.now());
    if (grant === undefined) throw new Error(`no grant of person ${person}`);
    grants.push({ authorizationId: grant.authorizationId, subject: subjectOf(person) });
  }
  await store.indexGrants(grants);
}

/** @returns Microseconds. */
async function timeLookup({ store, selectors }: FilledStore, kind: Kind, index: number): Promise<number> {
  const candidates = selectors.get(kind) ?? [];
  const selector = candidates[index % candidates.length];
  if (selector === undefined) throw new Error(`no selector of kind "${kind}"`);
  const startedAt = performance.now();
  const found = await store.findActiveGrant(CLIENT_ID, selector, [], Date.now());
  const us = (performance.now() - startedAt) * 1_000;
  if ((found !== undefined) !== kind.endsWith('with a grant'))
    throw new Error(`wrong result of a look-up by ${kind}`);
  return us;
}

function report(engine: string, stores: readonly FilledStore[]): void {
  const [fewest] = stores;
  if (fewest === undefined) return;
  const head = stores.map(({ size }) => `${size} people`.padStart(24)).join('');
  print(`${engine}${' '.repeat(22 - engine.length)}${head}`);
  for (const kind of KINDS) {
    const cells = stores.map((filled) => {
      const ratio = medianRatio(filled.times.get(kind), fewest.times.get(kind));
      return `${spreadOf(filled.times.get(kind) ?? []).median.toFixed(0)} µs  ${formatRatio(ratio)}`.padStart(
        24,
      );
    });
    print(`  ${kind.padEnd(20)}${cells.join('')}`);
  }
  for (const by of SELECTOR_TYPES) {
    const cells = stores.map(({ times }) =>
      formatRatio(medianRatio(times.get(`${by}, without one`), times.get(`${by}, unknown`))).padStart(24),
    );
    print(`  ${`${by}, known/unknown`.padEnd(20)}${cells.join('')}`);
  }
}

function medianRatio(times: readonly number[] = [], reference: readonly number[] = []): number {
  return spreadOf(times).median / spreadOf(reference).median;
}

function formatRatio(ratio: number): string {
  if (ratio <= MAX_RATIO) return `×${ratio.toFixed(2)}`;
  tooSlow = true;
  return `×${ratio.toFixed(2)} ABOVE ${MAX_RATIO}`;
}

/** The items, rotated left by `by`. */
function rotate<Item>(items: readonly Item[], by: number): readonly Item[] {
  const from = by % items.length;
  return [...items.slice(from), ...items.slice(0, from)];
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
  else if (text !== '') process.stderr.write(`${text}\n`);
}
