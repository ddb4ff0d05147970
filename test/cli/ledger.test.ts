/** `proviso audit learned`: what applications have learned survives a kill, and leaves the file when it is deleted (S360, S364). */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Libsql from 'libsql';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSqliteStore } from '../../src/stores/sqlite/index.js';
import { runCommand, startServe } from '../support/run-command.js';

const MARKER = 'ledger-marker';

let cwd: string;
let folder: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-ledger-'));
  folder = join(cwd, '.proviso');
});

afterAll(() => rmSync(cwd, { recursive: true }));

/** Returns the bytes of all files of the database. */
function bytes(): string {
  return readdirSync(folder)
    .map((name) => readFileSync(join(folder, name), 'latin1'))
    .join('');
}

const linesOf = (text: string) => text.split('\n').slice(0, -1);

// S360, S362
it('a killed service has recorded every answer that it sent', async () => {
  const serving = await startServe({ cwd });
  const token = await runCommand(['sandbox', 'token', '--user', 'ada', '--scope', 'kyc:read'], { cwd });
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
  const { exitCode, stdout } = await runCommand(['audit', 'learned', 'ada'], { cwd });
  expect(exitCode).toBe(0);
  const recorded = new Map(
    linesOf(stdout).map((line) => {
      const { query, passed } = JSON.parse(line) as { readonly query: unknown; readonly passed: boolean };
      return [JSON.stringify(query), passed];
    }),
  );
  expect(answered.size).toBeGreaterThanOrEqual(100);
  for (const [query, passed] of answered) expect([query, recorded.get(query)]).toEqual([query, passed]);
  // Neither the queries nor their hashes with the verdict are in the audit log.
  expect((await runCommand(['audit', '--json'], { cwd })).stdout).not.toMatch(/passed|ledger-marker/);
});

it('prints the entries of one application, and names what is wrong', async () => {
  const args = ['audit', 'learned', 'ada', '--application'];
  const [found, none, unknown] = await Promise.all([
    runCommand([...args, 'sandbox-public'], { cwd }),
    runCommand([...args, 'other'], { cwd }),
    runCommand(['audit', 'learned', 'nobody'], { cwd }),
  ]);
  expect(JSON.parse(linesOf(found.stdout)[0] ?? '')).toMatchObject({
    clientId: 'sandbox-public',
    changes: 0,
  });
  expect([none.exitCode, none.stdout, none.stderr]).toEqual([0, '', expect.stringContaining('no entries')]);
  expect([unknown.exitCode, unknown.stderr]).toEqual([2, 'proviso: no person has the id or name `nobody`\n']);
});

// S364
it('deleted entries are not in the file after a vacuum', async () => {
  expect(bytes()).toContain(MARKER);
  const path = join(folder, 'proviso.sqlite');
  const store = await openSqliteStore(path);
  expect(await store.deleteLearned({ userId: 'person-ada' })).toBeGreaterThanOrEqual(100);
  await store.close();
  const file = new Libsql(path);
  file.exec('vacuum');
  file.pragma('wal_checkpoint(truncate)');
  file.close();
  expect(bytes()).not.toContain(MARKER);
});
