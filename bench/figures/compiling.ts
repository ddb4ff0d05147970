/** Figure: time to compile a query from the contender's native form and evaluate it once, for all contenders that compile. */
import type { PolicyItem } from '../../src/index.js';
import { CONTENDERS } from '../contenders/catalogue.js';
import type { Contender } from '../contenders/contender.js';
import { createScenario, type Scenario, type WorkloadName } from '../scenarios/scenario.js';
import { WORKLOADS } from '../scenarios/workloads.js';
import { interleave, type TimingSettings } from '../timing/interleave.js';
import { callRunner, type Runner } from '../timing/runner.js';
import type { PredicateRow } from './predicates.js';
import { reportProgress } from './progress.js';
import { createBaseline, warmUp } from './warm-up.js';

export interface CompilingFigure {
  readonly workload: WorkloadName;
  readonly rows: readonly PredicateRow[];
}

const PEOPLE = 1;
/** Number of query objects that are compiled in turn, so that a cache of the last query does not help. */
const VARIANTS = 100;

/** Times compilation; the ratio is to one evaluation by the hand-written function. */
export async function measureCompiling(
  name: WorkloadName,
  settings: TimingSettings,
): Promise<CompilingFigure> {
  const scenario = createScenario(WORKLOADS[name], 'uniform', PEOPLE);
  const contenders = CONTENDERS.filter(
    (contender) => contender.prepareCompilation !== undefined && contender.supports(scenario) === true,
  );
  const baseline = await createBaseline(name);
  await warmUp(contenders);
  reportProgress(`compiling ${name}: timing ${contenders.length} contenders`);
  const runners = contenders.map((contender) => compilingRunner(contender, scenario));
  const [, ...timings] = await interleave([baseline, ...runners], settings);
  return {
    workload: name,
    rows: contenders.map(({ name: contender, version, kind }, index) => {
      const timing = timings[index];
      if (timing === undefined) throw new Error(`${contender} was not timed`);
      return { name: contender, version, kind, nanoseconds: timing.nanoseconds, ratio: timing.ratio };
    }),
  };
}

/** Runs a contender's compilation of variants of the scenario's query in turn. */
export function compilingRunner(contender: Contender, scenario: Scenario): Runner {
  const calls = Array.from({ length: VARIANTS }, (_, variant) =>
    contender.prepareCompilation?.(variantOf(scenario, variant)),
  );
  return callRunner(
    contender.name,
    calls.filter((call) => call !== undefined),
  );
}

/** Returns the scenario with other operands in its query: numbers are increased and lists rotated; other operands are unchanged. */
function variantOf(scenario: Scenario, variant: number): Scenario {
  return { ...scenario, query: varyOperands(scenario.query, variant) };
}

function varyOperands(item: PolicyItem, variant: number): PolicyItem {
  if ('check' in item) {
    const { value } = item.check;
    if (typeof value === 'number') return { check: { ...item.check, value: value + variant } };
    if (!Array.isArray(value)) return item;
    const rotated = [...value.slice(variant % value.length), ...value.slice(0, variant % value.length)];
    return { check: { ...item.check, value: rotated } };
  }
  const { policy } = item;
  const each = (inner: PolicyItem): PolicyItem => varyOperands(inner, variant);
  if ('not' in policy) return { policy: { not: each(policy.not) } };
  return {
    policy: 'allOf' in policy ? { allOf: policy.allOf.map(each) } : { anyOf: policy.anyOf.map(each) },
  };
}
