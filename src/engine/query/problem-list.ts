/** Collects the problems of a query, so that all are reported at once, and suggests the nearest spelling (L8). */
import {
  type FormProblemCode,
  type LimitProblemCode,
  MAX_COUNTED_PROBLEMS,
  MAX_REPORTED_PROBLEMS,
  QueryError,
  type QueryProblem,
} from '../errors.js';
import { ProblemList } from '../problems.js';

/** Longer texts are cut in messages, so that a small query cannot cause a large answer (S153). */
const MAX_QUOTED_CODE_UNITS = 64;

/** The problems of a query; those past the reported ones are counted only. */
export class QueryProblems extends ProblemList<QueryProblem> {
  /** Whether nothing but limits stands against the query. */
  onlyLimits = true;
  count = 0;

  override add(code: FormProblemCode, pointer: string, message: string): undefined {
    this.onlyLimits = false;
    super.add(code, pointer, message);
  }

  /**
   * Notes that the query is larger than a limit at a place (L7): `An operand nests` at most 16 `deep`.
   *
   * @param owner - Whose limit it is, and the verb.
   * @param unit - What it is counted in, and what else there is to say.
   */
  addLimit(code: LimitProblemCode, pointer: string, limit: number, owner: string, unit: string): undefined {
    this.push({ code, pointer, message: `${owner} at most ${limit} ${unit}.`, limit });
  }

  /** Finds the name that a misspelt one most likely means, for a problem that is still going to be reported. */
  suggest<Name extends string>(name: string, candidates: readonly Name[]): Name | undefined {
    return this.count < MAX_REPORTED_PROBLEMS ? didYouMean(name, candidates) : undefined;
  }

  /** @throws {QueryError} At the last problem that is counted. */
  protected override push(problem: QueryProblem): void {
    this.count += 1;
    if (this.reported.length < MAX_REPORTED_PROBLEMS) super.push(Object.freeze(problem));
    if (this.count === MAX_COUNTED_PROBLEMS) throw QueryError.forProblems(this);
  }
}

/** A caller's text as it stands in a message: in backticks, cut where it is long. */
export function quote(text: string): string {
  return text.length > MAX_QUOTED_CODE_UNITS ? `\`${text.slice(0, MAX_QUOTED_CODE_UNITS)}…\`` : `\`${text}\``;
}

/** Two names or more, joined for a message: `a`, `b` or `c`. */
export function alternatives(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  return `${quoted.slice(0, -1).join(', ')} or ${quoted.slice(-1).join()}`;
}

/** What a value is, for a message: `a string`, `null`, `an array`. */
export function describeType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

/** Longer names are not compared: nobody misspells one of ours that long, and the work stays bounded. */
const MAX_COMPARED_CODE_UNITS = 32;

/**
 * The candidate that a misspelt name most likely stands for: the same letters in another case, or the one with the
 * fewest edits, at most a third of the name's length.
 *
 * @param candidates - A symbol among them, such as `==`, is all content: one edit away is another operator.
 * @returns `undefined` where none is near. Never throws.
 */
export function didYouMean<Name extends string>(name: string, candidates: readonly Name[]): Name | undefined {
  if (name.length > MAX_COMPARED_CODE_UNITS) return undefined;
  const folded = name.trim().toLowerCase();
  const allowed = Math.max(1, Math.floor(folded.length / 3));
  let [nearest, fewest]: [Name | undefined, number] = [undefined, allowed + 1];
  for (const candidate of candidates) {
    const most = /[a-z]/i.test(candidate) ? Math.min(allowed, fewest - 1) : 0;
    // A difference in length is a distance as well, and a cheap one.
    if (Math.abs(candidate.length - folded.length) > most) continue;
    const distance = editDistance(folded, candidate.toLowerCase());
    if (distance <= most) [nearest, fewest] = [candidate, distance];
  }
  return nearest;
}

/** Insertions, deletions and substitutions that turn one text into the other (Levenshtein). */
function editDistance(from: string, to: string): number {
  // The distances of what was read of `from` to each beginning of `to`.
  const distances = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const letter of from) {
    let replaced = distances[0] as number;
    distances[0] = replaced + 1;
    for (const [index, other] of [...to].entries()) {
      const kept = replaced + (letter === other ? 0 : 1);
      replaced = distances[index + 1] as number;
      distances[index + 1] = Math.min(kept, replaced + 1, (distances[index] as number) + 1);
    }
  }
  return distances[to.length] as number;
}
