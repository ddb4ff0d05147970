/** Checks that a policy set gives the verdicts of testing each of its policies on its own. */
import { expect, it } from 'vitest';
import { ClaimSet, compilePredicate } from '../../src/index.js';
import { IndexedPolicySet } from '../../src/policy-set/indexed-policy-set.js';
import { type HistoryTally, history, runHistory } from '../conformance/policy-set/history.js';
import { holdsForAll, regex } from './law.js';

// L14–L19, S156
it('a match finds the policies that pass when tested one by one, after any additions, deletions and serializations', () => {
  const tally: HistoryTally = { matches: 0, verdicts: 0, passed: 0 };
  const tested = { ClaimSet, compilePredicate, IndexedPolicySet, regex };
  holdsForAll(history(), (drawn) => runHistory(drawn, tested, tally), 100);
  expect(tally.matches).toBeGreaterThan(1_000);
  expect(tally.passed).toBeGreaterThan(tally.verdicts / 20);
});
