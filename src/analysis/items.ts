/** Items of a policy by their places, and policies with one item changed (L3, L4). */
import type { Check, PolicyItem } from '../engine/index.js';
import { checksOf, combinationOf } from '../engine/query/query.js';

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

/** A query's items, itself first, each before its own. */
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

/** A query with the item at a place replaced: by another, or by an outcome, which then decides or goes. */
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

/** Combines items; flat, where one of them combines its own in the same way. `not` takes exactly one. */
export function combine(kind: 'allOf' | 'anyOf' | 'not', items: readonly Simplified[]): Simplified {
  if (kind === 'not') return negate(items[0] as Simplified);
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

/** The opposite of an item. */
function negate(item: Simplified): Simplified {
  if (typeof item === 'boolean') return !item;
  return 'policy' in item && 'not' in item.policy ? item.policy.not : { policy: { not: item } };
}
