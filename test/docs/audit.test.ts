/** What the page on the audit log shows is run, and its table is the code's. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { AUDIT_KINDS } from '../../src/service/index.js';
import { runShell } from '../support/run-command.js';

const PAGE = readFileSync(new URL('../../docs/audit.md', import.meta.url), 'utf8');
const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
/** The checkout's own command, where a reader has the package installed. */
const AS_INSTALLED = `set -eu\nnpx() { shift; node "${COMMAND}" "$@"; }`;

it('lists every kind of entry as the code has it', () => {
  const rows = [...PAGE.matchAll(/^\| `(\w+)` \| (.*) \|$/gm)].map(([, kind, about]) => [kind, about]);
  expect(rows).toEqual(Object.entries(AUDIT_KINDS));
});

it('shows lines that do what is said of them', async () => {
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
  } finally {
    rmSync(cwd, { recursive: true });
  }
});
