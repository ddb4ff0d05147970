/** Compiles queries, each once to run many times. The only module with a public `compile`. */
import type { ClaimSet } from '../claims/claim-set.js';
import { evaluatePredicate, evaluateProjections, writeExpiry } from '../evaluate.js';
import { readQuery } from '../query/parse.js';
import { ParseContext, type QueryLimits } from '../query/parse-context.js';
import type { PolicyItem, Query } from '../query/query.js';
import type { RegexEngine } from '../regex-engine.js';
import type { QueryResult } from '../result.js';
import type { ScopeCatalogue } from '../scopes/catalogue.js';
import { defaultScopeCatalogue } from '../scopes/default-scopes.js';
import { toEvidencePlan } from './evidence.js';
import { type MatchCostGuard, type ScopeGate, toMatchCostGuard, toScopeGate } from './guards.js';
import { type PlannedCheck, type Predicate, planItem, planProjections } from './plan.js';
import { toPredicate } from './predicate.js';
import { createResultSerializer } from './result-serializer.js';

/** Options of {@link compile}. */
export interface CompileOptions {
  /** Which scopes cover which claims (L20). Defaults to the default catalogue. */
  readonly catalogue?: ScopeCatalogue;
  /** Compiles the patterns of `matchRegex`. */
  readonly regex?: RegexEngine;
  /** Changes to the default limits (L7). */
  readonly limits?: Partial<QueryLimits>;
  /** Lifetime of a result in which no credential expires, in seconds; 300 by default (L22). */
  readonly resultLifetimeSeconds?: number;
}

/** Options of {@link CompiledQuery.evaluate}. */
export interface EvaluateOptions {
  /** Instant of evaluation, epoch milliseconds; must be the instant of the claim set. The engine has no clock. */
  readonly now: number;
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
  evaluateToJson(claims: ClaimSet, options: Omit<EvaluateToJsonOptions, 'scopes'>): string;
}

/** A compiled query. Immutable; safe to share between requests. */
export interface CompiledQuery {
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
   */
  assertCovered(scopes: Iterable<string>): CoveredQuery;

  /**
   * Evaluates the query and returns the result with its evidence. Deterministic: the same query, credentials, scopes
   * and instant give byte-identical JSON (L24).
   *
   * @throws {QueryError} `insufficient_scope` before any claim is read (L20); `query_too_large` where matching the
   *   patterns on these claims would exceed the cost limit (S156).
   * @throws {RangeError} When `now` is not the instant of the claim set.
   */
  evaluate(claims: ClaimSet, options: EvaluateOptions): QueryResult;

  /**
   * Evaluates the query to JSON text: byte for byte `JSON.stringify(evaluate(claims, options))`, in a fraction of
   * the time. Throws as {@link evaluate} does.
   */
  evaluateToJson(claims: ClaimSet, options: EvaluateToJsonOptions): string;

  /**
   * Tests whether the predicate passes: the same as `evaluate().passed`, but stops as soon as the outcome is known
   * and creates no evidence (L21).
   *
   * Does not check scopes: call {@link assertCovered} first wherever the claims are another person's.
   *
   * @throws {QueryError} `query_too_large` as `evaluate` does.
   * @throws {TypeError} For projections, which have no outcome.
   */
  test(claims: ClaimSet): boolean;
}

const DEFAULT_RESULT_LIFETIME_SECONDS = 300;

/**
 * Compiles a query. All work that does not depend on claims is done here.
 *
 * @param query - Raw JSON, or a query returned by `parse`; both compile to the same.
 * @throws {QueryError} `invalid_query` or `query_too_large`, with every problem and its pointer (L8).
 * @throws {TypeError} When the query matches a pattern and `options.regex` is absent.
 * @throws {RangeError} When a limit or the result lifetime is out of range.
 * @see L1–L25
 */
export function compile(query: unknown, options: CompileOptions = {}): CompiledQuery {
  const context = new ParseContext(options);
  return compileParsed(readQuery(query, context), context, options);
}

/** Compiles a parsed query with its parse context. Throws as {@link compile} does, except for problems of the query. */
export function compileParsed(parsed: Query, context: ParseContext, options: CompileOptions): CompiledQuery {
  assertRegexEngine(context);
  const lifetime = resultLifetime(options.resultLifetimeSeconds);
  const catalogue = options.catalogue ?? defaultScopeCatalogue;
  if ('projections' in parsed) return compileProjections(parsed, catalogue, lifetime);
  return compilePredicate(parsed, context, catalogue, lifetime);
}

/** Asserts that patterns of a parsed query have an engine. @throws {TypeError} When `regex` is absent. */
export function assertRegexEngine({ regex, patterns }: ParseContext): void {
  if (regex === undefined && patterns.size > 0) {
    throw new TypeError('`matchRegex` requires a regular-expression engine; pass one as the option `regex`');
  }
}

function compilePredicate(
  query: PolicyItem,
  context: ParseContext,
  catalogue: ScopeCatalogue,
  resultLifetimeSeconds: number,
): CompiledQuery {
  const checks: PlannedCheck[] = [];
  const item = planItem(query, context, checks);
  const claims = distinct(checks.map((check) => check.claim.path));
  const gate = toScopeGate(claims, catalogue);
  const guard = toMatchCostGuard(checks, context.limits.matchCost);
  const predicate = toPredicate(item);
  // Created on first use: `test` needs neither, and `evaluate` no serializer.
  const evidence = once(() => toEvidencePlan(item, checks));
  const serializer = once(() => createResultSerializer(evidence()));
  return toCompiledQuery(query, claims, gate, {
    evaluateToJson: (claimSet, { now, credentialName }) => {
      assertReady(claimSet, now, guard);
      return serializer()(
        claimSet,
        (earliest) => writeExpiry(earliest, claimSet, resultLifetimeSeconds),
        credentialName,
      );
    },
    evaluate: (claimSet, now) => {
      assertReady(claimSet, now, guard);
      return evaluatePredicate(evidence(), claimSet, resultLifetimeSeconds);
    },
    test: guard === undefined ? predicate : guarded(predicate, guard),
  });
}

function compileProjections(
  query: Extract<Query, { projections: unknown }>,
  catalogue: ScopeCatalogue,
  resultLifetimeSeconds: number,
): CompiledQuery {
  const projections = planProjections(query.projections);
  const claims = distinct(projections.map((projection) => projection.claim.path));
  const gate = toScopeGate(claims, catalogue);
  const evaluate = (claimSet: ClaimSet, now: number) => {
    assertReady(claimSet, now, undefined);
    return evaluateProjections(projections, claimSet, resultLifetimeSeconds);
  };
  return toCompiledQuery(query, claims, gate, {
    evaluateToJson: (claimSet, { now }) => JSON.stringify(evaluate(claimSet, now)),
    evaluate,
    test: () => {
      throw new TypeError('`test` requires a check or a policy; use `evaluate` for projections');
    },
  });
}

/** The evaluation of a query after its scopes were checked. */
interface Evaluation extends CoveredQuery, Pick<CompiledQuery, 'test'> {
  readonly evaluate: (claims: ClaimSet, now: number) => QueryResult;
}

/** Combines an evaluation with the scope gate. */
function toCompiledQuery(
  query: Query,
  claims: readonly string[],
  gate: ScopeGate,
  evaluation: Evaluation,
): CompiledQuery {
  return Object.freeze({
    query,
    claims,
    assertCovered: (scopes: Iterable<string>) => {
      gate(scopes);
      return evaluation;
    },
    evaluate: (claimSet: ClaimSet, { now, scopes }: EvaluateOptions) => {
      gate(scopes);
      return evaluation.evaluate(claimSet, now);
    },
    evaluateToJson: (claimSet: ClaimSet, options: EvaluateToJsonOptions) => {
      gate(options.scopes);
      return evaluation.evaluateToJson(claimSet, options);
    },
    test: evaluation.test,
  });
}

function assertReady(claims: ClaimSet, now: number, guard: MatchCostGuard | undefined): void {
  const { at } = claims.metadata;
  if (at !== now) {
    throw new RangeError(`\`now\` must be the instant of the claim set, ${at} (got ${now})`);
  }
  guard?.(claims);
}

/** Creates a value on first use. */
function once<Made>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function guarded(predicate: Predicate, guard: MatchCostGuard): Predicate {
  return (claims) => {
    guard(claims);
    return predicate(claims);
  };
}

function distinct(paths: readonly string[]): readonly string[] {
  return Object.freeze([...new Set(paths)]);
}

function resultLifetime(seconds: number = DEFAULT_RESULT_LIFETIME_SECONDS): number {
  if (Number.isSafeInteger(seconds) && seconds > 0) return seconds;
  throw new RangeError(`\`resultLifetimeSeconds\` must be a whole number of 1 or more (got ${seconds})`);
}
