/** Evaluates granted conditions, and queries with less than full evidence, to results that contain no values of claims (S295–S297, S342). */
import {
  compileParsed,
  DEFAULT_RESULT_LIFETIME_SECONDS,
  readPredicate,
} from '../../engine/compile/compile.js';
import {
  type ClaimSet,
  type CompiledQuery,
  canonicalText,
  DEFAULT_QUERY_LIMITS,
  formatInstant,
  type PredicateResult,
} from '../../engine/index.js';
import { ParseContext } from '../../engine/query/parse-context.js';
import { MS_PER_SECOND } from '../../util/time.js';
import type { ConditionRules } from '../conditions/authorization-details.js';
import type { Condition } from '../conditions/condition.js';
import { patternCostFault } from '../conditions/pattern-cost.js';
import { ServiceError } from '../errors.js';
import { NO_EVIDENCE, reduceEvidence } from './evidence-level.js';

/** Evaluates checks and policies so that the result depends only on the outcomes of the checks and on the instant. */
export interface ConditionEvaluator {
  /**
   * Asserts that the patterns of a query are cheap enough to be matched with claims of any length.
   *
   * @throws {ServiceError} `query_too_large`
   */
  assertCost(query: CompiledQuery): void;
  /** Evaluates a query. */
  evaluate(query: CompiledQuery, claims: ClaimSet, now: number, evidence: 'checks' | 'none'): PredicateResult;
}

/** Whether a query is one of these conditions: only the canonical texts are compared. */
export function isAmong(conditions: readonly Condition[], { query }: CompiledQuery): boolean {
  if (conditions.length === 0) return false;
  const text = canonicalText(query);
  return conditions.some((condition) => condition.query === text);
}

/** A query without a limit on the cost of matching. */
interface Unlimited {
  readonly compiled: CompiledQuery;
  readonly costFault: string | undefined;
}

/** Creates the evaluator. Its results have no values, the expiry does not depend on credentials, and no claim is too long to be matched. */
export function createConditionEvaluator({
  regex,
  limits,
}: Pick<ConditionRules, 'regex' | 'limits'>): ConditionEvaluator {
  const { matchCost = DEFAULT_QUERY_LIMITS.matchCost } = limits;
  const known = new WeakMap<CompiledQuery, Unlimited>();
  const getUnlimited = (query: CompiledQuery): Unlimited => {
    const found = known.get(query);
    if (found !== undefined) return found;
    const context = new ParseContext({ regex, limits: { ...limits, matchCost: Number.MAX_SAFE_INTEGER } });
    const parsed = readPredicate(query.query, context);
    const created = {
      compiled: compileParsed(parsed, context, { catalogue: 'none' }),
      costFault: patternCostFault(parsed, context.patternSizes, matchCost),
    };
    known.set(query, created);
    return created;
  };
  return {
    assertCost: (query) => {
      const { costFault } = getUnlimited(query);
      if (costFault === undefined) return;
      const message = `Without full evidence, the patterns of a query ${costFault}`;
      const problems = [{ pointer: '', code: 'limit_match_cost', message }];
      throw new ServiceError('query_too_large', { problems, problem_count: problems.length });
    },
    evaluate: (query, claims, now, level) => {
      const { compiled } = getUnlimited(query);
      const { passed, evidence } = withoutValues(compiled, claims, now, level);
      return {
        type: 'predicate',
        passed,
        evaluatedAt: formatInstant(now),
        evidence,
        expiresAt: formatInstant(now + DEFAULT_RESULT_LIFETIME_SECONDS * MS_PER_SECOND),
      };
    },
  };
}

function withoutValues(
  compiled: CompiledQuery,
  claims: ClaimSet,
  now: number,
  level: 'checks' | 'none',
): Pick<PredicateResult, 'passed' | 'evidence'> {
  if (level === 'none') return { passed: compiled.test(claims), evidence: NO_EVIDENCE };
  const result = compiled.evaluate(claims, { now, scopes: [] });
  if (result.type !== 'predicate') throw new TypeError('projections have no verdict');
  return { passed: result.passed, evidence: reduceEvidence(result.evidence, level) };
}
