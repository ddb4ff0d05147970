/** The properties of analyses that are checked on random queries and claims, one file each. */
import fc from 'fast-check';
import type { Verdict } from '../../../src/analysis/index.js';
import type { PolicyItemInput } from '../../../src/index.js';
import { claimPath, unicodePattern } from '../../../src/testing/arbitraries/query.js';
import { policyItem } from '../../../src/testing/index.js';

/** Counts a verdict by its question, and returns it. */
export type Tally = (question: string, verdict: Verdict) => Verdict;

export interface AnalysisProperty<Drawn> {
  readonly name: string;
  readonly drawn: fc.Arbitrary<Drawn>;
  /** Throws where the property does not hold. */
  holds(drawn: Drawn, tally: Tally): void;
}

/** Draws policy items, a third of them with one or two patterns that depend on Unicode tables. */
export function drawnItem(): fc.Arbitrary<PolicyItemInput> {
  const unicode = fc
    .tuple(claimPath(), unicodePattern())
    .map(([claim, value]): PolicyItemInput => ({ claim, operator: 'matchRegex', value }));
  const beside = fc.array(unicode, { minLength: 1, maxLength: 2 });
  return fc.oneof<fc.WeightedArbitrary<PolicyItemInput>[]>(
    { weight: 2, arbitrary: policyItem() },
    {
      weight: 1,
      arbitrary: fc
        .tuple(policyItem(), beside, fc.boolean())
        .map(([item, patterns, needsAll]) =>
          needsAll ? { allOf: [item, ...patterns] } : { anyOf: [item, ...patterns] },
        ),
    },
  );
}
