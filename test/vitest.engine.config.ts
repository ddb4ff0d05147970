/** Requires that the tests of the engine cover all of its branches, lines, functions and statements: `npm run check -- coverage`. */
import { mergeConfig } from 'vitest/config';
import { ENGINE_TEST_FILES } from './mutation/test-files.js';
import base from './vitest.config.js';

const config = mergeConfig(base, {
  test: { coverage: { thresholds: { branches: 100, lines: 100, functions: 100, statements: 100 } } },
});

// Removes the projects of the base and sets the list of files: `mergeConfig` only adds to lists.
delete config.test.projects;
// The engine assigns a limited number of slots to claim paths: each file starts with all slots free.
config.test.isolate = true;
config.test.include = ENGINE_TEST_FILES;

export default config;
