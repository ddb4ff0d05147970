/**
 * Compares the matches of policy sets with testing their policies one by one, over random histories.
 *
 *   npm run check -- conformance-policy-set --matches 1000000 [--seed N]
 */
import { parseArgs } from 'node:util';
import * as fc from 'fast-check';
import { ClaimSet, compilePredicate, re2js } from '../../src/index.js';
import { IndexedPolicySet } from '../../src/policy-set/indexed-policy-set.js';
import { cachePatterns } from '../../src/testing/cache-patterns.js';
import { parseCount, parseSeed } from '../support/check-options.js';
import { type HistoryTally, history, runHistory } from './policy-set/history.js';

const HISTORIES_PER_ROUND = 200;

const { values } = parseArgs({
  options: { matches: { type: 'string', default: '100000' }, seed: { type: 'string' } },
});
const matches = parseCount('matches', values.matches);
const seed = values.seed === undefined ? Date.now() | 0 : parseSeed(values.seed);

const tally: HistoryTally = { matches: 0, verdicts: 0, passed: 0 };
process.stdout.write(`seed ${seed}\n`);
for (let round = 0; tally.matches < matches; round += 1) {
  // A new cache for each round, since patterns are never evicted.
  const tested = { ClaimSet, compilePredicate, IndexedPolicySet, regex: cachePatterns(re2js) };
  const property = fc.property(history(), (drawn) => runHistory(drawn, tested, tally));
  fc.assert(property, { seed: (seed + round) | 0, numRuns: HISTORIES_PER_ROUND });
  if (round % 10 === 9 || tally.matches >= matches) report();
}

function report(): void {
  const [done, verdicts, passed] = [tally.matches, tally.verdicts, tally.passed].map((count) =>
    count.toLocaleString('en'),
  );
  process.stdout.write(`${done} matches, ${verdicts} verdicts, ${passed} passed, no difference\n`);
}
