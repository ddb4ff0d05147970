/** Parsing that returns the problems of an invalid query instead of throwing them. */
import { QueryError, type QueryProblem } from '../errors.js';
import { parse } from './parse.js';
import type { ParseOptions } from './parse-context.js';
import type { Query } from './query.js';

/** The value of a call, or the problems that prevented it. */
export type SafeResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      /** At most 50 problems, each with its JSON Pointer. */
      readonly problems: readonly QueryProblem[];
      readonly error: QueryError;
    };

/**
 * Parses a query as {@link parse} does, and returns the problems of an invalid one instead of throwing them.
 *
 * @throws {TypeError | RangeError} For wrong options, as `parse` does.
 */
export function safeParse(query: unknown, options?: ParseOptions): SafeResult<Query> {
  return toSafeResult(() => parse(query, options));
}

/** Returns the value of a call, or the problems of the query that it rejects. Throws other errors. */
export function toSafeResult<Value>(call: () => Value): SafeResult<Value> {
  try {
    return { ok: true, value: call() };
  } catch (error) {
    if (error instanceof QueryError) return { ok: false, problems: error.problems, error };
    throw error;
  }
}
