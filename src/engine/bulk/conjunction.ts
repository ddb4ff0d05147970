/** A policy in the form that blocks are evaluated in: nothing but `and`, with `not` worked into checks and groups (L19). */
import type { PlannedCheck } from '../compile/plan.js';
import { foldItem } from '../query/fold.js';
import type { PolicyItem } from '../query/query.js';

/** A check, or its negation. */
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

/**
 * Brings an item into that form. Groups that are not negated dissolve into the one around them.
 *
 * @param checks - The item's checks, in document order.
 */
export function toConjunction(item: PolicyItem, checks: readonly PlannedCheck[]): Conjunction {
  let position = 0;
  return foldItem<Conjunction>(item, {
    check: (_check, negated) => {
      const check = checks[position++] as PlannedCheck;
      return { literals: [{ check, negated }], groups: [], negated: false };
    },
    all: conjunctionOf,
    any: (items) => ({ ...conjunctionOf(items.map(negationOf)), negated: true }),
  });
}

function conjunctionOf(items: readonly Conjunction[]): Conjunction {
  return {
    literals: items.flatMap(({ literals, negated }) => (negated ? [] : literals)),
    groups: items.flatMap((item) => (item.negated ? [item] : item.groups)),
    negated: false,
  };
}

function negationOf(item: Conjunction): Conjunction {
  const { literals, groups, negated } = item;
  const [only] = literals;
  if (only === undefined || literals.length > 1 || groups.length > 0) return { ...item, negated: !negated };
  return { literals: [{ ...only, negated: only.negated === negated }], groups, negated: false };
}
