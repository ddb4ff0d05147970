/** Functions of the package, with re2js as the engine for patterns unless a test passes another one. */
import {
  type BulkResult,
  type ClaimColumns,
  type CompiledQuery,
  type CompileOptions,
  type Credential,
  compile as compileQuery,
  type EvaluateManyInSlicesOptions,
  type EvaluateManyOptions,
  type EvaluateOptions,
  evaluateMany as evaluateManySubjects,
  evaluateManyInSlices as evaluateManySubjectsInSlices,
  evaluate as evaluateQuery,
  type ParseOptions,
  parse as parseQuery,
  type Query,
  type ResultOf,
  re2js,
} from '../../src/index.js';

export function parse(query: unknown, options: ParseOptions = {}): Query {
  return parseQuery(query, { regex: re2js, ...options });
}

export function compile<const Input>(
  query: Input,
  options: CompileOptions = {},
): CompiledQuery<ResultOf<Input>> {
  return compileQuery(query, { regex: re2js, ...options });
}

export function evaluate<const Input>(
  query: Input,
  credentials: readonly Credential[],
  options: EvaluateOptions & CompileOptions & { readonly now: number },
): ResultOf<Input> {
  return evaluateQuery(query, credentials, { regex: re2js, ...options });
}

export function evaluateMany(
  query: unknown,
  columns: ClaimColumns,
  options: EvaluateManyOptions = {},
): BulkResult {
  return evaluateManySubjects(query, columns, { regex: re2js, ...options });
}

export function evaluateManyInSlices(
  query: unknown,
  columns: ClaimColumns,
  options: EvaluateManyInSlicesOptions,
): Promise<BulkResult> {
  return evaluateManySubjectsInSlices(query, columns, { regex: re2js, ...options });
}
