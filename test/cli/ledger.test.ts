/** `proviso audit learned`: on each store, what applications have learned survives a kill, and is in no file after deletion and purge (S360, S364). */
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/stores/postgres/index.js';
import { openSqliteStore } from '../../src/stores/sqlite/index.js';
import { type FaultStore, ownPostgres, sqliteIn } from '../faults/stores.js';
import { runCommand, startServe } from '../support/run-command.js';

const MARKER = 'ledger-marker';

const linesOf = (text: string) => text.split('\n').slice(0, -1);

describe.each(['SQLite', 'PostgreSQL'])('the ledger on %s', (engine) => {
  let cwd: string;
  let store: FaultStore;
  let env: Readonly<Record<string, string>>;
  /** The folder with all files of the database, the write-ahead log included. */
  let folder: string;
  /** Ends the database server as a crash does, and starts it again. Does nothing on SQLite, which has no server. */
  let crash: () => Promise<void>;

  beforeAll(async () => {
    cwd = mkdtempSync(join(tmpdir(), 'proviso-ledger-'));
    if (engine === 'SQLite') {
      store = sqliteIn(mkdtempSync(join(cwd, 'store-')));
      folder = join(store.databaseUrl.slice('sqlite:'.length), '..');
      crash = async () => undefined;
    } else {
      const { cluster, ...rest } = await ownPostgres();
      store = rest;
      // With this setting, the guide on personal data states, a checkpoint removes old segments of the write-ahead log.
      await store.runSql('alter system set wal_recycle = off');
      await store.runSql('select pg_reload_conf()');
      const [row] = await store.runSql('show data_directory');
      folder = (row as { readonly data_directory: string }).data_directory;
      crash = async () => {
        await cluster.stop('immediate');
        await cluster.start();
      };
    }
    env = { PROVISO_DATABASE_URL: store.databaseUrl, PROVISO_AUDIT: 'all' };
  });

  afterAll(async () => {
    await store?.remove();
    rmSync(cwd, { recursive: true });
  });

  const run = (...args: string[]) => runCommand(args, { cwd, env });

  /** Returns the names of the files with a text. */
  function filesWith(text: string): readonly string[] {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => {
      const path = join(folder, name);
      return statSync(path).isFile() && readFileSync(path).includes(text);
    });
  }

  // S360, S362
  it('has every answer that a killed service has sent', async () => {
    const serving = await startServe({ cwd, env });
    const token = await run('sandbox', 'token', '--person', 'ada', '--scope', 'kyc:read');
    const answered = new Map<string, boolean>();
    const evaluate = async (worker: number) => {
      for (let number = 0; ; number += 1) {
        const value = `${MARKER}-${worker}-${number}`;
        const query = { check: { claim: 'kyc.level', operator: 'startsWith', value } };
        const response = await fetch(`${serving.url}/queries/evaluate`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token.stdout.trim()}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ query, evidence: 'none' }),
        }).catch(() => undefined);
        if (response === undefined) return;
        expect(response.status).toBe(200);
        const { passed } = (await response.json().catch(() => ({}))) as { readonly passed?: boolean };
        if (passed !== undefined) answered.set(JSON.stringify(query), passed);
        if (answered.size === 100) serving.process.kill('SIGKILL');
      }
    };
    await Promise.all([0, 1, 2, 3].map(evaluate));
    await crash();
    const { exitCode, stdout } = await run('audit', 'learned', 'ada');
    expect(exitCode).toBe(0);
    const recorded = new Map(
      linesOf(stdout).map((line) => {
        const { query, passed } = JSON.parse(line) as { readonly query: unknown; readonly passed: boolean };
        return [JSON.stringify(query), passed];
      }),
    );
    expect(answered.size).toBeGreaterThanOrEqual(100);
    for (const [query, passed] of answered) expect([query, recorded.get(query)]).toEqual([query, passed]);
    // The audit log has entries of the queries, with neither their text nor their verdict.
    const log = (await run('audit', '--json')).stdout;
    expect(log).toContain('query_answered');
    expect(log).not.toMatch(/passed|ledger-marker/);
  });

  it('is printed for one application, and an unknown person is rejected', async () => {
    const args = ['audit', 'learned', 'ada', '--application'];
    const [found, none, unknown] = await Promise.all([
      run(...args, 'sandbox-public'),
      run(...args, 'other'),
      run('audit', 'learned', 'nobody'),
    ]);
    expect(JSON.parse(linesOf(found.stdout)[0] ?? '')).toMatchObject({
      clientId: 'sandbox-public',
      changes: 0,
    });
    expect([none.exitCode, none.stdout, none.stderr]).toEqual([0, '', expect.stringContaining('no entries')]);
    expect([unknown.exitCode, unknown.stderr]).toEqual([
      2,
      'proviso: no person has the id or name `nobody`\n',
    ]);
  });

  // S364
  it('leaves no query of deleted entries in any file after the documented purge', async () => {
    // `analyze` copies values into the statistics of the planner, which the purge must remove as well.
    if (engine === 'PostgreSQL') await store.runSql('analyze learned');
    expect(filesWith(MARKER).length).toBeGreaterThan(0);
    const opened =
      engine === 'SQLite'
        ? await openSqliteStore(store.databaseUrl.slice('sqlite:'.length))
        : await openPostgresStore(store.databaseUrl);
    expect(await opened.deleteLearned({ userId: 'person-ada' })).toBeGreaterThanOrEqual(100);
    await opened.close();
    const { exitCode, stderr } = await run('person', 'purge');
    expect(exitCode).toBe(0);
    const [, statements = ''] = /until they are rewritten: (.*)/.exec(stderr) ?? [];
    expect(statements !== '').toBe(engine === 'PostgreSQL');
    for (const statement of statements.split('; ').filter(Boolean)) await store.runSql(statement);
    if (engine === 'PostgreSQL') {
      await store.runSql('select pg_switch_wal()');
      await store.runSql('checkpoint');
    }
    expect(filesWith(MARKER)).toEqual([]);
    // The search finds strings that are still stored.
    expect(filesWith('sandbox-public').length).toBeGreaterThan(0);
  });
});
