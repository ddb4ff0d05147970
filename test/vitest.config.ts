import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** Migrations are plain SQL files; the bundler inlines them as text, so the tests read them the same way. */
const sqlAsText = {
  name: 'sql-as-text',
  transform(code: string, id: string) {
    return id.endsWith('.sql') ? `export default ${JSON.stringify(code)};` : undefined;
  },
};

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  plugins: [sqlAsText],
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    coverage: { include: ['src/engine/**'], reporter: ['text', 'json-summary'] },
  },
});
