/** A policy in the form that blocks are evaluated in: nothing but `and`, with `not` worked into checks and groups (L19). */
import type { PlannedCheck, PlannedItem } from '../compile/plan.js';

/** A check, or what it does not say. */
export interface Literal {
  readonly check: PlannedCheck;
  readonly negated: boolean;
}

/** All of some checks and groups, or not all of them: `anyOf` is `not` over `allOf` over `not` (De Morgan). */
export interface Conjunction {
  readonly literals: readonly Literal[];
  readonly groups: readonly Conjunction[];
  readonly negated: boolean;
}

/** Brings an item into that form. Groups that are not negated dissolve into the one around them. */
export function toConjunction(item: PlannedItem): Conjunction {
  const whole = gather([item], false);
  const [only] = whole.groups;
  return only !== undefined && whole.groups.length === 1 && whole.literals.length === 0 ? only : whole;
}

/** All of the items, or of what they do not say. */
function gather(items: readonly PlannedItem[], negated: boolean): Conjunction {
  const literals: Literal[] = [];
  const groups: Conjunction[] = [];
  for (const item of items) add(item, negated, literals, groups);
  return { literals, groups, negated: false };
}

function add(item: PlannedItem, negated: boolean, literals: Literal[], groups: Conjunction[]): void {
  switch (item.kind) {
    case 'check':
      literals.push({ check: item, negated });
      return;
    case 'not':
      add(item.item, !negated, literals, groups);
      return;
    case 'allOf':
    case 'anyOf': {
      // Not any of them is none of them; not all of them is a group of its own, as any of them is.
      const inner = gather(item.items, item.kind === 'anyOf');
      if (negated === (item.kind === 'anyOf')) {
        literals.push(...inner.literals);
        groups.push(...inner.groups);
      } else {
        groups.push({ ...inner, negated: true });
      }
    }
  }
}
