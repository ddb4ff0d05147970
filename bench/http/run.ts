/**
 * Compares the requests per second of `POST /queries/evaluate` in the sandbox, for six checks with full evidence, with those of servers that send a
 * body of the same length.
 *
 *   npm run check -- bench-http [--quick] [--against DIR]
 *
 * `--against` compares with the service of another checkout, which must be built, and writes no results. `--quick` measures fewer and shorter
 * rounds, and writes no results.
 *
 * Each server is a process; one more process sends requests to each of them in turn.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeConditions, readConditions } from '../report/conditions.js';
import { HTTP_LIMITS } from '../report/goals.js';
import { updatePage } from '../report/page.js';
import { writeResults } from '../report/result-files.js';
import type { HttpResults } from '../report/results.js';
import type { Spread } from '../timing/statistics.js';
import { type Processes, readResponse, type Target, withProcesses } from './processes.js';
import { alternate, describeSide, formatSpread } from './slices.js';

const CONNECTIONS = 16;

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, against: { type: 'string' } } });
const [rounds, sliceMs] = values.quick === true ? [5, 500] : [25, 1_000];

await withProcesses(async (processes) => {
  if (values.against !== undefined) {
    await compareWith(resolve(values.against, 'dist/cli.js'), processes);
    return;
  }
  const results = await measureLimits(processes);
  if (values.quick !== true) {
    writeResults('http', results);
    updatePage();
  }
  process.stdout.write(`${report(results)}\n`);
  if (!results.limits.every(reachesGoal)) process.exitCode = 1;
});

/** Prints the requests per second of both checkouts, and the ratio of this checkout to the other. */
async function compareWith(otherCommand: string, { startService, measure }: Processes): Promise<void> {
  const side = (name: string, target: Target) => ({
    name,
    measure: () => measure(target, sliceMs, CONNECTIONS),
  });
  const sides = [side('other', await startService(otherCommand)), side('this', await startService())];
  const results = await alternate(sides, rounds);
  process.stdout.write(`${results.map(describeSide).join('\n')}\n`);
}

async function measureLimits({
  createFolder,
  startService,
  startServer,
  measure,
}: Processes): Promise<HttpResults> {
  const service = await startService();
  const bodyBytes = Buffer.byteLength(await readResponse(service));
  const targets = [{ name: 'Proviso', target: service }];
  for (const { name } of HTTP_LIMITS) {
    const args = [name, String(bodyBytes), join(createFolder(), 'bare.sqlite')];
    targets.push({ name, target: await startServer('http/bare-server.ts', args) });
  }
  const sides = targets.map(({ name, target }) => ({
    name,
    measure: () => measure(target, sliceMs, CONNECTIONS),
  }));
  const [proviso, ...limits] = await alternate(sides, rounds);
  if (proviso === undefined) throw new Error('nothing was measured');
  return {
    conditions: readConditions(),
    rounds,
    sliceMs,
    bodyBytes,
    proviso: { perSecond: proviso.perSecond, cpuMicroseconds: proviso.cpuMicroseconds },
    limits: limits.map(({ name, perSecond, ratio, cpuMicroseconds, cpuRatio }) => ({
      name,
      perSecond,
      share: invert(ratio),
      cpuMicroseconds,
      cpuShare: invert(cpuRatio),
    })),
  };
}

/** Returns the quartiles of the reciprocals. */
function invert({ q1, median, q3 }: Spread): Spread {
  return { q1: 1 / q3, median: 1 / median, q3: 1 / q1 };
}

function reachesGoal({ name, share }: { readonly name: string; readonly share: Spread }): boolean {
  return share.median >= goalOf(name);
}

function goalOf(name: string): number {
  return HTTP_LIMITS.find((limit) => limit.name === name)?.goal ?? Number.NaN;
}

function report({ conditions, proviso, limits, bodyBytes }: HttpResults): string {
  return [
    `${describeConditions(conditions)}; ${rounds} rounds of ${sliceMs} ms each, bodies of ${bodyBytes} bytes`,
    `Proviso ${formatSpread(proviso.perSecond, 0)}/s, CPU ${formatSpread(proviso.cpuMicroseconds, 0)} µs`,
    ...limits.map(({ name, perSecond, share, cpuMicroseconds, cpuShare }) => {
      const verdict = reachesGoal({ name, share }) ? 'holds' : 'DOES NOT HOLD';
      return `${verdict.padEnd(14)}${formatSpread(share, 2)} of ${name}, goal ≥ ${goalOf(name)}; ${formatSpread(perSecond, 0)}/s; by CPU time ${formatSpread(cpuShare, 2)}, ${formatSpread(cpuMicroseconds, 0)} µs`;
    }),
  ].join('\n');
}
