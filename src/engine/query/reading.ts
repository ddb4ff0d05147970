/** What one reading of a query carries along: limits, problems, patterns, and where each check stands. */
import type { CompiledPattern, RegexEngine } from '../regex-engine.js';
import { type QueryLimits, resolveLimits } from './limits.js';
import { ProblemList } from './problem-list.js';

export interface ReadingOptions {
  readonly limits?: Partial<QueryLimits> | undefined;
  /** Compiles the patterns, so that a broken one is told with the other problems; without it they are not looked at. */
  readonly regex?: RegexEngine | undefined;
}

/** One reading: made for one query, used up by it. */
export class Reading {
  readonly limits: QueryLimits;
  readonly regex: RegexEngine | undefined;
  readonly problems = new ProblemList();
  /** The distinct patterns met so far by their text, each compiled once; `undefined` where one is not, or not right. */
  readonly patterns = new Map<string, CompiledPattern | undefined>();
  /** Of those, in all. */
  patternCodeUnits = 0;
  /** Where each check stands in the query as handed in, in document order. */
  readonly checkPointers: string[] = [];

  /** @throws {RangeError} When a limit is out of range. */
  constructor(options: ReadingOptions) {
    this.limits = resolveLimits(options.limits);
    this.regex = options.regex;
  }
}
