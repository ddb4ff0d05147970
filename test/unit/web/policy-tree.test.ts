/** The policy tree of the playground: unchanged nodes keep their identity between evaluations. */
import { describe, expect, it } from 'vitest';
import type { OperatorNode, TreeNode } from '../../../src/analysis/policy-tree.js';
import { re2js } from '../../../src/regex/re2js.js';
import { createEvaluateText } from '../../../src/web/playground/model/evaluate.js';
import { playgroundPeople } from '../../../src/web/playground/model/people.js';
import { keepUnchanged } from '../../../src/web/playground/model/policy-tree.js';

const NOW = Date.UTC(2026, 5, 1, 12);
const evaluateText = createEvaluateText(re2js);
const people = playgroundPeople(NOW);

interface Policy {
  readonly age: number;
  readonly level: string;
  readonly countries?: readonly string[];
  readonly person?: string;
}

/** A tree of two groups: the first on age and nationality, the second on the level of verification. */
function treeOf({ age, level, countries = ['PT', 'ES'], person = 'ada' }: Policy): TreeNode {
  const policy = {
    allOf: [
      {
        anyOf: [
          { claim: 'identity.age', operator: '>=', value: age },
          { claim: 'identity.nationality', operator: 'in', value: countries },
        ],
      },
      { not: { claim: 'kyc.level', operator: '==', value: level } },
    ],
  };
  const credentials = people.find(({ name }) => name === person)?.credentials ?? [];
  const outcome = evaluateText(JSON.stringify({ policy }), credentials, NOW);
  if (outcome.kind !== 'predicate') throw new Error('expected a predicate');
  return outcome.tree;
}

function groupsOf(tree: TreeNode): readonly OperatorNode[] {
  if (tree.kind === 'check') throw new Error('a check has no groups');
  return tree.items.map((item) => {
    if (item.kind === 'check') throw new Error('every item of this policy must be a group');
    return item;
  });
}

const BEFORE = { age: 18, level: 'basic' };

describe('keeping the unchanged nodes of a policy tree', () => {
  it('returns the earlier tree if nothing changed', () => {
    const before = treeOf(BEFORE);
    const after = treeOf(BEFORE);
    expect(after).not.toBe(before);
    expect(keepUnchanged(after, before)).toBe(before);
  });

  it('creates new nodes only on the path to a changed check', () => {
    const before = treeOf(BEFORE);
    const after = treeOf({ ...BEFORE, age: 187 });
    const kept = keepUnchanged(after, before);
    expect(kept).toEqual(after);
    const [[anyOf, not], [anyOfBefore, notBefore]] = [groupsOf(kept), groupsOf(before)];
    expect(not).toBe(notBefore);
    expect(anyOf?.items[0]).not.toBe(anyOfBefore?.items[0]);
    expect(anyOf?.items[1]).toBe(anyOfBefore?.items[1]);
  });

  it.each<[string, Policy]>([
    ['a changed operand', { ...BEFORE, level: 'enhanced' }],
    ['a changed list', { ...BEFORE, countries: ['PT'] }],
    ['a changed person', { ...BEFORE, person: 'grace' }],
  ])('returns a tree that equals the new one after %s', (_title, policy) => {
    const after = treeOf(policy);
    expect(keepUnchanged(after, treeOf(BEFORE))).toEqual(after);
  });

  it('does not reuse a node of another kind, or with other items', () => {
    const check = groupsOf(treeOf(BEFORE))[0]?.items[0];
    const tree = treeOf(BEFORE);
    if (check === undefined) throw new Error('the group must have a check');
    expect(keepUnchanged(tree, check)).toBe(tree);
    expect(keepUnchanged(check, tree)).toBe(check);
    expect(keepUnchanged(tree, undefined)).toBe(tree);
    const [first, second] = groupsOf(tree);
    if (first === undefined || second === undefined) throw new Error('the policy must have two groups');
    // A group with one item fewer is a new node, although its items are unchanged.
    const fewer: OperatorNode = { ...first, items: first.items.slice(0, 1) };
    expect(keepUnchanged(fewer, first)).toEqual(fewer);
    expect(keepUnchanged({ ...second, kind: 'allOf' }, second)).toMatchObject({ kind: 'allOf' });
  });
});
