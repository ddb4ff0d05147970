/** Compiles queries, each once to run many times. */
import type { ClaimReference } from '../claims/claim-path.js';
import { assertClaimSet, ClaimSet } from '../claims/claim-set.js';
import { assertInstant } from '../claims/instant.js';
import { QueryError } from '../errors.js';
import { checkPredicate, evaluatePredicate, evaluateProjections } from '../evaluate.js';
import { assertOptions } from '../options.js';
import { readQuery } from '../query/parse.js';
import {
  ParseContext,
  type ParseOptions,
  type QueryLimits,
  type ReadableClaim,
} from '../query/parse-context.js';
import type { PolicyItem, Query } from '../query/query.js';
import type { RegexEngine } from '../regex-engine.js';
import type {
  CheckOutcome,
  PredicateResult,
  ProjectionResult,
  ProjectionResultOf,
  QueryResult,
} from '../result.js';
import type { ScopeCatalogue } from '../scopes/catalogue.js';
import { defaultScopeCatalogue } from '../scopes/default-scopes.js';
import { assertPositiveInteger, wrongType } from '../value-types.js';
import { type EvidencePlan, toEvidencePlan } from './evidence.js';
import { type MatchCostGuard, type ScopeGate, toMatchCostGuard, toScopeGate } from './guards.js';
import { type PlannedCheck, type Predicate, planItem, planProjections } from './plan.js';
import { toPredicate } from './predicate.js';
import { serializeResult } from './result-serializer.js';

/** Options of {@link compile}. */
export interface CompileOptions {
  /**
   * Which scopes cover which claims (L20). Defaults to the default catalogue. `'none'`: no scope is required, for
   * programs that decide elsewhere which claims may be read.
   */
  readonly catalogue?: ScopeCatalogue | 'none';
  /** The engine that compiles the patterns of `matchRegex`, such as `re2js`. Required by queries with patterns. */
  readonly regex?: RegexEngine;
  /** The claims that queries may read: see {@link ParseOptions.claims}. */
  readonly claims?: readonly ReadableClaim[];
  /** Changes to the default limits (L7). */
  readonly limits?: Partial<QueryLimits>;
  /** Lifetime, in seconds, of a result whose credentials do not expire; 300 by default (L22). */
  readonly resultLifetimeSeconds?: number;
}

/** Options of {@link CompiledQuery.evaluate}. */
export interface EvaluateOptions {
  /**
   * Instant of evaluation, epoch milliseconds. Defaults to the instant of the claim set, and must equal it if the claim
   * set has one. The engine has no clock.
   */
  readonly now?: number;
  /** The scopes that the person granted. */
  readonly scopes: Iterable<string>;
}

/** Options of {@link CompiledQuery.evaluateToJson}. */
export interface EvaluateToJsonOptions extends EvaluateOptions {
  /** Maps credential ids to the ids shown in evidence, such as ids that differ per organization. Defaults to the identity. */
  readonly credentialName?: (credentialId: string) => string;
}

/** A query whose claims the granted scopes cover. */
export interface CoveredQuery {
  /** As {@link CompiledQuery.evaluateToJson}, without checking the scopes again. */
  evaluateToJson(claims: ClaimSet, options?: Omit<EvaluateToJsonOptions, 'scopes'>): string;
}

/**
 * The type of a query's result, by the type of the query: {@link QueryResult} if that is not known, such as `unknown`.
 * For literal projections, `data` has the type of their claims; for others, each claim path is possible.
 */
export type ResultOf<Input> =
  IsUnchecked<Input> extends true
    ? QueryResult
    : [Input] extends [{ readonly projections: infer Projections }]
      ? ProjectionResultOf<PathOf<Projections>>
      : [Input] extends [{ readonly check: unknown } | { readonly policy: unknown }]
        ? PredicateResult
        : QueryResult;

/** Whether a type is `any` or `never`, the types of casts that disable type checking. */
type IsUnchecked<Input> = 0 extends 1 & Input ? true : [Input] extends [never] ? true : false;

/** The claims of a tuple of projections. For an array of unknown length, `string`: the array may lack some claims of its type. */
type PathOf<Projections> = Projections extends readonly { readonly claim: infer Path extends string }[]
  ? number extends Projections['length']
    ? string
    : Path
  : string;

/** The type of the argument of {@link CompiledQuery.test} and `check`: `never` for projections, which have no outcome. */
type TestedClaims<Result extends QueryResult> = [Result] extends [ProjectionResult] ? never : ClaimSet;

/** A compiled query. Immutable; safe to share between requests. */
export interface CompiledQuery<Result extends QueryResult = QueryResult> {
  /** The query in canonical form. */
  readonly query: Query;
  /** The distinct claim paths that the query reads, in order of first use. */
  readonly claims: readonly string[];

  /**
   * Asserts that the granted scopes cover every claim of the query, without reading any claim.
   *
   * @returns The query, for evaluation without another check of the scopes.
   * @throws {QueryError} `insufficient_scope`, with every claim that is not covered and the scopes that would cover
   *   it (L20).
   * @throws {TypeError} When `scopes` is not an iterable of strings; a string is not a list of scopes.
   */
  assertCovered(scopes: Iterable<string>): CoveredQuery;

  /**
   * Evaluates the query and returns the result with its evidence. Deterministic: the same query, credentials, scopes
   * and instant give byte-identical JSON (L24).
   *
   * @throws {QueryError} `insufficient_scope` before any claim is read (L20); `query_too_large` where matching the
   *   patterns on these claims would exceed the cost limit (S156).
   * @throws {RangeError} When `now` is out of range, or is not the instant of the claim set.
   * @throws {TypeError} When an argument has another type, or neither the claim set nor the options have an instant.
   */
  evaluate(claims: ClaimSet, options: EvaluateOptions): Result;

  /**
   * Evaluates the query to JSON text: byte for byte `JSON.stringify(evaluate(claims, options))`, apart from the ids that
   * `credentialName` replaces, in a fraction of the time. Throws as {@link evaluate} does.
   */
  evaluateToJson(claims: ClaimSet, options: EvaluateToJsonOptions): string;

  /**
   * Tests whether the predicate passes: the same as `evaluate().passed`, but stops as soon as the outcome is known
   * and creates no evidence (L21).
   *
   * Does not check scopes: call {@link assertCovered} first wherever reading the claims requires granted scopes. Ignores
   * further arguments, such as options, since checking them would cost time.
   *
   * @throws {QueryError} `query_too_large` as `evaluate` does.
   * @throws {TypeError} For projections, which have no outcome; when `claims` is not a claim set.
   */
  test(claims: TestedClaims<Result>): boolean;

  /**
   * Tests the predicate as {@link test} does, and returns the checks that made it fail. Does not check scopes either.
   *
   * The outcome is an object, which is always truthy: read its member `passed`. As a condition, use `test` instead:
   * `if (query.test(claims))`.
   *
   * @throws As {@link test} does.
   */
  check(claims: TestedClaims<Result>): CheckOutcome;
}

/** A query that was compiled without a catalogue: no scope is required. */
export interface UngatedQuery<Result extends QueryResult = QueryResult> extends CompiledQuery<Result> {
  evaluate(claims: ClaimSet, options?: Partial<EvaluateOptions>): Result;
  evaluateToJson(claims: ClaimSet, options?: Partial<EvaluateToJsonOptions>): string;
}

/** Options of {@link compile} for programs that decide elsewhere which claims may be read. */
export interface UngatedOptions extends CompileOptions {
  readonly catalogue: 'none';
}

/** Lifetime of a result whose credentials do not expire (L22). */
export const DEFAULT_RESULT_LIFETIME_SECONDS = 300;

/**
 * Compiles a query: validates it and prepares its checks once, for any number of evaluations.
 *
 * @param query - Raw JSON, or a query returned by `parse`; both compile to the same. The type of the result follows
 *   from the type of the query; see {@link compilePredicate} and {@link compileProjection} for unknown JSON.
 * @throws {QueryError} `invalid_query` or `query_too_large`, with every problem and its pointer (L8).
 * @throws {TypeError} When the query has a pattern (`matchRegex`) and `options.regex` is absent; when an option has another
 *   type or does not exist.
 * @throws {RangeError} When a limit or the result lifetime is out of range, or a limit does not exist.
 * @see L1–L25
 * @example
 * const adult = compile({ check: { claim: 'identity.age', operator: '>=', value: 18 } });
 * const claims = ClaimSet.at([{ id: 'c1', source: 'registry', issuedAt: 0, claims: { 'identity.age': 34 } }], 1000);
 * adult.test(claims) // true
 */
export function compile<const Input>(query: Input, options: UngatedOptions): UngatedQuery<ResultOf<Input>>;
export function compile<const Input>(query: Input, options?: CompileOptions): CompiledQuery<ResultOf<Input>>;
export function compile(query: unknown, options: CompileOptions = {}): CompiledQuery {
  const context = new ParseContext(options);
  return compileParsed(readQuery(query, context), context, options);
}

/**
 * Compiles a check or a policy of unknown JSON, such as a file or a request.
 *
 * @throws {QueryError} `invalid_query` for projections. Otherwise throws as {@link compile} does.
 */
export function compilePredicate(query: unknown, options: UngatedOptions): UngatedQuery<PredicateResult>;
export function compilePredicate(query: unknown, options?: CompileOptions): CompiledQuery<PredicateResult>;
export function compilePredicate(
  query: unknown,
  options: CompileOptions = {},
): CompiledQuery<PredicateResult> {
  const context = new ParseContext(options);
  return compileItem(readPredicate(query, context), context, options);
}

/** Parses a check or a policy. @throws {QueryError} As {@link compilePredicate} does. */
export function readPredicate(query: unknown, context: ParseContext): PolicyItem {
  const parsed = readQuery(query, context);
  if (!('projections' in parsed)) return parsed;
  context.problems.add('form_missing', '', 'The query must be a check or a policy, not projections.');
  throw QueryError.forProblems(context.problems);
}

/**
 * Compiles projections of unknown JSON.
 *
 * @throws {QueryError} `invalid_query` for a check or a policy. Otherwise throws as {@link compile} does.
 */
export function compileProjection(query: unknown, options: UngatedOptions): UngatedQuery<ProjectionResult>;
export function compileProjection(query: unknown, options?: CompileOptions): CompiledQuery<ProjectionResult>;
export function compileProjection(
  query: unknown,
  options: CompileOptions = {},
): CompiledQuery<ProjectionResult> {
  const context = new ParseContext(options);
  const parsed = readQuery(query, context);
  if ('projections' in parsed) return compileProjections(parsed, options);
  context.problems.add('form_missing', '', 'The query must be projections, not a check or a policy.');
  throw QueryError.forProblems(context.problems);
}

/** Compiles a parsed query with its parse context. Throws as {@link compile} does, except for problems of the query. */
export function compileParsed(parsed: Query, context: ParseContext, options: CompileOptions): CompiledQuery {
  return 'projections' in parsed
    ? compileProjections(parsed, options)
    : compileItem(parsed, context, options);
}

/** Asserts that a query with patterns has an engine. @throws {TypeError} When the query has patterns, and `regex` is absent. */
export function assertEngineForPatterns({ regex, patterns }: ParseContext): void {
  if (regex === undefined && patterns.size > 0) {
    throw new TypeError(
      "`matchRegex` requires a regular-expression engine: import { re2js } from 'proviso', and pass it as the option `regex`",
    );
  }
}

function compileItem(
  query: PolicyItem,
  context: ParseContext,
  options: CompileOptions,
): CompiledQuery<PredicateResult> {
  assertEngineForPatterns(context);
  const lifetime = resultLifetime(options.resultLifetimeSeconds);
  const checks: PlannedCheck[] = [];
  const predicate = toPredicate(planItem(query, context.patterns, checks));
  const guard = toMatchCostGuard(checks, context);
  // Most queries have no patterns, and an empty map takes memory too.
  const patterns = guard && context.patterns;
  let plan: EvidencePlan | undefined;
  /** Created on first use: `test` does not need it. */
  const evidence = () => {
    plan ??= toEvidencePlan(query, patterns);
    return plan;
  };
  return toCompiledQuery(
    query,
    checks,
    options.catalogue,
    guard === undefined ? predicate : guarded(predicate, guard),
    {
      evaluateToJson: (claimSet, options) => {
        assertOptions(options);
        const claims = claimsAt(claimSet, options?.now, guard);
        return serializeResult(evidence(), claims, lifetime, options?.credentialName);
      },
      evaluate: (claimSet, now) => evaluatePredicate(evidence(), claimsAt(claimSet, now, guard), lifetime),
      check: (claims) => {
        assertClaimSet(claims);
        guard?.(claims);
        return checkPredicate(query, evidence(), claims);
      },
    },
  );
}

function compileProjections(
  query: Extract<Query, { projections: unknown }>,
  options: CompileOptions,
): CompiledQuery<ProjectionResult> {
  const lifetime = resultLifetime(options.resultLifetimeSeconds);
  const projections = planProjections(query.projections);
  const evaluate = (claimSet: ClaimSet, now: number | undefined) =>
    evaluateProjections(projections, claimsAt(claimSet, now), lifetime);
  const rejectTest = (): never => {
    throw new TypeError('`test` and `check` require a check or a policy; use `evaluate` for projections');
  };
  return toCompiledQuery(query, projections, options.catalogue, rejectTest, {
    evaluateToJson: (claimSet, options) => {
      assertOptions(options);
      return JSON.stringify(evaluate(claimSet, options?.now));
    },
    evaluate,
    check: rejectTest,
  });
}

/** The evaluation of a query after its scopes were checked; {@link CompiledQuery.assertCovered} returns it. */
export interface Evaluation<Result extends QueryResult> extends CoveredQuery, Pick<CompiledQuery, 'check'> {
  readonly evaluate: (claims: ClaimSet, now: number | undefined) => Result;
}

/** Combines an evaluation with the scope gate. */
function toCompiledQuery<Result extends QueryResult>(
  query: Query,
  readers: readonly { readonly claim: ClaimReference }[],
  catalogue: CompileOptions['catalogue'],
  test: Predicate,
  evaluation: Evaluation<Result>,
): UngatedQuery<Result> {
  const claims = Object.freeze([...new Set(readers.map(({ claim }) => claim.path))]);
  const gate = toGate(claims, catalogue);
  return Object.freeze({
    query,
    claims,
    assertCovered: (scopes: Iterable<string>) => {
      gate?.(scopes);
      return evaluation;
    },
    evaluate: (claimSet: ClaimSet, options?: Partial<EvaluateOptions>) => {
      // A gate rejects options without scopes.
      if (gate === undefined) assertOptions(options);
      else gate(options?.scopes);
      return evaluation.evaluate(claimSet, options?.now);
    },
    evaluateToJson: (claimSet: ClaimSet, options?: Partial<EvaluateToJsonOptions>) => {
      gate?.(options?.scopes);
      return evaluation.evaluateToJson(claimSet, options);
    },
    test,
    check: evaluation.check,
  });
}

function toGate(
  claims: readonly string[],
  catalogue: ScopeCatalogue | 'none' = defaultScopeCatalogue,
): ScopeGate | undefined {
  if (catalogue === 'none') return undefined;
  assertScopeCatalogue(catalogue);
  return toScopeGate(claims, catalogue);
}

/**
 * Asserts that a value is a scope catalogue.
 *
 * @throws {TypeError} For any other value. The message names the function that accepts a catalogue of scopes and claims.
 */
export function assertScopeCatalogue(catalogue: unknown): asserts catalogue is ScopeCatalogue {
  if (typeof (catalogue as Partial<ScopeCatalogue> | null | undefined)?.coveringScopes === 'function') return;
  const required = "a scope catalogue, created by `createScopeCatalogue`, or `'none'`";
  const hint =
    'Pass a catalogue of scopes and claims, which `parseCatalogue` reads from JSON, to `createEngine`.';
  throw new TypeError(`${wrongType('`catalogue`', required, catalogue).message}. ${hint}`);
}

/**
 * Returns the claims at the instant of evaluation, and asserts that matching patterns on them stays within the limit.
 *
 * @param now - Absent for the instant of the claim set.
 */
function claimsAt(claims: ClaimSet, now: number | undefined, guard?: MatchCostGuard): ClaimSet {
  assertClaimSet(claims);
  guard?.(claims);
  const { at } = claims.metadata;
  if (at === now) return claims;
  if (now === undefined) {
    if (Number.isNaN(at)) throw new TypeError('`now` is required, since the claim set has no instant');
    return claims;
  }
  assertInstant(now);
  const moved = Number.isNaN(at) ? ClaimSet.move(claims, now) : undefined;
  if (moved !== undefined) return moved;
  throw new RangeError(`\`now\` must be the instant of the claim set, ${at} (got ${now})`);
}

function guarded(predicate: Predicate, guard: MatchCostGuard): Predicate {
  return (claims) => {
    assertClaimSet(claims);
    guard(claims);
    return predicate(claims);
  };
}

/** Returns the lifetime of a result in seconds. @throws {TypeError | RangeError} For anything but a whole number of 1 or more. */
export function resultLifetime(seconds: number = DEFAULT_RESULT_LIFETIME_SECONDS): number {
  assertPositiveInteger('`resultLifetimeSeconds`', seconds);
  return seconds;
}
