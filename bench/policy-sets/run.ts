/** Measures policy sets, each figure in a separate process: `npm run bench -- policy-set`. */
import { reportProgress } from '../figures/progress.js';
import { bundle, installPeerEngines, runBundle } from '../prepare.js';
import { readConditions } from '../report/conditions.js';
import { updatePage } from '../report/page.js';
import { readResults, writeResults } from '../report/result-files.js';
import type { PolicyScenario } from '../scenarios/policy-sets.js';
import { drawPolicySetCharts } from './charts.js';
import { HOSTILE_SETS } from './hostile.js';
import { PEERS } from './peers.js';
import type { HostileFigure, PeerFigure, PolicySetResults, SetFigure } from './results.js';

const POLICIES = 100_000;
/** Policies that a person passes, in sets of every size. */
const FIXED_PASSING = 100;

/** Measures everything, and writes the results, the charts and the page. @param isQuick - Uses fewer rounds and policies, and only prints the results. */
export async function runPolicySets(isQuick: boolean): Promise<void> {
  installPeerEngines();
  const path = await bundle('policy-sets/measure.ts');
  const rounds = isQuick ? 3 : 25;
  const size = isQuick ? POLICIES / 10 : POLICIES;
  const run = async <Figure>(...args: readonly string[]): Promise<Figure> => {
    const text = await runBundle(path, args, ['--expose-gc', '--max-old-space-size=12000']);
    reportProgress(`${args.join(' ')}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as Figure;
  };
  const sets = async (scenarios: readonly PolicyScenario[]): Promise<readonly SetFigure[]> => {
    const figures: SetFigure[] = [];
    for (const scenario of scenarios)
      figures.push(await run<SetFigure>('set', JSON.stringify(scenario), String(rounds)));
    return figures;
  };
  const main = await sets([0.005, 0.0001].map((passing) => ({ policies: size, passing })));
  const peers: PeerFigure[] = [];
  for (const { name } of PEERS) peers.push(await run('peer', name, String(Math.min(rounds, 5))));
  const hostile: HostileFigure[] = [];
  for (const { name } of HOSTILE_SETS) hostile.push(await run('hostile', name, String(size)));
  const sizes = isQuick ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000];
  const growth = sizes.map((policies) => ({ policies, passing: FIXED_PASSING / policies }));
  const rates = [0.0001, 0.001, 0.01, 0.1].map((passing) => ({ policies: size / 2, passing }));
  const checks = [1, 2, 4, 8, 12].map((count) => ({
    policies: size / 4,
    passing: 0.005,
    checks: [count, count] as const,
  }));
  const results: PolicySetResults = {
    conditions: readConditions(),
    main,
    peers,
    hostile,
    policies: await sets(growth),
    rates: await sets(rates),
    checks: await sets(checks),
  };
  if (isQuick) {
    process.stdout.write(`${JSON.stringify(results, undefined, 1)}\n`);
    return;
  }
  writeResults('policy-sets', results);
  reportPolicySets();
}

/** Writes the charts and the page from the last results. */
export function reportPolicySets(): void {
  drawPolicySetCharts(readResults<PolicySetResults>('policy-sets'));
  updatePage();
}
