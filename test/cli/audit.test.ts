/** `proviso audit`: prints and filters the entries of a store (S199). */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AUDIT_KINDS, type AuditEntry } from '../../src/service/index.js';
import { openSqliteStore } from '../../src/stores/sqlite/index.js';
import { runCommand, runShell, startServe } from '../support/run-command.js';

const AT = Date.UTC(2026, 5, 1, 12);
const COUNT = 1_234;
const QUERY = { check: { claim: 'kyc.level', operator: '==', value: 'enhanced' } };

let cwd: string;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-audit-'));
  const store = await openSqliteStore(join(cwd, '.proviso/proviso.sqlite'));
  await store.getOrCreatePerson({ id: 'person-0', name: 'u-1841', about: '' });
  await store.getOrCreatePerson({ id: 'person-1', name: 'u-1842', about: '' });
  await store.recordAudit(
    Array.from({ length: COUNT }, (_, index): AuditEntry => {
      const kind = index % 10 === 0 ? 'query_refused' : 'query_answered';
      const userId = `person-${index % 2}`;
      return { at: AT + index, kind, clientId: 'shop', userId, claims: ['kyc.level'] };
    }),
  );
  await store.recordAudit([
    {
      at: AT + COUNT,
      kind: 'credential_ingested',
      userId: 'person-1',
      about: 'c\u001b[31m',
      claims: ['a.b'],
    },
  ]);
  await store.close();
});

afterAll(() => rmSync(cwd, { recursive: true }));

const audit = (...args: string[]) => runCommand(['audit', ...args], { cwd });
const linesOf = (text: string) => text.split('\n').slice(0, -1);

describe('proviso audit', () => {
  it('prints every entry once, the oldest first, over many pages', async () => {
    const { exitCode, stdout, stderr } = await audit('--json');
    expect([exitCode, stderr]).toEqual([0, '']);
    const entries = linesOf(stdout).map((line) => JSON.parse(line) as { position: number });
    expect(entries.map(({ position }) => position)).toEqual(
      Array.from({ length: COUNT + 1 }, (_, index) => index + 1),
    );
    expect(entries[0]).toEqual({
      position: 1,
      at: '2026-06-01T12:00:00.000Z',
      kind: 'query_refused',
      clientId: 'shop',
      userId: expect.stringMatching(/^[0-9a-f]{32}$/),
      claims: ['kyc.level'],
    });
  });

  it.each([
    [['--since', '2026-06-01T12:00:01Z'], COUNT - 1_000 + 1],
    [['--until', '2026-06-01T12:00:01Z'], 1_000],
    [['--until', '2026-06-01'], 0],
    [['--since', '5m'], 0],
    [['--client', 'shop'], COUNT],
    [['--client', 'other'], 0],
    [['--person', 'person-1'], COUNT / 2 + 1],
    [['--person', 'u-1842'], COUNT / 2 + 1],
    [['--kind', 'query_refused'], 124],
    [['--kind', 'query_refused,credential_ingested', '--person', 'u-1842'], 1],
    [['--limit', '700'], 700],
  ])('%j lists %i entries', async (args, expected) => {
    const { exitCode, stdout, stderr } = await audit('--json', ...args);
    expect([exitCode, linesOf(stdout).length]).toEqual([0, expected]);
    expect(stderr).toBe(
      expected === 0
        ? 'no entries; PROVISO_AUDIT is `off`: set it to `changes` or `all` to log entries\n'
        : '',
    );
  });

  it('prints a table, without control characters from the ids of credentials', async () => {
    const { stdout } = await audit('--since', '2026-06-01T12:00:01.232Z');
    expect(linesOf(stdout)).toEqual([
      'TIME                      KIND                 CLIENT  PERSON    WHAT',
      '2026-06-01T12:00:01.232Z  query_answered       shop    person-0  kyc.level',
      '2026-06-01T12:00:01.233Z  query_answered       shop    person-1  kyc.level',
      '2026-06-01T12:00:01.234Z  credential_ingested  -       person-1  c?[31m, a.b',
    ]);
  });

  it('stops without an error when its output is closed', async () => {
    const entry = join(process.cwd(), 'dist/cli.js');
    const line = `node ${JSON.stringify(entry)} audit --json | head -n 1`;
    const { stdout, stderr } = await runShell(line, { cwd });
    expect([linesOf(stdout).length, stderr]).toEqual([1, '']);
  });

  it.each([
    [
      ['--since', 'yesterday'],
      /--since must be an RFC 3339 instant, or a duration of at most six digits such as 90m, 24h or 7d \(got `yesterday`\)/,
    ],
    [['--kind', 'query'], /--kind must be one of authorization_granted, .*client_refused \(got `query`\)/],
    [['--limit', '0'], /--limit must be an integer from 1 to 999,999,999 \(got `0`\)/],
    [['--query', 'nothing.json'], /nothing\.json/],
    [['--person'], /argument missing/],
    [['somebody'], /too many arguments/],
  ])('rejects %j with a message', async (args, expected) => {
    const { exitCode, stdout, stderr } = await audit(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(expected);
  });

  it('accepts a query that is larger than the default limits, since a service may accept it', async () => {
    const item = {
      check: { claim: 'identity.email', operator: 'matchRegex', value: '^(?:[a-z]{1,3}@){9}$' },
    };
    let query: object = { policy: { allOf: Array.from({ length: 300 }, () => item) } };
    for (let depth = 1; depth < 50; depth += 1) query = { policy: { not: query } };
    writeFileSync(join(cwd, 'large.json'), JSON.stringify(query));
    const { exitCode, stderr } = await audit('--query', 'large.json');
    expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^no entries/)]);
  });

  it('reports a missing store, and creates none', async () => {
    const env = { PROVISO_DATABASE_URL: `sqlite:${join(cwd, 'nothing.sqlite')}` };
    const { exitCode, stderr } = await runCommand(['audit'], { cwd, env });
    expect([exitCode, stderr]).toEqual([1, `proviso: no store found at ${join(cwd, 'nothing.sqlite')}\n`]);
    expect(existsSync(join(cwd, 'nothing.sqlite'))).toBe(false);
  });

  it('lists every kind of entry in its help', async () => {
    const { stdout } = await audit('--help');
    for (const kind of Object.keys(AUDIT_KINDS)) expect(stdout).toContain(`  ${kind} `);
  });
});

// V12
it('a killed service has logged every response that it sent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-audit-'));
  try {
    const env = { PROVISO_AUDIT: 'all' };
    const serving = await startServe({ cwd: folder, env });
    const token = /Bearer ([A-Za-z0-9_-]{43})/.exec(serving.curlLine)?.[1];
    let answered = 0;
    const evaluate = async () => {
      for (;;) {
        const response = await fetch(`${serving.url}/queries/evaluate`, {
          method: 'POST',
          headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
          body: JSON.stringify({ query: QUERY }),
        }).catch(() => undefined);
        if (response === undefined) return;
        expect(response.status).toBe(200);
        answered += 1;
        if (answered === 200) serving.process.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 16 }, evaluate));
    const { stdout } = await runCommand(['audit', '--json', '--kind', 'query_answered'], { cwd: folder });
    expect(answered).toBeGreaterThanOrEqual(200);
    expect(linesOf(stdout).length).toBeGreaterThanOrEqual(answered);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

// L25
it('the audit log finds a query by its content, whatever its formatting, and lists issued tokens and added signing keys', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-audit-'));
  try {
    const env = { PROVISO_AUDIT: 'all' };
    const serving = await startServe({ cwd: folder, env });
    const token = await runCommand(['sandbox', 'token', '--person', 'ada', '--scope', 'kyc:read'], {
      cwd: folder,
      env,
    });
    const evaluate = (query: unknown) =>
      fetch(`${serving.url}/queries/evaluate`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token.stdout.trim()}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ query }),
      });
    expect((await evaluate(QUERY)).status).toBe(200);
    expect((await evaluate({ check: { claim: 'kyc.level', operator: 'isDefined' } })).status).toBe(200);
    expect(await serving.stop('SIGTERM')).toBe(0);
    const { value, ...rest } = QUERY.check;
    writeFileSync(
      join(folder, 'query.json'),
      JSON.stringify({ $schema: 'schema.json', check: { value, ...rest } }, null, 4),
    );
    const found = await runCommand(['audit', '--json', '--query', 'query.json'], { cwd: folder });
    expect(linesOf(found.stdout).map((line) => JSON.parse(line))).toMatchObject([
      { kind: 'query_answered', clientId: 'sandbox-public', claims: ['kyc.level'] },
    ]);
    const { stdout } = await runCommand(['audit', '--json', '--kind', 'token_issued,signing_key_added'], {
      cwd: folder,
    });
    const kinds = linesOf(stdout).map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(new Set(kinds)).toEqual(new Set(['token_issued', 'signing_key_added']));
  } finally {
    rmSync(folder, { recursive: true });
  }
});
