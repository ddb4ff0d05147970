import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Migrations, stylesheets, images and scripts for browsers are plain files; the bundler inlines them as text, so the tests load them as text, too. */
const textFiles = {
  name: 'text-files',
  enforce: 'pre' as const,
  // Resolves to ids that end with `.text`: Vite would inject a module whose id ends with `.css` as a stylesheet.
  resolveId(source: string, importer: string | undefined) {
    const isTextFile = source.startsWith('.') && /\.(?:sql|css|svg|browser\.js)$/.test(source);
    return isTextFile && importer ? `\0${resolve(dirname(importer), source)}.text` : undefined;
  },
  load(id: string) {
    if (!id.startsWith('\0') || !id.endsWith('.text')) return undefined;
    const text = readFileSync(id.slice(1, -'.text'.length), 'utf8');
    return `export default ${JSON.stringify(text)};`;
  },
};

/** An in-memory file system, on which the databases of tests do not wait for a disk. */
const MEMORY_DISK = '/dev/shm';
const MIN_FREE_BYTES = 4 * 1024 ** 3;

if (process.env['TMPDIR'] === undefined && hasSpace(MEMORY_DISK)) process.env['TMPDIR'] = MEMORY_DISK;

function hasSpace(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= MIN_FREE_BYTES;
}

/** Tests that require a running PostgreSQL, which is started for their project only. */
const POSTGRES_TESTS = [
  'test/contracts/{postgres-index-builds,postgres-migration-locks,postgres-store,pgbouncer}.test.ts',
  'test/cli/migrate.test.ts',
  'test/cli/doctor.test.ts',
  'test/cli/processes.test.ts',
  'test/docs/deployment-stores.test.ts',
  'test/docs/examples.test.ts',
  'test/conformance/{sql,sql-where}.test.ts',
  'test/cli/audience.test.ts',
  'test/cli/audit-chain.test.ts',
  'test/cli/ledger.test.ts',
  'test/cli/erasure.test.ts',
];
/**
 * Tests that require no service, server or build: of the engine, the analysis, SQL and the other entries of `proviso`, by project. The engine
 * assigns a limited number of slots to claim paths, and takes longer without a free one; the workers of each project start with all slots free.
 */
const ENGINE_PROJECTS = {
  'engine-unit':
    'test/unit/{engine,builder,codegen,convert,describe,policy-set,policy-tests,sql,testing}/**/*.test.ts',
  'engine-analysis': 'test/analysis/**/*.test.ts',
  'engine-properties': 'test/properties/**/*.test.ts',
  'engine-conformance': 'test/conformance/**/*.test.ts',
};
const ENGINE_TESTS = Object.values(ENGINE_PROJECTS);
/**
 * Tests that require modules which no other file has loaded: tests about slots of claim paths, and tests that replace a module. `bulk/layouts`
 * takes four times as long after files with other kinds of columns, for which V8 compiles slower code.
 */
const ISOLATED_TESTS = [
  'test/unit/engine/{check-order,claim-path,many-paths,bulk/layouts}.test.ts',
  'test/unit/cli/{doctor-store,person-purge}.test.ts',
];
/** Tests that run on SQLite and on PostgreSQL. */
const HTTP_TESTS = 'test/http/**/*.test.ts';
/**
 * HTTP tests whose results do not depend on the store: `npm test` runs them on SQLite only, `npm run check -- both-stores` also on
 * PostgreSQL.
 */
const SQLITE_ONLY_TESTS =
  process.env['PROVISO_TEST_BOTH_STORES'] === undefined
    ? [
        'absent-members',
        'bad-requests',
        'clients/*',
        'form-post',
        'framing',
        'hostile-bodies',
        'log',
        'login-hint-page',
        'openapi',
        'openapi-check',
        'oversized-bodies',
        'pipelining',
        'specification-fields',
        'specification-statements',
        'standard-clients',
      ].map((name) => `test/http/${name}.test.ts`)
    : [];
/** Tests that require Chromium. */
const BROWSER_TESTS = 'test/browser/**/*.test.ts';

const RSA_KEY = 'test/support/rsa-key-for-tests.ts';

/** Tests of the benchmarks, which require the packages in `bench/package.json`; none if these are not installed. */
const BENCH_TESTS = existsSync(new URL('../bench/node_modules', import.meta.url))
  ? ['bench/**/*.test.ts']
  : [];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [textFiles],
  test: {
    // Ends tests that hang. On a busy machine, a test that runs several programs takes half a minute.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 60_000 } },
    // Workers often wait for a browser, a database or a program: one more worker than processors keeps the processors busy.
    maxWorkers: availableParallelism() + 1,
    // A worker loads the modules once for all of its files. Each file creates the services that it uses, and no module keeps state of a service.
    isolate: false,
    coverage: { include: ['src/engine/**'], reporter: ['text', 'json-summary'] },
    projects: [
      ...Object.entries(ENGINE_PROJECTS).map(([name, tests]) => ({
        extends: true as const,
        test: {
          name,
          include: [tests],
          exclude: [...configDefaults.exclude, ...POSTGRES_TESTS, ...ISOLATED_TESTS],
        },
      })),
      { extends: true, test: { name: 'isolated', include: ISOLATED_TESTS, isolate: true } },
      {
        extends: true,
        test: {
          name: 'proviso',
          include: ['test/**/*.test.ts', ...BENCH_TESTS],
          exclude: [
            ...configDefaults.exclude,
            ...ENGINE_TESTS,
            ...POSTGRES_TESTS,
            ...ISOLATED_TESTS,
            BROWSER_TESTS,
          ],
          globalSetup: RSA_KEY,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...POSTGRES_TESTS, HTTP_TESTS],
          exclude: [...configDefaults.exclude, ...SQLITE_ONLY_TESTS],
          globalSetup: [RSA_KEY, 'test/support/postgres-for-tests.ts'],
          env: { PROVISO_TEST_STORE: 'postgres' },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [BROWSER_TESTS],
          globalSetup: [RSA_KEY, 'test/support/chromium-for-tests.ts'],
        },
      },
    ],
  },
});
