/** Items of a policy by their places, and policies with one item changed (L3, L4). */
import type { Check, PolicyItem } from '../engine/index.js';

/** What an item has become: another item, or nothing but an outcome. */
export type Simplified = PolicyItem | boolean;

/** Where an item stands: the position in each group on the way to it; 0 for what `not` holds. */
export type Place = readonly number[];

/** An item with where it stands. */
export interface PlacedItem {
  readonly item: PolicyItem;
  readonly place: Place;
  /** JSON Pointer into the canonical query. */
  readonly pointer: string;
  /** Whether an odd number of negations stands around it: then the query passes rather where it does not. */
  readonly isNegated: boolean;
}

/** An item's own items; none for a check. */
export function itemsOf(item: PolicyItem): readonly PolicyItem[] {
  if ('check' in item) return [];
  const { policy } = item;
  if ('not' in policy) return [policy.not];
  return 'allOf' in policy ? policy.allOf : policy.anyOf;
}

/** A query's items, itself first, each before its own. */
export function placedItems(query: PolicyItem): readonly PlacedItem[] {
  const walk = (placed: PlacedItem): readonly PlacedItem[] => {
    const { item, place, pointer, isNegated } = placed;
    if ('check' in item) return [placed];
    const { policy } = item;
    const isNot = 'not' in policy;
    const inner = itemsOf(item).map((one, index) => ({
      item: one,
      place: [...place, index],
      pointer: isNot
        ? `${pointer}/policy/not`
        : `${pointer}/policy/${'allOf' in policy ? 'allOf' : 'anyOf'}/${index}`,
      isNegated: isNegated !== isNot,
    }));
    return [placed, ...inner.flatMap(walk)];
  };
  return walk({ item: query, place: [], pointer: '', isNegated: false });
}

/** A query with the item at a place replaced: by another, or by an outcome, which then decides or goes. */
export function replaceAt(query: PolicyItem, place: Place, replacement: Simplified): Simplified {
  const [position, ...rest] = place;
  if (position === undefined) return replacement;
  if ('check' in query) return query;
  const { policy } = query;
  if ('not' in policy) return negate(replaceAt(policy.not, rest, replacement));
  const items = itemsOf(query).map((item, index) =>
    index === position ? replaceAt(item, rest, replacement) : item,
  );
  return join('allOf' in policy ? 'allOf' : 'anyOf', items);
}

/** What passes always or never, on a claim that the query reads anyway: the language has no constants. */
export function constant(passes: boolean, claim: string): PolicyItem {
  const isDefined: PolicyItem = { check: { claim, operator: 'isDefined' } };
  const items = [isDefined, { policy: { not: isDefined } }] as const;
  return { policy: passes ? { anyOf: items } : { allOf: items } };
}

/** The first claim that an item reads. */
export function firstClaim(item: PolicyItem): string {
  return (checksOf(item)[0] as Check).claim;
}

/** An item's checks, in document order. */
export function checksOf(item: PolicyItem): readonly Check[] {
  if ('check' in item) return [item.check];
  const { policy } = item;
  if ('not' in policy) return checksOf(policy.not);
  return ('allOf' in policy ? policy.allOf : policy.anyOf).flatMap(checksOf);
}

/** Joins items; flat, where one of them joins its own in the same way. */
export function join(kind: 'allOf' | 'anyOf', items: readonly Simplified[]): Simplified {
  const decisive = kind === 'anyOf';
  if (items.includes(decisive)) return decisive;
  const flat = items.flatMap((item): readonly PolicyItem[] => {
    if (typeof item === 'boolean') return [];
    if ('check' in item) return [item];
    const { policy } = item;
    if (kind === 'allOf' && 'allOf' in policy) return policy.allOf;
    if (kind === 'anyOf' && 'anyOf' in policy) return policy.anyOf;
    return [item];
  });
  const [only] = flat;
  if (only === undefined) return !decisive;
  if (flat.length === 1) return only;
  return { policy: kind === 'allOf' ? { allOf: flat } : { anyOf: flat } };
}

/** The opposite of an item. */
export function negate(item: Simplified): Simplified {
  if (typeof item === 'boolean') return !item;
  return 'policy' in item && 'not' in item.policy ? item.policy.not : { policy: { not: item } };
}
