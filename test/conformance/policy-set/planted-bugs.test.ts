/** Checks that random histories detect each of the bugs planted in the structures of policy sets. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { re2js } from '../../../src/index.js';
import { cachePatterns } from '../../../src/testing/cache-patterns.js';
import { buildSource } from '../build-engine.js';
import { type HistoryTally, history, runHistory, type TestedPackage } from './history.js';

const RUNS = 1_000;
const SEED = 20_261_123;
const MODULES = ['engine/index.js', 'policy-set/policy-set.js'];

interface PlantedBug {
  readonly name: string;
  /** Path from `src/policy-set/`. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

const BUGS: readonly PlantedBug[] = [
  {
    name: 'a range omits its bound',
    file: 'index-node.ts',
    find: '(bounds[middle] as number) <= number',
    replace: '(bounds[middle] as number) < number',
  },
  {
    name: 'bounds are not sorted',
    file: 'index-node.ts',
    find: 'children.bounds.splice(countUpTo(children.bounds, key as number), 0, key as number)',
    replace: 'children.bounds.push(key as number)',
  },
  {
    name: 'a removed node takes the bound of another one along',
    file: 'index-node.ts',
    find: 'countUpTo(children.bounds, key as number) - 1, 1)',
    replace: 'countUpTo(children.bounds, key as number), 1)',
  },
  {
    name: 'a node is removed while it has nodes below',
    file: 'index-node.ts',
    find: 'if (this.policies.length > 0 || (this.#children?.size ?? 0) > 0) return;',
    replace: 'if (this.policies.length > 0) return;',
  },
  {
    name: 'a compaction removes a policy that is not deleted',
    file: 'index-node.ts',
    find: '[...new Set(this.policies)].filter(contains)',
    replace: '[...new Set(this.policies)].filter(contains).slice(1)',
  },
  {
    name: 'only the first key of a list is looked up',
    file: 'index-node.ts',
    find: 'for (const key of keys) nodes',
    replace: 'for (const key of keys.slice(0, 1)) nodes',
  },
  {
    name: 'bounds are rounded up',
    file: 'necessary-conditions.ts',
    find: 'Math.floor(bound / unit)',
    replace: 'Math.ceil(bound / unit)',
  },
  {
    name: 'greatest numbers are not negated',
    file: 'comparison.ts',
    find: '? [-value] : NO_KEYS',
    replace: '? [value] : NO_KEYS',
  },
  {
    name: 'greatest instants are not negated',
    file: 'comparison.ts',
    find: 'return instantOf(value, -1);',
    replace: 'return instantOf(value, 1);',
  },
  {
    name: 'a prefix that is the whole value is not looked up',
    file: 'comparison.ts',
    find: 'length <= text.length).map',
    replace: 'length < text.length).map',
  },
  {
    name: 'the last trigram is not looked up',
    file: 'comparison.ts',
    find: 'end <= text.length',
    replace: 'end < text.length',
  },
  {
    name: 'a negated check requires what the check requires',
    file: 'necessary-conditions.ts',
    find: 'return negated ? [] : [conditionOfCheck(stored, comparisons)]',
    replace: 'return [conditionOfCheck(stored, comparisons)]',
  },
  {
    name: 'a negated group combines its members as before',
    file: 'necessary-conditions.ts',
    find: "kind === 'not' || (kind === 'allOf') !== negated",
    replace: "kind === 'not' || kind === 'allOf'",
  },
  {
    name: 'a member without a condition does not make the group unconditional',
    file: 'necessary-conditions.ts',
    find: 'if (best === undefined) return [];',
    replace: 'if (best === undefined) continue;',
  },
  {
    name: 'of several keys only the first is indexed',
    file: 'access-index.ts',
    find: 'of next.keys)',
    replace: 'of next.keys.slice(0, 1))',
  },
  {
    name: 'a match keeps the decisions of the last one',
    file: 'item-table.ts',
    find: 'this.#epoch += 1;',
    replace: 'this.#epoch = 1;',
  },
  {
    name: 'groups of the same members are one, whatever their kind',
    file: 'item-table.ts',
    find: 'keyOfGroup(KINDS[kind], sorted)',
    replace: 'keyOfGroup(ALL_OF, sorted)',
  },
  {
    name: 'a released item may still be found',
    file: 'item-table.ts',
    find: 'this.#numbers.delete(keyOfCheck(shared.check));',
    replace: '',
  },
  {
    name: 'a shared group is released once too often',
    file: 'item-table.ts',
    find: 'if (left > 0) return;',
    replace: 'if (left > 1) return;',
  },
  {
    name: 'an undefined claim is tested',
    file: 'item-table.ts',
    find: 'if (value === undefined) return false;',
    replace: 'if (value === undefined) return true;',
  },
  {
    name: 'the cost of patterns is not limited',
    file: 'policy-set.ts',
    find: 'if (cost <= this.#matchCost) continue;',
    replace: 'continue;',
  },
];

const regex = cachePatterns(re2js);
const histories = fc.sample(history(), { numRuns: RUNS, seed: SEED });

describe(`${RUNS} random histories of policy sets`, () => {
  it('show no difference for the package without a bug', async () => {
    const built = await buildSource(MODULES, 'policy-set/policy-set.ts', (text) => text);
    expect(firstDifference(toTested(built), histories.slice(0, 40))).toBeUndefined();
  });

  it.each(BUGS.map((bug) => ({ name: bug.name, bug })))('detect the bug: $name', async ({ bug }) => {
    const tested = await buildWith(bug);
    expect(firstDifference(tested)).toBeDefined();
  });
});

/** Returns the message of the first difference. */
function firstDifference(tested: TestedPackage, drawn = histories): string | undefined {
  const tally: HistoryTally = { matches: 0, verdicts: 0, passed: 0 };
  for (const each of drawn) {
    try {
      runHistory(each, tested, tally);
    } catch (error) {
      return String(error);
    }
  }
  return undefined;
}

async function buildWith({ file, find, replace }: PlantedBug): Promise<TestedPackage> {
  const built = await buildSource(MODULES, `policy-set/${file}`, (text) => {
    const parts = text.split(find);
    if (parts.length !== 2) throw new Error(`found ${parts.length - 1} times in ${file}: ${find}`);
    return parts.join(replace);
  });
  return toTested(built);
}

function toTested(built: unknown): TestedPackage {
  return { ...(built as Omit<TestedPackage, 'regex'>), regex };
}
