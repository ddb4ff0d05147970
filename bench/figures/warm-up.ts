/** Warms up each engine with queries that are not measured, and the timing loop with engines that are not measured, before timing starts. */
import { celJs } from '../contenders/cel-js.js';
import type { Contender } from '../contenders/contender.js';
import { generated } from '../contenders/generated.js';
import { handWritten } from '../contenders/hand-written.js';
import { jsonLogicEngineCompiled } from '../contenders/json-logic-engine.js';
import { provisoTest } from '../contenders/proviso.js';
import { ucast } from '../contenders/ucast.js';
import { createScenario, referenceAnswers, type WorkloadName } from '../scenarios/scenario.js';
import { warmUpScenarios } from '../scenarios/warm-up.js';
import { WORKLOADS } from '../scenarios/workloads.js';
import { predicateRunner, type Runner } from '../timing/runner.js';
import { reportProgress } from './progress.js';

const QUERIES = 200;
/** Number of evaluations of each warm-up query for each of its hundred people. */
const REPETITIONS = 5;
const ASYNC_EVALUATIONS = 5;
const PEOPLE = 10_000;

/** More callees than an inline cache remembers, so that the hand-written function is called, not inlined. */
const CALLEES = [provisoTest, generated, jsonLogicEngineCompiled, celJs, ucast];

/** Runs two hundred other queries on every contender that can express them. */
export async function warmUp(contenders: readonly Contender[]): Promise<void> {
  const scenarios = warmUpScenarios(QUERIES);
  for (const contender of contenders) {
    reportProgress(`warming up ${contender.name}`);
    for (const scenario of scenarios) {
      if (contender.supports(scenario) !== true) continue;
      const prepared = contender.prepare(scenario);
      const expected = scenario.people.map(() => false);
      const count = prepared.mode === 'async' ? ASYNC_EVALUATIONS : expected.length * REPETITIONS;
      await predicateRunner(contender.name, prepared, expected).run(count);
    }
  }
}

/** Creates the runner of the hand-written function for figures without other contenders. Warms up, so that it is timed as in the other figures. */
export async function createBaseline(name: WorkloadName): Promise<Runner> {
  await warmUp(CALLEES);
  const scenario = createScenario(WORKLOADS[name], 'uniform', PEOPLE);
  return predicateRunner('hand-written', handWritten.prepare(scenario), referenceAnswers(scenario));
}
