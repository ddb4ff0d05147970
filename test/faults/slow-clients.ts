/**
 * Measures the latency of honest clients with and without thousands of idle and hundreds of slow connections (S16).
 *
 * npm run check -- slow-clients [--idle 5000] [--slow 500] [--seconds 20]
 *
 * First checks clients that never close their half of the connection.
 *
 * The service, the honest clients and the slow clients are three processes. A slow connection sends one byte a second, of a head or of a
 * body. A connection that the service closes is opened again, so that their number stays constant.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { parseCount, parsePositiveNumber } from '../support/check-options.js';
import { startServe } from '../support/run-command.js';
import { checkHalfOpenClients } from './half-open-clients.js';

const HONEST_CLIENTS = 8;
/** Pause between an honest client's requests, so that they add little load. */
const THINK_MS = 20;
const BYTE_EVERY_MS = 1_000;
const SPREAD_MS = 9_000;
const SAMPLE_EVERY_MS = 200;
const MAX_RATIO = 2;
/** Share of the connections that must be open; a few are always reconnecting. */
const OPEN_SHARE = 0.95;
const QUERY = '{"query":{"check":{"claim":"kyc.level","operator":"isDefined"}}}';
const HEAD =
  'POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n';

const { values } = parseArgs({
  options: {
    idle: { type: 'string', default: '5000' },
    slow: { type: 'string', default: '500' },
    seconds: { type: 'string', default: '20' },
    // Internal: this process runs the idle and slow clients of the service at this port.
    'crowd-port': { type: 'string' },
  },
});
const [idle, slow] = [parseCount('idle', values.idle), parseCount('slow', values.slow)];
const seconds = parsePositiveNumber('seconds', values.seconds);

const port = values['crowd-port'];
if (port === undefined) {
  const released = await checkHalfOpenClients();
  const withinLimit = await compare();
  process.exitCode = released && withinLimit ? 0 : 1;
} else crowd(Number(port));

async function compare(): Promise<boolean> {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-slow-'));
  const serving = await startServe({ cwd });
  const { port } = new URL(serving.url);
  const token = /Bearer ([\w-]+)/.exec(serving.curlLine)?.[1] ?? '';
  let slowClients: ChildProcess | undefined;
  try {
    await measureLatency(serving.url, token, 3);
    const quiet = await measureLatency(serving.url, token, seconds);
    const memoryBefore = residentMegabytes(serving.process.pid);
    slowClients = fork(fileURLToPath(import.meta.url), [
      '--crowd-port',
      port,
      '--idle',
      String(idle),
      '--slow',
      String(slow),
    ]);
    await new Promise((resolve, reject) => {
      slowClients?.once('message', resolve).once('exit', () => reject(new Error('the slow clients ended')));
    });
    const loaded = await measureLatency(serving.url, token, seconds);
    const counts = await openConnections(slowClients);
    print('without other connections', quiet);
    print(`with ${counts.idle} idle and ${counts.slow} slow connections on average`, loaded);
    const ratio = quantile(loaded, 0.5) / quantile(quiet, 0.5);
    process.stdout.write(
      `the service closed ${counts.closed} of these connections; its memory went from ${memoryBefore} to ${residentMegabytes(serving.process.pid)} MB\n`,
    );
    const areOpen = counts.idle + counts.slow >= (idle + slow) * OPEN_SHARE;
    const isFast = ratio <= MAX_RATIO;
    if (!areOpen)
      process.stdout.write(`FAILED: fewer than ${OPEN_SHARE * 100} % of the connections were open\n`);
    process.stdout.write(
      `${isFast ? 'ok' : 'FAILED'}: the median latency is ${ratio.toFixed(2)} × that without other connections (at most ${MAX_RATIO} ×)\n`,
    );
    return isFast && areOpen;
  } finally {
    slowClients?.kill('SIGKILL');
    await serving.stop('SIGKILL');
    rmSync(cwd, { recursive: true });
  }
}

/** Milliseconds of each request of the honest clients, sorted. Throws if a response is not 200. */
async function measureLatency(url: string, token: string, forSeconds: number): Promise<number[]> {
  const until = performance.now() + forSeconds * 1_000;
  const latencies: number[] = [];
  await Promise.all(
    Array.from({ length: HONEST_CLIENTS }, async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      while (performance.now() < until) {
        const from = performance.now();
        await sendQuery(url, token, agent);
        latencies.push(performance.now() - from);
        await new Promise((resolve) => setTimeout(resolve, THINK_MS));
      }
      agent.destroy();
    }),
  );
  return latencies.sort((left, right) => left - right);
}

function sendQuery(url: string, token: string, agent: Agent): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const sent = request(`${url}/queries/evaluate`, { method: 'POST', agent, headers }, (response) => {
      response.resume();
      response.on('end', () =>
        response.statusCode === 200
          ? resolve()
          : reject(new Error(`unexpected status ${response.statusCode}`)),
      );
    });
    sent.on('error', reject);
    sent.end(QUERY);
  });
}

function print(label: string, sorted: readonly number[]): void {
  const [median, high] = [quantile(sorted, 0.5), quantile(sorted, 0.99)];
  process.stdout.write(
    `${label}: ${sorted.length} requests, median ${median.toFixed(2)} ms, 99th percentile ${high.toFixed(2)} ms\n`,
  );
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function residentMegabytes(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024);
}

/** Average number of open connections, and the number of closed ones. */
interface ConnectionCounts {
  readonly idle: number;
  readonly slow: number;
  readonly closed: number;
}

function openConnections(slowClients: ChildProcess | undefined): Promise<ConnectionCounts> {
  return new Promise((resolve) => {
    slowClients?.once('message', (counts) => resolve(counts as ConnectionCounts));
    slowClients?.send('count');
  });
}

/** Keeps connections open, and reports once {@link OPEN_SHARE} of them are. */
function crowd(port: number): void {
  const open = { idle: new Set<Socket>(), slow: new Set<Socket>() };
  let closed = 0;
  let reported = false;
  const connectClient = (kind: 'idle' | 'slow', firstBytes: string, slowBytes: string) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(firstBytes));
    let next = 0;
    const timer = setInterval(() => {
      if (slowBytes !== '') socket.write(slowBytes[next++ % slowBytes.length] ?? '');
    }, BYTE_EVERY_MS);
    socket.on('connect', () => {
      open[kind].add(socket);
      if (reported || open.idle.size + open.slow.size < (idle + slow) * OPEN_SHARE) return;
      reported = true;
      process.send?.('open');
    });
    socket.on('error', () => undefined);
    socket.resume();
    socket.on('close', () => {
      clearInterval(timer);
      open[kind].delete(socket);
      closed += 1;
      connectClient(kind, firstBytes, slowBytes);
    });
  };
  // Opened over a little less than the service's time limit for the head of a request, so that they are not all closed and reopened at once.
  for (let count = 0; count < idle; count += 1) {
    setTimeout(() => connectClient('idle', '', ''), (count * SPREAD_MS) / idle);
  }
  // Half of them send a head slowly, the others a body.
  for (let count = 0; count < slow; count += 1) {
    setTimeout(
      () => (count % 2 === 0 ? connectClient('slow', '', HEAD) : connectClient('slow', HEAD, ' ')),
      (count * SPREAD_MS) / slow,
    );
  }
  const samples: { readonly idle: number; readonly slow: number }[] = [];
  setInterval(() => {
    if (reported) samples.push({ idle: open.idle.size, slow: open.slow.size });
  }, SAMPLE_EVERY_MS);
  const mean = (kind: 'idle' | 'slow') =>
    Math.round(samples.reduce((sum, sample) => sum + sample[kind], 0) / samples.length);
  process.once('disconnect', () => process.exit());
  process.on('message', () => process.send?.({ idle: mean('idle'), slow: mean('slow'), closed }));
}
