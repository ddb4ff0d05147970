/** Evaluation of granted conditions: the verdict, and nothing else about the person (S295–S297). */
import { DEFAULT_RESULT_LIFETIME_SECONDS } from '../../engine/compile/compile.js';
import {
  type ClaimSet,
  type CompiledQuery,
  canonicalText,
  compile,
  formatInstant,
  type PredicateResult,
} from '../../engine/index.js';
import { MS_PER_SECOND } from '../../util/time.js';
import type { ConditionRules } from '../conditions/authorization-details.js';
import type { Condition } from '../conditions/condition.js';

/** Evaluates a query that is a granted condition, and returns the result as JSON. */
export type ConditionEvaluator = (query: CompiledQuery, claims: ClaimSet, now: number) => string;

/** Whether a query is one of these conditions: only the canonical texts are compared. */
export function isAmong(conditions: readonly Condition[], { query }: CompiledQuery): boolean {
  if (conditions.length === 0) return false;
  const text = canonicalText(query);
  return conditions.some((condition) => condition.query === text);
}

/**
 * Creates the evaluator. Its result is a function of the verdict and the instant alone: there is no evidence, the expiry does not depend on
 * credentials, and no claim is too long to be matched.
 */
export function createConditionEvaluator({
  regex,
  limits,
}: Pick<ConditionRules, 'regex' | 'limits'>): ConditionEvaluator {
  // The request bounded the size of the patterns, so the cost is not limited again.
  const options = {
    regex,
    catalogue: 'none',
    limits: { ...limits, matchCost: Number.MAX_SAFE_INTEGER },
  } as const;
  const known = new WeakMap<CompiledQuery, CompiledQuery>();
  return (query, claims, now) => {
    const unlimited = known.get(query) ?? compile(query.query, options);
    known.set(query, unlimited);
    const result: PredicateResult = {
      type: 'predicate',
      passed: unlimited.test(claims),
      evaluatedAt: formatInstant(now),
      evidence: { claimsUsed: [], checkResults: [] },
      expiresAt: formatInstant(now + DEFAULT_RESULT_LIFETIME_SECONDS * MS_PER_SECOND),
    };
    return JSON.stringify(result);
  };
}
