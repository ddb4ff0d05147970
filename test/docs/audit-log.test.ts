/** Runs the commands of the page on the audit log, and compares its table with the code. */
import { createHash, createHmac } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import { AUDIT_KINDS } from '../../src/service/index.js';
import { runShell } from '../support/run-command.js';

const PAGE = readFileSync(new URL('../../docs/guides/audit-log.md', import.meta.url), 'utf8');
const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** Replaces the installed command, which the page assumes, by that of the checkout. */
const AS_INSTALLED = `set -eu\nnpx() { shift; node "${COMMAND}" "$@"; }`;

it('the page on the audit log lists every kind of entry with the description in the code', () => {
  const rows = [...PAGE.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, kind, about]) => [kind, about]);
  expect(rows).toEqual(Object.entries(AUDIT_KINDS));
});

/** Recomputes the seal and the head from the output of `proviso audit --json`, as the page describes. */
function assertFormat(cwd: string, written: readonly string[]): void {
  const hash = (...values: readonly unknown[]) =>
    createHash('sha256').update(JSON.stringify(values)).digest('base64url');
  const mac = (key: string, text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const list = (value: unknown) => (value === undefined ? null : JSON.stringify(value));
  const lines = written.map((line) => {
    const entry = JSON.parse(line) as Readonly<Record<string, unknown>>;
    const at = Date.parse(String(entry['at']));
    const names = ['kind', 'clientId', 'userId', 'authorizationId'].map((name) => entry[name] ?? null);
    const rest = ['queryHash', 'about', 'reason'].map((name) => entry[name] ?? null);
    const { position, scopes, claims } = entry;
    return [position, at, hash(position, at, ...names, list(scopes), list(claims), ...rest)];
  });
  const file = new Libsql(join(cwd, '.proviso/proviso.sqlite'), { readonly: true });
  const seals = file.prepare('SELECT * FROM audit_seal').all([]) as Readonly<Record<string, unknown>>[];
  const key = file.prepare(`SELECT secret FROM kept_secret WHERE name = 'audit-key'`).get([]);
  file.close();
  const head = JSON.parse(readFileSync(join(cwd, 'head.json'), 'utf8')) as Readonly<Record<string, unknown>>;
  const at = Date.parse(String(head['at']));
  const expected = hash('proviso audit seal 1', '', 1, 4, 4, at, '[]', JSON.stringify(lines));
  expect(seals).toMatchObject([{ number: 1, sealed_at: at, lines: JSON.stringify(lines), hash: expected }]);
  const { secret } = key as { readonly secret: string };
  expect(head).toMatchObject({
    hash: expected,
    mac: mac(secret, JSON.stringify(['proviso audit head 1', 1, 4, 4, at, expected])),
  });
}

it('the commands of the page on the audit log print sealed entries, in the described format, and verify them', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-audit-'));
  try {
    const lines = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text).join('\n');
    const { exitCode, stdout, stderr } = await runShell(`${AS_INSTALLED}\n${lines}`, { cwd });
    expect([exitCode, stderr]).toEqual([0, 'no entries\n']);
    expect(stdout).toMatch(/^TIME +KIND/m);
    const written = readFileSync(join(cwd, 'audit.ndjson'), 'utf8').trimEnd().split('\n');
    const kinds = written.map((line) => (JSON.parse(line) as { kind: string }).kind);
    expect(kinds).toEqual([
      'signing_key_added',
      'signing_key_added',
      'authorization_granted',
      'token_issued',
    ]);
    expect(stdout).toMatch(/\n4 sealed entries are intact\nthe log continues the given head\n$/);
    assertFormat(cwd, written);
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
