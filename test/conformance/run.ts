/**
 * Compares the engine with the reference interpreter on random scenarios, after all vectors.
 *
 *   npm run check -- conformance --runs 1000000 [--seed=N [--path=P]]
 */
import { parseArgs } from 'node:util';
import { re2js } from '../../src/index.js';
import {
  type ConformanceProgress,
  type ConformanceReport,
  checkConformance,
} from '../../src/testing/index.js';
import { parseRunsAndSeed } from '../support/check-options.js';
import { readVectorFiles } from '../vectors/vector-files.js';
import { engineEvaluator } from './engine-evaluator.js';

const DEFAULT_RUNS = 100_000;
const REFRESH_MS = 200;

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, path: { type: 'string' } },
});
const { runs, seed } = parseRunsAndSeed(values, DEFAULT_RUNS);

const startedAt = performance.now();
const report = await checkConformance(engineEvaluator(re2js), {
  regex: re2js,
  vectors: readVectorFiles().flatMap((file) => file.vectors),
  runs,
  seed,
  ...(values.path === undefined ? {} : { path: values.path }),
  onProgress: process.stdout.isTTY ? rewriteLine() : writeTenths(),
});
writeReport(report);
process.exitCode = report.conforms ? 0 : 1;

function writeReport({
  vectorCount,
  vectorFailures,
  runs: done,
  seed: usedSeed,
  counterexample,
}: ConformanceReport): void {
  if (process.stdout.isTTY) process.stdout.write('\r\u001b[K');
  const passed = vectorCount - vectorFailures.length;
  process.stdout.write(`vectors: ${count(passed)} of ${count(vectorCount)} pass\n`);
  for (const { vector, differences } of vectorFailures) {
    process.stdout.write(`  ${vector.id} ${vector.description}\n    ${differences.join('\n    ')}\n`);
  }
  process.stdout.write(
    `random scenarios: ${count(done)} runs, ${count(rate(done))} per second, seed ${usedSeed}\n`,
  );
  if (counterexample === undefined) {
    process.stdout.write('no counterexample\n');
    return;
  }
  const { path, differences, seed: _seed, ...scenario } = counterexample;
  process.stdout.write(`counterexample, shrunk:\n${JSON.stringify(scenario, null, 2)}\n`);
  process.stdout.write(`  ${differences.join('\n  ')}\n`);
  process.stdout.write(`repeat with: npm run check -- conformance --seed=${usedSeed} --path=${path}\n`);
}

/** Reports progress on a terminal, by overwriting one line. */
function rewriteLine(): (progress: ConformanceProgress) => void {
  let writtenAt = 0;
  return ({ runs: done }) => {
    const now = performance.now();
    if (now - writtenAt < REFRESH_MS) return;
    writtenAt = now;
    process.stdout.write(`\r${progress(done)}\u001b[K`);
  };
}

/** Reports progress if the output is not a terminal, by a line every ten percent. */
function writeTenths(): (progress: ConformanceProgress) => void {
  let tenths = 0;
  return ({ runs: done }) => {
    if (done * 10 < runs * (tenths + 1)) return;
    tenths = Math.floor((done * 10) / runs);
    process.stdout.write(`${progress(done)}\n`);
  };
}

function progress(done: number): string {
  const percent = Math.floor((done * 100) / runs);
  return `${percent} % · ${count(done)} of ${count(runs)} runs · ${count(rate(done))} per second`;
}

function rate(done: number): number {
  return Math.round((done * 1_000) / (performance.now() - startedAt));
}

function count(number: number): string {
  return number.toLocaleString('en');
}
