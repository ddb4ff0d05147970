/** Returns the error of an invalid query. */
import { type CompileOptions, QueryError } from '../../src/index.js';
import { compile } from './with-re2js.js';

/** @throws {Error} If the query is valid. */
export function queryErrorOf(query: unknown, options: CompileOptions = {}): QueryError {
  try {
    compile(query, options);
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
  throw new Error('the query must be invalid');
}
