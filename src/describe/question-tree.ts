/** The question that a policy asks, as a tree: negations are part of the combinators, and redundant nesting is removed. */
import type { Check, PolicyItem } from '../engine/index.js';
import { combinationOf } from '../engine/query/query.js';

/** A check, or items combined. `pointer` is the JSON Pointer of the item in the canonical query. */
export type QuestionNode =
  | { readonly kind: 'check'; readonly check: Check; readonly negated: boolean; readonly pointer: string }
  | { readonly kind: GroupKind; readonly items: readonly QuestionNode[]; readonly pointer: string };

type GroupKind = 'all' | 'any' | 'notAll' | 'none';

const NEGATIONS: Readonly<Record<GroupKind, GroupKind>> = {
  all: 'notAll',
  any: 'none',
  notAll: 'all',
  none: 'any',
};

/** Returns the question of an item. */
export function toQuestionTree(item: PolicyItem): QuestionNode {
  return toNode(item, '');
}

function toNode(item: PolicyItem, pointer: string): QuestionNode {
  if ('check' in item) return { kind: 'check', check: item.check, negated: false, pointer };
  const [kind, items] = combinationOf(item.policy);
  const place = `${pointer}/policy/${kind}`;
  if (kind === 'not') return negate(toNode(items[0] as PolicyItem, place));
  const nodes = items.map((inner, index) => toNode(inner, `${place}/${index}`));
  return toGroup(kind === 'allOf' ? 'all' : 'any', nodes, pointer);
}

function toGroup(kind: 'all' | 'any', items: readonly QuestionNode[], pointer: string): QuestionNode {
  const merged = items.flatMap((item) => (item.kind === kind ? item.items : [item]));
  const [only, second] = merged;
  return only !== undefined && second === undefined ? only : { kind, items: merged, pointer };
}

function negate(node: QuestionNode): QuestionNode {
  return node.kind === 'check'
    ? { ...node, negated: !node.negated }
    : { ...node, kind: NEGATIONS[node.kind] };
}
