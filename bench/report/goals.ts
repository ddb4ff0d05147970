/** The performance goals, and whether a run meets each. */
import type { MemoryGrowth } from '../figures/memory.js';
import type { PredicateRow } from '../figures/predicates.js';
import type { WorkloadName } from '../scenarios/scenario.js';
import type { EvaluationResults } from './results.js';

/** A goal and its measurement. */
export interface Verdict {
  readonly goal: string;
  /** The measured ratio; `undefined` if it was not measured. */
  readonly measured: number | undefined;
  readonly bound: number;
  /** Whether the bound is an upper or a lower one. */
  readonly direction: 'at most' | 'at least';
  readonly holds: boolean;
  /** The contender that the ratio compares with. */
  readonly against: string;
}

const TEST = 'Proviso test()';
const EVALUATE = 'Proviso evaluate()';
const MODULE_TEST = 'Proviso generated module, test()';
const MODULE_EVALUATE = 'Proviso generated module, evaluate()';
const BYTES = 'Proviso query → bytes';
const STRINGIFY = 'JSON.stringify of the result';
const HAND_WRITTEN = 'hand-written';
/** Peers that `evaluate` need not outperform, since they generate code and gather no evidence. */
const EXEMPT = ['json-logic-engine, compiled', 'ajv', 'filtrex'];
const WORKLOADS: readonly WorkloadName[] = ['one', 'six', 'fifty'];
const TEST_BOUNDS: Readonly<Record<WorkloadName, number>> = { one: 1.2, six: 1.2, fifty: 1.4 };

/** Servers that send a fixed body, and the share of their requests per second that the service must reach. */
export const HTTP_LIMITS: readonly { readonly name: string; readonly goal: number }[] = [
  { name: 'node:http', goal: 0.6 },
  { name: 'fastify', goal: 0.85 },
  { name: 'node:http, one row', goal: 0.6 },
];

/** Maximum growth of heap and external memory, as a ratio. */
const MEMORY_BOUND = 1.1;

/** Whether memory stayed within the bound. */
export function memoryHolds({ before, after }: MemoryGrowth): boolean {
  return after.heap <= before.heap * MEMORY_BOUND && after.external <= before.external * MEMORY_BOUND;
}

/** Compares the medians of a run's ratios with the goals. Uses the figures for uniform people, and those for compiling. */
export function judge(results: EvaluationResults): readonly Verdict[] {
  const rows = (name: WorkloadName): readonly PredicateRow[] =>
    results.predicates.find(({ workload, shape }) => workload === name && shape === 'uniform')?.rows ?? [];
  const compiling = results.compiling.find(({ workload }) => workload === 'six')?.rows ?? [];
  // Results may be older than these contenders.
  const hasModules = rows('six').some(({ name }) => name === MODULE_TEST);
  const fastestCompiler = fastest(compiling.filter(({ kind }) => kind === 'peer'));
  return [
    ...WORKLOADS.map((name) =>
      atMost(`test() on ${name}`, TEST_BOUNDS[name], ratioOf(rows(name), TEST), HAND_WRITTEN),
    ),
    ...WORKLOADS.map((name) => {
      const peer = fastest(rows(name).filter(({ kind }) => kind === 'peer'));
      return atLeast(
        `test() faster than the fastest peer on ${name}`,
        1.5,
        relativeTime(peer, rows(name), TEST),
        peer,
      );
    }),
    ...WORKLOADS.map((name) => {
      const peers = rows(name).filter(({ kind, name: peer }) => kind === 'peer' && !EXEMPT.includes(peer));
      const peer = fastest(peers);
      return atLeast(
        `evaluate() faster than peers on ${name}`,
        1,
        relativeTime(peer, rows(name), EVALUATE),
        peer,
      );
    }),
    ...(hasModules ? judgeModules(rows) : []),
    atMost('evaluate() on six', 15, ratioOf(rows('six'), EVALUATE), HAND_WRITTEN),
    atLeast(
      'query → bytes faster than stringify on fifty',
      2,
      quotient(ratioOf(rows('fifty'), STRINGIFY), ratioOf(rows('fifty'), BYTES)),
      STRINGIFY,
    ),
    atMost('compile of six', 600, ratioOf(compiling, TEST), 'one hand-written evaluation'),
    atLeast(
      'compile of six faster than peers',
      1,
      relativeTime(fastestCompiler, compiling, TEST),
      fastestCompiler,
    ),
  ];
}

/** The goals of modules that are generated ahead of time. */
function judgeModules(rows: (name: WorkloadName) => readonly PredicateRow[]): readonly Verdict[] {
  return [
    ...WORKLOADS.map((name) =>
      atMost(`generated test() on ${name}`, 1, ratioOf(rows(name), MODULE_TEST), HAND_WRITTEN),
    ),
    ...WORKLOADS.map((name) => {
      const peer = fastest(rows(name).filter(({ kind }) => kind === 'peer'));
      return atLeast(
        `generated test() faster than the fastest peer on ${name}`,
        1.5,
        relativeTime(peer, rows(name), MODULE_TEST),
        peer,
      );
    }),
    atMost('generated evaluate() on six', 6.5, ratioOf(rows('six'), MODULE_EVALUATE), HAND_WRITTEN),
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
  const name = typeof against === 'string' ? against : (against?.name ?? 'no peer');
  return { goal, measured, bound, direction: 'at least', holds, against: name };
}

function fastest(rows: readonly PredicateRow[]): PredicateRow | undefined {
  return rows
    .filter(({ ratio }) => ratio !== undefined)
    .sort((a, b) => (a.ratio?.median ?? 0) - (b.ratio?.median ?? 0))[0];
}

/** The time of another contender as a multiple of Proviso's. */
function relativeTime(
  other: PredicateRow | undefined,
  rows: readonly PredicateRow[],
  name: string,
): number | undefined {
  return quotient(other?.ratio?.median, ratioOf(rows, name));
}

function ratioOf(rows: readonly PredicateRow[], name: string): number | undefined {
  return rows.find((row) => row.name === name)?.ratio?.median;
}

function quotient(dividend: number | undefined, divisor: number | undefined): number | undefined {
  return dividend === undefined || divisor === undefined ? undefined : dividend / divisor;
}
