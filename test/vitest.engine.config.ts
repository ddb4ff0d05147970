/** The tests of the engine alone, which mutation testing and branch coverage run. */
import { mergeConfig } from 'vitest/config';
import base from './vitest.config.js';

const config = mergeConfig(base, {
  test: { coverage: { thresholds: { branches: 100, lines: 100, functions: 100, statements: 100 } } },
});

// Merging would add to the list, not replace it; and the engine has one project.
delete config.test.projects;
// The engine gives out a limited number of slots for claim paths, and mutation testing records the covered mutants of each file: with a
// shared module state, the record of each file would repeat those of all files before, which exhausts the memory.
config.test.isolate = true;
config.test.include = [
  'test/unit/engine/**/*.test.ts',
  'test/contracts/regex-engine.test.ts',
  'test/conformance/vectors.test.ts',
  'test/docs/query-language.test.ts',
];

export default config;
