import { existsSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Migrations, stylesheets and scripts for browsers are plain files; the bundler inlines them as text, so the tests read them the same way. */
const textFiles = {
  name: 'text-files',
  enforce: 'pre' as const,
  // Under a name of their own: under theirs, Vite would take a stylesheet for something to inject.
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

/** A file system in memory, where nothing waits for a disk: the databases of tests need not outlive the machine. */
const IN_MEMORY = '/dev/shm';
const ENOUGH_BYTES = 4 * 1024 ** 3;

if (process.env['TMPDIR'] === undefined && hasRoom(IN_MEMORY)) process.env['TMPDIR'] = IN_MEMORY;

function hasRoom(folder: string): boolean {
  if (!existsSync(folder)) return false;
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize >= ENOUGH_BYTES;
}

/** What needs a PostgreSQL that runs: it is started for these alone. */
const ON_POSTGRES = [
  'test/contracts/{postgres-index-builds,postgres-migration-locks,postgres-store,pgbouncer}.test.ts',
  'test/cli/migrate.test.ts',
  'test/cli/doctor.test.ts',
  'test/cli/processes.test.ts',
  'test/docs/operations.test.ts',
  'test/docs/examples.test.ts',
  'test/conformance/{sql,sql-where}.test.ts',
  'test/cli/audience.test.ts',
  'test/cli/audit-chain.test.ts',
  'test/cli/ledger.test.ts',
  'test/cli/erasure.test.ts',
];
/** Engine, analysis and SQL: no service, no server, no build. */
const OF_THE_ENGINE = [
  'test/{analysis,properties,conformance}/**/*.test.ts',
  'test/unit/{engine,builder,codegen,convert,describe,policy-set,policy-tests,sql,testing,regex}/**/*.test.ts',
];
const ON_EITHER_STORE = 'test/http/**/*.test.ts';
/**
 * What asserts how HTTP is translated, and nothing that a store decides: run on SQLite alone by `npm test`, and on PostgreSQL too by
 * `npm run check -- both-stores`.
 */
const ON_ONE_STORE =
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
/** What needs a Chromium. */
const IN_A_BROWSER = 'test/browser/**/*.test.ts';

const RSA_KEY = 'test/support/rsa-key-for-tests.ts';

/** The benchmarks' peers are no part of the package: their answers are checked only where somebody has installed them. */
const benchTests = existsSync(new URL('../bench/node_modules', import.meta.url))
  ? ['bench/**/*.test.ts']
  : [];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [textFiles],
  test: {
    // For what hangs: several programs in a row take half a minute where the machine is busy.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // What is waited for comes when the machine comes to it: a second, as there is without this, is a bound on the machine.
    expect: { poll: { timeout: 60_000 } },
    // A worker waits for a browser, a database or a program for much of its time: one more than there are processors keeps them busy.
    maxWorkers: availableParallelism() + 1,
    // A worker loads the service once for all of its files: a test has its own service, and no module keeps state of one.
    isolate: false,
    coverage: { include: ['src/engine/**'], reporter: ['text', 'json-summary'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'engine',
          include: OF_THE_ENGINE,
          exclude: [...configDefaults.exclude, ...ON_POSTGRES],
          // The engine gives out a limited number of slots for claim paths: each file starts with all of them.
          isolate: true,
        },
      },
      {
        extends: true,
        test: {
          name: 'proviso',
          include: ['test/**/*.test.ts', ...benchTests],
          exclude: [...configDefaults.exclude, ...OF_THE_ENGINE, ...ON_POSTGRES, IN_A_BROWSER],
          globalSetup: RSA_KEY,
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...ON_POSTGRES, ON_EITHER_STORE],
          exclude: [...configDefaults.exclude, ...ON_ONE_STORE],
          globalSetup: [RSA_KEY, 'test/support/postgres-for-tests.ts'],
          env: { PROVISO_TEST_STORE: 'postgres' },
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: [IN_A_BROWSER],
          globalSetup: [RSA_KEY, 'test/support/chromium-for-tests.ts'],
        },
      },
    ],
  },
});
