/** The PostgreSQL store behind the installed PgBouncer in transaction mode (V12, S188–S191). */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { StoreUnavailable } from '../../src/service/index.js';
import { openPostgresStore } from '../../src/stores/postgres/index.js';
import { logIn, refresh } from '../support/oauth-client.js';
import { hasPgbouncer, type Pgbouncer, startPgbouncer } from '../support/pgbouncer.js';
import { runStatement } from '../support/postgres-cluster.js';
import { createDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';
import { runCommand, startServe } from '../support/run-command.js';
import { postgresPlans } from './query-plans.js';
import { describeStore } from './store.contract.js';

const PAGE = readFileSync(new URL('../../docs/guides/deployment.md', import.meta.url), 'utf8');

// The title names the reason in the list of skipped tests.
describe.skipIf(!hasPgbouncer)(
  'behind PgBouncer (skipped unless it is installed: apt-get install pgbouncer)',
  () => {
    const databases: EmptyDatabase[] = [];
    const poolers: Pgbouncer[] = [];
    let cwd: string;

    /**
     * Creates a database. Returns its URL, and the URL that leads through a pooler.
     *
     * @param prepare - Changes the database before the pooler connects.
     */
    async function open(settings: readonly string[] = [], prepare?: (url: string) => Promise<unknown>) {
      const database = await createDatabase();
      await prepare?.(database.url);
      const pooler = await startPgbouncer(database.url, settings);
      databases.push(database);
      poolers.push(pooler);
      return { direct: database.url, pooled: pooler.throughPooler(database.url) };
    }

    beforeAll(() => {
      cwd = mkdtempSync(join(tmpdir(), 'proviso-pgbouncer-test-'));
    });

    afterAll(async () => {
      for (const pooler of poolers) await pooler.stop();
      for (const database of databases) await database.remove();
      rmSync(cwd, { recursive: true });
    });

    describeStore('PostgreSQL behind PgBouncer', async () => {
      const { direct, pooled } = await open();
      return {
        store: await openPostgresStore(pooled, { audit: true }),
        database: postgresPlans(direct),
        reopen: () => openPostgresStore(pooled, { audit: true }),
      };
    });

    it('the service starts, signs people in, and rejects replays', async () => {
      const { pooled } = await open();
      const serving = await startServe({ cwd, env: { PROVISO_DATABASE_URL: pooled, PROVISO_AUDIT: 'all' } });
      try {
        const tokens = await logIn(serving);
        const attempts = await Promise.all(
          Array.from({ length: 12 }, () => refresh(serving, tokens.refresh_token)),
        );
        expect(attempts.filter(({ status }) => status === 200)).toHaveLength(1);
      } finally {
        await serving.stop('SIGKILL');
      }
    });

    // S189
    it('a locked table is reported by the lock timeout of the URL in a transaction, and by that of the role outside of a transaction', async () => {
      const [statements = ''] = /(?<=```sql\n)ALTER ROLE[\s\S]*?(?=```)/.exec(PAGE) ?? [];
      const { direct, pooled } = await open([], (url) => {
        const name = new URL(url).pathname.slice(1);
        return runStatement(
          url,
          statements.replaceAll('IN DATABASE proviso', `IN DATABASE ${name}`).replaceAll("'3s'", "'200ms'"),
        );
      });
      const store = await openPostgresStore(`${pooled}?lock_timeout=200`);
      onTestFinished(() => store.close());
      const holder = new pg.Client({ connectionString: direct });
      await holder.connect();
      // Runs before the store is closed, since statements of the store wait for these locks.
      onTestFinished(() => holder.end());
      // Overrides the timeout of the role, so that this transaction keeps its locks.
      await holder.query(
        `set idle_in_transaction_session_timeout = 0; begin; lock table person, authorization_record`,
      );
      // A transaction, and a single statement.
      for (const write of [() => store.revokeAuthorization('held', 1), () => store.endSessions('p', 2)]) {
        const error: unknown = await write().catch((reason: unknown) => reason);
        expect(error).toBeInstanceOf(StoreUnavailable);
        expect(error).toMatchObject({ cause: { code: '55P03' } });
      }
      await holder.query('rollback');
      await store.endSessions('p', 2);
    });

    it('a pool mode that does not allow transactions is named as the reason', async () => {
      const { pooled } = await open(['pool_mode = statement']);
      const { exitCode, stderr } = await runCommand(['migrate'], {
        cwd,
        env: { PROVISO_DATABASE_URL: pooled },
      });
      expect([exitCode, stderr]).toEqual([
        1,
        expect.stringContaining(
          'cannot be opened: the pooler rejects what the service needs (transaction blocks not allowed in statement pooling mode): its pool mode must be transaction or session',
        ),
      ]);
    });
  },
);
