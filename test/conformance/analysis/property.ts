/** What is checked of the analyses on random queries and claims: one file each. */
import type fc from 'fast-check';
import type { Verdict } from '../../../src/analysis/index.js';

/** Counts a verdict by its question, and hands it on. */
export type Tally = (question: string, verdict: Verdict) => Verdict;

export interface AnalysisProperty<Drawn> {
  readonly name: string;
  readonly drawn: fc.Arbitrary<Drawn>;
  /** Throws where it does not hold. */
  holds(drawn: Drawn, tally: Tally): void;
}
