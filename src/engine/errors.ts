/** Errors of queries: problem codes, and the error that carries all problems (L8). */
import { type Problem, ProblemsError } from './problems.js';

/** Why a query was rejected: it is invalid, it exceeds a limit (L7), or the granted scopes do not cover its claims (L20). */
export type QueryErrorCode = 'invalid_query' | 'query_too_large' | 'insufficient_scope';

/** Stable problem codes of an invalid query. */
export const FORM_PROBLEM_CODES = [
  'not_an_object',
  'not_an_array',
  'not_a_string',
  'form_missing',
  'form_ambiguous',
  'member_missing',
  'member_unknown',
  'list_empty',
  'not_arity',
  'claim_path_malformed',
  'operator_unknown',
  'operand_type',
  'operand_unexpected',
  'pattern_invalid',
  'lens_unknown',
  'lens_parameter',
  'projection_repeated',
] as const;

/** Stable problem codes of the limits of L7. */
export const LIMIT_PROBLEM_CODES = [
  'limit_depth',
  'limit_checks',
  'limit_projections',
  'limit_members',
  'limit_list_entries',
  'limit_operand_depth',
  'limit_string',
  'limit_pattern',
  'limit_pattern_program',
  'limit_pattern_work',
  'limit_path_segments',
  'limit_path_length',
  'limit_match_cost',
] as const;

/**
 * Stable problem codes of a query that is valid, and reads a claim that the engine's catalogue or the columns do not
 * have.
 */
export const CLAIM_PROBLEM_CODES = ['claim_unknown'] as const;

export type ClaimProblemCode = (typeof CLAIM_PROBLEM_CODES)[number];
export type FormProblemCode = (typeof FORM_PROBLEM_CODES)[number];
export type LimitProblemCode = (typeof LIMIT_PROBLEM_CODES)[number];

/** One problem of a query: the fault, and what is required. */
export interface QueryProblem extends Problem<FormProblemCode | LimitProblemCode | ClaimProblemCode> {
  /** The limit's value, for the `limit_…` codes. */
  readonly limit?: number;
}

/** A claim that the granted scopes do not cover, and the scopes that would each cover it; empty if there are none. */
export interface MissingScope {
  readonly claim: string;
  readonly scopes: readonly string[];
}

/** Maximum number of problems that are listed; further ones are only counted, so that a small query cannot cause a large response (S153). */
export const MAX_REPORTED_PROBLEMS = 50;

/** Parsing stops at this many problems, to bound the work of rejecting a query. */
export const MAX_COUNTED_PROBLEMS = 1_000;

/**
 * Thrown when a query is rejected. Compare `code` and the codes of `problems`, not messages. At most {@link
 * MAX_REPORTED_PROBLEMS} problems are listed, none for `insufficient_scope`.
 *
 * @see L7, L8, L20
 */
export class QueryError extends ProblemsError<QueryProblem, QueryErrorCode> {
  override readonly name = 'QueryError';
  /** Number of problems found: at most 1,000, where parsing stops. */
  readonly problemCount: number;
  /** For `insufficient_scope`: every claim of the query that is not covered, in order of first use. */
  readonly missing: readonly MissingScope[];

  private constructor(
    code: QueryErrorCode,
    message: string,
    problems: readonly QueryProblem[],
    problemCount: number,
    missing: readonly MissingScope[],
  ) {
    super(code, message, problems);
    this.problemCount = problemCount;
    this.missing = missing;
  }

  /**
   * Creates the error for one or more problems: `query_too_large` where all of them are exceeded limits (L7),
   * `invalid_query` otherwise.
   */
  static forProblems({
    reported,
    count,
    onlyLimits,
  }: {
    readonly reported: readonly QueryProblem[];
    readonly count: number;
    readonly onlyLimits: boolean;
  }): QueryError {
    const [{ message, pointer }] = reported as readonly [QueryProblem];
    const place = pointer && ` (at ${pointer})`;
    const more = count > 1 ? ` (and ${count - 1} more)` : '';
    const code = onlyLimits ? 'query_too_large' : 'invalid_query';
    // A class that names itself is renamed in the bundle, to `_QueryError`, which consoles would print.
    return new this(code, message + place + more, reported, count, []);
  }

  /**
   * Creates the error for claims that the granted scopes do not cover (L20).
   *
   * @param hint - The end of the message.
   */
  static forMissingScopes(missing: readonly MissingScope[], hint = ''): QueryError {
    const claims = missing.map((entry) => `\`${entry.claim}\``).join(', ');
    const message = `The granted scopes do not cover ${claims}.${hint}`;
    return new this('insufficient_scope', message, [], 0, missing);
  }
}
