import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { configDefaults, defineConfig } from 'vitest/config';

/** Migrations are plain SQL files; the bundler inlines them as text, so the tests read them the same way. */
const sqlAsText = {
  name: 'sql-as-text',
  transform(code: string, id: string) {
    return id.endsWith('.sql') ? `export default ${JSON.stringify(code)};` : undefined;
  },
};

/** What needs a PostgreSQL that runs: it is started for these alone. */
const ON_POSTGRES = [
  'test/contracts/postgres-store.test.ts',
  'test/cli/migrate.test.ts',
  'test/docs/operations.test.ts',
  'test/conformance/sql.test.ts',
  'test/cli/audience.test.ts',
];
const ON_EITHER_STORE = 'test/http/**/*.test.ts';

/** The benchmarks' peers are no part of the package: their answers are checked only where somebody has installed them. */
const benchTests = existsSync(new URL('../bench/node_modules', import.meta.url))
  ? ['bench/**/*.test.ts']
  : [];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [sqlAsText],
  test: {
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: { include: ['src/engine/**'], reporter: ['text', 'json-summary'] },
    projects: [
      {
        extends: true,
        test: {
          name: 'proviso',
          include: ['test/**/*.test.ts', ...benchTests],
          exclude: [...configDefaults.exclude, ...ON_POSTGRES],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: [...ON_POSTGRES, ON_EITHER_STORE],
          globalSetup: 'test/support/postgres-for-tests.ts',
          env: { PROVISO_TEST_STORE: 'postgres' },
        },
      },
    ],
  },
});
