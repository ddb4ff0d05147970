/**
 * Runs the commands of the page on containers, which create the secrets of the compose file, and compares the secrets that the page names with those
 * that the chart and the systemd unit read (S389).
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { CHECKS } from '../../build/checks.js';
import { deploymentPath } from '../../build/write-deployment.js';
import { readConfiguration } from '../../src/cli/configuration/read-configuration.js';
import { composeStart, readComposeServices, readUnit } from '../deploy/files.js';
import { runShell } from '../support/run-command.js';

const PAGE = readFileSync(new URL('../../docs/guides/containers.md', import.meta.url), 'utf8');

// S389
it('the commands of the page on containers create every secret of the compose file, and the configuration is then valid', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-compose-'));
  try {
    const lines = [...PAGE.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, text]) => text).join('\n');
    const { exitCode, stderr } = await runShell(`set -eu\n${lines}`, { cwd });
    expect([exitCode, stderr]).toEqual([0, '']);
    const compose = parse(readFileSync(deploymentPath('compose.yaml'), 'utf8'));
    const declared: readonly [string, { file: string }][] = Object.entries(compose.secrets);
    const files = new Map(declared.map(([name, { file }]) => [`/run/secrets/${name}`, join(cwd, file)]));
    expect([...files.values()].map((file) => statSync(file).mode & 0o077)).toEqual([...files].map(() => 0));
    const service = readComposeServices('compose.yaml').get('proviso') ?? {};
    const { environment } = composeStart(service, { PROVISO_ISSUER: 'https://claims.example/v2' });
    const variables = Object.entries(environment).map(([name, value]) => [name, files.get(value) ?? value]);
    expect(readConfiguration({ variables: Object.fromEntries(variables), serving: true }).problems).toEqual(
      [],
    );
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

it('the Secret of the page on containers has the keys that the chart reads', () => {
  const chart = readFileSync(deploymentPath('helm/proviso/templates/deployment.yaml'), 'utf8');
  const read = [...chart.matchAll(/\/run\/secrets\/proviso\/(\S+)/g)].map(([, key]) => key);
  const created = [...PAGE.matchAll(/--from-file=([\w.-]+)=/g)].map(([, key]) => key);
  expect(created.sort()).toEqual(read.sort());
  const values = parse(readFileSync(deploymentPath('helm/proviso/values.yaml'), 'utf8'));
  const set = [...PAGE.matchAll(/--set '?(\w+)/g)].map(([, name = '']) => name);
  expect(set.filter((name) => !(name in values))).toEqual([]);
});

it('the systemd unit passes every credential that it loads to a setting, and the page on containers names their folders', () => {
  const unit = readUnit('Service');
  const loaded = (unit.get('LoadCredential') ?? []).map((credential) => credential.split(':'));
  const read = (unit.get('Environment') ?? []).flatMap((one) => /=%d\/(.*)$/.exec(one)?.[1] ?? []);
  expect(loaded.map(([name]) => name).sort()).toEqual(read.sort());
  for (const [, path = ''] of loaded) expect(PAGE).toContain(path.replace(/(?<=secrets)\/.*/, ''));
});

it('every check that the page on containers mentions exists', () => {
  const named = [...PAGE.matchAll(/npm run check -- ([\w-]+)/g)].map(([, name]) => name);
  expect(named).toEqual(['containers', 'deployment']);
  expect(CHECKS.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
});
