/** Access to the items of a policy by position, and policies with one item replaced (L3, L4). */
import type { Check, PolicyItem } from '../engine/index.js';
import { checksOf, combinationOf } from '../engine/query/query.js';

/** An item after simplification: another item, or a constant outcome. */
export type Simplified = PolicyItem | boolean;

/** The position of an item: the index in each enclosing group; 0 in `not`. */
export type Place = readonly number[];

/** An item with its position. */
export interface PlacedItem {
  readonly item: PolicyItem;
  readonly place: Place;
  /** JSON Pointer into the canonical query. */
  readonly pointer: string;
  /** Whether the number of enclosing negations is odd. */
  readonly isNegated: boolean;
}

/** Returns all items of a query, each before its children. */
export function placedItems(query: PolicyItem): readonly PlacedItem[] {
  const walk = (placed: PlacedItem): readonly PlacedItem[] => {
    const { item, place, pointer, isNegated } = placed;
    if ('check' in item) return [placed];
    const [kind, items] = combinationOf(item.policy);
    const inner = items.map((one, index) => ({
      item: one,
      place: [...place, index],
      pointer: `${pointer}/policy/${kind}${kind === 'not' ? '' : `/${index}`}`,
      isNegated: isNegated !== (kind === 'not'),
    }));
    return [placed, ...inner.flatMap(walk)];
  };
  return walk({ item: query, place: [], pointer: '', isNegated: false });
}

/** Replaces the item at a position by another item or a constant outcome. Simplifies the groups around it, since policies have no constants. */
export function replaceAt(query: PolicyItem, place: Place, replacement: Simplified): Simplified {
  const [position, ...rest] = place;
  if (position === undefined) return replacement;
  if ('check' in query) return query;
  const [kind, items] = combinationOf(query.policy);
  return combine(
    kind,
    items.map((item, index) => (index === position ? replaceAt(item, rest, replacement) : item)),
  );
}

/** Returns a policy that always or never passes. It needs a claim, such as one that the query reads, since the language has no constants. */
export function constant(passes: boolean, claim: string): PolicyItem {
  const isDefined: PolicyItem = { check: { claim, operator: 'isDefined' } };
  const items = [isDefined, { policy: { not: isDefined } }] as const;
  return { policy: passes ? { anyOf: items } : { allOf: items } };
}

/** Returns the first claim that an item reads. */
export function firstClaim(item: PolicyItem): string {
  return (checksOf(item)[0] as Check).claim;
}

/** Combines items. Merges the items of a policy that has the same combinator. `not` takes exactly one item. */
export function combine(kind: 'allOf' | 'anyOf' | 'not', items: readonly Simplified[]): Simplified {
  if (kind === 'not') return negate(items[0] as Simplified);
  // The outcome with which one item decides the group.
  const decisive = kind === 'anyOf';
  if (items.includes(decisive)) return decisive;
  const flat = items.flatMap((item): readonly PolicyItem[] => {
    if (typeof item === 'boolean') return [];
    const [innerKind, inner] = 'check' in item ? [undefined, []] : combinationOf(item.policy);
    return innerKind === kind ? inner : [item];
  });
  const [only] = flat;
  if (only === undefined) return !decisive;
  if (flat.length === 1) return only;
  return { policy: kind === 'allOf' ? { allOf: flat } : { anyOf: flat } };
}

/** Negates an item. */
function negate(item: Simplified): Simplified {
  if (typeof item === 'boolean') return !item;
  return 'policy' in item && 'not' in item.policy ? item.policy.not : { policy: { not: item } };
}
