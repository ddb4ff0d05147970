/** Why a query is not translated: what a dialect or a layout cannot hold is refused, and never approximated. */
import { joinProblems, type Problem, ProblemsError } from '../engine/problems.js';

/** Stable codes of the reasons. */
export type SqlProblemCode =
  /** Projections neither pass nor fail, so nobody satisfies them. */
  | 'projections'
  /** The dialect has no way to match the pattern that is surely RE2's. */
  | 'pattern'
  /** A text that databases do not hold: with U+0000, or half a surrogate pair. */
  | 'operand'
  /** The statement would be longer, or bind more values, than databases take. */
  | 'size'
  /** The layout does not say where the claim is, or reads of it what the dialect cannot. */
  | 'layout';

/** One reason, with its place in the query in canonical form. */
export type SqlProblem = Problem<SqlProblemCode>;

/** Thrown where a query cannot be translated with its meaning; `problems` has every reason. */
export class SqlTranslationError extends ProblemsError<SqlProblem> {
  override readonly name = 'SqlTranslationError';

  constructor(problems: readonly SqlProblem[]) {
    super(joinProblems(problems), problems);
  }
}

/** Thrown inside a translation, where it is not known which check is being translated. */
export class UnsupportedConstruct extends Error {
  override readonly name = 'UnsupportedConstruct';
  readonly code: SqlProblemCode;

  constructor(code: SqlProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}
