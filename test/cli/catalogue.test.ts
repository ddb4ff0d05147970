/** `proviso catalogue` and `proviso serve --catalogue` of the built command. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_CATALOGUE, encodeCatalogue } from '../../src/service/index.js';
import { runCommand, type ServeProcess, startServe } from '../support/run-command.js';
import { typeErrors } from '../support/type-errors.js';

let cwd: string;
let serving: ServeProcess | undefined;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-catalogue-'));
});

afterEach(async () => {
  await serving?.stop('SIGKILL');
  serving = undefined;
  rmSync(cwd, { recursive: true });
});

function write(catalogue: unknown): void {
  writeFileSync(join(cwd, 'catalogue.json'), JSON.stringify(catalogue));
}

const scope = (name: string, overrides = {}) => ({
  name,
  category: 'loyalty',
  sensitivity: 'low',
  display_name: 'Points',
  description: 'Points.',
  ...overrides,
});
const claim = (path: string, overrides = {}) => ({
  path,
  type: 'boolean',
  scope: 'loyalty:read',
  sensitivity: 'low',
  description: 'Points.',
  ...overrides,
});

it('prints the default catalogue as a file that it accepts', async () => {
  const printed = await runCommand(['catalogue'], { cwd });
  expect(JSON.parse(printed.stdout)).toEqual(JSON.parse(JSON.stringify(encodeCatalogue(DEFAULT_CATALOGUE))));
  writeFileSync(join(cwd, 'catalogue.json'), printed.stdout);
  expect(await runCommand(['catalogue', 'catalogue.json'], { cwd })).toEqual(printed);
});

it('prints the default catalogue as a TypeScript module with literal types', async () => {
  const { stdout } = await runCommand(['catalogue', '--typescript'], { cwd });
  const module = stdout.replace("'proviso'", "'../../src/index.js'");
  const use = `import { createQueryBuilder } from '../../src/builder/index.js';
const { claim } = createQueryBuilder(catalogue.claims);
export const valid = claim('kyc.level').equals('basic');
// @ts-expect-error: the catalogue has no such level.
export const invalid = claim('kyc.level').equals('golden');
`;
  expect(await typeErrors(`${module}\n${use}`)).toEqual([]);
});

it('rejects a catalogue with six kinds of mistakes at start, with a message and a JSON Pointer for each', async () => {
  write({
    extends: 'default',
    scopes: [
      scope('loyalty:read', { implied_scopes: ['loyalty:gold'] }),
      scope('loyalty:gold', { implied_scopes: ['loyalty:read'] }),
      scope('loyalty:silver', { implied_scopes: ['loyalty:bronze'] }),
      scope('loyalty:bundle', { implied_scopes: ['kyc:tax_id'] }),
    ],
    claims: [
      claim('loyalty.gold', { derived: { parent: 'loyalty.points', check: { operator: '>=', value: 5 } } }),
      claim('loyalty.member', { scope: 'loyalty:member' }),
    ],
    presets: [{ name: 'silver', claim: 'loyalty.silver', consent_text: 'Silver' }],
  });
  const { exitCode, stdout, stderr } = await runCommand(['serve', '--catalogue', 'catalogue.json'], {
    cwd,
    env: { PROVISO_PORT: '0' },
  });
  expect([exitCode, stdout]).toEqual([2, '']);
  expect(stderr.trimEnd().split('\n')).toEqual([
    'proviso: catalogue.json is invalid:',
    '  /scopes/0/implied_scopes/0: A scope must not imply itself: loyalty:read → loyalty:gold → loyalty:read.',
    '  /scopes/1/implied_scopes/0: A scope must not imply itself: loyalty:gold → loyalty:read → loyalty:gold.',
    '  /scopes/2/implied_scopes/0: The implied scope `loyalty:bronze` is not in the catalogue.',
    '  /scopes/3/implied_scopes/0: A scope must be at least as sensitive as every scope that it implies: `loyalty:bundle` is low, `kyc:tax_id` is critical.',
    '  /claims/0/derived/parent: The parent must be a claim that issuers attest: `loyalty.points` is not in the catalogue or is derived.',
    '  /claims/1/scope: The scope `loyalty:member` is not in the catalogue.',
    '  /presets/0/claim: The claim `loyalty.silver` is not in the catalogue.',
  ]);
});

it('lists the first 50 problems of a catalogue, and the number of the others', async () => {
  write({ extends: 'default', claims: Array(60).fill('') });
  const { exitCode, stderr } = await runCommand(['catalogue', 'catalogue.json'], { cwd });
  const lines = stderr.trimEnd().split('\n');
  expect([exitCode, lines.length, lines.at(-1)]).toEqual([2, 52, '  and 10 more']);
});

it('rejects a catalogue with an invalid pattern, with its JSON Pointer, whether it is checked or served', async () => {
  const derived = { parent: 'loyalty.email', check: { operator: 'matchRegex', value: '(' } };
  const claims = [claim('loyalty.email', { type: 'string' }), claim('loyalty.staff', { derived })];
  write({ extends: 'default', scopes: [scope('loyalty:read')], claims });
  for (const command of [
    ['catalogue', 'catalogue.json'],
    ['serve', '--catalogue', 'catalogue.json'],
  ]) {
    const { exitCode, stderr } = await runCommand(command, { cwd, env: { PROVISO_PORT: '0' } });
    expect([exitCode, stderr.trimEnd().split('\n')]).toEqual([
      2,
      [
        'proviso: catalogue.json is invalid:',
        '  /claims/1/derived/check: The `value` of `matchRegex` is not a valid RE2 pattern: missing closing ). RE2 has no look-around or back-references.',
      ],
    ]);
  }
});

it('serves the presets and scopes of a catalogue that extends the default one', async () => {
  write({
    extends: 'default',
    scopes: [scope('loyalty:read')],
    claims: [claim('loyalty.member')],
    presets: [{ name: 'loyal', claim: 'loyalty.member', consent_text: 'Whether you are a member' }],
  });
  serving = await startServe({ cwd, env: { PROVISO_CATALOGUE: 'catalogue.json' } });
  const { presets } = (await (await fetch(`${serving.url}/presets`)).json()) as { presets: unknown[] };
  expect(presets.at(-1)).toMatchObject({ name: 'loyal', scope: 'loyalty:read' });
  const discovery = await fetch(`${serving.url}/.well-known/openid-configuration`);
  const { scopes_supported } = (await discovery.json()) as { scopes_supported: string[] };
  expect(scopes_supported).toContain('loyalty:read');
});

it('accepts only the configured administrator token, and not that of the sandbox', async () => {
  // printf %s secret | sha256sum
  const sha256 = '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b';
  serving = await startServe({ cwd, env: { PROVISO_ADMINISTRATOR_SHA256: sha256 } });
  const revoke = (token: string) =>
    fetch(`${serving?.url}/credentials/nope`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}` },
    });
  expect((await revoke('secret')).status).toBe(404);
  expect((await revoke('sandbox-administrator-token')).status).toBe(401);
  const bad = await runCommand(['serve'], { cwd, env: { PROVISO_ADMINISTRATOR_SHA256: 'secret' } });
  expect(bad.exitCode).toBe(2);
  expect(bad.stderr).toContain('PROVISO_ADMINISTRATOR_SHA256 must be 64 hexadecimal digits');
  expect(bad.stderr).not.toContain('`secret`');
});

it('rejects invalid issuers at start, with a message and a JSON Pointer for each problem', async () => {
  const issuer = { issuer: 'https://issuer.example', source: 'Issuer', keys: [{ kty: 'EC', d: 'x' }] };
  const credentials = [{ type: 'Pid', claims: { '/age': 'identity.age', '/size': 'identity.size' } }];
  writeFileSync(join(cwd, 'issuers.json'), JSON.stringify({ issuers: [{ ...issuer, credentials }] }));
  const { exitCode, stderr } = await runCommand(['serve', '--issuers', 'issuers.json'], { cwd });
  expect([exitCode, stderr.trimEnd().split('\n')]).toEqual([
    2,
    [
      'proviso: issuers.json is invalid:',
      '  /issuers/0/keys/0: A key must be a public JWK (RFC 7517) without private members: `EC` with `crv`, `x` and `y`, `OKP` with `crv` and `x`, or `RSA` with `n` and `e`.',
      '  /issuers/0: `keys` must have at least one public JWK.',
      '  /issuers/0/credentials/0/claims/~1age: `identity.age` is derived from `identity.date_of_birth` and must not be mapped.',
      '  /issuers/0/credentials/0/claims/~1size: The member must be mapped to a claim of the catalogue.',
    ],
  ]);
});
