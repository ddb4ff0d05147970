/** Checks that the unpacked tarball works in ESM and CJS, with types, and loads no more than necessary. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const QUERY = `{ check: { claim: 'identity.email', operator: 'matchRegex', value: '@example' } }`;
const CREDENTIAL = `{ id: 'c1', source: 's', issuedAt: 0, claims: { 'identity.email': 'ada@example.org' } }`;
const PROGRAM = `console.log(compile(${QUERY}, { regex: re2js }).test(ClaimSet.at([${CREDENTIAL}], 1)));`;

/** The types of the builder's conditions reach the client through the published declarations. */
const CLIENT_PROGRAM = `import { p } from 'proviso/builder';
import { type Access } from 'proviso/client';
export const ask = async (access: Access): Promise<boolean> =>
  (await access.evaluate(p.claim('identity.age').gte(18))).passed;`;

/** The compiler is slow on a busy machine. */
const COMPILE_TIMEOUT_MS = 120_000;

let folder: string;
let packed: readonly string[];

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'proviso-package-'));
  const report = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', folder], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ filename, files }] = JSON.parse(report) as [{ filename: string; files: { path: string }[] }];
  packed = files.map(({ path }) => path);
  mkdirSync(join(folder, 'node_modules'));
  run('tar', 'xzf', filename);
  run('mv', 'package', 'node_modules/proviso');
  // Dependencies that `npm install` would add.
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (!name.startsWith('.'))
      symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package, outside of the checkout', () => {
  it('can be imported as ESM', () => {
    writeFileSync(join(folder, 'esm.mjs'), `import { ClaimSet, compile, re2js } from 'proviso';\n${PROGRAM}`);
    expect(run('node', 'esm.mjs')).toBe('true\n');
  });

  it('can be required as CJS', () => {
    writeFileSync(
      join(folder, 'cjs.cjs'),
      `const { ClaimSet, compile, re2js } = require('proviso');\n${PROGRAM}`,
    );
    expect(run('node', 'cjs.cjs')).toBe('true\n');
  });

  // V12
  it.each([
    ['sqlite', 'openSqliteStore'],
    ['postgres', 'openPostgresStore'],
    ['sql', 'toSql'],
    ['client', 'createClient'],
    ['system', 'createAssertionVerifier'],
  ])('has a %s entry that can be imported and required', (entry, name) => {
    const imported = `import('proviso/${entry}').then((entry) => console.log(typeof entry.${name}))`;
    const required = `console.log(typeof require('proviso/${entry}').${name})`;
    expect([run('node', '-e', imported), run('node', '-e', required)]).toEqual(['function\n', 'function\n']);
  });

  it(
    'has types that accept a correct program and reject a wrong one',
    () => {
      const wrong = `import { compile } from 'proviso';\nconst passed: string = compile({}).test;\n`;
      writeFileSync(
        join(folder, 'right.mts'),
        `import { ClaimSet, compile, re2js } from 'proviso';\n${PROGRAM}\n${CLIENT_PROGRAM}`,
      );
      writeFileSync(join(folder, 'wrong.mts'), wrong);
      const options = [
        '--noEmit',
        '--strict',
        '--module',
        'nodenext',
        '--target',
        'es2022',
        '--types',
        'node',
      ];
      const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
      const compiled = spawnSync('node', [tsc, ...options, 'right.mts', 'wrong.mts'], {
        cwd: folder,
        encoding: 'utf8',
      });
      expect(compiled.status).not.toBe(0);
      expect(compiled.stdout.trimEnd().split('\n')).toEqual([
        expect.stringMatching(/^wrong\.mts\(2,7\): error /),
      ]);
    },
    COMPILE_TIMEOUT_MS,
  );

  it('loads no module of the service, and no package except re2js', () => {
    writeFileSync(
      join(folder, 'loaded.cjs'),
      `require('proviso');\nconsole.log(JSON.stringify(Object.keys(require.cache)));`,
    );
    const loaded = JSON.parse(run('node', 'loaded.cjs')) as string[];
    const foreign = loaded.filter((path) => !/loaded\.cjs$|\/re2js\/|\/proviso\/dist\//.test(path));
    expect(foreign).toEqual([]);
    const own = loaded
      .filter((path) => path.includes('/proviso/dist/'))
      .map((path) => run('cat', path))
      .join('\n');
    expect(own).not.toMatch(/require\(['"](?!re2js|\.)|node:http|ajv|libsql|kysely/);
  });

  // S170
  it('runs where code generation from strings is forbidden', () => {
    expect(run('node', '--disallow-code-generation-from-strings', 'esm.mjs')).toBe('true\n');
  });

  // S203
  it('contains the build and the vectors, and no source, test, key or store', () => {
    const unexpected = packed.filter(
      (path) => !/^(dist\/|test\/vectors\/v1\/|package\.json$|README\.md$|LICENSE$)/.test(path),
    );
    expect(unexpected).toEqual([]);
  });
});
