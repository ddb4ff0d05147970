/** What analyses take and return. A verdict is yes, no, or unknown with the reason; never a guess. */
import type { CompileOptions, Credential, QueryLimits, RegexEngine } from '../engine/index.js';
import { re2js } from '../regex/re2js.js';

/** Options of every analysis. */
export interface AnalysisOptions {
  /** Compiles the patterns of `matchRegex`; re2js where absent. */
  readonly regex?: RegexEngine;
  /** Changes to the default limits of a query (L7). */
  readonly limits?: Partial<QueryLimits>;
  /** How much is tried before the answer is `unknown`; 20,000 where absent. A step is one decision of the search. */
  readonly steps?: number;
}

/** Decisions tried before the answer is `unknown`. */
export const DEFAULT_STEPS = 20_000;

/** Options for the engine. The cost of matching is not limited: an analysis is about meaning alone. */
export function compileOptions({ regex = re2js, limits }: AnalysisOptions): CompileOptions {
  return { regex, limits: { ...limits, matchCost: Number.MAX_SAFE_INTEGER } };
}

/**
 * Claims that show a verdict, as one credential's: the engine has been asked about them before they are shown.
 *
 * Active at every instant from 1970 on.
 */
export type Witness = readonly [Credential];

/** Whether something holds. What is shown by an example comes with one. */
export type Verdict =
  | { readonly answer: 'yes'; readonly witness?: Witness }
  | { readonly answer: 'no'; readonly witness?: Witness }
  | { readonly answer: 'unknown'; readonly reason: string };
