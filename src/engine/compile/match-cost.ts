/** Bounds what a query's patterns may cost on a subject's claims, before any is matched (S156). */
import { type ClaimSet, findValue } from '../claims/claim-set.js';
import { QueryError } from '../errors.js';
import { QueryProblems } from '../query/problem-list.js';
import type { PlannedCheck } from './plan.js';

/** Throws where matching would cost more than the limit. */
export type MatchCostGuard = (claims: ClaimSet) => void;

/**
 * A guard for the checks that match patterns: the sum of program size × code units of the claim.
 *
 * @returns `undefined` where no check does. The guard throws {@link QueryError} `query_too_large` (`limit_match_cost`).
 */
export function toMatchCostGuard(checks: readonly PlannedCheck[], limit: number): MatchCostGuard | undefined {
  if (!checks.some(({ pattern }) => pattern !== undefined)) return undefined;
  const matching = checks.flatMap(({ claim, pattern, pointer }) =>
    pattern === undefined ? [] : [{ claim, programSize: pattern.programSize, pointer }],
  );
  const programSizes = matching.reduce((sum, { programSize }) => sum + programSize, 0);
  return (claims) => {
    // Where even the longest text of all would do, none has to be looked at.
    if (programSizes * claims.about.longestText <= limit) return;
    let cost = 0;
    for (const { claim, programSize, pointer } of matching) {
      const value = findValue(claims, claim);
      if (typeof value === 'string') cost += programSize * value.length;
      if (cost > limit) throw tooCostly(pointer, limit);
    }
  };
}

/** The error for the check at which the limit is exceeded. */
export function tooCostly(pointer: string, limit: number): QueryError {
  const problems = new QueryProblems();
  const unit = 'steps; fewer or shorter patterns would do';
  problems.addLimit(
    'limit_match_cost',
    pointer,
    limit,
    'Matching these patterns on these claims may take',
    unit,
  );
  return QueryError.forProblems(problems);
}
