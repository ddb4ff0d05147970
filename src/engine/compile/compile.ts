/** Compiles queries: once, to run many times. Nothing else is called `compile` from outside. */
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

/** What a query is compiled against. */
export interface CompileOptions {
  /** Which scopes cover which claims (L20). The default catalogue where absent. */
  readonly catalogue?: ScopeCatalogue;
  /** Compiles the patterns of `matchRegex`. */
  readonly regex?: RegexEngine;
  /** Changes to the default limits (L7). */
  readonly limits?: Partial<QueryLimits>;
  /** How long an answer holds where no credential used expires, in seconds; 300 where absent (L22). */
  readonly resultLifetimeSeconds?: number;
}

/** For whom and when a query is evaluated. */
export interface EvaluateOptions {
  /** Instant of evaluation, epoch milliseconds: the one for which the claims are indexed. The engine has no clock. */
  readonly now: number;
  /** The scopes that the person granted. */
  readonly scopes: Iterable<string>;
}

/** For whom and when an answer is written. */
export interface EvaluateToJsonOptions extends EvaluateOptions {
  /** What evidence calls a credential, where that is not its id: each organisation may know it by a name of its own. */
  readonly credentialName?: (credentialId: string) => string;
}

/** A query whose claims are covered by what was granted. */
export interface CoveredQuery {
  /** As {@link CompiledQuery.evaluateToJson}, without checking the scopes again. */
  evaluateToJson(claims: ClaimSet, options: Omit<EvaluateToJsonOptions, 'scopes'>): string;
}

/** A query, ready to run. Immutable; safe to share between requests. */
export interface CompiledQuery {
  /** The query in canonical form. */
  readonly query: Query;
  /** The distinct claim paths that it reads, in order of first use. */
  readonly claims: readonly string[];

  /**
   * Checks that the granted scopes cover every claim of the query, without looking at any claim.
   *
   * @returns The query, to be answered for these scopes.
   * @throws {QueryError} `insufficient_scope`, with every claim that is not covered and the scopes that would (L20).
   */
  assertCovered(scopes: Iterable<string>): CoveredQuery;

  /**
   * Answers the query, with evidence. The same query, credentials, scopes and instant give byte-identical JSON (L24).
   *
   * @throws {QueryError} `insufficient_scope` before any claim is read (L20); `query_too_large` where matching its
   *   patterns on these claims would cost too much (S156).
   * @throws {RangeError} When `now` is not the instant for which the claims are indexed.
   */
  evaluate(claims: ClaimSet, options: EvaluateOptions): QueryResult;

  /**
   * The answer as JSON: byte for byte what `JSON.stringify(evaluate(claims, options))` gives, in a fraction of the time. Throws as
   * {@link evaluate} does.
   */
  evaluateToJson(claims: ClaimSet, options: EvaluateToJsonOptions): string;

  /**
   * Whether the predicate passes: the same as `evaluate().passed`, stopping as soon as it knows, without evidence (L21).
   *
   * It does not ask what was granted: call {@link assertCovered} first wherever the claims are another person's.
   *
   * @throws {QueryError} `query_too_large` as `evaluate` does.
   * @throws {TypeError} For projections: they neither pass nor fail.
   */
  test(claims: ClaimSet): boolean;
}

const DEFAULT_RESULT_LIFETIME_SECONDS = 300;

/**
 * Compiles a query: everything that can be decided without claims is decided here.
 *
 * @param query - Raw JSON, or what `parse` returned; the one compiles to the same as the other.
 * @throws {QueryError} `invalid_query` or `query_too_large`, with every problem and its place (L8).
 * @throws {TypeError} When the query matches a pattern and `options.regex` is absent.
 * @throws {RangeError} When a limit or the result lifetime is out of range.
 * @see L1–L25
 */
export function compile(query: unknown, options: CompileOptions = {}): CompiledQuery {
  const context = new ParseContext(options);
  return compileParsed(readQuery(query, context), context, options);
}

/** Compiles what was read with `reading`. Throws as {@link compile} does, but for what is wrong with the query. */
export function compileParsed(parsed: Query, context: ParseContext, options: CompileOptions): CompiledQuery {
  assertRegexEngine(context);
  const lifetime = resultLifetime(options.resultLifetimeSeconds);
  const catalogue = options.catalogue ?? defaultScopeCatalogue;
  if ('projections' in parsed) return compileProjections(parsed, catalogue, lifetime);
  return compilePredicate(parsed, context, catalogue, lifetime);
}

/** @throws {TypeError} When a query that was read matches a pattern, and there is no engine for it. */
export function assertRegexEngine({ regex, patterns }: ParseContext): void {
  if (regex === undefined && patterns.size > 0) {
    throw new TypeError('`matchRegex` needs a regular-expression engine; hand one in as `regex`');
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
  // Who only tests never pays for evidence, and who builds answers never for their texts.
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
      throw new TypeError('projections neither pass nor fail; `evaluate` answers them');
    },
  });
}

/** What a query does once its claims are known to be covered. */
interface Evaluation extends CoveredQuery, Pick<CompiledQuery, 'test'> {
  readonly evaluate: (claims: ClaimSet, now: number) => QueryResult;
}

/** Puts the scope gate before an evaluation. */
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
    throw new RangeError(`the claims are indexed for ${at}, not for ${now}; index them for that instant`);
  }
  guard?.(claims);
}

/** Makes something when it is first asked for. */
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
  throw new RangeError(`the result lifetime is a whole number of seconds, 1 or more: ${seconds}`);
}
