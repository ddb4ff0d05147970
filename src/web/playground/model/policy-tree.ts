/** Functions on the policy tree: reuse of unchanged nodes, and counts of outcomes. */
import type { CheckNode, Outcome, TreeNode } from '../../../analysis/policy-tree.js';
import type { JsonValue } from '../../../engine/index.js';

/**
 * Replaces the unchanged nodes of a tree with those of the earlier tree, so that they need not be rendered again. Returns the earlier tree if
 * nothing changed.
 *
 * @param earlier - The previous tree, if any.
 */
export function keepUnchanged(tree: TreeNode, earlier: TreeNode | undefined): TreeNode {
  if (earlier === undefined || earlier.kind !== tree.kind) return tree;
  if (tree.kind === 'check' || earlier.kind === 'check') {
    return tree.kind === 'check' && earlier.kind === 'check' && areAlike(tree, earlier) ? earlier : tree;
  }
  const items = tree.items.map((item, place) => keepUnchanged(item, earlier.items[place]));
  const isSame =
    tree.passed === earlier.passed &&
    items.length === earlier.items.length &&
    items.every((item, place) => item === earlier.items[place]);
  return isSame ? earlier : { ...tree, items };
}

/** Counts the checks by outcome. */
export function countOutcomes(node: TreeNode): Readonly<Record<Outcome, number>> {
  const counts = { passed: 0, failed: 0, undefined: 0 };
  const count = (one: TreeNode): void => {
    if (one.kind === 'check') counts[one.outcome] += 1;
    else one.items.forEach(count);
  };
  count(node);
  return counts;
}

function areAlike(one: CheckNode, other: CheckNode): boolean {
  return (
    one.outcome === other.outcome &&
    one.source === other.source &&
    one.result.claim === other.result.claim &&
    one.result.operator === other.result.operator &&
    isSameValue(one.result.expectedValue, other.result.expectedValue) &&
    isSameValue(one.result.actualValue, other.result.actualValue)
  );
}

/** Whether two values are equal; arrays and objects are compared as JSON text. */
function isSameValue(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true;
  const areBoth = typeof one === 'object' && typeof other === 'object';
  return areBoth && JSON.stringify(one) === JSON.stringify(other);
}
