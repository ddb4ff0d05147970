/** Errors of translation: a construct that a dialect or a layout cannot express is rejected, never approximated. */
import { joinProblems, type Problem, ProblemsError } from '../engine/problems.js';

/** Stable problem codes of a translation. */
export type SqlProblemCode =
  /** The query has projections, which are not a condition on a person. */
  | 'projections'
  /** The dialect cannot match the pattern exactly as RE2 does. */
  | 'pattern'
  /** The operand does not fit the type or the range of the column, or the database cannot store or compare it, such as a string with U+0000. */
  | 'operand'
  /** The statement would exceed the length or the number of parameters that databases support. */
  | 'size'
  /** Prisma's filters cannot express the check. */
  | 'filter'
  /** The database does not store the claim, or its column has a type that the dialect cannot read or that contradicts the claim's type. */
  | 'layout';

/** One problem, with a JSON Pointer into the query in canonical form. */
export type SqlProblem = Problem<SqlProblemCode>;

/** Thrown when a query cannot be translated exactly; `problems` lists every reason. */
export class SqlTranslationError extends ProblemsError<SqlProblem, 'not_translatable'> {
  override readonly name = 'SqlTranslationError';

  constructor(problems: readonly SqlProblem[]) {
    super('not_translatable', joinProblems(problems), problems);
  }
}

/** Thrown inside a translation, where the pointer of the check is not known. */
export class UnsupportedConstruct extends Error {
  override readonly name = 'UnsupportedConstruct';
  readonly code: SqlProblemCode;

  constructor(code: SqlProblemCode, message: string) {
    super(message);
    this.code = code;
  }
}
