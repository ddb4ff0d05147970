/**
 * Runs the shell commands of the page on deployment from `## SQLite` on and its statements for a restored database, and compares the
 * number of connections with the code (V13, S195).
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openPostgresStore } from '../../src/stores/postgres/index.js';
import { logIn, refresh, type Tokens } from '../support/oauth-client.js';
import { runStatement } from '../support/postgres-cluster.js';
import { createDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';
import { runShell, startServe } from '../support/run-command.js';

const [, PAGE = ''] = readFileSync(new URL('../../docs/guides/deployment.md', import.meta.url), 'utf8').split(
  /(?=^## SQLite)/m,
);
const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** Replaces the installed command, which the page assumes, by that of the checkout. */
const AS_INSTALLED = `set -eu\nnpx() { shift; node "${COMMAND}" "$@"; }`;
const EXAMPLE_URL = 'postgres://proviso:secret@db.example:5432/proviso?sslmode=verify-full';

let cwd: string;
let database: EmptyDatabase;

beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-deployment-'));
  database = await createDatabase();
});

afterEach(async () => {
  await database.remove();
  rmSync(cwd, { recursive: true });
});

/** The page's snippets in a language, in order. */
function snippets(language: string): readonly string[] {
  return [...PAGE.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text]) => text ?? '',
  );
}

// V13
it('the commands of the page on deployment set up PostgreSQL', async () => {
  const [setUp = ''] = snippets('sh');
  expect(setUp).toContain(EXAMPLE_URL);
  const { exitCode, stdout, stderr } = await runShell(
    `${AS_INSTALLED}\n${setUp.replace(EXAMPLE_URL, database.url)}`,
    { cwd },
  );
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/ has the newest schema version, \d+\n$/);
});

// S195
it('the commands of the page on deployment back up and restore SQLite, and rotate keys', async () => {
  const [, ...others] = snippets('sh');
  const { exitCode, stdout, stderr } = await runShell(`${AS_INSTALLED}\n${others.join('\n')}`, { cwd });
  expect([exitCode, stderr]).toEqual([0, '']);
  expect(stdout).toMatch(/monday\.sqlite\n.* has the newest schema version, \d+\nES256 .*\nRS256 .*\n$/);
});

// S195
it('the statements for a restored PostgreSQL database revoke all tokens', async () => {
  const serving = await startServe({ cwd, env: { PROVISO_DATABASE_URL: database.url } });
  try {
    const tokens: Tokens = await logIn(serving);
    await runStatement(database.url, snippets('sql').at(-1) ?? '');
    expect((await refresh(serving, tokens.refresh_token)).status).toBe(400);
    const activeTokens = await runStatement(
      database.url,
      'select 1 from access_token where revoked_at is null union all select 1 from refresh_token where revoked_at is null and rotated_at is null',
    );
    expect(activeTokens).toEqual([]);
  } finally {
    await serving.stop('SIGKILL');
  }
});

it('the page on deployment states the number of connections per instance', async () => {
  const store = await openPostgresStore(database.url);
  await Promise.all(Array.from({ length: 40 }, () => store.listPeople()));
  const countConnections = async () => {
    const [row] = (await runStatement(
      database.url,
      `select count(*)::int as connections from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
    )) as { connections: number }[];
    return row?.connections;
  };
  const [, stated] = /\| connections \| (\d+) per instance/.exec(PAGE) ?? [];
  // PostgreSQL may still be ending the connections of the migration.
  await expect.poll(countConnections).toBe(Number(stated));
  await store.close();
});
