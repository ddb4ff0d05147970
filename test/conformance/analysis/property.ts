/** The interface of properties of analyses, which are checked on random queries and claims. */
import fc from 'fast-check';
import type { Verdict } from '../../../src/analysis/index.js';
import type { PolicyItemInput } from '../../../src/index.js';
import { claimPath, unicodePattern } from '../../../src/testing/arbitraries/query.js';
import { policyItem } from '../../../src/testing/index.js';

/** Counts a verdict by question, and returns it. */
export type Tally = (question: string, verdict: Verdict) => Verdict;

export interface AnalysisProperty<Drawn> {
  readonly name: string;
  readonly drawn: fc.Arbitrary<Drawn>;
  /** Throws if the property is violated. */
  check(drawn: Drawn, tally: Tally): void;
}

/** Draws policy items, a third of them with one or two patterns that depend on Unicode tables. */
export function drawnItem(): fc.Arbitrary<PolicyItemInput> {
  const unicode = fc
    .tuple(claimPath(), unicodePattern())
    .map(([claim, value]): PolicyItemInput => ({ claim, operator: 'matchRegex', value }));
  const patterns = fc.array(unicode, { minLength: 1, maxLength: 2 });
  return fc.oneof<fc.WeightedArbitrary<PolicyItemInput>[]>(
    { weight: 2, arbitrary: policyItem() },
    {
      weight: 1,
      arbitrary: fc
        .tuple(policyItem(), patterns, fc.boolean())
        .map(([item, drawnPatterns, needsAll]) =>
          needsAll ? { allOf: [item, ...drawnPatterns] } : { anyOf: [item, ...drawnPatterns] },
        ),
    },
  );
}
