/** The tree that the playground draws: what shows the same from one key stroke to the next stands as it was. */
import { describe, expect, it } from 'vitest';
import type { OperatorNode, TreeNode } from '../../../src/analysis/policy-tree.js';
import { re2js } from '../../../src/regex/re2js.js';
import { createEvaluateText } from '../../../src/web/playground/model/evaluate.js';
import { playgroundPeople } from '../../../src/web/playground/model/people.js';
import { keepUnchanged } from '../../../src/web/playground/model/policy-tree.js';

const NOW = Date.UTC(2026, 5, 1, 12);
const ask = createEvaluateText(re2js);
const people = playgroundPeople(NOW);

interface Policy {
  readonly age: number;
  readonly level: string;
  readonly countries?: readonly string[];
  readonly person?: string;
}

/** Two rooms in one: the first about age and home, the second about how somebody was checked. */
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
  const asked = ask(JSON.stringify({ policy }), credentials, NOW);
  if (asked.kind !== 'predicate') throw new Error('a policy is a predicate');
  return asked.tree;
}

function roomsOf(tree: TreeNode): readonly OperatorNode[] {
  if (tree.kind === 'check') throw new Error('a check has no rooms');
  return tree.items.map((item) => {
    if (item.kind === 'check') throw new Error('every item of this policy is a room');
    return item;
  });
}

const BEFORE = { age: 18, level: 'basic' };

describe('a tree after another', () => {
  it('is the earlier one where nothing changed, lists of values included', () => {
    const before = treeOf(BEFORE);
    const after = treeOf(BEFORE);
    expect(after).not.toBe(before);
    expect(keepUnchanged(after, before)).toBe(before);
  });

  it('is anew along the way to a check that changed, and nowhere else', () => {
    const before = treeOf(BEFORE);
    const after = treeOf({ ...BEFORE, age: 187 });
    const kept = keepUnchanged(after, before);
    expect(kept).toEqual(after);
    const [[ages, checked], [agesBefore, checkedBefore]] = [roomsOf(kept), roomsOf(before)];
    expect(checked).toBe(checkedBefore);
    expect(ages?.items[0]).not.toBe(agesBefore?.items[0]);
    expect(ages?.items[1]).toBe(agesBefore?.items[1]);
  });

  it.each<[string, Policy]>([
    ['another operand', { ...BEFORE, level: 'enhanced' }],
    ['another list', { ...BEFORE, countries: ['PT'] }],
    [
      'another person, of whom something else is found, by somebody else, or nothing',
      { ...BEFORE, person: 'grace' },
    ],
  ])('tells all that the new one does: %s', (_change, policy) => {
    const after = treeOf(policy);
    expect(keepUnchanged(after, treeOf(BEFORE))).toEqual(after);
  });

  it('takes nothing of one of another form', () => {
    const check = roomsOf(treeOf(BEFORE))[0]?.items[0];
    const tree = treeOf(BEFORE);
    if (check === undefined) throw new Error('the room has no check');
    expect(keepUnchanged(tree, check)).toBe(tree);
    expect(keepUnchanged(check, tree)).toBe(check);
    expect(keepUnchanged(tree, undefined)).toBe(tree);
    const [first, second] = roomsOf(tree);
    if (first === undefined || second === undefined) throw new Error('the policy has two rooms');
    // A room that has one item less is none that was there, though all that is left of it is.
    const fewer: OperatorNode = { ...first, items: first.items.slice(0, 1) };
    expect(keepUnchanged(fewer, first)).toEqual(fewer);
    expect(keepUnchanged({ ...second, kind: 'allOf' }, second)).toMatchObject({ kind: 'allOf' });
  });
});
