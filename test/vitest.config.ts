import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Migrations are plain SQL files; the bundler inlines them as text, so the tests read them the same way. */
const sqlAsText = {
  name: 'sql-as-text',
  transform(code: string, id: string) {
    return id.endsWith('.sql') ? `export default ${JSON.stringify(code)};` : undefined;
  },
};

/** The benchmarks' peers are no part of the package: their answers are checked only where somebody has installed them. */
const benchTests = existsSync(new URL('../bench/node_modules', import.meta.url))
  ? ['bench/**/*.test.ts']
  : [];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [sqlAsText],
  test: {
    include: ['test/**/*.test.ts', ...benchTests],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: { include: ['src/engine/**'], reporter: ['text', 'json-summary'] },
  },
});
