/**
 * Compares the stores with simplified statements of the same operations, run directly on the drivers: on the same database, alternating, in one
 * process. The reported ratio is the median of the ratios of all rounds, since other load on the machine affects both halves of a round alike.
 *
 * npm run check -- bench-store [--rounds 30]
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Libsql from 'libsql';
import pg from 'pg';
import { spreadOf } from '../../bench/timing/statistics.js';
import type { Store } from '../../src/service/index.js';
import { parseCount } from '../support/check-options.js';
import { createPostgresCluster } from '../support/postgres-cluster.js';
import { AT, CHALLENGE, createLibsqlStore, createPgStore, LATER, type RawStore } from './raw-statements.js';

const BATCH = 200;
const CONNECTIONS = 8;
/** Minimum ratio of the store's throughput to the driver's. */
const MIN_RATIO = 0.7;
// The built package: the sources import SQL files as text, which only the bundler supports.
const { openSqliteStore } = (await import(new URL('../../dist/server/sqlite.js', import.meta.url).href)) as {
  openSqliteStore: (path: string) => Promise<Store>;
};
const { openPostgresStore } = (await import(
  new URL('../../dist/server/postgres.js', import.meta.url).href
)) as {
  openPostgresStore: (url: string, options: { maxConnections: number }) => Promise<Store>;
};

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '30' } } });
const rounds = parseCount('rounds', values.rounds);
let grantCount = 0;
let tooSlow = false;

await benchSqlite();
await benchPostgres();
process.exitCode = tooSlow ? 1 : 0;

async function benchSqlite(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-bench-'));
  const path = join(folder, 'store.sqlite');
  const store = await openSqliteStore(path);
  const file = new Libsql(path);
  for (const setting of ['journal_mode = WAL', 'synchronous = FULL', 'foreign_keys = ON'])
    file.pragma(setting);
  await bench('SQLite, sequential', {
    store,
    raw: createLibsqlStore(file),
    concurrency: 1,
    settle: async () => {},
  });
  file.close();
  await store.close();
  rmSync(folder, { recursive: true });
}

async function benchPostgres(): Promise<void> {
  const cluster = await createPostgresCluster();
  const store = await openPostgresStore(cluster.url, { maxConnections: CONNECTIONS });
  const pool = new pg.Pool({ connectionString: cluster.url, max: CONNECTIONS });
  // Updates the statistics of the planner, as autovacuum does in production.
  const settle = async () => void (await pool.query('vacuum analyze'));
  const raw = createPgStore(pool);
  await bench('PostgreSQL, sequential', { store, raw, concurrency: 1, settle });
  await bench(`PostgreSQL, ${CONNECTIONS} concurrent`, { store, raw, concurrency: CONNECTIONS, settle });
  await pool.end();
  await store.close();
  await cluster.remove();
}

interface BenchTarget {
  readonly store: Store;
  readonly raw: RawStore;
  readonly concurrency: number;
  /** Called after each half of the warm-up round. */
  readonly settle: () => Promise<void>;
}

async function bench(title: string, { store, raw, concurrency, settle }: BenchTarget): Promise<void> {
  await store.seedOnce({
    applications: [
      {
        clientId: 'client',
        name: 'C',
        organizationId: 'o',
        redirectUris: [],
        scopes: ['openid'],
        idTokenAlgorithm: 'ES256',
        createdAt: AT,
      },
    ],
    people: [{ person: { id: 'p', name: 'p', about: '' }, credentials: [] }],
  });
  const sides = [toOperations(store), raw] as const;
  const times = [createTimes(), createTimes()] as const;
  // The first round warms up.
  for (let round = 0; round <= rounds; round += 1) {
    for (const side of round % 2 === 0 ? ([0, 1] as const) : ([1, 0] as const)) {
      const measured = await runBatch(store, sides[side], concurrency);
      if (round === 0) {
        await settle();
        continue;
      }
      for (const name of ['redeem', 'rotate', 'lookUp'] as const) {
        times[side][name].ms.push(...measured[name].ms);
        times[side][name].wallMs.push(...measured[name].wallMs);
      }
    }
  }
  process.stdout.write(`${title}\n`);
  for (const name of ['redeem', 'rotate', 'lookUp'] as const) {
    const [storeSummary, driverSummary] = [summary(times[0][name]), summary(times[1][name])];
    const ratio = spreadOf(
      times[0][name].wallMs.map((wallMs, round) => (times[1][name].wallMs[round] ?? 0) / wallMs),
    ).median;
    if (ratio < MIN_RATIO) tooSlow = true;
    process.stdout.write(
      `  ${name.padEnd(7)} store ${storeSummary}   driver ${driverSummary}   ratio ${ratio.toFixed(2)}${ratio < MIN_RATIO ? ` BELOW ${MIN_RATIO}` : ''}\n`,
    );
  }
}

interface Times {
  /** Duration of each call. */
  readonly ms: number[];
  /** Duration of all calls of a round. */
  readonly wallMs: number[];
}

function createTimes(): Record<keyof RawStore, Times> {
  return { redeem: { ms: [], wallMs: [] }, rotate: { ms: [], wallMs: [] }, lookUp: { ms: [], wallMs: [] } };
}

async function runBatch(
  store: Store,
  { redeem, rotate, lookUp }: RawStore,
  concurrency: number,
): Promise<Record<keyof RawStore, Times>> {
  const first = grantCount;
  grantCount += BATCH;
  const ids = Array.from({ length: BATCH }, (_, index) => String(first + index));
  for (const id of ids) await approve(store, id);
  return {
    redeem: await measure(ids, concurrency, (id) => redeem(hash(id, 'c'), hash(id, 'a'), hash(id, 'r'))),
    rotate: await measure(ids, concurrency, (id) => rotate(hash(id, 'r'), hash(id, 'r2'), hash(id, 'a2'))),
    lookUp: await measure(ids, concurrency, (id) => lookUp(hash(id, 'a2'))),
  };
}

async function measure(
  ids: readonly string[],
  concurrency: number,
  operation: (id: string) => Promise<boolean>,
): Promise<Times> {
  const ms: number[] = [];
  let index = 0;
  const from = performance.now();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let id = ids[index++]; id !== undefined; id = ids[index++]) {
        const startedAt = performance.now();
        if (!(await operation(id))) throw new Error('an operation that must succeed failed');
        ms.push(performance.now() - startedAt);
      }
    }),
  );
  return { ms, wallMs: [performance.now() - from] };
}

function summary({ ms, wallMs }: Times): string {
  const sorted = ms.toSorted((left, right) => left - right);
  const p99 = sorted[Math.floor(sorted.length * 0.99)] ?? 0;
  const perSecond = BATCH / (spreadOf(wallMs).median / 1_000);
  return `${Math.round(perSecond)}/s p99 ${p99.toFixed(2)} ms`.padEnd(24);
}

async function approve(store: Store, id: string): Promise<void> {
  await store.createAuthorization({
    id,
    clientId: 'client',
    status: 'pending_admin',
    redirectUri: 'r',
    requestedScopes: ['openid'],
    codeChallenge: CHALLENGE,
    createdAt: AT,
    requestExpiresAt: LATER,
    updatedAt: AT,
  });
  const approval = { codeHash: hash(id, 'c'), codeExpiresAt: LATER, at: AT };
  const person = { userId: 'p', subject: { sector: 'o', hash: 'p-at-o' } };
  await store.approveAuthorization({ authorizationId: id, ...person, scopes: ['openid'], ...approval });
}

function toOperations(store: Store): RawStore {
  const issued = (tokenHash: string) => ({ tokenHash, scopes: ['openid'], issuedAt: AT, expiresAt: LATER });
  return {
    redeem: async (codeHash, accessHash, refreshHash) => {
      const proof = { clientId: 'client', redirectUri: 'r', codeChallenge: CHALLENGE };
      const redeemed = await store.redeemCode({
        ...{ codeHash, ...proof, at: AT },
        accessToken: { tokenHash: accessHash, issuedAt: AT, expiresAt: LATER },
        refreshToken: { tokenHash: refreshHash, familyId: refreshHash, issuedAt: AT, expiresAt: LATER },
      });
      return redeemed !== undefined;
    },
    rotate: (tokenHash, nextTokenHash, accessHash) => {
      const accessToken = issued(accessHash);
      return store.rotateRefreshToken({ tokenHash, clientId: 'client', nextTokenHash, accessToken, at: AT });
    },
    lookUp: async (tokenHash) => (await store.findAccessToken(tokenHash)) !== undefined,
  };
}

function hash(id: string, kind: string): string {
  return `${kind}-${id}-`.padEnd(43, '_');
}
