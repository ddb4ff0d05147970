/** The context in which a query is read: limits (L7), problems, patterns, and the place of each check. */
import type { LimitProblemCode } from '../errors.js';
import type { PatternOutcome, RegexEngine } from '../regex-engine.js';
import { QueryProblems } from './problem-list.js';

export interface ParseOptions {
  readonly limits?: Partial<QueryLimits> | undefined;
  /** Compiles the patterns, so that a broken one is told with the other problems; without it they are not looked at. */
  readonly regex?: RegexEngine | undefined;
}

/** One reading: made for one query, used up by it. */
export class ParseContext {
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
  constructor(options: ParseOptions) {
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

/** Each limit is the largest value that is still right. */
export interface QueryLimits {
  /** Policies inside policies; a check adds none. */
  readonly depth: number;
  readonly checks: number;
  readonly projections: number;
  /** Members of a query, a policy, an item, a check or a projection, unknown ones included. */
  readonly members: number;
  /** Entries of an operand or of `fields`, those of nested arrays and objects included. */
  readonly listEntries: number;
  /** Arrays and objects inside an operand (S152). */
  readonly operandDepth: number;
  /** Code units of a string in an operand, of a member's name there, and of a field. */
  readonly stringCodeUnits: number;
  readonly patternCodeUnits: number;
  /** Code units of a query's distinct patterns in all (S176). */
  readonly allPatternsCodeUnits: number;
  /** Instructions of one compiled pattern (S155). */
  readonly patternProgram: number;
  /** Estimated work of compiling a query's distinct patterns in all, in instructions of about 0.5 µs (S176). */
  readonly patternWork: number;
  /** Sum over a query's patterns of program size × code units of the claim (S156). */
  readonly matchCost: number;
  readonly pathSegments: number;
  readonly pathCodeUnits: number;
}

export const DEFAULT_QUERY_LIMITS: QueryLimits = Object.freeze({
  depth: 16,
  checks: 256,
  projections: 64,
  members: 32,
  listEntries: 1_000,
  operandDepth: 16,
  stringCodeUnits: 4_096,
  patternCodeUnits: 512,
  allPatternsCodeUnits: 2_048,
  patternProgram: 256,
  patternWork: 3_500,
  matchCost: 2_000_000,
  pathSegments: 8,
  pathCodeUnits: 256,
});

/** Parsing recurses as deep as these two allow, so they have a ceiling of their own. */
const DEEPEST = 256;

/**
 * The default limits with a caller's changes.
 *
 * @throws {RangeError} When a limit is not a whole number of 1 or more, or lets parsing recurse deeper than 256 levels.
 */
function resolveLimits(changes?: Partial<QueryLimits>): QueryLimits {
  if (changes === undefined) return DEFAULT_QUERY_LIMITS;
  const limits = { ...DEFAULT_QUERY_LIMITS, ...changes };
  for (const [name, limit] of Object.entries(limits)) {
    if (!Number.isSafeInteger(limit) || limit < 1) {
      throw new RangeError(`the limit \`${name}\` is a whole number of 1 or more: ${limit}`);
    }
  }
  if (limits.depth > DEEPEST || limits.operandDepth > DEEPEST) {
    throw new RangeError(`the limits \`depth\` and \`operandDepth\` are at most ${DEEPEST}`);
  }
  return limits;
}
