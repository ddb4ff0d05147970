/** Limits the cost of patterns by their size and not by the length of a claim, so that no rejection depends on a claim (S156, S288). */
import type { PolicyItem } from '../../engine/index.js';
import { checksOf } from '../../engine/query/query.js';

/**
 * Length of a claim in code units. Matching the patterns of a query with a claim of this length must stay within the cost limit. The cost is not
 * limited at evaluation, since a rejection would disclose that the claim is long (S156).
 */
const MATCHED_CODE_UNITS = 8_192;

/**
 * Describes why the patterns of a query are too costly; `undefined` if they are not.
 *
 * @param patternSizes - The program size of each pattern, by its text (`ParseContext.patternSizes`).
 * @param matchCost - The limit of the cost of matching (L7).
 */
export function patternCostFault(
  query: PolicyItem,
  patternSizes: ReadonlyMap<string, number>,
  matchCost: number,
): string | undefined {
  const size = checksOf(query).reduce(
    (sum, { operator, value }) =>
      operator === 'matchRegex' ? sum + (patternSizes.get(String(value)) ?? 0) : sum,
    0,
  );
  if (size * MATCHED_CODE_UNITS <= matchCost) return undefined;
  const limit = Math.floor(matchCost / MATCHED_CODE_UNITS);
  return `must have a total size of at most ${limit} (got ${size}).`;
}
