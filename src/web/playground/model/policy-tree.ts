/** A policy as a tree of rooms: each check with what was expected and what was found, each room with how it came out (L19, L21). */

import type { CheckResult, Evidence, JsonValue, PolicyItem } from '../../../engine/index.js';
import { combinationOf } from '../../../engine/query/query.js';
import { omitUndefined } from '../../../util/omit-undefined.js';

/** How a check came out; an undefined claim is neither right nor wrong, it fails (L14). */
export type Outcome = 'passed' | 'failed' | 'undefined';

/** One check. */
export interface CheckNode {
  readonly kind: 'check';
  readonly result: CheckResult;
  readonly outcome: Outcome;
  /** Who attested the claim; absent where it is undefined. */
  readonly source?: string;
}

/** Items joined. */
export interface RoomNode {
  readonly kind: 'allOf' | 'anyOf' | 'not';
  readonly passed: boolean;
  readonly items: readonly TreeNode[];
}

export type TreeNode = CheckNode | RoomNode;

/**
 * Lays a policy out with its evidence.
 *
 * @param item - The query in canonical form, to which the evidence is the answer.
 */
export function policyTree(item: PolicyItem, { checkResults, claimsUsed }: Evidence): TreeNode {
  const sources = new Map(claimsUsed.map(({ path, source }) => [path, source]));
  let next = 0;
  const lay = (one: PolicyItem): TreeNode => {
    if ('check' in one) {
      return checkNode(checkResults[next++] as CheckResult, sources);
    }
    const [kind, inner] = combinationOf(one.policy);
    const items = inner.map(lay);
    const anyPassed = items.some(hasPassed);
    const passed = kind === 'allOf' ? items.every(hasPassed) : anyPassed === (kind === 'anyOf');
    return { kind, passed, items };
  };
  return lay(item);
}

/**
 * A tree in which whatever shows the same as it did stands as it was, node by node: who draws it can leave those alone, and a tree in which
 * nothing changed is the earlier one itself.
 *
 * @param earlier - The tree that was shown before; absent for the first.
 */
export function keepUnchanged(tree: TreeNode, earlier: TreeNode | undefined): TreeNode {
  if (earlier === undefined || earlier.kind !== tree.kind) return tree;
  if (tree.kind === 'check' || earlier.kind === 'check') {
    return tree.kind === 'check' && earlier.kind === 'check' && showSame(tree, earlier) ? earlier : tree;
  }
  const items = tree.items.map((item, place) => keepUnchanged(item, earlier.items[place]));
  const isSame =
    tree.passed === earlier.passed &&
    items.length === earlier.items.length &&
    items.every((item, place) => item === earlier.items[place]);
  return isSame ? earlier : { ...tree, items };
}

/** Whether a check or a room passed. */
export function hasPassed(node: TreeNode): boolean {
  return node.kind === 'check' ? node.result.passed : node.passed;
}

/** How many checks came out in each way. */
export function countOutcomes(node: TreeNode): Readonly<Record<Outcome, number>> {
  const counts = { passed: 0, failed: 0, undefined: 0 };
  const count = (one: TreeNode): void => {
    if (one.kind === 'check') counts[one.outcome] += 1;
    else one.items.forEach(count);
  };
  count(node);
  return counts;
}

function showSame(one: CheckNode, other: CheckNode): boolean {
  return (
    one.outcome === other.outcome &&
    one.source === other.source &&
    one.result.claim === other.result.claim &&
    one.result.operator === other.result.operator &&
    isSameValue(one.result.expectedValue, other.result.expectedValue) &&
    isSameValue(one.result.actualValue, other.result.actualValue)
  );
}

/** Lists and objects are the same where they are written the same. */
function isSameValue(one: JsonValue | undefined, other: JsonValue | undefined): boolean {
  if (one === other) return true;
  const areBoth = typeof one === 'object' && typeof other === 'object';
  return areBoth && JSON.stringify(one) === JSON.stringify(other);
}

function checkNode(result: CheckResult, sources: ReadonlyMap<string, string>): CheckNode {
  const source = sources.get(result.claim);
  const outcome = result.passed ? 'passed' : 'actualValue' in result ? 'failed' : 'undefined';
  return { kind: 'check', result, outcome, ...omitUndefined({ source }) };
}
