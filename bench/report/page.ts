/** Generates the measured part of `docs/explanation/performance.md` from the results. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { PredicateRow } from '../figures/predicates.js';
import { GROWTH_AXES } from '../policy-sets/charts.js';
import type { PolicySetResults, SetFigure } from '../policy-sets/results.js';
import type { WorkloadName } from '../scenarios/scenario.js';
import { describeConditions } from './conditions.js';
import { HTTP_LIMITS, judge, memoryHolds } from './goals.js';
import { number, replaceMeasured, spread, table } from './markdown.js';
import { isMeasured, readResults } from './result-files.js';
import type { EvaluationResults, HttpResults, MemoryResults } from './results.js';

const PAGE = new URL('../../docs/explanation/performance.md', import.meta.url);
const NAMES: readonly WorkloadName[] = ['one', 'six', 'fifty'];

/** Rewrites the measured part of the page. */
export function updatePage(): void {
  writeFileSync(PAGE, measuredPage(readPage()));
}

/** Reads the current page. */
export function readPage(): string {
  return readFileSync(PAGE, 'utf8');
}

/** The page with its measured part generated from the last results. */
export function measuredPage(page: string): string {
  return replaceMeasured(page, 'docs/explanation/performance.md', measuredPart());
}

function measuredPart(): string {
  const parts = [
    ...(isMeasured('evaluation') ? evaluationPart(readResults<EvaluationResults>('evaluation')) : []),
    ...(isMeasured('http') ? httpPart(readResults<HttpResults>('http')) : []),
    ...(isMeasured('policy-sets') ? policySetPart(readResults<PolicySetResults>('policy-sets')) : []),
    ...(isMeasured('memory') ? memoryPart(readResults<MemoryResults>('memory')) : []),
  ];
  return parts.join('\n\n');
}

function evaluationPart(results: EvaluationResults): readonly string[] {
  const { conditions, settings, processes, predicates } = results;
  const verdicts = judge(results).map(({ goal, measured, bound, direction, holds, against }) => [
    goal,
    `${direction === 'at most' ? '≤' : '≥'} ${bound} ×`,
    measured === undefined ? '–' : `${number(measured)} ×`,
    against,
    holds ? 'holds' : '**does not hold**',
  ]);
  const columns = NAMES.flatMap((workload) =>
    (['uniform', 'mixed'] as const).map((shape) =>
      predicates.find((figure) => figure.workload === workload && figure.shape === shape),
    ),
  );
  const rows = (columns[2]?.rows ?? [])
    .filter((row): row is PredicateRow => row !== undefined)
    .map(({ name, version, mode, kind }) => [
      `${kind === 'peer' ? `${name} ${version}` : name}${mode === 'async' ? ' (async)' : ''}`,
      ...columns.map((figure) => spread(figure?.rows.find((row) => row.name === name)?.ratio)),
    ]);
  return [
    '### Goals',
    `${describeConditions(conditions)}; ${settings.rounds} rounds of ${settings.sliceMs} ms; processes: ${processes}.`,
    table(['goal', 'bound', 'measured', 'against', ''], verdicts),
    '### Evaluation',
    'Multiples of the time of the hand-written function in the same round; median, and quartiles in brackets. Lower is faster.',
    table(['', ...NAMES.flatMap((name) => [`${name}, uniform`, `${name}, mixed`])], rows),
  ];
}

function httpPart({ conditions, proviso, limits, rounds, sliceMs }: HttpResults): readonly string[] {
  return [
    '### Over HTTP',
    `${describeConditions(conditions)}; ${rounds} rounds of ${sliceMs} ms each.`,
    table(
      ['', 'requests a second', "Proviso's share", 'goal', ''],
      [
        ['Proviso, six checks with evidence', spread(proviso.perSecond), '', '', ''],
        ...limits.map(({ name, perSecond, share }) => {
          const goal = HTTP_LIMITS.find((limit) => limit.name === name)?.goal ?? Number.NaN;
          const verdict = share.median >= goal ? 'holds' : '**does not hold**';
          return [name, spread(perSecond), spread(share), `≥ ${goal}`, verdict];
        }),
      ],
    ),
  ];
}

/** By figure of `main`: how many times faster a match must be than testing the policies one by one. */
const POLICY_SET_GOALS = [40, 200];
/** How many times faster a match must be than the peer. */
const PEER_GOAL = 20;
/** Maximum time of adding policies, as a multiple of the time of compiling them. */
const ADDING_GOAL = 2;
/** Maximum bytes per policy. */
const BYTES_GOAL = 600;
const LOADING_GOAL_MS = 1_000;

function policySetPart(results: PolicySetResults): readonly string[] {
  const { conditions, main, peers, hostile } = results;
  const verdict = (holds: boolean) => (holds ? 'holds' : '**does not hold**');
  const share = ({ passing }: Pick<SetFigure, 'passing'>) => `${number(passing * 100)} %`;
  const goals = main.flatMap((figure, index) => {
    const goal = POLICY_SET_GOALS[index] ?? 0;
    const name = `${figure.policies.toLocaleString('en')} policies, ${share(figure)} pass`;
    const adding = addingRatio(figure);
    const ratio = figure.compiled?.ratio;
    return [
      [
        `${name}: time of testing one by one ÷ time of a match`,
        `≥ ${goal} ×`,
        spread(ratio),
        verdict((ratio?.median ?? 0) >= goal),
      ],
      [`${name}: adding ÷ compiling`, `≤ ${ADDING_GOAL} ×`, number(adding), verdict(adding <= ADDING_GOAL)],
      [
        `${name}: bytes each`,
        `≤ ${BYTES_GOAL}`,
        number(figure.bytesEach),
        verdict(figure.bytesEach <= BYTES_GOAL),
      ],
      [
        `${name}: from bytes in a new process, ms`,
        `≤ ${LOADING_GOAL_MS}`,
        spread(figure.saved?.loadingMs),
        verdict((figure.saved?.loadingMs.median ?? Number.NaN) <= LOADING_GOAL_MS),
      ],
    ];
  });
  return [
    '### Policy sets, measured',
    `${describeConditions(conditions)}.`,
    table(['', 'goal', 'measured', ''], goals),
    table(
      [
        'engine, 0.5 % pass',
        'policies',
        'ms per person',
        '÷ a match of the set',
        `goal: each ≥ ${PEER_GOAL} ×`,
      ],
      peers.map(({ name, policies, peerMs, ratio }) => [
        name,
        policies.toLocaleString('en'),
        spread(peerMs),
        spread(ratio),
        verdict(ratio.median >= PEER_GOAL),
      ]),
    ),
    table(
      [
        'hostile set',
        'policies',
        'pass',
        'ms per match',
        'testing one by one ÷ match',
        'bytes each',
        'adding ÷ compiling',
      ],
      hostile.map((figure) => [
        figure.name,
        figure.policies.toLocaleString('en'),
        share(figure),
        spread(figure.matchMs),
        spread(figure.compiled?.ratio),
        number(figure.bytesEach),
        number(addingRatio(figure)),
      ]),
    ),
    ...GROWTH_AXES.flatMap(({ name, title, figures, x }) => [
      table(
        [title, 'pass', 'ms per match', 'testing one by one ÷ match', 'bytes each'],
        figures(results).map((figure) => [
          x(figure).toLocaleString('en'),
          share(figure),
          spread(figure.matchMs),
          spread(figure.compiled?.ratio),
          number(figure.bytesEach),
        ]),
      ),
      `![Cost against ${title}](../../bench/charts/policy-set-${name}.svg)`,
    ]),
  ];
}

function addingRatio({ addingMs, compiled }: Pick<SetFigure, 'addingMs' | 'compiled'>): number {
  return compiled === undefined ? Number.NaN : addingMs / compiled.compilingMs;
}

function memoryPart({ conditions, growths }: MemoryResults): readonly string[] {
  return [
    '### Memory',
    `${describeConditions(conditions)}. MiB before and after, garbage collected.`,
    table(
      ['', 'heap', 'external', ''],
      growths.map((growth) => [
        `${growth.count.toLocaleString('en')} ${growth.what}`,
        `${mebibytes(growth.before.heap)} → ${mebibytes(growth.after.heap)}`,
        `${mebibytes(growth.before.external)} → ${mebibytes(growth.after.external)}`,
        memoryHolds(growth) ? 'holds' : '**does not hold**',
      ]),
    ),
  ];
}

function mebibytes(bytes: number): string {
  return (bytes / 2 ** 20).toFixed(1);
}
