/** The state of parsing one query: limits (L7), problems, compiled patterns, and the pointer of each check. */
import type { JsonValue } from '../claims/json-value.js';
import type { LimitProblemCode } from '../errors.js';
import { quote, suggestion } from '../names.js';
import type { OperatorName } from '../operators/operators.js';
import { assertOptions } from '../options.js';
import { assertRegexEngine, type PatternOutcome, type RegexEngine } from '../regex-engine.js';
import type { CatalogueClaim } from '../scopes/catalogue.js';
import { assertArray, assertObject, assertPositiveInteger, wrongType } from '../value-types.js';
import { QueryProblems } from './problem-list.js';

export interface ParseOptions {
  readonly limits?: Partial<QueryLimits> | undefined;
  /** Compiles patterns, so that an invalid one is reported with the other problems; without it patterns are not validated. */
  readonly regex?: RegexEngine | undefined;
  /**
   * The claims that queries may read, such as those of a catalogue. A query on another claim is rejected
   * (`claim_unknown`), except on members of claims of type `object`. With an entry whose path is `*`, and by default,
   * queries may read every claim.
   */
  readonly claims?: readonly ReadableClaim[] | undefined;
}

/** The operand of a check, and its pointer in the query as passed in. */
export interface PlacedOperand {
  readonly operator: OperatorName;
  readonly value: JsonValue;
  readonly pointer: string;
}

/** A claim that queries may read, such as a claim of a catalogue. */
export interface ReadableClaim extends Pick<CatalogueClaim, 'path' | 'type'> {
  /** Reports an operator or an operand that does not fit the claim's type (`operand_type`). */
  readonly reportOperand?: (operand: PlacedOperand, problems: QueryProblems) => void;
}

/** The options of `compile`. `parse` accepts them too, so that both may share one object. */
export const QUERY_OPTIONS = ['catalogue', 'regex', 'claims', 'limits', 'resultLifetimeSeconds'];

/** The state of parsing one query. Must not be reused for another query. */
export class ParseContext {
  readonly limits: QueryLimits;
  readonly regex: RegexEngine | undefined;
  readonly claims: readonly ReadableClaim[] | undefined;
  readonly problems = new QueryProblems();
  /** The distinct patterns so far, with the outcome of each; `undefined` for a valid pattern that was not compiled. */
  readonly patterns = new Map<string, PatternOutcome | undefined>();
  /** The sizes of the distinct valid patterns so far. */
  readonly patternSizes = new Map<string, number>();
  /** Total work of the distinct valid patterns of a permitted size so far. */
  patternWork = 0;
  /** The pointer of each check in the query as passed in, in document order. */
  readonly checkPointers: string[] = [];

  /**
   * @param known - The names of the options of the function that is called.
   * @throws {RangeError} When a limit is out of range or does not exist.
   * @throws {TypeError} When an option has the wrong type or does not exist.
   */
  constructor(options: ParseOptions, known: readonly string[] = QUERY_OPTIONS) {
    assertOptions(options, known);
    this.limits = resolveLimits(options.limits);
    this.regex = options.regex;
    if (this.regex !== undefined) assertRegexEngine(this.regex);
    this.claims = options.claims;
    if (this.claims === undefined) return;
    assertArray('`claims`', this.claims);
    for (const claim of this.claims)
      if (typeof (claim as Partial<ReadableClaim> | null | undefined)?.path !== 'string')
        throw wrongType('each of `claims`', 'a claim with a `path`', claim);
  }

  /**
   * Reports a size above a limit (L7), such as "A pattern must have at most 512 code units, not 600."
   *
   * @param owner - The message before "at most": `A pattern must have`.
   * @param unit - The unit of the size: `code units`.
   * @returns Whether the limit is exceeded.
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

/** The limits of a query, each the largest valid value. */
export interface QueryLimits {
  /** Depth of nested policies; a check adds none. */
  readonly depth: number;
  /** Above about 5,000, `test` may exceed the stack and throw a `RangeError`, since it recurses for each check; `evaluate` does not. */
  readonly checks: number;
  readonly projections: number;
  /** Members of a query, a policy, an item, a check or a projection, including unknown ones. */
  readonly members: number;
  /** Entries of an operand or of `fields`, including those of nested arrays and objects. */
  readonly listEntries: number;
  /** Depth of arrays and objects in an operand (S152). */
  readonly operandDepth: number;
  /** Code units of a string in an operand, of a member name in it, and of a field. */
  readonly stringCodeUnits: number;
  readonly patternCodeUnits: number;
  /** Size of one pattern (S155). */
  readonly patternProgram: number;
  /** Total work of compiling the distinct patterns of a query, in steps of about 0.5 µs (S176). */
  readonly patternWork: number;
  /** Sum, over the checks that match patterns, of the size of the pattern times the code units of the claim (S156). */
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
  patternProgram: 256,
  patternWork: 3_500,
  matchCost: 2_000_000,
  pathSegments: 8,
  pathCodeUnits: 256,
});

/** The largest valid `depth` and `operandDepth`, since parsing recurses to these depths. */
export const MAX_RECURSION = 256;

/**
 * Merges a caller's limits into the defaults.
 *
 * @throws {RangeError} When a limit does not exist, is not a whole number of 1 or more, or would let parsing recurse
 *   deeper than 256 levels.
 * @throws {TypeError} When `changes` is not an object, or a limit is not a number.
 */
function resolveLimits(changes?: Partial<QueryLimits>): QueryLimits {
  if (changes === undefined) return DEFAULT_QUERY_LIMITS;
  assertObject('`limits`', changes);
  for (const name of Object.keys(changes)) {
    if (!Object.hasOwn(DEFAULT_QUERY_LIMITS, name))
      throw new RangeError(
        `there is no limit ${quote(name)}.${suggestion(name, Object.keys(DEFAULT_QUERY_LIMITS))}`,
      );
  }
  const limits = { ...DEFAULT_QUERY_LIMITS, ...changes };
  for (const [name, limit] of Object.entries(limits)) assertPositiveInteger(`limit \`${name}\``, limit);
  if (limits.depth > MAX_RECURSION || limits.operandDepth > MAX_RECURSION) {
    throw new RangeError(`\`depth\` and \`operandDepth\` must be at most ${MAX_RECURSION}`);
  }
  return limits;
}
