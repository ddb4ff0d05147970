/**
 * Compares the analyses with the engine, on random queries and claims.
 *
 *   npm run check -- conformance-analysis --runs 200000 [--seed N] [--only NAME]
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { parseRunsAndSeed, selectNames } from '../../support/check-options.js';
import { explanations } from './explanations.js';
import { findings } from './findings.js';
import { finitePatterns } from './finite-patterns.js';
import type { AnalysisProperty, Tally } from './property.js';
import { residuals } from './residuals.js';
import { verdicts } from './verdicts.js';

const PROPERTIES = [
  verdicts,
  findings,
  residuals,
  explanations,
  finitePatterns,
] as unknown as readonly AnalysisProperty<unknown>[];
const DEFAULT_RUNS = 20_000;
/** Number of runs between two lines of progress. */
const BATCH = 2_000;

const { values } = parseArgs({
  options: { runs: { type: 'string' }, seed: { type: 'string' }, only: { type: 'string' } },
});
const { runs, seed } = parseRunsAndSeed(values, DEFAULT_RUNS);
const selected = selectNames(
  'property',
  values.only,
  PROPERTIES.map(({ name }) => name),
);

for (const property of PROPERTIES) {
  if (selected.includes(property.name)) runProperty(property);
}

function runProperty<Drawn>({ name, drawn, check }: AnalysisProperty<Drawn>): void {
  const counts = new Map<string, number>();
  const tally: Tally = (question, verdict) => {
    const key = `${question}: ${verdict.answer}${verdict.answer === 'unknown' ? `, ${verdict.reason}` : ''}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    return verdict;
  };
  const startedAt = performance.now();
  for (let done = 0; done < runs; done += BATCH) {
    const numRuns = Math.min(BATCH, runs - done);
    const outcome = fc.check(
      fc.property(drawn, (value) => {
        check(value, tally);
      }),
      { seed: seed + done, numRuns },
    );
    if (outcome.failed) {
      process.stdout.write(`${fc.defaultReportMessage(outcome) ?? ''}\n${outcome.errorInstance}\n`);
      process.stdout.write(
        `${name}: violated; repeat with --only ${name} --seed ${seed + done} --runs ${numRuns}\n`,
      );
      process.exit(1);
    }
    const rate = Math.round(((done + numRuns) * 1_000) / (performance.now() - startedAt));
    process.stderr.write(`${name}: ${done + numRuns} of ${runs} runs, ${rate} per second\n`);
  }
  process.stdout.write(`${name}: no violation in ${runs} runs, seed ${seed}\n`);
  for (const [key, count] of [...counts].sort())
    process.stdout.write(`  ${String(count).padStart(8)}  ${key}\n`);
}
