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
    file: 'share-estimates.ts',
    find: '(bounds[middle] as number) <= number',
    replace: '(bounds[middle] as number) < number',
  },
  {
    name: 'bounds are not sorted',
    file: 'condition-layer.ts',
    find: 'this.#bounds.splice(end, 0, bound);',
    replace: 'this.#bounds.push(bound);',
  },
  {
    name: 'a removed bound takes another one along',
    file: 'condition-layer.ts',
    find: 'this.#bounds.splice(index, 1);',
    replace: 'this.#bounds.splice(index, 2, Number.POSITIVE_INFINITY);',
  },
  {
    name: 'a bound with one policy is removed',
    file: 'condition-layer.ts',
    find: 'if (left.length > 0) continue;',
    replace: 'if (left.length > 1) continue;',
  },
  {
    name: 'a key with one policy is removed',
    file: 'condition-layer.ts',
    find: 'if (first === undefined) this.#policies.delete(key);',
    replace: 'if (left.length < 2) this.#policies.delete(key);',
  },
  {
    name: 'only the first key of a list is looked up',
    file: 'condition-layer.ts',
    find: 'for (const key of keys) {',
    replace: 'for (const key of keys.slice(0, 1)) {',
  },
  {
    name: 'of several keys only the first is indexed',
    file: 'condition-layer.ts',
    find: 'for (const key of keys) comparison',
    replace: 'for (const key of keys.slice(0, 1)) comparison',
  },
  {
    name: 'of several checks only the first is indexed',
    file: 'condition-layer.ts',
    find: 'for (const check of checks) {',
    replace: 'for (const check of checks.slice(0, 1)) {',
  },
  {
    name: 'a policy without a second condition is not found',
    file: 'access-index.ts',
    find: 'layer.addUnconditional(position);',
    replace: 'this.isResidual(root);',
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
    find: 'boundOf(-claims.amount(claim))',
    replace: 'boundOf(claims.amount(claim))',
  },
  {
    name: 'greatest instants are not negated',
    file: 'comparison.ts',
    find: 'boundOf(-claims.instant(claim))',
    replace: 'boundOf(claims.instant(claim))',
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
    find: 'return negated ? [] : [',
    replace: 'return [',
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
    name: 'a match keeps the decisions of the last one',
    file: 'item-table.ts',
    find: 'this.#epoch += 1;',
    replace: 'this.#epoch = 1;',
  },
  {
    name: 'a match keeps the claims of the last one',
    file: 'claim-table.ts',
    find: 'for (const claim of this.#read) this.#found[claim] = UNREAD;',
    replace: '',
  },
  {
    name: 'groups of the same members are one, whatever their kind',
    file: 'item-table.ts',
    find: 'const code = KINDS[kind];',
    replace: 'const code = ALL_OF;',
  },
  {
    name: 'a double negation is a negation',
    file: 'item-table.ts',
    find: 'return inner;',
    replace: "return this.addGroup('not', [inner]);",
  },
  {
    name: 'a shared group is released once too often',
    file: 'item-table.ts',
    find: 'if (left > 0) return;',
    replace: 'if (left > 1) return;',
  },
  {
    name: 'a released value may still be found',
    file: 'value-table.ts',
    find: 'this.#numbers.delete(this.get(number));',
    replace: '',
  },
  {
    name: 'an undefined claim is tested',
    file: 'item-table.ts',
    find: 'if (value === undefined) return false;',
    replace: 'if (value === undefined) return true;',
  },
  {
    name: 'an undefined claim differs from any value',
    file: 'item-table.ts',
    find: 'claims.value(claim) !== undefined && claims.valueNumber(claim) !== operand',
    replace: 'claims.valueNumber(claim) !== operand',
  },
  {
    name: 'an exclusive bound is included',
    file: 'item-table.ts',
    find: 'claims.amount(claim) > this',
    replace: 'claims.amount(claim) >= this',
  },
  {
    name: 'the values of a list are not all compared',
    file: 'item-table.ts',
    find: 'index < end; index += 1) if (this.#members[index] === value)',
    replace: 'index < end - 1; index += 1) if (this.#members[index] === value)',
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
