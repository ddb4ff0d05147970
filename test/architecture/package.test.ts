/** Installs both tarballs in an empty project: entries in ESM and CJS, types, commands, and what is loaded. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toAbsoluteLinks, toRelativeLinks } from '../../build/link-readme.js';
import { packServer } from '../../build/pack-server.js';
import type { Manifest } from '../../build/packages.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const QUERY = `{ check: { claim: 'identity.email', operator: 'matchRegex', value: '@example' } }`;
const CREDENTIAL = `{ id: 'c1', source: 's', issuedAt: 0, claims: { 'identity.email': 'ada@example.org' } }`;
const PROGRAM = `console.log(compile(${QUERY}, { regex: re2js }).test(ClaimSet.at([${CREDENTIAL}], 1)));`;

/** Passes a condition of the builder to the client: the published declarations of the two entries must agree. */
const CLIENT_PROGRAM = `import { p } from 'proviso/builder';
import { type Access } from 'proviso/client';
export const ask = async (access: Access): Promise<boolean> =>
  (await access.evaluate(p.claim('identity.age').gte(18))).passed;`;

/** Passes `re2js` of `proviso` to the service: the two packages must have the same types. */
const SERVER_PROGRAM = `import { createServer } from 'proviso-server/http';
import { type ServicePorts } from 'proviso-server/service';
import { openPostgresStore } from 'proviso-server/postgres';
import { openSqliteStore } from 'proviso-server/sqlite';
import { systemPorts } from 'proviso-server/system';
export const portsOf = async (): Promise<ServicePorts> => ({ ...systemPorts, regex: re2js, store: await openSqliteStore('x') });
export const others = [createServer, openPostgresStore];`;

/** The compiler and npm are slow on a busy machine. */
const COMPILE_TIMEOUT_MS = 120_000;

let folder: string;
let packed: readonly string[];
let installed: readonly string[];

function run(command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

function install(...tarballs: readonly string[]): readonly string[] {
  run('npm', 'install', '--omit=dev', '--no-audit', '--no-fund', '--prefer-offline', ...tarballs);
  return run('npm', 'ls', '--all', '--parseable').trim().split('\n').slice(1);
}

/** Runs the command that npm linked. */
function runBin(name: string, args: readonly string[], nodeArgs: readonly string[] = []) {
  const { status, stdout, stderr } = spawnSync('node', [...nodeArgs, `node_modules/.bin/${name}`, ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** Type-checks files of the folder as a TypeScript project for Node. */
function compileTypes(...files: readonly string[]) {
  const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', 'node'];
  return spawnSync('node', [tsc, ...options, ...files], { cwd: folder, encoding: 'utf8' });
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
  packServer(folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }');
  installed = install(`./${filename}`).map((path) => relative(join(folder, 'node_modules'), path));
}, COMPILE_TIMEOUT_MS);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

// The tests of this block run before `proviso-server` is installed.
describe('the package `proviso` alone', () => {
  it('installs three packages', () => {
    expect([...installed].sort()).toEqual(['commander', 'proviso', 're2js']);
  });

  it('has the commands that need no service', () => {
    const { status, stdout } = runBin('proviso', ['schema']);
    expect([status, JSON.parse(stdout)]).toEqual([
      0,
      expect.objectContaining({ $schema: expect.any(String) }),
    ]);
    const { stdout: help } = runBin('proviso', ['--help']);
    expect(help).toContain('lint [options] [query]');
    expect(help).not.toContain('serve [options]');
    expect(help).toContain('The package proviso-server adds the commands of the service:\n  serve, config,');
  });

  it('names the package to install for a command of the service', () => {
    expect(runBin('proviso', ['client', 'list'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'proviso: `client` requires the package proviso-server: npm install proviso-server\n',
    });
  });

  it('explains on an older Node which version it requires', () => {
    const old =
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } })";
    writeFileSync(join(folder, 'old-node.cjs'), old);
    expect(runBin('proviso', ['lint', 'query.json'], ['--require', './old-node.cjs'])).toEqual({
      status: 1,
      stdout: '',
      stderr: 'proviso requires Node 20.19 or newer; this is Node 18.20.4.\n',
    });
  });

  // S464
  it('keeps the names of its classes, which consoles and stack traces print', () => {
    const renamed = `Object.entries(proviso).flatMap(([name, value]) => typeof value === 'function' && /^[A-Z]/.test(name) && value.name !== name ? [value.name] : [])`;
    const program = `try { proviso.compile({}); } catch (error) { console.log(error.constructor.name, String(error.stack).split(':')[0], ...${renamed}); }`;
    expect(run('node', '-e', `const proviso = require('proviso'); ${program}`)).toBe(
      'QueryError QueryError\n',
    );
    expect(run('node', '--input-type=module', '-e', `import * as proviso from 'proviso'; ${program}`)).toBe(
      'QueryError QueryError\n',
    );
  });

  it('bundles the other packages that its commands and entries import, except peers', () => {
    const { exports, peerDependencies } = JSON.parse(
      readFileSync(join(folder, 'node_modules/proviso/package.json'), 'utf8'),
    ) as { exports: Record<string, string | object>; peerDependencies: object };
    expect(Object.keys(peerDependencies)).toEqual(['fast-check', 're2-wasm']);
    const needPeers = ['./testing', './re2-wasm'];
    const programs = Object.entries(exports).flatMap(([path, target]) => {
      const entry = path.replace('.', 'proviso');
      if (needPeers.includes(path) || path.endsWith('.json')) return [];
      return typeof target === 'string' ? `import('${entry}');` : `require('${entry}'); import('${entry}');`;
    });
    expect(programs.length).toBeGreaterThan(10);
    run('node', '-e', programs.join('\n'));
    expect(readFileSync(join(folder, 'node_modules/proviso/dist/licenses.txt'), 'utf8')).toMatch(
      /^oauth4webapi$[\s\S]*MIT/m,
    );
  });
});

describe('the packages, outside of the checkout', () => {
  beforeAll(() => {
    install(
      ...readdirSync(folder)
        .filter((name) => name.endsWith('.tgz'))
        .map((name) => `./${name}`),
    );
    // Types of Node, which a TypeScript project has.
    symlinkSync(join(ROOT, 'node_modules/@types'), join(folder, 'node_modules/@types'));
    symlinkSync(join(ROOT, 'node_modules/undici-types'), join(folder, 'node_modules/undici-types'));
    writeFileSync(join(folder, 'esm.mjs'), `import { ClaimSet, compile, re2js } from 'proviso';\n${PROGRAM}`);
  }, COMPILE_TIMEOUT_MS);

  it('have the same version, and the server depends on exactly that version of the engine', () => {
    const read = (name: string) =>
      JSON.parse(readFileSync(join(folder, 'node_modules', name, 'package.json'), 'utf8')) as Manifest;
    const [engine, server] = [read('proviso'), read('proviso-server')];
    expect([server.version, server.dependencies['proviso']]).toEqual([engine.version, engine.version]);
    expect(server.engines).toEqual(engine.engines);
  });

  it.each(['proviso', 'proviso-server'])('have all commands as `%s`', (bin) => {
    const { status, stdout } = runBin(bin, ['config']);
    expect([status, stdout]).toEqual([0, expect.stringContaining('PROVISO_DATABASE_URL=')]);
    const { stdout: help } = runBin(bin, ['--help']);
    expect(help).toMatch(/serve \[options\][\s\S]*lint \[options\] \[query\]/);
  });

  it('share one engine', () => {
    const program = `const { ProvisoError } = require('proviso');
      const { CatalogueError } = require('proviso-server/service');
      console.log(CatalogueError.prototype instanceof ProvisoError);`;
    writeFileSync(join(folder, 'shared.cjs'), program);
    expect(run('node', 'shared.cjs')).toBe('true\n');
  });

  it('can be imported as ESM', () => {
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
    ['proviso-server/sqlite', 'openSqliteStore'],
    ['proviso-server/postgres', 'openPostgresStore'],
    ['proviso-server/system', 'createAssertionVerifier'],
    ['proviso-server/service', 'createService'],
    ['proviso-server/http', 'createServer'],
    ['proviso/sql', 'toSql'],
    ['proviso/client', 'createClient'],
  ])('have an entry %s that can be imported and required', (entry, name) => {
    const imported = `import('${entry}').then((entry) => console.log(typeof entry.${name}))`;
    const required = `console.log(typeof require('${entry}').${name})`;
    expect([run('node', '-e', imported), run('node', '-e', required)]).toEqual(['function\n', 'function\n']);
  });

  it(
    'have types that accept a correct program and reject a wrong one',
    () => {
      const wrong = `import { compile } from 'proviso';\nconst passed: string = compile({}).test;\n`;
      writeFileSync(
        join(folder, 'right.mts'),
        `import { ClaimSet, compile, re2js } from 'proviso';\n${PROGRAM}\n${CLIENT_PROGRAM}\n${SERVER_PROGRAM}`,
      );
      writeFileSync(join(folder, 'wrong.mts'), wrong);
      const compiled = compileTypes('right.mts', 'wrong.mts');
      expect(compiled.status).not.toBe(0);
      expect(compiled.stdout.trimEnd().split('\n')).toEqual([
        expect.stringMatching(/^wrong\.mts\(2,7\): error /),
      ]);
    },
    COMPILE_TIMEOUT_MS,
  );

  it(
    'have declarations with the same values as their modules',
    () => {
      const program = `import { createRequire } from 'node:module';
        const pathsOf = (name) => Object.keys(createRequire(import.meta.url)(name + '/package.json').exports);
        const specifiers = ['proviso', 'proviso-server'].flatMap((name) => pathsOf(name).map((path) => name + path.slice(1)));
        for (const specifier of specifiers.filter((each) => !/json$|\\/(cli|conformance-kit|yaml|testing|re2-wasm)$/.test(each))) {
          const values = Object.keys(await import(specifier)).map((name) => [name, 0]);
          const type = \`Record<keyof typeof import('\${specifier}'), 0>\`;
          console.log(\`(\${JSON.stringify(Object.fromEntries(values))}) satisfies \${type};\`);
        }`;
      writeFileSync(join(folder, 'print-values.mjs'), program);
      const printed = run('node', 'print-values.mjs');
      expect(printed.split('\n').length).toBeGreaterThan(15);
      writeFileSync(join(folder, 'values.mts'), `${printed}export {};\n`);
      expect(compileTypes('values.mts').stdout).toBe('');
    },
    COMPILE_TIMEOUT_MS,
  );

  it('load no module of the service with `proviso`, and no package except re2js', () => {
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
  it('run where code generation from strings is forbidden', () => {
    expect(run('node', '--disallow-code-generation-from-strings', 'esm.mjs')).toBe('true\n');
  });

  // S203
  it('include, in `proviso`, the build and no source, test, key, store or service', () => {
    const unexpected = packed.filter(
      (path) => !/^(dist\/(?!server)|package\.json$|README\.md$|LICENSE$)/.test(path),
    );
    expect(unexpected).toEqual([]);
  });
});

describe('the declarations', () => {
  it('are one file per entry and per shared part, with the name of a module and no hash', () => {
    const declarations = packed.filter((path) => path.endsWith('.d.ts'));
    const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      exports: Record<string, { import?: { types: string }; require?: { types: string } }>;
    };
    const ofEntries = Object.values(manifest.exports)
      .flatMap((entry) => [entry.import?.types ?? [], entry.require?.types ?? []].flat())
      .map((path) => path.replace('./', ''));
    expect(declarations.filter((path) => !path.includes('/shared/')).sort()).toEqual(ofEntries.sort());
    expect(declarations.filter((path) => /-(?=.*[A-Z0-9])[A-Za-z0-9_]{8}\.d\.ts$|chunk/.test(path))).toEqual(
      [],
    );
    expect(declarations).toContain('dist/types/shared/claim-set.d.ts');
  });
});

it('the links of a packed README lead to the tag of its version', () => {
  const repository = { type: 'git', url: 'git+https://git.example/org/proviso.git' } as const;
  const readme =
    '[a](docs/a.md) ![b](docs/b.png) [![c](docs/c.png)](docs/d.md#e) [f](https://f.example) [g](#g)';
  const packedReadme = toAbsoluteLinks(readme, { repository, version: '1.2.3' });
  const page = 'https://git.example/org/proviso/blob/v1.2.3';
  const picture = 'https://git.example/org/proviso/raw/v1.2.3';
  expect(packedReadme).toBe(
    `[a](${page}/docs/a.md) ![b](${picture}/docs/b.png) [![c](${picture}/docs/c.png)](${page}/docs/d.md#e) [f](https://f.example) [g](#g)`,
  );
  expect(toRelativeLinks(packedReadme, { repository, version: '1.2.3' })).toBe(readme);
});
