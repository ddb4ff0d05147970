/** `proviso compile` of the built command. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateModule } from '../../src/codegen/index.js';
import { DEFAULT_CLAIMS } from '../../src/index.js';
import { runCommand } from '../support/run-command.js';
import { typeErrors } from '../support/type-errors.js';

const ADULT = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
const CATALOGUE = {
  scopes: [
    {
      name: 'member',
      category: 'member',
      sensitivity: 'low',
      display_name: 'Member',
      description: 'Membership.',
    },
  ],
  claims: [
    { path: 'member.level', type: 'integer', scope: 'member', sensitivity: 'low', description: 'Level.' },
  ],
};

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-compile-'));
  const files = {
    'adult.json': ADULT,
    'wrong.json': { check: { claim: 'identity.age', operator: '>' } },
    'shown.json': { projections: [{ claim: 'identity.age', lens: 'pluck' }] },
    'catalogue.json': CATALOGUE,
  };
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(cwd, name), JSON.stringify(content));
});

afterAll(() => rmSync(cwd, { recursive: true }));

const compile = (...args: readonly string[]) => runCommand(['compile', ...args], { cwd });

describe('proviso compile', () => {
  it('prints the module of a query, in either format', async () => {
    const [esm, cjs] = await Promise.all([
      compile('adult.json'),
      compile('--query', JSON.stringify(ADULT), '--format', 'cjs', '--evidence'),
    ]);
    expect(esm).toEqual({ exitCode: 0, stdout: generateModule(ADULT).code, stderr: '' });
    expect(cjs.stdout).toBe(generateModule(ADULT, { format: 'cjs', evidence: true }).code);
  });

  it('writes a module and its declarations, which the TypeScript compiler uses', async () => {
    const { exitCode, stdout, stderr } = await compile(
      'adult.json',
      '--evidence',
      '--types',
      '--output',
      'adult.js',
    );
    expect([exitCode, stdout, stderr]).toEqual([0, '', 'wrote adult.js and adult.d.ts\n']);
    const expected = generateModule(ADULT, { evidence: true, claims: DEFAULT_CLAIMS });
    expect(readFileSync(join(cwd, 'adult.js'), 'utf8')).toBe(expected.code);
    expect(readFileSync(join(cwd, 'adult.d.ts'), 'utf8')).toBe(expected.types);
    const program = `import { ClaimSet } from '../../src/index.js';
import { claims, evaluate, test } from './adult.js';
const passed: boolean = evaluate({ 'identity.age': 34 }, { now: Date.now() }).passed;
const both: readonly boolean[] = [test({ 'identity.age': 34 }), test(ClaimSet.of({})), passed];
const path: 'identity.age' = claims[0];
evaluate(ClaimSet.of({}, { now: 5 }));
test({ 'identity.age': '34' });
test({ 'identity.agee': 34 });
evaluate({ 'identity.age': 34 });
export { both, path };`;
    const errors = await typeErrors(program, { folder: cwd });
    expect(errors.map(({ line }) => line)).toEqual([6, 7, 8]);
  });

  it('names a file that cannot be written, without a stack trace', async () => {
    mkdirSync(join(cwd, 'taken.mjs'));
    const { exitCode, stderr } = await compile('adult.json', '--output', 'taken.mjs');
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^proviso: taken\.mjs cannot be written: .*\n$/);
  });

  it.each([
    [['wrong.json'], 'wrong.json is invalid:\n  /check: '],
    [['shown.json'], 'The query must be a check or a policy, not projections.'],
    [['adult.json', '--catalogue', 'catalogue.json'], 'identity.age'],
    [['adult.json', '--types'], '--types requires --output'],
    [
      ['adult.json', '--types', '--output', 'adult.txt'],
      '--output must end with .js, .mjs or .cjs (got adult.txt)',
    ],
    [['adult.json', '--format', 'umd'], 'Allowed choices are esm, cjs'],
    [[], 'a query is required'],
  ])('rejects %j', async (args, message) => {
    const { exitCode, stdout, stderr } = await compile(...args);
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});
