/**
 * Compares `POST /queries/evaluate` in the sandbox with a bare server: six checks, complete evidence, requests per second.
 *
 *   npm run check -- bench-http [--quick] [--against DIR]
 *
 * `--against` compares with the service of another checkout, which must be built, and writes no results.
 *
 * Runs three processes: the two servers, and the load on each of them in turn.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { reportProgress } from '../figures/progress.js';
import { bundle, installPeerEngines, runBundle } from '../prepare.js';
import { HTTP_GOAL } from '../report/goals.js';
import { updatePage } from '../report/page.js';
import { describeConditions, type HttpResults, readConditions, writeResults } from '../report/results.js';
import { WORKLOADS } from '../scenarios/workloads.js';
import { type Spread, spreadOf } from '../timing/statistics.js';
import type { Load } from './load.js';

const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const SCOPES = 'identity:read identity:date_of_birth kyc:read financial:read financial:total_liabilities';
const BODY = JSON.stringify({ query: WORKLOADS.six.query });

const { values } = parseArgs({ options: { quick: { type: 'boolean' }, against: { type: 'string' } } });
const [rounds, seconds] = values.quick === true ? [3, 1] : [9, 4];

installPeerEngines();
const folder = mkdtempSync(join(tmpdir(), 'proviso-bench-'));
const servers: ChildProcess[] = [];
try {
  if (values.against !== undefined) {
    process.stdout.write(`${await compareWith(resolve(values.against, 'dist/cli.js'))}\n`);
  } else {
    const results = await measure();
    writeResults('http', results);
    updatePage();
    process.stdout.write(`${report(results)}\n`);
  }
} finally {
  for (const server of servers) server.kill('SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

/** A running service, and a token for its `POST /queries/evaluate`. */
interface Target {
  readonly url: string;
  readonly token: string;
}

async function startService(command: string): Promise<Target> {
  const workingDirectory = mkdtempSync(join(folder, 'service-'));
  const baseUrl = await start([command, 'serve'], /base URL {2}(\S+)/, workingDirectory);
  const args = ['sandbox', 'token', '--user', 'ada', '--scope', SCOPES];
  const token = await runBundle(command, args, [], workingDirectory);
  return { url: `${baseUrl}/queries/evaluate`, token: token.trim() };
}

/** Requests per second of this checkout as a multiple of the other's. */
async function compareWith(otherCommand: string): Promise<string> {
  const [before, after] = [await startService(otherCommand), await startService(COMMAND)];
  const load = await bundle('http/load.ts');
  const ratios: number[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const targets = round % 2 === 0 ? [before, after] : [after, before];
    const measured = new Map<Target, number>();
    for (const target of targets) measured.set(target, await measureLoad(load, target.url, target.token));
    const ratio = (measured.get(after) ?? Number.NaN) / (measured.get(before) ?? Number.NaN);
    reportProgress(`round ${round + 1} of ${rounds}: ${ratio.toFixed(3)}`);
    if (round >= 0) ratios.push(ratio);
  }
  const { q1, median, q3 } = spreadOf(ratios);
  return `${median.toFixed(3)} (${q1.toFixed(2)}–${q3.toFixed(2)}) times the requests per second of the other`;
}

async function measure(): Promise<HttpResults> {
  const { url, token } = await startService(COMMAND);
  const bodyBytes = await responseBytes(url, token);
  const bareServer = await bundle('http/bare-server.ts');
  const bareUrl = await start([bareServer, join(folder, 'bare.sqlite'), String(bodyBytes)], /(http\S+)/);
  const load = await bundle('http/load.ts');
  const samples: { readonly proviso: number; readonly bare: number }[] = [];
  for (let round = -1; round < rounds; round += 1) {
    const proviso = await measureLoad(load, url, token);
    const bare = await measureLoad(load, bareUrl, token);
    reportProgress(`round ${round + 1} of ${rounds}: Proviso ${proviso}/s, bare ${bare}/s`);
    // The first round warms up both servers.
    if (round >= 0) samples.push({ proviso, bare });
  }
  return {
    conditions: readConditions(),
    rounds,
    seconds,
    bodyBytes,
    proviso: spreadOf(samples.map(({ proviso }) => proviso)),
    bare: spreadOf(samples.map(({ bare }) => bare)),
    ratio: spreadOf(samples.map(({ proviso, bare }) => proviso / bare)),
  };
}

/** Starts a server and returns the address that it prints. */
function start(args: readonly string[], address: RegExp, cwd = folder): Promise<string> {
  const environment = { ...process.env, PROVISO_PORT: '0' };
  const server = spawn(process.execPath, args, {
    cwd,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  servers.push(server);
  return new Promise((resolve, reject) => {
    let printed = '';
    server.on('exit', (code) => reject(new Error(`a server exited with ${code}`)));
    server.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      const found = address.exec(printed)?.[1];
      if (found !== undefined) resolve(found);
    });
  });
}

/** Sends one request, checks the response, and returns its length. */
async function responseBytes(url: string, token: string): Promise<number> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: BODY,
  });
  const text = await response.text();
  const checks = (JSON.parse(text) as { evidence?: { checkResults: readonly unknown[] } }).evidence
    ?.checkResults;
  if (response.status !== 200 || checks?.length !== 6) throw new Error(`${response.status}: ${text}`);
  return Buffer.byteLength(text);
}

async function measureLoad(load: string, url: string, token: string): Promise<number> {
  const measured = JSON.parse(await runBundle(load, [url, token, String(seconds), BODY])) as Load;
  if (measured.failures > 0) throw new Error(`${url}: ${measured.failures} requests failed`);
  return Math.round(measured.requestsPerSecond);
}

function report({ conditions, proviso, bare, ratio, bodyBytes }: HttpResults): string {
  const verdict = ratio.median >= HTTP_GOAL ? 'holds' : 'DOES NOT HOLD';
  const spread = ({ q1, q3 }: Spread, digits: number) => `(${q1.toFixed(digits)}–${q3.toFixed(digits)})`;
  return [
    `${verdict}  ${(ratio.median * 100).toFixed(0)} % of the bare server's requests per second ${spread(ratio, 2)}, goal ≥ ${HTTP_GOAL * 100} %`,
    `Proviso ${proviso.median.toFixed(0)}/s ${spread(proviso, 0)}`,
    `bare    ${bare.median.toFixed(0)}/s ${spread(bare, 0)}, bodies of ${bodyBytes} bytes`,
    `${describeConditions(conditions)}; ${rounds} rounds of ${seconds} s each`,
  ].join('\n');
}
