/** Checks that random scenarios detect each of the bugs planted in the engine within 10,000 runs. */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { re2js } from '../../src/index.js';
import { scenario } from '../../src/testing/arbitraries/scenario.js';
import { cachePatterns } from '../../src/testing/cache-patterns.js';
import { checkConformance } from '../../src/testing/check-conformance.js';
import { evaluateReference, toJsonScenario } from '../../src/testing/json-scenario.js';
import { compareOutcome, type EvaluateVector } from '../../src/testing/vector.js';
import { buildEngine } from './build-engine.js';
import { type EngineUnderTest, engineEvaluator } from './engine-evaluator.js';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.js';

const RUNS = 10_000;
const SEED = 20_261_120;

const regex = cachePatterns(re2js);
/** Scenarios with their expected outcomes, drawn once for all bugs. */
const scenarios = fc.sample(scenario(), { numRuns: RUNS, seed: SEED }).map((drawn) => ({
  ...toJsonScenario(drawn),
  expected: evaluateReference(drawn, regex),
}));

describe('10,000 random scenarios', () => {
  const runsNeeded = new Map<string, number>();

  it('show no difference for the engine without a bug', () => {
    expect(runsUntilFound(engineEvaluator(regex))).toBeUndefined();
  });

  it.each(PLANTED_BUGS.map((bug) => ({ name: bug.name, bug })))(
    'detect the bug: $name',
    async ({ name, bug }) => {
      const runs = runsUntilFound(engineEvaluator(regex, await engineWith(bug)));
      expect(runs).toBeDefined();
      runsNeeded.set(name, runs as number);
    },
  );

  it('are checked with distinct bugs', () => {
    const edits = PLANTED_BUGS.map(({ file, find, replace }) => JSON.stringify([file, find, replace]));
    expect(new Set(edits).size).toBe(PLANTED_BUGS.length);
    const hardest = [...runsNeeded].sort(([, a], [, b]) => b - a).slice(0, 5);
    const lines = hardest.map(([name, runs]) => `  ${String(runs).padStart(6)}  ${name}`);
    process.stdout.write(`\nThe bugs that required the most runs\n${lines.join('\n')}\n`);
  });

  it('do not detect a bug that uses a variable that the engine does not have, but throw', async () => {
    const engine = await engineWith({
      name: 'a variable that does not exist',
      file: 'evaluate.ts',
      find: 'const { path } = claim;',
      replace: 'const { path } = reference;',
    });
    expect(() => runsUntilFound(engineEvaluator(regex, engine))).toThrow(ReferenceError);
  });

  // L17
  it('give a small counterexample, reproducible by seed and path', async () => {
    const bug = PLANTED_BUGS.find(({ name }) => name.startsWith('> is >=')) as PlantedBug;
    const evaluate = engineEvaluator(regex, await engineWith(bug));
    const { conforms, counterexample } = await checkConformance(evaluate, {
      regex,
      vectors: [],
      seed: SEED,
    });
    expect(conforms).toBe(false);
    const { credentials, seed = 0, path = '', differences = [] } = counterexample ?? {};
    expect(JSON.stringify(counterexample?.query).length).toBeLessThan(100);
    expect(credentials).toHaveLength(1);
    expect(differences).toHaveLength(1);
    const again = await checkConformance(evaluate, { regex, vectors: [], seed, path });
    expect(again.counterexample?.query).toEqual(counterexample?.query);
  });
});

function runsUntilFound(evaluate: EvaluateVector): number | undefined {
  const index = scenarios.findIndex(({ query, credentials, context, expected }) => {
    try {
      return !compareOutcome(expected, evaluate(query, credentials, context)).holds;
    } catch (error) {
      // Not a detection: the planted bug uses a variable that the engine does not have.
      if (error instanceof ReferenceError) throw error;
      return true;
    }
  });
  return index < 0 ? undefined : index + 1;
}

/** Builds the engine with a bug. */
function engineWith({ file, find, replace, everywhere }: PlantedBug): Promise<EngineUnderTest> {
  return buildEngine(file, (text) => {
    const parts = text.split(find);
    const asExpected = everywhere === true ? parts.length > 2 : parts.length === 2;
    if (!asExpected) throw new Error(`found ${parts.length - 1} times in ${file}: ${find}`);
    return parts.join(replace);
  });
}
