/** A policy as a tree of rooms: each check with what was expected and what was found, each room with how it came out (L19, L21). */
import type { CheckResult, Evidence, PolicyItem } from '../../../engine/index.js';

/** How a check came out; an undefined claim is neither right nor wrong, it fails (L14). */
export type Outcome = 'passed' | 'failed' | 'undefined';

/** One check. */
export interface CheckNode {
  readonly kind: 'check';
  readonly result: CheckResult;
  readonly outcome: Outcome;
  /** Who attested the claim; absent where it is undefined. */
  readonly source?: string;
  /** The check's place among all, in document order. */
  readonly index: number;
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
      const index = next++;
      return checkNode(checkResults[index] as CheckResult, index, sources);
    }
    const { policy } = one;
    if ('not' in policy) {
      const inner = lay(policy.not);
      return { kind: 'not', passed: !hasPassed(inner), items: [inner] };
    }
    const kind = 'allOf' in policy ? 'allOf' : 'anyOf';
    const items = ('allOf' in policy ? policy.allOf : policy.anyOf).map(lay);
    const passed = kind === 'allOf' ? items.every(hasPassed) : items.some(hasPassed);
    return { kind, passed, items };
  };
  return lay(item);
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

function checkNode(result: CheckResult, index: number, sources: ReadonlyMap<string, string>): CheckNode {
  const source = sources.get(result.claim);
  const outcome = result.passed ? 'passed' : 'actualValue' in result ? 'failed' : 'undefined';
  return { kind: 'check', result, outcome, index, ...(source === undefined ? {} : { source }) };
}
