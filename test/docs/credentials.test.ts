/** Runs the commands of the pages on the catalogue and on credentials, and validates their catalogue and issuers. */
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
const SCOPES = /--person ada --scope "([^"]+)"/.exec(PAGE)?.[1] ?? '';

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

it('every command of the pages on the catalogue and on credentials gets the described response', async () => {
  const token = await runCommand(['sandbox', 'token', '--person', 'ada', '--scope', SCOPES], { cwd });
  const lines = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text = '']) => text);
  const responses: unknown[] = [];
  for (const line of lines) {
    const env = { BASE: serving.url, TOKEN: token.stdout.trim() };
    responses.push(JSON.parse((await runShell(line, { cwd, env })).stdout));
  }
  const [preset, batch, ingested, revoked, credentials, authorizations] = responses;
  expect(responses).toHaveLength(6);
  expect(preset).toMatchObject({ preset: 'age_over_18', value: true, status: 'valid' });
  expect(batch).toMatchObject({
    results: [{ preset: 'kyc_level' }, { preset: 'age' }],
    errors: [
      { preset: 'net_worth_total', error: { error_subcode: 'insufficient_scope' } },
      { preset: 'shoe_size', error: { error_subcode: 'preset_not_found' } },
    ],
  });
  expect([ingested, revoked]).toMatchObject([{ status: 'active' }, { status: 'revoked' }]);
  expect(credentials).toMatchObject({ items: [{}, {}], has_more: true });
  expect(authorizations).toEqual({ items: [], has_more: false });
});

it('the catalogue of the page on the catalogue is valid, and the command prints its claims', async () => {
  expect(parseCatalogue(JSON.parse(CATALOGUE)).presets.at(-1)?.name).toBe('gold');
  writeFileSync(join(cwd, 'catalogue.json'), CATALOGUE);
  const { exitCode, stdout } = await runCommand(['catalogue', 'catalogue.json'], { cwd });
  expect([exitCode, stdout.includes('loyalty.is_gold')]).toEqual([0, true]);
});

it('the issuers of the page on credentials are valid, and their credentials are accepted', async () => {
  const issuers = parseIssuers(JSON.parse(ISSUERS), createServiceCatalogue());
  const now = Date.parse('2026-06-01');
  const outcome = await systemCredentialVerifier.verify(DRAFT_PID, 'dc+sd-jwt', issuers, now);
  expect(outcome.accepted).toBe(true);
});
