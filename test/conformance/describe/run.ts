/**
 * Reads back the English descriptions of random queries, and fails if one is read as another query.
 *
 *   npm run check -- describe-round-trip --runs 100000 [--seed N]
 */
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { parseRunsAndSeed } from '../../support/check-options.js';
import { compareRoundTrip, describedQuery } from './round-trip.js';

const DEFAULT_RUNS = 20_000;
/** Number of runs between two lines of progress. */
const BATCH = 5_000;

const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
const { runs, seed } = parseRunsAndSeed(values, DEFAULT_RUNS);

const counts = new Map<string, number>();
for (let done = 0; done < runs; done += BATCH) {
  const numRuns = Math.min(BATCH, runs - done);
  const property = fc.property(describedQuery(), (query) => {
    const comparison = compareRoundTrip(query);
    counts.set(comparison, (counts.get(comparison) ?? 0) + 1);
  });
  const outcome = fc.check(property, { seed: seed + done, numRuns });
  if (outcome.failed) {
    process.stdout.write(`${fc.defaultReportMessage(outcome) ?? ''}\n${String(outcome.errorInstance)}\n`);
    process.stdout.write(`violated; repeat with --seed=${seed + done} --runs=${numRuns}\n`);
    process.exit(1);
  }
  process.stderr.write(`${done + numRuns} of ${runs} runs\n`);
}
process.stdout.write(`no description differs from its query in ${runs} runs, seed ${seed}\n`);
for (const [comparison, count] of [...counts].sort())
  process.stdout.write(`  ${String(count).padStart(8)}  ${comparison}\n`);
