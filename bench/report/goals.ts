/** The goals that are measured, and whether each holds. */
import type { MemoryGrowth } from '../figures/memory.js';
import type { PredicateRow } from '../figures/predicates.js';
import type { WorkloadName } from '../scenarios/scenario.js';
import type { EvaluationResults } from './results.js';

/** A goal and its measurement. */
export interface Verdict {
  readonly goal: string;
  /** The measured ratio; `undefined` where it was not measured. */
  readonly measured: number | undefined;
  readonly bound: number;
  /** Whether the bound is an upper or a lower one. */
  readonly direction: 'at most' | 'at least';
  readonly holds: boolean;
  /** The contender that the ratio compares with. */
  readonly against: string;
}

const OURS = 'Proviso test()';
const EVALUATE = 'Proviso evaluate()';
const BYTES = 'Proviso query → bytes';
const STRINGIFY = 'JSON.stringify of the result';
const HAND_WRITTEN = 'hand-written';
/** Peers that `evaluate` need not outrun, since it gathers evidence and they generate code. */
const EXEMPT = ['json-logic-engine, compiled', 'ajv', 'filtrex'];
const WORKLOADS: readonly WorkloadName[] = ['one', 'six', 'fifty'];
const TEST_BOUNDS: Readonly<Record<WorkloadName, number>> = { one: 1.2, six: 1.2, fifty: 1.4 };

/** Share of a bare server's requests per second that the service must reach. */
export const HTTP_GOAL = 0.6;

/** How far heap and external memory may grow, as a ratio. */
const MEMORY_BOUND = 1.1;

/** Whether memory stayed within the bound. */
export function memoryHolds({ before, after }: MemoryGrowth): boolean {
  return after.heap <= before.heap * MEMORY_BOUND && after.external <= before.external * MEMORY_BOUND;
}

/** Compares a run with the goals: uniform people, contenders warmed up by other queries, medians of the ratios within a round. */
export function judge(results: EvaluationResults): readonly Verdict[] {
  const rows = (name: WorkloadName): readonly PredicateRow[] =>
    results.predicates.find(({ workload, shape }) => workload === name && shape === 'uniform')?.rows ?? [];
  const compiling = results.compiling.find(({ workload }) => workload === 'six')?.rows ?? [];
  const fastestCompiler = fastest(compiling.filter(({ kind }) => kind === 'peer'));
  return [
    ...WORKLOADS.map((name) =>
      atMost(`test() on ${name}`, TEST_BOUNDS[name], ratioOf(rows(name), OURS), HAND_WRITTEN),
    ),
    ...WORKLOADS.map((name) => {
      const peer = fastest(rows(name).filter(({ kind }) => kind === 'peer'));
      return atLeast(
        `test() faster than the fastest peer on ${name}`,
        1.5,
        over(peer, rows(name), OURS),
        peer,
      );
    }),
    ...WORKLOADS.map((name) => {
      const peers = rows(name).filter(({ kind, name: peer }) => kind === 'peer' && !EXEMPT.includes(peer));
      const peer = fastest(peers);
      return atLeast(`evaluate() faster than peers on ${name}`, 1, over(peer, rows(name), EVALUATE), peer);
    }),
    atMost('evaluate() on six', 15, ratioOf(rows('six'), EVALUATE), HAND_WRITTEN),
    atLeast(
      'query → bytes faster than stringify on fifty',
      2,
      quotient(ratioOf(rows('fifty'), STRINGIFY), ratioOf(rows('fifty'), BYTES)),
      STRINGIFY,
    ),
    atMost('compile of six', 600, ratioOf(compiling, OURS), 'one hand-written evaluation'),
    atLeast('compile of six faster than peers', 1, over(fastestCompiler, compiling, OURS), fastestCompiler),
  ];
}

function atMost(goal: string, bound: number, measured: number | undefined, against: string): Verdict {
  const holds = measured !== undefined && measured <= bound;
  return { goal, measured, bound, direction: 'at most', holds, against };
}

function atLeast(
  goal: string,
  bound: number,
  measured: number | undefined,
  against: PredicateRow | string | undefined,
): Verdict {
  const holds = measured !== undefined && measured >= bound;
  const name = typeof against === 'string' ? against : (against?.name ?? 'nobody');
  return { goal, measured, bound, direction: 'at least', holds, against: name };
}

function fastest(rows: readonly PredicateRow[]): PredicateRow | undefined {
  return rows
    .filter(({ ratio }) => ratio !== undefined)
    .sort((a, b) => (a.ratio?.median ?? 0) - (b.ratio?.median ?? 0))[0];
}

/** How many times longer the other takes than ours. */
function over(
  other: PredicateRow | undefined,
  rows: readonly PredicateRow[],
  ours: string,
): number | undefined {
  return quotient(other?.ratio?.median, ratioOf(rows, ours));
}

function ratioOf(rows: readonly PredicateRow[], name: string): number | undefined {
  return rows.find((row) => row.name === name)?.ratio?.median;
}

function quotient(dividend: number | undefined, divisor: number | undefined): number | undefined {
  return dividend === undefined || divisor === undefined ? undefined : dividend / divisor;
}
