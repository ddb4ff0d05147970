/** What an analysis may be told, and where it gives up. */
import type { CompileOptions, QueryLimits, RegexEngine } from '../engine/index.js';

/** Options of every analysis. */
export interface AnalysisOptions {
  /** Compiles the patterns of `matchRegex`; needed where a query has any. */
  readonly regex?: RegexEngine;
  /** Changes to the default limits of a query (L7). */
  readonly limits?: Partial<QueryLimits>;
  /** How much is tried before the answer is `unknown`; 20,000 where absent. A step is one decision of the search. */
  readonly steps?: number;
}

/** Decisions tried before the answer is `unknown`. */
export const DEFAULT_STEPS = 20_000;

/** Options for the engine, where matching may cost whatever it does: what is asked is about meaning alone. */
export function compileOptions({ regex, limits }: AnalysisOptions): CompileOptions {
  return {
    ...(regex === undefined ? {} : { regex }),
    limits: { ...limits, matchCost: Number.MAX_SAFE_INTEGER },
  };
}
