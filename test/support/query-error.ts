/** Returns the error of an invalid query. */
import { type CompileOptions, compile, QueryError } from '../../src/index.js';

/** @throws {Error} When the query is compiled all the same. */
export function queryErrorOf(query: unknown, options: CompileOptions = {}): QueryError {
  try {
    compile(query, options);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('the query should have been refused');
}
