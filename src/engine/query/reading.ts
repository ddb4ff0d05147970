/** What one reading of a query carries along: limits, problems, patterns, and where each check stands. */
import type { LimitProblemCode } from '../errors.js';
import type { PatternOutcome, RegexEngine } from '../regex-engine.js';
import { type QueryLimits, resolveLimits } from './limits.js';
import { QueryProblems } from './problem-list.js';

export interface ReadingOptions {
  readonly limits?: Partial<QueryLimits> | undefined;
  /** Compiles the patterns, so that a broken one is told with the other problems; without it they are not looked at. */
  readonly regex?: RegexEngine | undefined;
}

/** One reading: made for one query, used up by it. */
export class Reading {
  readonly limits: QueryLimits;
  readonly regex: RegexEngine | undefined;
  readonly problems = new QueryProblems();
  /** The distinct patterns met so far by their text, each compiled once; `undefined` where one was not compiled. */
  readonly patterns = new Map<string, PatternOutcome | undefined>();
  /** Of those, in all. */
  patternCodeUnits = 0;
  /** Of those, in all. */
  patternWork = 0;
  /** Whether a pattern has passed a limit: no further one is compiled. */
  patternsStopped = false;
  /** Where each check stands in the query as handed in, in document order. */
  readonly checkPointers: string[] = [];

  /** @throws {RangeError} When a limit is out of range. */
  constructor(options: ReadingOptions) {
    this.limits = resolveLimits(options.limits);
    this.regex = options.regex;
  }

  /**
   * Notes a problem where a size is larger than a limit (L7): `A pattern has` at most 512 `code units`, not 600.
   *
   * @param owner - What has that size, and the verb.
   * @param unit - What the size is counted in.
   * @returns Whether it is larger.
   */
  exceeds(
    limit: keyof QueryLimits,
    size: number,
    code: LimitProblemCode,
    pointer: string,
    owner: string,
    unit: string,
  ): boolean {
    const most = this.limits[limit];
    if (size <= most) return false;
    this.problems.addLimit(code, pointer, most, owner, `${unit}, not ${size}`);
    return true;
  }
}
