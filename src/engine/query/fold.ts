/** Folds over policies: by combinator, and in negation normal form (L3, L19). */
import type { Check, Policy, PolicyItem } from './query.js';

/** A policy's combinator, and the items that it combines: exactly one for `not`. */
export function combinationOf(
  policy: Policy,
): readonly [kind: 'allOf' | 'anyOf' | 'not', items: readonly PolicyItem[]] {
  if ('not' in policy) return ['not', [policy.not]];
  return 'allOf' in policy ? ['allOf', policy.allOf] : ['anyOf', policy.anyOf];
}

/** What becomes of an item, from the bottom up. */
export interface ItemFold<Result> {
  /**
   * @param negated - Whether the number of negations around the check is odd.
   * @param pointer - JSON Pointer to the item that holds the check, in the canonical query.
   */
  check(check: Check, negated: boolean, pointer: string): Result;
  /** All of the items. */
  all(items: readonly Result[]): Result;
  /** Any of the items. */
  any(items: readonly Result[]): Result;
}

/**
 * Folds an item in negation normal form: De Morgan's laws carry each `not` down to the checks, as policies are two-valued (L19).
 *
 * @param negated - Folds the item's negation instead.
 */
export function foldItem<Result>(
  item: PolicyItem,
  fold: ItemFold<Result>,
  negated = false,
  pointer = '',
): Result {
  if ('check' in item) return fold.check(item.check, negated, pointer);
  const [kind, items] = combinationOf(item.policy);
  const place = `${pointer}/policy/${kind}`;
  if (kind === 'not') return foldItem(items[0] as PolicyItem, fold, !negated, place);
  const results = items.map((inner, index) => foldItem(inner, fold, negated, `${place}/${index}`));
  return (kind === 'allOf') === negated ? fold.any(results) : fold.all(results);
}

/** The checks of an item, in document order. */
export function checksOf(item: PolicyItem): readonly Check[] {
  const checks: Check[] = [];
  const add = (check: Check) => void checks.push(check);
  foldItem(item, { check: add, all: () => undefined, any: () => undefined });
  return checks;
}
