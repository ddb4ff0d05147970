/** Saves the files and runs the commands of the tutorial on catalogues in order, and compares their output. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { re2js } from '../../src/regex/re2js.js';
import { readCatalogue } from '../../src/web/playground/model/catalogue.js';
import { type ServeProcess, startServe } from '../support/run-command.js';
import { runTutorial } from '../support/run-tutorial.js';
import { typeErrors } from '../support/type-errors.js';

const PAGE = readFileSync(new URL('../../docs/tutorial/your-own-catalogue.md', import.meta.url), 'utf8');
const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SERVICE = '## In a service';

let cwd: string;
let serving: ServeProcess | undefined;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-own-catalogue-'));
  mkdirSync(join(cwd, 'node_modules'));
  symlinkSync(ROOT, join(cwd, 'node_modules/proviso'));
  symlinkSync(join(ROOT, 'node_modules/@types'), join(cwd, 'node_modules/@types'));
  writeFileSync(join(cwd, 'package.json'), '{ "type": "module" }');
});

afterEach(async () => {
  await serving?.stop('SIGKILL');
  serving = undefined;
});

afterAll(() => rmSync(cwd, { recursive: true }));

it('the commands of the tutorial on catalogues print the output on the page', async () => {
  const { outputs, files } = await runTutorial(PAGE.slice(0, PAGE.indexOf(SERVICE)), {
    cwd,
    toRunnable: (commands) =>
      commands.startsWith('npm')
        ? undefined
        : commands.replaceAll('npx tsx', join(ROOT, 'node_modules/.bin/tsx')),
  });
  for (const { expected, printed } of outputs) expect(printed).toBe(expected);
  expect(outputs).toHaveLength(9);
  expect(files).toEqual([
    'catalogue.json',
    'policy.ts',
    'rare-books.policy-test.yaml',
    'eva.json',
    'desk.ts',
  ]);
});

it('the programs of the tutorial on catalogues have no type errors, and each mistake that it names is a type error', async () => {
  const policy = readFileSync(join(cwd, 'policy.ts'), 'utf8');
  const mistakes = [
    "p.claim('library.levle')",
    ".in(['gold'])",
    "p.claim('library.open_fees').equals('none')",
  ];
  expect(mistakes.filter((mistake) => !PAGE.includes(`\`${mistake}\``))).toEqual([]);
  const claims = mistakes.map((mistake) =>
    mistake.startsWith('.') ? `p.claim('library.level')${mistake}` : mistake,
  );
  const wrong = claims
    .map((mistake) => `// @ts-expect-error: the tutorial names this mistake\n${mistake};\n`)
    .join('');
  const options = { folder: cwd, otherFiles: ['desk.ts'], compilerOptions: { types: ['node'] } };
  expect(await typeErrors(`${policy}\n${wrong}`, options)).toEqual([]);
});

it('the playground accepts the catalogue of the tutorial on catalogues', () => {
  const { catalogue, notes } = readCatalogue(readFileSync(join(cwd, 'catalogue.json'), 'utf8'), re2js);
  expect([catalogue?.definition.claims.length, notes]).toEqual([3, []]);
});

it('the service evaluates the policy on a membership that the administrator attested', async () => {
  serving = await startServe({ cwd, env: { PROVISO_CATALOGUE: 'catalogue.json' } });
  const url = serving.url;
  const { last } = await runTutorial(PAGE.slice(PAGE.indexOf(SERVICE)), {
    cwd,
    toRunnable: (commands) =>
      commands.startsWith('npm') ? undefined : commands.replaceAll('http://127.0.0.1:8080/v2', url),
  });
  expect(last.stdout).toContain('"passed":true');
  expect(last.stdout).toContain('"source":"City Library"');
});
