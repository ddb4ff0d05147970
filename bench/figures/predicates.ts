/** Figure: all contenders on one workload, with people of one shape. */
import { CONTENDERS } from '../contenders/catalogue.js';
import type { Contender, Prepared } from '../contenders/contender.js';
import type { Shape } from '../scenarios/people.js';
import { createScenario, referenceAnswers, type WorkloadName } from '../scenarios/scenario.js';
import { WORKLOADS } from '../scenarios/workloads.js';
import { interleave, type TimingSettings } from '../timing/interleave.js';
import { predicateRunner, type Runner } from '../timing/runner.js';
import type { Spread } from '../timing/statistics.js';
import { reportProgress } from './progress.js';
import { warmUp } from './warm-up.js';

/** The result of a contender; without times if it cannot express the query or has wrong results. */
export interface PredicateRow extends Pick<Contender, 'name' | 'version' | 'kind' | 'note'> {
  readonly mode?: Prepared['mode'];
  readonly nanoseconds?: Spread;
  readonly ratio?: Spread;
  /** The reason why it was not timed. */
  readonly notTimed?: string;
}

export interface PredicatesFigure {
  readonly workload: WorkloadName;
  readonly shape: Shape;
  readonly people: number;
  readonly passed: number;
  readonly rows: readonly PredicateRow[];
}

const PEOPLE = 10_000;

/** Checks every contender, warms all of them up with other queries, and times those with correct results. */
export async function measurePredicates(
  name: WorkloadName,
  shape: Shape,
  settings: TimingSettings,
): Promise<PredicatesFigure> {
  const scenario = createScenario(WORKLOADS[name], shape, PEOPLE);
  const expected = referenceAnswers(scenario);
  const runners: Runner[] = [];
  const rows: PredicateRow[] = [];
  for (const contender of CONTENDERS) {
    reportProgress(`${name}, ${shape}: checking ${contender.name}`);
    const supported = contender.supports(scenario);
    if (supported !== true) {
      rows.push({ ...metadataOf(contender), notTimed: supported });
      continue;
    }
    const prepared = contender.prepare(scenario);
    const wrong = await countWrong(prepared, expected);
    if (wrong > 0) {
      rows.push({ ...metadataOf(contender), notTimed: `${wrong} of ${PEOPLE} results are wrong` });
      continue;
    }
    rows.push({ ...metadataOf(contender), mode: prepared.mode });
    runners.push(predicateRunner(contender.name, prepared, expected));
  }
  await warmUp(CONTENDERS);
  reportProgress(`${name}, ${shape}: timing ${runners.length} contenders`);
  const timings = await interleave(runners, settings);
  return {
    workload: name,
    shape,
    people: PEOPLE,
    passed: expected.filter(Boolean).length,
    rows: rows.map((row) => {
      const timing = timings.find((one) => one.name === row.name);
      return timing === undefined ? row : { ...row, nanoseconds: timing.nanoseconds, ratio: timing.ratio };
    }),
  };
}

function metadataOf({ name, version, kind, note }: Contender): PredicateRow {
  return { name, version, kind, ...(note === undefined ? {} : { note }) };
}

async function countWrong(prepared: Prepared, expected: readonly boolean[]): Promise<number> {
  let wrong = 0;
  for (const [index, input] of prepared.inputs.entries()) {
    if ((await prepared.passes(input as never)) !== expected[index]) wrong += 1;
  }
  return wrong;
}
