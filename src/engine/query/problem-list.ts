/** Collects the problems of a query, to report all of them at once (L8). */
import {
  type ClaimProblemCode,
  type FormProblemCode,
  type LimitProblemCode,
  MAX_COUNTED_PROBLEMS,
  MAX_REPORTED_PROBLEMS,
  QueryError,
  type QueryProblem,
} from '../errors.js';
import { suggestion } from '../names.js';
import { ProblemList } from '../problems.js';

/** The problems of a query. Beyond {@link MAX_REPORTED_PROBLEMS}, problems are only counted. */
export class QueryProblems extends ProblemList<QueryProblem> {
  /** Whether every problem so far is an exceeded limit. */
  onlyLimits = true;
  count = 0;

  override add(code: FormProblemCode | ClaimProblemCode, pointer: string, message: string): undefined {
    this.onlyLimits = false;
    super.add(code, pointer, message);
  }

  /**
   * Reports an exceeded limit (L7), such as "An operand must nest at most 16 deep, not 17."
   *
   * @param owner - The message before "at most": `An operand must nest`.
   * @param unit - The message after the limit: `deep, not 17`.
   */
  addLimit(code: LimitProblemCode, pointer: string, limit: number, owner: string, unit: string): undefined {
    this.push({ code, pointer, message: `${owner} at most ${limit} ${unit}.`, limit });
  }

  /** Reports a claim that is not among `claims`. @param required - Ends the message if no claim of `claims` has a similar name. */
  addUnknownClaim(
    pointer: string,
    fault: string,
    path: string,
    claims: readonly string[],
    required = '',
  ): undefined {
    // Suggestions take time, so there is none for a problem that is only counted.
    const hint = this.count < MAX_REPORTED_PROBLEMS ? suggestion(path, claims) || required : required;
    this.add('claim_unknown', pointer, `${fault} \`${path}\`.${hint}`);
  }

  /** @throws {QueryError} At the last problem that is counted ({@link MAX_COUNTED_PROBLEMS}). */
  protected override push(problem: QueryProblem): void {
    this.count += 1;
    if (this.reported.length < MAX_REPORTED_PROBLEMS) super.push(Object.freeze(problem));
    if (this.count === MAX_COUNTED_PROBLEMS) throw QueryError.forProblems(this);
  }
}
