/** Normalizes policies for comparison of their texts where the analysis does not decide whether they are equivalent. */

import { combinationOf } from '../../../src/engine/query/query.js';
import { type Check, type PolicyItem, parseInstant } from '../../../src/index.js';

/** Removes redundant nesting, double negations, lists of one value, and offsets of instants. */
export function normalize(item: PolicyItem): PolicyItem {
  if ('check' in item) return { check: normalizeCheck(item.check) };
  const [kind, items] = combinationOf(item.policy);
  const inner = items.map(normalize);
  const [only, second] = inner;
  if (kind === 'not') {
    const negated = only as PolicyItem;
    return 'policy' in negated && 'not' in negated.policy ? negated.policy.not : { policy: { not: negated } };
  }
  if (only !== undefined && second === undefined) return only;
  const merged = inner.flatMap((each) => {
    if ('check' in each) return [each];
    const [innerKind, innerItems] = combinationOf(each.policy);
    return innerKind === kind ? innerItems : [each];
  });
  return { policy: kind === 'allOf' ? { allOf: merged } : { anyOf: merged } };
}

function normalizeCheck(check: Check): Check {
  const { operator, value } = check;
  if (['>', '>=', '<', '<='].includes(operator)) {
    const instant = typeof value === 'string' ? parseInstant(value) : undefined;
    return instant === undefined ? check : { ...check, value: `instant ${instant}` };
  }
  if ((operator !== 'in' && operator !== 'notIn') || !Array.isArray(value) || value.length !== 1)
    return check;
  return { ...check, operator: operator === 'in' ? '==' : '!=', value: value[0] };
}
