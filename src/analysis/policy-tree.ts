/** A policy as a tree with its evidence: expected and actual value of each check, and the outcome of each operator (L19, L21). */
import type { CheckResult, Evidence, PolicyItem } from '../engine/index.js';
import { combinationOf } from '../engine/query/query.js';
import { omitUndefined } from '../util/omit-undefined.js';

/** The outcome of a check. `undefined`: it fails because its claim is undefined (L14). */
export type Outcome = 'passed' | 'failed' | 'undefined';

/** One check. */
export interface CheckNode {
  readonly kind: 'check';
  readonly result: CheckResult;
  readonly outcome: Outcome;
  /** The issuer that attested the claim; absent if the claim is undefined. */
  readonly source?: string;
}

/** The items of `allOf`, `anyOf` or `not`. */
export interface OperatorNode {
  readonly kind: 'allOf' | 'anyOf' | 'not';
  readonly passed: boolean;
  readonly items: readonly TreeNode[];
}

export type TreeNode = CheckNode | OperatorNode;

/**
 * Builds the tree of a policy from its evidence.
 *
 * @param item - The query of the evidence, in canonical form.
 */
export function policyTree(item: PolicyItem, { checkResults, claimsUsed }: Evidence): TreeNode {
  const sources = new Map(claimsUsed.map(({ path, source }) => [path, source]));
  let next = 0;
  const toNode = (one: PolicyItem): TreeNode => {
    if ('check' in one) {
      return checkNode(checkResults[next++] as CheckResult, sources);
    }
    const [kind, inner] = combinationOf(one.policy);
    const items = inner.map(toNode);
    const anyPassed = items.some(hasPassed);
    const passed = kind === 'allOf' ? items.every(hasPassed) : anyPassed === (kind === 'anyOf');
    return { kind, passed, items };
  };
  return toNode(item);
}

/** Returns whether a check or an operator passed. */
export function hasPassed(node: TreeNode): boolean {
  return node.kind === 'check' ? node.result.passed : node.passed;
}

function checkNode(result: CheckResult, sources: ReadonlyMap<string, string>): CheckNode {
  const source = sources.get(result.claim);
  const outcome = result.passed ? 'passed' : 'actualValue' in result ? 'failed' : 'undefined';
  return { kind: 'check', result, outcome, ...omitUndefined({ source }) };
}
