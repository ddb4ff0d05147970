/** Runs the snippets of the page on SQL translation, compares their output with the comments, and checks the output of its commands (V14). */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import * as sql from '../../src/sql/index.js';
import { runShell, startServe } from '../support/run-command.js';
import { runSnippets } from '../support/run-snippets.js';

const PAGE = readFileSync(new URL('../../docs/guides/sql-translation.md', import.meta.url), 'utf8');
const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const AS_INSTALLED = `set -eu\nnpx() { shift; node "${COMMAND}" "$@"; }`;

function snippets(language: string): readonly string[] {
  return [...PAGE.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g'))].map(
    ([, text]) => text ?? '',
  );
}

// V14
it('the snippets on SQL translation print the output in their comments', async () => {
  const { expected, printed } = await runSnippets(PAGE, { 'proviso/sql': sql });
  expect(expected).toHaveLength(14);
  expect(printed).toEqual(expected);
});

// V14
it('the commands of the page on SQL translation run on the store of a running service', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-sql-page-'));
  const serving = await startServe({ cwd });
  try {
    const born = { check: { claim: 'identity.date_of_birth', operator: '<', value: '1900-01-01' } };
    writeFileSync(join(cwd, 'policy.json'), JSON.stringify({ policy: { not: born } }));
    const [commands = '', request = ''] = snippets('sh');
    const executed = await runShell(`${AS_INSTALLED}\n${commands}`, { cwd });
    expect([executed.exitCode, executed.stderr]).toEqual([0, '']);
    const [count, ...lines] = executed.stdout.trim().split('\n');
    expect([count, lines.length]).toEqual(['10', 21]);
    const env = { URL: serving.url, ADMINISTRATOR: SANDBOX_ADMINISTRATOR_TOKEN };
    const requested = await runShell(request, { cwd, env });
    expect(JSON.parse(requested.stdout.trim().split('\n').at(-1) ?? '')).toMatchObject({
      evaluated: 1,
      satisfied: 1,
    });
  } finally {
    await serving.stop('SIGTERM');
    rmSync(cwd, { recursive: true });
  }
});
