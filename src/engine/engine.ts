/** Engines with fixed options, and calls that return problems instead of throwing them. */

import { isPlainObject } from '../util/is-plain-object.js';
import {
  BULK_OPTIONS,
  type BulkResult,
  type EvaluateManyInSlicesOptions,
  type EvaluateManyOptions,
  evaluateMany,
  evaluateManyInSlices,
} from './bulk/bulk-evaluation.js';
import type { ClaimColumns } from './bulk/claim-columns.js';
import { readCatalogueInCode } from './catalogue/read-catalogue.js';
import { createClaimChecker } from './checked-claims.js';
import { ClaimSet } from './claims/claim-set.js';
import { withOperandChecks } from './claims/claim-type.js';
import type { Credential } from './claims/credential.js';
import {
  type CompiledQuery,
  type CompileOptions,
  compile,
  compilePredicate,
  compileProjection,
  type EvaluateOptions,
  type Evaluation,
  type ResultOf,
  type UngatedOptions,
  type UngatedQuery,
} from './compile/compile.js';
import { assertName, quote } from './names.js';
import { assertOptions } from './options.js';
import { parse } from './query/parse.js';
import { QUERY_OPTIONS } from './query/parse-context.js';
import type { Query } from './query/query.js';
import { type SafeResult, safeParse, toSafeResult } from './query/safe-parse.js';
import { compileWith } from './regex-engine.js';
import type { PredicateResult, ProjectionResult, QueryResult } from './result.js';
import {
  type Catalogue,
  createScopeCatalogue,
  type ScopeCatalogue,
  toScopeDefinitions,
} from './scopes/catalogue.js';
import { assertObject, wrongType } from './value-types.js';

/**
 * Compiles a query as {@link compile} does, and returns the problems of an invalid one instead of throwing them.
 *
 * @throws {TypeError | RangeError} For wrong options, and for patterns without `regex`, as `compile` does.
 */
export function safeCompile<const Input>(
  query: Input,
  options: UngatedOptions,
): SafeResult<UngatedQuery<ResultOf<Input>>>;
export function safeCompile<const Input>(
  query: Input,
  options?: CompileOptions,
): SafeResult<CompiledQuery<ResultOf<Input>>>;
export function safeCompile(query: unknown, options?: CompileOptions): SafeResult<CompiledQuery> {
  return toSafeResult(() => compile(query, options));
}

/**
 * Evaluates one query on one person's credentials, once. For more than one evaluation, keep the results of `compile`
 * and `ClaimSet.at`.
 *
 * @param credentials - Credentials of one subject. Not modified.
 * @param options.now - Instant of evaluation, epoch milliseconds.
 * @param options.scopes - The scopes that the person granted.
 * @throws {QueryError} `invalid_query`, `query_too_large`, or `insufficient_scope` before any claim is read (L20).
 * @throws {RangeError} When a limit, the result lifetime or `now` is out of range, a limit does not exist, or the path of a
 *   claim is malformed.
 * @throws {TypeError} When an argument has another type, an option does not exist, or the query matches a pattern and `options.regex` is absent.
 * @see L1–L25
 */
export function evaluate<const Input>(
  query: Input,
  credentials: readonly Credential[],
  options: EvaluateOptions & CompileOptions & { readonly now: number },
): ResultOf<Input>;
export function evaluate(
  query: unknown,
  credentials: readonly Credential[],
  options: EvaluateOptions & CompileOptions & { readonly now: number },
): QueryResult {
  assertObject('`options`', options);
  const { now, scopes, ...others } = options;
  const compiled = compile(query, others);
  // Not `compiled.evaluate`, which reads the scopes again: an iterator can be read once. Every compiled query returns an evaluation here.
  const covered = compiled.assertCovered(scopes) as Evaluation<QueryResult>;
  return covered.evaluate(ClaimSet.at(credentials, now), now);
}

/** Options of {@link createEngine}. */
export interface EngineOptions extends Omit<CompileOptions, 'catalogue' | 'claims'> {
  /**
   * The scopes and claims of your catalogue, or its scopes alone as `createScopeCatalogue` returns them; the scopes of
   * the default catalogue where absent. With claims, the engine rejects queries on other claims, and `claims` of the
   * engine rejects other claims and values that do not fit their types. `'none'`: no scope is required.
   */
  readonly catalogue?: ScopeCatalogue | Pick<Catalogue, 'scopes' | 'claims'> | 'none';
  /** `'allow'`: queries, claim sets and columns may have claims that the catalogue does not list. Default: `'reject'`. */
  readonly unknownClaims?: 'reject' | 'allow';
}

const ENGINE_OPTIONS = [...QUERY_OPTIONS.filter((name) => name !== 'claims'), 'unknownClaims'];

/** An engine whose queries are compiled without a catalogue: no scope is required. */
export interface UngatedEngine extends Engine {
  compile<const Input>(query: Input): UngatedQuery<ResultOf<Input>>;
  compilePredicate(query: unknown): UngatedQuery<PredicateResult>;
  compileProjection(query: unknown): UngatedQuery<ProjectionResult>;
  safeCompile<const Input>(query: Input): SafeResult<UngatedQuery<ResultOf<Input>>>;
}

/**
 * The functions of this package with fixed options. Immutable; safe to share.
 *
 * The functions throw a `TypeError` for options that must be passed to {@link createEngine}.
 */
export interface Engine {
  parse(query: unknown): Query;
  safeParse(query: unknown): SafeResult<Query>;
  compile<const Input>(query: Input): CompiledQuery<ResultOf<Input>>;
  compilePredicate(query: unknown): CompiledQuery<PredicateResult>;
  compileProjection(query: unknown): CompiledQuery<ProjectionResult>;
  safeCompile<const Input>(query: Input): SafeResult<CompiledQuery<ResultOf<Input>>>;
  evaluateMany(
    query: unknown,
    columns: ClaimColumns,
    options?: EngineBulkOptions<EvaluateManyOptions>,
  ): BulkResult;
  evaluateManyInSlices(
    query: unknown,
    columns: ClaimColumns,
    options: EngineBulkOptions<EvaluateManyInSlicesOptions>,
  ): Promise<BulkResult>;
  /**
   * Asserts that columns fit the catalogue, where it lists claims: no unknown claims unless `unknownClaims` allows them,
   * and values of the types of their claims. Reads every value on the first call for the same columns, and nothing on
   * later calls. `evaluateMany` calls it.
   *
   * @throws {TypeError} For the first claim or value that does not fit.
   */
  assertColumns(columns: ClaimColumns): void;
  /**
   * Creates claim sets as `ClaimSet` does. Where the option `catalogue` lists claims, also rejects a claim that the
   * catalogue does not have, unless `unknownClaims` allows it, and a value that does not fit the claim's type: `at` with a {@link CredentialError}, `of` with a
   * {@link ClaimError}, which list every such claim with its pointer. The engine's queries then accept only these
   * claim sets.
   */
  readonly claims: Pick<typeof ClaimSet, 'at' | 'of'>;
}

/** The options of a bulk evaluation that an engine does not fix. */
type EngineBulkOptions<Options> = Omit<Options, keyof CompileOptions>;

/**
 * Creates an engine: the functions of this package with the same catalogue, regular-expression engine and limits.
 *
 * @throws {TypeError} When an option has another type or does not exist.
 * @throws {CatalogueError} When the catalogue is invalid, with every problem.
 * @throws {RangeError} When a limit or the result lifetime is out of range, or a limit does not exist.
 * @example
 * const engine = createEngine({ catalogue: 'none', regex: re2js });
 * engine.compile({ check: { claim: 'member.level', operator: '>=', value: 3 } }).test(ClaimSet.of({ 'member.level': 4 })) // true
 */
export function createEngine(options: EngineOptions & { readonly catalogue: 'none' }): UngatedEngine;
export function createEngine(options?: EngineOptions): Engine;
export function createEngine(engineOptions: EngineOptions = {}): Engine {
  assertOptions(engineOptions, ENGINE_OPTIONS);
  const { catalogue, unknownClaims = 'reject', ...others } = engineOptions;
  assertName('`unknownClaims`', ['reject', 'allow'], unknownClaims);
  // An explicit `undefined` is probably a catalogue that was not loaded: with the default one, claims would not be checked.
  if ('catalogue' in engineOptions && catalogue === undefined)
    throw wrongType('`catalogue`', "a catalogue, or `'none'`, where it is given", catalogue);
  const isListed = isPlainObject(catalogue) && ('claims' in catalogue || !('coveringScopes' in catalogue));
  const listed = isListed ? readCatalogueInCode(catalogue) : undefined;
  const scopes =
    listed === undefined
      ? (catalogue as ScopeCatalogue | 'none' | undefined)
      : createScopeCatalogue(toScopeDefinitions(listed.scopes, listed.claims));
  const unchecked: CompileOptions = scopes === undefined ? others : { ...others, catalogue: scopes };
  // Wrong options are reported here instead of by the first query, or the first pattern.
  compile({ check: { claim: 'engine.options', operator: 'isDefined' } }, unchecked);
  if (others.regex !== undefined) compileWith(others.regex, 'a');
  const claims = listed && withOperandChecks(listed.claims);
  const anyClaim = { path: '*', type: 'object' } as const;
  const readable = claims && unknownClaims === 'allow' ? [...claims, anyClaim] : claims;
  const options: CompileOptions = readable === undefined ? unchecked : { ...unchecked, claims: readable };
  /** Returns the options for a query. @param further - The arguments after the query, which must not be options. */
  const optionsFor = (further: readonly unknown[]): CompileOptions => {
    rejectOptions(further);
    return options;
  };
  const checker = listed === undefined ? undefined : createClaimChecker(listed.claims, unknownClaims);
  /** Makes compiled queries reject claims that were not checked against the catalogue. */
  const restrict = <Compiled extends CompiledQuery>(query: Compiled): Compiled =>
    checker === undefined ? query : checker.restrict(query);
  const assertColumns = (columns: ClaimColumns): void => {
    // Does not assert the class, so that workers accept columns of another copy of the package; `evaluateMany` does.
    if (!Array.isArray((columns as Partial<ClaimColumns> | null | undefined)?.paths))
      throw wrongType('`columns`', 'claim columns, created by `ClaimColumns.of` or a builder', columns);
    checker?.assertColumns(columns);
  };
  return Object.freeze<Engine>({
    parse: (query, ...further) => parse(query, optionsFor(further)),
    safeParse: (query, ...further) => safeParse(query, optionsFor(further)),
    compile: (query, ...further) => restrict(compile(query, optionsFor(further))),
    compilePredicate: (query, ...further) => restrict(compilePredicate(query, optionsFor(further))),
    compileProjection: (query, ...further) => restrict(compileProjection(query, optionsFor(further))),
    safeCompile: (query, ...further) => toSafeResult(() => restrict(compile(query, optionsFor(further)))),
    evaluateMany: (query, columns, bulk) => {
      assertOptions(bulk, BULK_OPTIONS);
      assertColumns(columns);
      return evaluateMany(query, columns, { ...bulk, ...options });
    },
    evaluateManyInSlices: async (query, columns, bulk) => {
      assertOptions(bulk, [...BULK_OPTIONS, 'pause']);
      assertColumns(columns);
      return await evaluateManyInSlices(query, columns, { ...bulk, ...options });
    },
    assertColumns,
    claims: checker?.claims ?? ClaimSet,
  });
}

/**
 * Rejects options of a call, which would have no effect. Other arguments are ignored: `queries.map(engine.compile)` passes
 * an index.
 *
 * @throws {TypeError} For the first option.
 */
function rejectOptions([options]: readonly unknown[]): void {
  const [name] = isPlainObject(options) ? Object.keys(options) : [];
  if (name !== undefined)
    throw new TypeError(
      `${quote(name)} is not an option of this function. Pass options to \`createEngine\`, and \`scopes\` and \`now\` to \`evaluate\`.`,
    );
}
