/** The tests that speak for the engine alone: what mutation testing and branch coverage run. */
import { mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

export default mergeConfig(base, {
  test: {
    coverage: { thresholds: { branches: 100, lines: 100, functions: 100, statements: 100 } },
  },
});
