/**
 * Checks that heap and external memory grow by at most ten percent over millions of evaluations and compiled queries.
 *
 *   npm run check -- bench-memory [--quick]
 *
 * `--quick` evaluates and compiles less often, and writes no results.
 */
import { parseArgs } from 'node:util';
import type { MemoryGrowth } from './figures/memory.js';
import { reportProgress } from './figures/progress.js';
import { bundle, runBundle } from './prepare.js';
import { describeConditions, readConditions } from './report/conditions.js';
import { memoryHolds } from './report/goals.js';
import { updatePage } from './report/page.js';
import { writeResults } from './report/result-files.js';
import type { MemoryResults } from './report/results.js';

const MIB = 2 ** 20;

const { values } = parseArgs({ options: { quick: { type: 'boolean' } } });
const counts = values.quick === true ? ['500000', '50000'] : ['10000000', '1000000'];
reportProgress(`${counts[0]} evaluations, then ${counts[1]} queries compiled`);
const text = await runBundle(await bundle('figures/memory.ts'), counts, ['--expose-gc']);
const results: MemoryResults = { conditions: readConditions(), growths: JSON.parse(text) as MemoryGrowth[] };
if (values.quick !== true) {
  writeResults('memory', results);
  updatePage();
}
process.stdout.write(`${report(results)}\n`);
if (!results.growths.every(memoryHolds)) process.exitCode = 1;

function report({ conditions, growths }: MemoryResults): string {
  const lines = growths.map((growth) => {
    const { what, count, before, after } = growth;
    const verdict = memoryHolds(growth) ? 'holds' : 'DOES NOT HOLD';
    const parts = [
      `heap ${mebibytes(before.heap)} → ${mebibytes(after.heap)} MiB`,
      `external ${mebibytes(before.external)} → ${mebibytes(after.external)} MiB`,
      `resident ${mebibytes(before.resident)} → ${mebibytes(after.resident)} MiB`,
    ];
    return `${verdict}  ${count.toLocaleString('en')} ${what}: ${parts.join(', ')}`;
  });
  return [...lines, describeConditions(conditions)].join('\n');
}

function mebibytes(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}
