/** The results of a run, with the conditions under which it was measured. */
import type { CompilingFigure } from '../figures/compiling.js';
import type { GrowthFigure } from '../figures/growth.js';
import type { MemoryGrowth } from '../figures/memory.js';
import type { PredicatesFigure } from '../figures/predicates.js';
import type { Timing, TimingSettings } from '../timing/interleave.js';
import type { Spread } from '../timing/statistics.js';
import type { Conditions } from './conditions.js';

/** The results of `npm run bench`. */
export interface EvaluationResults {
  readonly conditions: Conditions;
  readonly settings: TimingSettings;
  /** Number of processes that measured each of the figures with contenders. */
  readonly processes: number;
  readonly predicates: readonly PredicatesFigure[];
  readonly compiling: readonly CompilingFigure[];
  readonly claimSets: readonly Timing[];
  readonly growth: readonly GrowthFigure[];
}

/** The results of `npm run check -- bench-http`. */
export interface HttpResults {
  readonly conditions: Conditions;
  readonly rounds: number;
  /** Duration of a server's load in one round, in milliseconds. */
  readonly sliceMs: number;
  readonly bodyBytes: number;
  readonly proviso: HttpFigures;
  readonly limits: readonly HttpLimit[];
}

export interface HttpFigures {
  /** Requests per second. */
  readonly perSecond: Spread;
  /** CPU time of the server per request. */
  readonly cpuMicroseconds: Spread;
}

/** A server that sends a fixed body. */
export interface HttpLimit extends HttpFigures {
  readonly name: string;
  /** Proviso's requests per second as a share of this server's, in the same round. */
  readonly share: Spread;
  /** This server's CPU time per request as a share of Proviso's. */
  readonly cpuShare: Spread;
}

/** The results of `npm run check -- bench-memory`. */
export interface MemoryResults {
  readonly conditions: Conditions;
  readonly growths: readonly MemoryGrowth[];
}
