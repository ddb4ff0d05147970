/** The tests that mutation testing and branch coverage of the engine run. */
import { mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

const config = mergeConfig(base, {
  test: { coverage: { thresholds: { branches: 100, lines: 100, functions: 100, statements: 100 } } },
});

// Removes the projects of the base and sets the list of files: `mergeConfig` only adds to lists.
delete config.test.projects;
// The engine assigns a limited number of slots to claim paths. Mutation testing records the mutants that each file covers: with shared
// modules, the record of each file would include those of all previous files, and exhaust the memory.
config.test.isolate = true;
config.test.include = [
  'test/unit/engine/**/*.test.ts',
  'test/contracts/regex-engine.test.ts',
  'test/conformance/vectors.test.ts',
  'test/docs/query-language.test.ts',
];

export default config;
