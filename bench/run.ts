/**
 * Measures all figures, and reports which goals are met.
 *
 *   npm run bench [-- [--quick] [--report] [--against DIR]]
 *   npm run bench -- policy-set [--quick] [--report]
 *
 * `--quick` runs fewer and shorter rounds and writes no results, `--report` reports and draws the last results without measuring, and
 * `--against` compares with another checkout without writing results.
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { combineProcesses } from './figures/combine.js';
import type { CompilingFigure } from './figures/compiling.js';
import type { GrowthFigure } from './figures/growth.js';
import type { PredicatesFigure } from './figures/predicates.js';
import { reportProgress } from './figures/progress.js';
import { reportPolicySets, runPolicySets } from './policy-sets/run.js';
import { bundle, bundleComparison, installPeerEngines, runBundle } from './prepare.js';
import { readConditions } from './report/conditions.js';
import { drawCharts } from './report/draw.js';
import { updatePage } from './report/page.js';
import { readResults, writeResults } from './report/result-files.js';
import type { EvaluationResults } from './report/results.js';
import { toReport } from './report/table.js';
import type { Timing, TimingSettings } from './timing/interleave.js';

const NAME = 'evaluation';
const FULL: TimingSettings = { rounds: 50, sliceMs: 3 };
const QUICK: TimingSettings = { rounds: 15, sliceMs: 1 };
/** Number of processes that measure each figure with contenders. */
const FULL_PROCESSES = 3;

/** V8 11 crashes when it deoptimizes inlined calls to WebAssembly ("unreachable code"), which affects Cedar. */
const WITHOUT_INLINED_WASM = process.versions.node.startsWith('20.')
  ? ['--no-turbo-inline-js-wasm-calls']
  : [];

const USAGE = `Usage: npm run bench -- [policy-set] [--quick] [--report] [--against DIR]

Measures all figures, and reports which goals are met; with policy-set, those of policy sets.

  --quick        fewer and shorter rounds, without writing results
  --report       report the last results without measuring
  --against DIR  compare with another checkout, without writing results
  --help         print this
`;

const { values, positionals } = readArguments();
if (values.help === true) {
  process.stdout.write(USAGE);
  process.exit();
}
if (positionals[0] === 'policy-set') {
  if (values.report === true) reportPolicySets();
  else await runPolicySets(values.quick === true);
  process.exit();
}
if (values.against !== undefined) {
  await compareCheckouts(resolve(values.against), values.quick === true ? QUICK : FULL);
  process.exit();
}
if (values.quick === true && values.report !== true) {
  process.stdout.write(`${toReport(await measureAll(QUICK, 1))}\n`);
  process.exit();
}
if (values.report !== true) writeResults(NAME, await measureAll(FULL, FULL_PROCESSES));
const results = readResults<EvaluationResults>(NAME);
drawCharts(results);
updatePage();
process.stdout.write(`${toReport(results)}\n`);

/** Reads the arguments; ends the process with a message where they are wrong. */
function readArguments() {
  try {
    const found = parseArgs({
      allowPositionals: true,
      options: {
        quick: { type: 'boolean' },
        report: { type: 'boolean' },
        against: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const unknown = found.positionals.find((name) => name !== 'policy-set');
    if (unknown !== undefined)
      throw new TypeError(`Unknown argument '${unknown}'; the only positional argument is policy-set`);
    if (found.positionals.length > 0 && found.values.against !== undefined)
      throw new TypeError('policy-set must not be combined with --against');
    return found;
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    process.stderr.write(`${error.message}\n\n${USAGE}`);
    process.exit(2);
  }
}

async function compareCheckouts(other: string, { rounds, sliceMs }: TimingSettings): Promise<void> {
  installPeerEngines();
  const path = await bundleComparison(other);
  for (const workload of ['one', 'six', 'fifty']) {
    for (const shape of ['uniform', 'mixed']) {
      const args = [workload, shape, String(rounds), String(sliceMs)];
      process.stdout.write(await runBundle(path, args, ['--expose-gc']));
    }
  }
}

/** Runs each figure in separate processes, so that none is affected by another. */
async function measureAll(settings: TimingSettings, processes: number): Promise<EvaluationResults> {
  installPeerEngines();
  const path = await bundle('figures/measure.ts');
  const startedAt = performance.now();
  const figure = async <Figure>(...args: readonly string[]): Promise<Figure> => {
    const [name = '', ...rest] = args;
    const timing = [String(settings.rounds), String(settings.sliceMs)];
    const text = await runBundle(path, [name, ...timing, ...rest], ['--expose-gc', ...WITHOUT_INLINED_WASM]);
    reportProgress(`${args.join(' ')}: done after ${Math.round((performance.now() - startedAt) / 1_000)} s`);
    return JSON.parse(text) as Figure;
  };
  const combined = async <Figure extends PredicatesFigure | CompilingFigure>(...args: readonly string[]) => {
    const first = await figure<Figure>(...args);
    const others: Figure[] = [];
    while (others.length < processes - 1) others.push(await figure<Figure>(...args));
    return combineProcesses([first, ...others]);
  };
  const predicates: PredicatesFigure[] = [];
  for (const workload of ['one', 'six', 'fifty']) {
    for (const shape of ['uniform', 'mixed']) predicates.push(await combined('predicates', workload, shape));
  }
  const compiling: CompilingFigure[] = [];
  for (const workload of ['six', 'fifty']) compiling.push(await combined('compiling', workload));
  const claimSets = await figure<readonly Timing[]>('claim-sets');
  const growth: GrowthFigure[] = [];
  for (const axis of ['checks', 'list', 'claims', 'credentials', 'subjects'])
    growth.push(await figure('growth', axis));
  return { conditions: readConditions(), settings, processes, predicates, compiling, claimSets, growth };
}
