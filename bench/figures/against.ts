/** Figure: compares this checkout with another one, alternating in one process: `test`, `evaluate`, bytes and compiling. */
import type { Contender } from '../contenders/contender.js';
import { provisoBytes, provisoEvaluate, provisoTest } from '../contenders/proviso.js';
import type { Shape } from '../scenarios/people.js';
import { createScenario, referenceAnswers, type WorkloadName } from '../scenarios/scenario.js';
import { WORKLOADS } from '../scenarios/workloads.js';
import { interleave, type TimingSettings } from '../timing/interleave.js';
import { predicateRunner, type Runner } from '../timing/runner.js';
import { compilingRunner } from './compiling.js';
import { reportProgress } from './progress.js';
import { warmUp } from './warm-up.js';

const PEOPLE = 10_000;
const NAMES = ['provisoTest', 'provisoEvaluate', 'provisoBytes'] as const;
const after: OtherContenders = { provisoTest, provisoEvaluate, provisoBytes };

/** The contenders of the other checkout. */
export type OtherContenders = Readonly<Record<(typeof NAMES)[number], Contender>>;

/** Prints a line for each pair: the time of this checkout as a multiple of the other's in the same round, median and quartiles. */
export async function compareWith(
  before: OtherContenders,
  workload: WorkloadName,
  shape: Shape,
  settings: TimingSettings,
): Promise<void> {
  const scenario = createScenario(WORKLOADS[workload], shape, PEOPLE);
  const expected = referenceAnswers(scenario);
  const runner = (contender: Contender): Runner =>
    predicateRunner(contender.name, contender.prepare(scenario), expected);
  await warmUp(NAMES.flatMap((name) => [before[name], after[name]]));
  for (const name of NAMES) {
    await compare(`${workload}, ${shape}: ${after[name].name}`, runner(before[name]), runner(after[name]));
  }
  const single = createScenario(WORKLOADS[workload], 'uniform', 1);
  await compare(
    `${workload}: compiling`,
    compilingRunner(before.provisoTest, single),
    compilingRunner(after.provisoTest, single),
  );

  async function compare(title: string, baseline: Runner, current: Runner): Promise<void> {
    reportProgress(title);
    const [, timing] = await interleave([baseline, current], settings);
    if (timing === undefined) throw new Error(`${title} was not timed`);
    const { q1, median, q3 } = timing.ratio;
    process.stdout.write(
      `${median.toFixed(3)} (${q1.toFixed(2)}–${q3.toFixed(2)})  ${title}, ${timing.nanoseconds.median.toFixed(1)} ns\n`,
    );
  }
}
