/**
 * Proviso's engine, ready to use: the language, its evaluator, and re2js for its patterns.
 *
 * Loads no HTTP, SQL or cryptography.
 */
import {
  type BulkResult,
  type ClaimColumns,
  ClaimSet,
  type CompiledQuery,
  type CompileOptions,
  type Credential,
  compile as compileWith,
  type EvaluateManyInSlicesOptions,
  type EvaluateManyOptions,
  type EvaluateOptions,
  evaluateManyInSlices as evaluateManyInSlicesWith,
  evaluateMany as evaluateManyWith,
  type ParseOptions,
  parse as parseWith,
  type Query,
  type QueryResult,
} from './engine/index.js';
import { re2js } from './regex/re2js.js';

export * from './engine/index.js';
export { re2js };

/**
 * Reads a query into its canonical form, frozen; broken patterns are told as well.
 *
 * @throws {QueryError} `invalid_query` or `query_too_large`, with every problem and its place (L8).
 * @throws {RangeError} When a limit itself is out of range.
 * @see L1–L8
 */
export function parse(query: unknown, options: ParseOptions = {}): Query {
  return parseWith(query, { regex: re2js, ...options });
}

/**
 * Compiles a query, once, to run many times; `matchRegex` runs on re2js unless `options.regex` is another engine.
 *
 * @param query - Raw JSON, or what `parse` returned.
 * @throws {QueryError} `invalid_query` or `query_too_large`, with every problem and its place (L8).
 * @throws {RangeError} When a limit or the result lifetime is out of range.
 * @see L1–L25
 * @example
 * const adult = compile({ check: { claim: 'identity.age', operator: '>=', value: 18 } });
 * const claims = ClaimSet.at([{ id: 'c1', source: 'registry', issuedAt: 0, claims: { 'identity.age': 34 } }], 1000);
 * adult.test(claims) // true
 */
export function compile(query: unknown, options: CompileOptions = {}): CompiledQuery {
  return compileWith(query, { regex: re2js, ...options });
}

/**
 * Answers one query about one person, once: compiles, indexes, evaluates. For more than one, keep what `compile` and
 * `ClaimSet.at` return.
 *
 * @param credentials - Credentials of one subject. Not modified.
 * @param options.now - Instant of evaluation, epoch milliseconds.
 * @param options.scopes - The scopes that the person granted.
 * @throws {QueryError} `invalid_query`, `query_too_large`, or `insufficient_scope` before any claim is read (L20).
 * @throws {RangeError} When a limit, the result lifetime or `now` is out of range.
 * @see L1–L25
 */
export function evaluate(
  query: unknown,
  credentials: readonly Credential[],
  options: EvaluateOptions & CompileOptions,
): QueryResult {
  const compiled = compile(query, options);
  compiled.assertCovered(options.scopes);
  return compiled.evaluate(ClaimSet.at(credentials, options.now), options);
}

/**
 * Answers a check or a policy for many subjects at once: for each the same as `compile(query).test(claims)`. Does not
 * ask what was granted.
 *
 * @param query - Raw JSON, or what `parse` returned.
 * @throws {QueryError} `invalid_query` or `query_too_large`, the latter also where matching patterns on one of the
 *   subjects would cost too much (S156).
 * @throws {TypeError} For projections: they neither pass nor fail.
 * @throws {RangeError} When a limit or `sliceRows` is out of range.
 * @see V14
 * @example
 * const columns = ClaimColumns.of({ 'identity.age': Float64Array.of(34, 17, 52) });
 * evaluateMany({ check: { claim: 'identity.age', operator: '>=', value: 18 } }, columns).count // 2
 */
export function evaluateMany(
  query: unknown,
  columns: ClaimColumns,
  options: EvaluateManyOptions = {},
): BulkResult {
  return evaluateManyWith(query, columns, { regex: re2js, ...options });
}

/**
 * Does what {@link evaluateMany} does, and pauses after each slice, so that a server goes on answering meanwhile.
 *
 * @see V14
 */
export function evaluateManyInSlices(
  query: unknown,
  columns: ClaimColumns,
  options: EvaluateManyInSlicesOptions,
): Promise<BulkResult> {
  return evaluateManyInSlicesWith(query, columns, { regex: re2js, ...options });
}
