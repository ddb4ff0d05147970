/** Runs the commands on catalogue and credentials, and validates the catalogue on the page. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createServiceCatalogue, parseCatalogue, parseIssuers } from '../../src/service/index.js';
import { systemCredentialVerifier } from '../../src/system/credential-verifier/credential-verifier.js';
import { runCommand, runShell, type ServeProcess, startServe } from '../support/run-command.js';
import { DRAFT_PID } from '../support/specification-credentials.js';

const PAGE = ['reference/catalogue.md', 'guides/credentials.md']
  .map((name) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8'))
  .join('\n');
const [CATALOGUE = '', ISSUERS = ''] = [...PAGE.matchAll(/```json\n([\s\S]*?)```/g)].map(([, text]) => text);
const SCOPES = /--user ada --scope "([^"]+)"/.exec(PAGE)?.[1] ?? '';

let cwd: string;
let serving: ServeProcess;

beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-docs-'));
  serving = await startServe({ cwd });
});

afterAll(async () => {
  await serving.stop('SIGTERM');
  rmSync(cwd, { recursive: true });
});

it('every line is answered as the page says', async () => {
  const token = await runCommand(['sandbox', 'token', '--user', 'ada', '--scope', SCOPES], { cwd });
  const lines = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const answers: unknown[] = [];
  for (const line of lines) {
    const env = { BASE: serving.url, TOKEN: token.stdout.trim() };
    answers.push(JSON.parse((await runShell(line, { cwd, env })).stdout));
  }
  const [preset, batch, taken, revoked, credentials, authorizations] = answers;
  expect(answers).toHaveLength(6);
  expect(preset).toMatchObject({ preset: 'age_over_18', value: true, status: 'valid' });
  expect(batch).toMatchObject({
    results: [{ preset: 'kyc_level' }, { preset: 'age' }],
    errors: [
      { preset: 'net_worth_total', error: { error_subcode: 'insufficient_scope' } },
      { preset: 'shoe_size', error: { error_subcode: 'preset_not_found' } },
    ],
  });
  expect([taken, revoked]).toMatchObject([{ status: 'active' }, { status: 'revoked' }]);
  expect(credentials).toMatchObject({ items: [{}, {}], has_more: true });
  expect(authorizations).toEqual({ items: [], has_more: false });
});

it('the catalogue is one, and serves what it says', async () => {
  expect(parseCatalogue(JSON.parse(CATALOGUE)).presets.at(-1)?.name).toBe('gold');
  writeFileSync(join(cwd, 'catalogue.json'), CATALOGUE);
  const { exitCode, stdout } = await runCommand(['catalogue', 'catalogue.json'], { cwd });
  expect([exitCode, stdout.includes('loyalty.is_gold')]).toEqual([0, true]);
});

it('the issuers are trusted, and what they signed is taken', async () => {
  const issuers = parseIssuers(JSON.parse(ISSUERS), createServiceCatalogue());
  const now = Date.parse('2026-06-01');
  const outcome = await systemCredentialVerifier.verify(DRAFT_PID, 'dc+sd-jwt', issuers, now);
  expect(outcome.accepted).toBe(true);
});
