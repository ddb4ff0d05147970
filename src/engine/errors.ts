/** What is wrong with a query, told all at once and by place (L8). */
import { type Problem, ProblemsError } from './problems.js';

/** Why a query was refused: it is not one, it is larger than a limit (L7), or it reads what was not granted (L20). */
export type QueryErrorCode = 'invalid_query' | 'query_too_large' | 'insufficient_scope';

/** Stable codes of the problems that make a query no query. */
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

/** Stable codes of the limits of L7, one each. */
export const LIMIT_PROBLEM_CODES = [
  'limit_depth',
  'limit_checks',
  'limit_projections',
  'limit_members',
  'limit_list_entries',
  'limit_operand_depth',
  'limit_string',
  'limit_pattern',
  'limit_patterns',
  'limit_pattern_program',
  'limit_pattern_work',
  'limit_path_segments',
  'limit_path_length',
  'limit_match_cost',
] as const;

export type FormProblemCode = (typeof FORM_PROBLEM_CODES)[number];
export type LimitProblemCode = (typeof LIMIT_PROBLEM_CODES)[number];

/** One fault of a query, and what would be right. */
export interface QueryProblem extends Problem<FormProblemCode | LimitProblemCode> {
  /** The limit's value, for the `limit_…` codes. */
  readonly limit?: number;
}

/** A claim that the granted scopes do not cover, and the scopes of which any one would (none where no scope does). */
export interface MissingScope {
  readonly claim: string;
  readonly scopes: readonly string[];
}

/** Problems beyond these are counted and not listed, so that a small query cannot cause a large answer (S153). */
export const MAX_REPORTED_PROBLEMS = 50;

/** Reading a query ends at this many problems, so that a refusal stays cheap. */
export const MAX_COUNTED_PROBLEMS = 1_000;

/**
 * Thrown where a query is refused whole. `code` says why; compare by it and by the problems' codes, not by message. At most
 * {@link MAX_REPORTED_PROBLEMS} problems are listed, none for `insufficient_scope`.
 *
 * @see L7, L8, L20
 */
export class QueryError extends ProblemsError<QueryProblem> {
  override readonly name = 'QueryError';
  readonly code: QueryErrorCode;
  /** How many problems were found: at most 1,000, where reading ends. */
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
    super(message, problems);
    this.code = code;
    this.problemCount = problemCount;
    this.missing = missing;
  }

  /** Refuses a query for its problems, of which there is at least one; `query_too_large` where all are limits (L7). */
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
    const more = count > 1 ? ` There are ${count - 1} more problems.` : '';
    const code = onlyLimits ? 'query_too_large' : 'invalid_query';
    return new QueryError(code, message + place + more, reported, count, []);
  }

  /** Refuses a query for the scopes that it would need (L20). */
  static forMissingScopes(missing: readonly MissingScope[]): QueryError {
    const claims = missing.map((entry) => `\`${entry.claim}\``).join(', ');
    return new QueryError('insufficient_scope', `The granted scopes do not cover ${claims}.`, [], 0, missing);
  }
}
