/** Options and results of analyses. A verdict is yes, no, or unknown with a reason. */
import type { CompileOptions, Credential, QueryLimits, RegexEngine } from '../engine/index.js';
import { assertOptions } from '../engine/options.js';
import { re2js } from '../regex/re2js.js';

/** Options of every analysis. */
export interface AnalysisOptions {
  /** Compiles the patterns of `matchRegex`. Defaults to re2js. */
  readonly regex?: RegexEngine;
  /** Changes to the default limits of a query (L7). */
  readonly limits?: Partial<QueryLimits>;
  /** Number of search steps (decisions) before the verdict is `unknown`; 20,000 by default. */
  readonly steps?: number;
}

/** Default number of search steps. */
export const DEFAULT_STEPS = 20_000;

const ANALYSIS_OPTIONS = ['regex', 'limits', 'steps'];

/** Returns the options of the engine. The cost of matching is not limited, since analyses match no stored claims. */
export function compileOptions(options: AnalysisOptions): CompileOptions {
  assertOptions(options, ANALYSIS_OPTIONS);
  const { regex = re2js, limits } = options;
  return { regex, limits: { ...limits, matchCost: Number.MAX_SAFE_INTEGER } };
}

/** Claims that prove a verdict, as one credential that is active from 1970 on. Verified by the engine. */
export type Witness = readonly [Credential];

/** The answer of an analysis, with a witness where an example proves it. */
export type Verdict =
  | { readonly answer: 'yes'; readonly witness?: Witness }
  | { readonly answer: 'no'; readonly witness?: Witness }
  | { readonly answer: 'unknown'; readonly reason: string };
