/** Configuration of the benchmarks' tests, which require the packages that `npm ci --prefix bench` installs. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  test: { include: ['bench/**/*.test.ts'], testTimeout: 120_000, hookTimeout: 120_000 },
});
