/**
 * Measures the latency of honest clients with and without thousands of idle and hundreds of slow connections (S16, F14, F15).
 *
 * npm run check -- slow-clients [--idle 5000] [--slow 500] [--seconds 20]
 *
 * Before that: clients that never close their half of the connection ({@link checkHalfOpenClients}).
 *
 * The service, the honest clients and the others are three processes. A slow connection sends one byte a second, of a head or of a body;
 * one that the service ends is opened again, so that their number stays.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startServe } from '../support/run-command.js';
import { checkHalfOpenClients } from './half-open-clients.js';

const HONEST = 8;
/** Pause between an honest client's requests, which must not be a load themselves. */
const THINK_MS = 20;
const BYTE_EVERY_MS = 1_000;
const SPREAD_MS = 9_000;
const SAMPLE_EVERY_MS = 200;
const MAX_RATIO = 2;
/** A few are always between two of their connections. */
const ALL_BUT = 0.95;
const QUERY = '{"query":{"check":{"claim":"kyc.level","operator":"isDefined"}}}';
const HEAD =
  'POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n';

const { values } = parseArgs({
  options: {
    idle: { type: 'string', default: '5000' },
    slow: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '20' },
    crowd: { type: 'string' },
  },
});
const [idle, slow, seconds] = [Number(values.idle), Number(values.slow), Number(values.seconds)];

if (values.crowd === undefined) {
  const freed = await checkHalfOpenClients();
  const unharmed = await compare();
  process.exitCode = freed && unharmed ? 0 : 1;
} else crowd(Number(values.crowd));

async function compare(): Promise<boolean> {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-slow-'));
  const serving = await startServe({ cwd });
  const { port } = new URL(serving.url);
  const token = /Bearer ([\w-]+)/.exec(serving.curlLine)?.[1] ?? '';
  let others: ChildProcess | undefined;
  try {
    await waits(serving.url, token, 3);
    const quiet = await waits(serving.url, token, seconds);
    const memoryBefore = residentMegabytes(serving.process.pid);
    others = fork(fileURLToPath(import.meta.url), [
      '--crowd',
      port,
      '--idle',
      String(idle),
      '--slow',
      String(slow),
    ]);
    await new Promise((resolve) => others?.once('message', resolve));
    const beside = await waits(serving.url, token, seconds);
    const counted = await openConnections(others);
    print('quiet', quiet);
    print(`beside ${counted.idle} idle and ${counted.slow} slow connections on average`, beside);
    const ratio = quantile(beside, 0.5) / quantile(quiet, 0.5);
    process.stdout.write(
      `the service ended ${counted.ended} of their connections; its memory went from ${memoryBefore} to ${residentMegabytes(serving.process.pid)} MB\n`,
    );
    const holds =
      ratio <= MAX_RATIO && beside.length > 0 && counted.idle + counted.slow >= (idle + slow) * ALL_BUT;
    process.stdout.write(
      `${holds ? 'holds' : 'DOES NOT HOLD'}  the median wait is ${ratio.toFixed(2)} × the quiet one (at most ${MAX_RATIO} ×)\n`,
    );
    return holds;
  } finally {
    others?.kill('SIGKILL');
    await serving.stop('SIGKILL');
    rmSync(cwd, { recursive: true });
  }
}

/** Milliseconds of each request of the honest clients; any that is not answered with 200 ends the run. */
async function waits(url: string, token: string, forSeconds: number): Promise<number[]> {
  const until = performance.now() + forSeconds * 1_000;
  const all: number[] = [];
  await Promise.all(
    Array.from({ length: HONEST }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (performance.now() < until) {
        const from = performance.now();
        await ask(url, token, agent);
        all.push(performance.now() - from);
        await new Promise((resolve) => setTimeout(resolve, THINK_MS));
      }
      agent.destroy();
    }),
  );
  return all.sort((left, right) => left - right);
}

function ask(url: string, token: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const sent = request(`${url}/queries/evaluate`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200 ? resolve() : reject(new Error(`answered ${response.statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end(QUERY);
  });
}

function print(what: string, sorted: readonly number[]): void {
  const [median, high] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
  process.stdout.write(
    `${what}: ${sorted.length} requests, median ${median.toFixed(2)} ms, 99th percentile ${high.toFixed(2)} ms\n`,
  );
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function residentMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}

/** How many were open, on average. */
interface Counted {
  readonly idle: number;
  readonly slow: number;
  readonly ended: number;
}

function openConnections(others: ChildProcess | undefined): Promise<Counted> {
  return new Promise((resolve) => {
    others?.once('message', (counted) => resolve(counted as Counted));
    others?.send('count');
  });
}

/** Keeps connections open, and reports once all are open. */
function crowd(port: number): void {
  const open = { idle: new Set<Socket>(), slow: new Set<Socket>() };
  let ended = 0;
  let told = false;
  const begin = (kind: 'idle' | 'slow', atOnce: string, sending: string) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(atOnce));
    let next = 0;
    const timer = setInterval(() => {
      if (sending !== '') socket.write(sending[next++ % sending.length] ?? '');
    }, BYTE_EVERY_MS);
    socket.on('connect', () => {
      open[kind].add(socket);
      if (told || open.idle.size + open.slow.size < (idle + slow) * ALL_BUT) return;
      told = true;
      process.send?.('all there');
    });
    socket.on('error', () => undefined);
    socket.resume();
    socket.on('close', () => {
      clearInterval(timer);
      open[kind].delete(socket);
      ended += 1;
      begin(kind, atOnce, sending);
    });
  };
  // Spread over as long as the service leaves them, so that they end and come back evenly and not all at once.
  for (let count = 0; count < idle; count += 1) {
    setTimeout(() => begin('idle', '', ''), (count * SPREAD_MS) / idle);
  }
  // Half of them are slow with the head, half with the body.
  for (let count = 0; count < slow; count += 1) {
    setTimeout(
      () => (count % 2 === 0 ? begin('slow', '', HEAD) : begin('slow', HEAD, ' ')),
      (count * SPREAD_MS) / slow,
    );
  }
  const samples: { readonly idle: number; readonly slow: number }[] = [];
  setInterval(() => {
    if (told) samples.push({ idle: open.idle.size, slow: open.slow.size });
  }, SAMPLE_EVERY_MS);
  const mean = (kind: 'idle' | 'slow') =>
    Math.round(samples.reduce((sum, sample) => sum + sample[kind], 0) / samples.length);
  process.on('message', () => process.send?.({ idle: mean('idle'), slow: mean('slow'), ended }));
}
