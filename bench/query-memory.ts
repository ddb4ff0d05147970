/**
 * Measures the memory of compiled queries of six checks, by part.
 *
 *   npm run check -- bench-query-memory [--quick]
 */
import { parseArgs } from 'node:util';
import type { QueryMemory } from './figures/query-memory.js';
import { bundle, runBundle } from './prepare.js';

const { values } = parseArgs({ options: { quick: { type: 'boolean' } } });
const count = values.quick === true ? '2000' : '20000';
const path = await bundle('figures/query-memory.ts');
for (const set of ['overlap', 'distinct']) {
  const parts = JSON.parse(await runBundle(path, [count, set], ['--expose-gc'])) as QueryMemory[];
  process.stdout.write(`${set}, ${count} queries, bytes each\n`);
  for (const { part, bytes } of parts)
    process.stdout.write(`  ${part.padEnd(32)}${bytes.toFixed(0).padStart(6)}\n`);
}
