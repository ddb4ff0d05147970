/** The test files that mutation testing and branch coverage of the engine run. */
import { readdirSync } from 'node:fs';

/** Run last: they take longest. */
const SLOW = ['test/unit/engine/fused-checks.test.ts', 'test/unit/engine/bulk/layouts.test.ts'];

/** In the order in which mutation testing runs them. */
export const ENGINE_TEST_FILES: readonly string[] = [
  ...testFiles('test/unit/engine').filter((name) => !SLOW.includes(name)),
  'test/contracts/regex-engine.test.ts',
  'test/docs/query-language.test.ts',
  'test/conformance/vectors.test.ts',
  ...testFiles('test/unit/engine/bulk').filter((name) => !SLOW.includes(name)),
  ...SLOW,
];

function testFiles(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `${folder}/${name}`)
    .sort();
}
