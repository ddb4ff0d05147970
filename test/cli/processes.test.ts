/** `proviso serve --processes`: several processes on one port and one store are one instance (V12, S200). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logIn, refresh } from '../support/oauth-client.js';
import { createDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';
import { runCommand, type ServeProcess, startServe } from '../support/run-command.js';

const QUERY = '{"query":{"check":{"claim":"kyc.level","operator":"isDefined"}}}';
const CONNECTIONS = 8;

let cwd: string;
let database: EmptyDatabase | undefined;
let serving: ServeProcess | undefined;
/** The log of the processes, and what else they wrote to standard error. */
let written: string;

beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-processes-'));
  written = '';
});

afterEach(async () => {
  await serving?.stop('SIGKILL');
  serving = undefined;
  await database?.remove();
  database = undefined;
  rmSync(cwd, { recursive: true });
});

async function start(env: Readonly<Record<string, string>>): Promise<ServeProcess> {
  const started = await startServe({
    cwd,
    env: { PROVISO_PROCESSES: '2', PROVISO_LOG_LEVEL: 'info', PROVISO_METRICS_PORT: '0', ...env },
    onError: (text) => {
      written += text;
    },
  });
  serving = started;
  return started;
}

/** Events of the log with a name. */
function eventsOf(name: string): readonly Readonly<Record<string, unknown>>[] {
  const lines = written.split('\n').filter((line) => line.startsWith('{') && line.endsWith('}'));
  return lines.map((line) => JSON.parse(line)).filter(({ event }) => event === name);
}

async function readMetrics(): Promise<string> {
  const url = /metrics: (\S+)/.exec(written)?.[1] ?? '';
  return await (await fetch(url)).text();
}

/** The processes that evaluated a query, and how often. */
async function readEvaluations(): Promise<ReadonlyMap<string, number>> {
  const lines = (await readMetrics()).matchAll(
    /^proviso_http_request_seconds_count\{operation="evaluateQuery",status="200",process="(\d+)"\} (\d+)$/gm,
  );
  return new Map([...lines].map(([, number = '', count]) => [number, Number(count)]));
}

/** Evaluates a query on the connection of an agent. */
function evaluate({ url }: ServeProcess, token: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const sent = request(`${url}/queries/evaluate`, { method: 'POST', agent, headers }, (response) => {
      response.resume().on('error', reject);
      response.on('end', () => resolve(response.statusCode ?? 0));
    });
    sent.on('error', reject);
    sent.end(QUERY);
  });
}

function createAgents(): readonly Agent[] {
  return Array.from({ length: CONNECTIONS }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
}

describe.each(['sqlite', 'postgres'])('two processes on %s', (engine) => {
  // V12, S188
  it('share the port, see each other’s tokens and revocations at once, and report their metrics together', async () => {
    database = engine === 'postgres' ? await createDatabase() : undefined;
    const started = await start(database === undefined ? {} : { PROVISO_DATABASE_URL: database.url });
    const agents = createAgents();
    const { access_token: token, refresh_token } = await logIn(started);
    const statuses = () => Promise.all(agents.map((agent) => evaluate(started, token, agent)));
    expect(await statuses()).toEqual(agents.map(() => 200));
    const counts = [...(await readEvaluations()).values()];
    expect([counts.length, counts.reduce((sum, count) => sum + count, 0)]).toEqual([2, CONNECTIONS]);
    const rotated = await Promise.all(agents.map(() => refresh(started, refresh_token)));
    expect(rotated.filter(({ status }) => status === 200)).toHaveLength(1);
    // The others were replays, which revoke the whole family.
    expect(await statuses()).toEqual(agents.map(() => 401));
    const metrics = await readMetrics();
    expect(metrics).toMatch(/^proviso_processes 2$/m);
    expect(metrics.match(/^proviso_process_start_time_seconds\{process="\d+"\}/gm)).toHaveLength(2);
    for (const agent of agents) agent.destroy();
    expect(await started.stop('SIGTERM')).toBe(0);
    expect(eventsOf('ended').map(({ process }) => process)).toEqual(expect.arrayContaining([0, 1, 2]));
  });
});

describe('processes that end', () => {
  // S200
  it('lose no request while SIGHUP replaces them, read the settings again, and keep running if the new settings are invalid', async () => {
    const config = join(cwd, 'settings.json');
    writeFileSync(config, '{"drainSeconds": 1}');
    const started = await start({ PROVISO_CONFIG: config, PROVISO_DRAIN_SECONDS: '1' });
    const token = /Bearer ([\w-]+)/.exec(started.curlLine)?.[1] ?? '';
    const playground = () => fetch(new URL('/playground', started.url)).then(({ status }) => status);
    const failures: unknown[] = [];
    let stopped = false;
    const load = createAgents().map(async (agent) => {
      while (!stopped) {
        const status = await evaluate(started, token, agent).catch(String);
        if (status !== 200) failures.push(status);
      }
      agent.destroy();
    });
    const ready = async () => (await fetch(`${started.url}/ready`)).status;
    writeFileSync(config, '{"playground": "off"}');
    started.process.kill('SIGHUP');
    const readiness: number[] = [];
    await expect
      .poll(async () => [readiness.push(await ready()), eventsOf('reloaded').length][1], { interval: 100 })
      .toBe(1);
    expect(readiness.every((status) => status === 200)).toBe(true);
    expect(await playground()).toBe(404);
    writeFileSync(config, '{"playground": "sometimes"}');
    started.process.kill('SIGHUP');
    await expect.poll(() => eventsOf('reload failed').length, { interval: 20 }).toBe(1);
    expect(written).toContain('must be one of `on`, `off` (got `sometimes`)');
    expect(await playground()).toBe(404);
    stopped = true;
    await Promise.all(load);
    expect(failures).toEqual([]);
    expect(eventsOf('process crashed')).toEqual([]);
    expect(await started.stop('SIGTERM')).toBe(0);
  });

  it('are replaced after a crash, while the others answer', async () => {
    const started = await start({});
    const [first] = eventsOf('started');
    process.kill(Number(first?.['pid']), 'SIGKILL');
    await expect.poll(() => eventsOf('process crashed').length, { interval: 20 }).toBe(1);
    expect((await fetch(`${started.url}/health`)).status).toBe(200);
    await expect.poll(() => eventsOf('started').length, { interval: 20 }).toBe(3);
    expect(eventsOf('process crashed')).toMatchObject([
      { crashed: 1, exit: 'SIGKILL', crashes: 1, level: 'error' },
    ]);
    await expect.poll(readMetrics, { interval: 50 }).toMatch(/^proviso_processes 2$/m);
    expect(await readMetrics()).toMatch(/^proviso_process_crashes_total 1$/m);
  });

  it('end the command with an error if none stays up', async () => {
    const crash =
      "import cluster from 'node:cluster'; if (cluster.isWorker) process.kill(process.pid, 'SIGKILL');";
    const { exitCode, stdout, stderr } = await runCommand(['serve', '--processes', '2'], {
      cwd,
      env: { PROVISO_PORT: '0', NODE_OPTIONS: `--import data:text/javascript,${encodeURIComponent(crash)}` },
    });
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain(
      'proviso: 5 processes in a row crashed, the last one with SIGKILL, and no other accepts requests\n',
    );
  });

  it('end the command with the message and the exit code of the first process, if that cannot start', async () => {
    const { exitCode, stderr } = await runCommand(['serve', '--processes', '2'], {
      cwd,
      env: { PROVISO_PORT: '0', PROVISO_DATABASE_URL: 'sqlite:.', PROVISO_LOG_LEVEL: 'silent' },
    });
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(/^proviso: the store .* cannot be opened: .*\n$/),
    ]);
  });
});
