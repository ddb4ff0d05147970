/** Checks that every contender has correct results for each person of each workload, or states why it cannot express the query. */
import { describe, expect, it } from 'vitest';
import { CONTENDERS } from './contenders/catalogue.js';
import type { Contender } from './contenders/contender.js';
import { generatedEvidence } from './contenders/generated-evidence.js';
import { provisoEvaluate } from './contenders/proviso.js';
import type { Shape } from './scenarios/people.js';
import { createScenario, referenceAnswers, type Scenario } from './scenarios/scenario.js';
import { warmUpScenarios } from './scenarios/warm-up.js';
import { WORKLOADS } from './scenarios/workloads.js';
import { lastKept } from './timing/keep.js';

const PEOPLE = 10_000;
const SHAPES: readonly Shape[] = ['uniform', 'mixed'];

const measured = Object.values(WORKLOADS).flatMap((workload) =>
  SHAPES.map((shape) => ({ title: `${workload.name}, ${shape}`, workload, shape })),
);

describe.each(measured)('the workload $title', ({ workload, shape }) => {
  const scenario = createScenario(workload, shape, PEOPLE);
  const expected = referenceAnswers(scenario);

  it('has distinct people, about half of whom pass', () => {
    const passed = expected.filter(Boolean).length;
    expect(passed).toBeGreaterThan(0.4 * PEOPLE);
    expect(passed).toBeLessThan(0.6 * PEOPLE);
    expect(new Set(scenario.people.map(({ flat }) => JSON.stringify(flat))).size).toBe(PEOPLE);
  });

  it.each(CONTENDERS)('has the results of the reference with $name', async (contender) => {
    const supported = contender.supports(scenario);
    if (supported !== true) return expect(supported).toMatch(/\w/);
    expect(wrongResults(await evaluateAll(contender, scenario), expected)).toEqual([]);
  });

  it('has the same evidence with both contenders that gather it', () => {
    const texts = [provisoEvaluate, generatedEvidence].map((contender) => evidenceOf(contender, scenario));
    expect(texts[1]).toEqual(texts[0]);
  });
});

it.each(CONTENDERS)('$name has the results of the reference for the warm-up queries', async (contender) => {
  for (const scenario of warmUpScenarios(40)) {
    if (contender.supports(scenario) !== true) continue;
    expect(wrongResults(await evaluateAll(contender, scenario), referenceAnswers(scenario))).toEqual([]);
  }
});

async function evaluateAll(contender: Contender, scenario: Scenario): Promise<readonly boolean[]> {
  const prepared = contender.prepare(scenario);
  const results: boolean[] = [];
  for (const input of prepared.inputs) results.push(await prepared.passes(input as never));
  return results;
}

/** Returns the results with evidence for a hundred people, as JSON. */
function evidenceOf(contender: Contender, scenario: Scenario): readonly string[] {
  const { mode, inputs, passes } = contender.prepare({ ...scenario, people: scenario.people.slice(0, 100) });
  if (mode !== 'sync') throw new Error(`${contender.name} is asynchronous`);
  return inputs.map((input) => {
    passes(input as never);
    return JSON.stringify(lastKept());
  });
}

/** Returns the indexes of people with a wrong result. */
function wrongResults(results: readonly boolean[], expected: readonly boolean[]): readonly number[] {
  return [...expected.keys()].filter((index) => results[index] !== expected[index]);
}
