/** The results of `npm run bench -- policy-set`. */
import type { Conditions } from '../report/conditions.js';
import type { PolicyScenario } from '../scenarios/policy-sets.js';
import type { Spread } from '../timing/statistics.js';

/** Measurements of a set, and of the same policies compiled. */
export interface SetFigure {
  readonly scenario: PolicyScenario;
  readonly policies: number;
  /** Measured share of the policies that a person passes. */
  readonly passing: number;
  /** Distinct checks. */
  readonly checks: number;
  /** Policies that every match tests. */
  readonly residual: number;
  readonly matchMs: Spread;
  /** CPU time of adding all policies. */
  readonly addingMs: number;
  /** The size of the saved set, and the elapsed time of loading it in a new process; absent where the set is too large. */
  readonly saved?: { readonly loadingMs: Spread; readonly megabytes: number };
  /** Memory of the set per policy. */
  readonly bytesEach: number;
  /** The same policies compiled; absent where they are too many. */
  readonly compiled?: CompiledFigure;
}

/** Compiled policies, tested one by one. */
export interface CompiledFigure {
  /** Memory per policy. */
  readonly bytesEach: number;
  /** CPU time of compiling all policies. */
  readonly compilingMs: number;
  readonly oneByOneMs: Spread;
  /** As a multiple of a match of the same round. */
  readonly ratio: Spread;
}

export interface HostileFigure extends Omit<SetFigure, 'scenario'> {
  readonly name: string;
}

/** A peer, as a multiple of a match of the same policies in the same round. */
export interface PeerFigure {
  readonly name: string;
  readonly policies: number;
  readonly peerMs: Spread;
  readonly ratio: Spread;
}

export interface PolicySetResults {
  readonly conditions: Conditions;
  /** 100,000 policies of which 0.5 % and 0.01 % pass. */
  readonly main: readonly SetFigure[];
  /** Sets of growing size, of which a person passes 100 policies. */
  readonly policies: readonly SetFigure[];
  readonly rates: readonly SetFigure[];
  readonly checks: readonly SetFigure[];
  readonly hostile: readonly HostileFigure[];
  readonly peers: readonly PeerFigure[];
}
