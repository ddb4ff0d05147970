/** The processes of the HTTP benchmarks: services, other servers, and the sender of requests. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle, installPeerEngines, runBundle } from '../prepare.js';
import { WORKLOADS } from '../scenarios/workloads.js';
import type { Load, LoadRequest } from './load.js';

/** The command of this checkout, which must be built. */
const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));
const SCOPES = 'identity:read identity:date_of_birth kyc:read financial:read financial:total_liabilities';
/** The query of every request: six checks. */
const BODY = JSON.stringify({ query: WORKLOADS.six.query });

/** The server to which requests are sent. */
export interface Target {
  readonly url: string;
  readonly token: string;
  /** The server's process. */
  readonly pid: number;
}

/** A measured slice of load. */
export interface Slice {
  readonly perSecond: number;
  /**
   * CPU time of the server per request, with the processes that it started, in microseconds: comparable even if other work slows the machine
   * down. NaN except on Linux, like the other times.
   */
  readonly cpuMicroseconds: number;
  /** CPU time of the server's main thread per request, which limits the throughput of a single process. */
  readonly mainMicroseconds: number;
  /** CPU time of the sender per request. */
  readonly senderMicroseconds: number;
}

export interface Processes {
  /** A new folder, removed with the processes. */
  createFolder(): string;
  /** Starts a sandbox service with a new store. The target is `POST /queries/evaluate`. */
  startService(command?: string, environment?: Readonly<Record<string, string>>): Promise<Target>;
  /** Starts a server that prints its address. */
  startServer(entry: string, args: readonly string[]): Promise<Target>;
  /** Sends requests with {@link BODY} for some milliseconds. */
  measure(target: Target, ms: number, connections: number): Promise<Slice>;
}

/** Runs a benchmark, then stops its processes. */
export async function withProcesses<Result>(
  work: (processes: Processes) => Promise<Result>,
): Promise<Result> {
  installPeerEngines();
  const folder = mkdtempSync(join(tmpdir(), 'proviso-bench-'));
  const children: ChildProcess[] = [];
  try {
    return await work(createProcesses(folder, children, await bundle('http/load.ts')));
  } finally {
    for (const child of children) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  }
}

function createProcesses(folder: string, children: ChildProcess[], load: string): Processes {
  const sender = fork(load);
  children.push(sender);
  const createFolder = () => mkdtempSync(join(folder, 'process-'));
  const start = (
    args: readonly string[],
    address: RegExp,
    cwd: string,
    environment: Readonly<Record<string, string>> = {},
  ): Promise<Pick<Target, 'url' | 'pid'>> => {
    const env = { ...process.env, PROVISO_PORT: '0', ...environment };
    const server = spawn(process.execPath, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] });
    children.push(server);
    return new Promise((resolve, reject) => {
      let printed = '';
      server.on('exit', (code) => reject(new Error(`a server exited with ${code}`)));
      server.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString('utf8');
        const found = address.exec(printed)?.[1];
        if (found !== undefined) resolve({ url: found, pid: server.pid ?? 0 });
      });
    });
  };
  return {
    createFolder,
    startService: async (command = COMMAND, environment = {}) => {
      const cwd = createFolder();
      const { url, pid } = await start([command, 'serve'], /base URL {2}(\S+)/, cwd, environment);
      const args = ['sandbox', 'token', '--person', 'ada', '--scope', SCOPES];
      const token = await runBundle(command, args, [], cwd, environment);
      return { url: `${url}/queries/evaluate`, token: token.trim(), pid };
    },
    startServer: async (entry, args) => ({
      ...(await start([await bundle(entry), ...args], /(http\S+)/, folder)),
      token: 'token-500',
    }),
    measure: async (target, ms, connections) => {
      const before = readTimes(target.pid, sender.pid);
      sender.send({ ...target, body: BODY, ms, connections } satisfies LoadRequest);
      const [{ responses, seconds, failure }] = (await once(sender, 'message')) as [Load];
      if (failure !== undefined) throw new Error(`${target.url}: ${failure}`);
      const after = readTimes(target.pid, sender.pid);
      const perRequest = (name: keyof typeof after) => (after[name] - before[name]) / responses;
      return {
        perSecond: responses / seconds,
        cpuMicroseconds: perRequest('server'),
        mainMicroseconds: perRequest('main'),
        senderMicroseconds: perRequest('sender'),
      };
    },
  };
}

const NS_PER_MICROSECOND = 1_000;

/** Reads CPU times in microseconds. */
function readTimes(server: number, sender = 0) {
  return {
    server: readCpuMicroseconds(server),
    main: readThreadMicroseconds(server, String(server)),
    sender: readCpuMicroseconds(sender),
  };
}

/** Returns the CPU time of all threads of a process so far, and of the processes that it started and that still run. */
function readCpuMicroseconds(pid: number): number {
  const threads = `/proc/${pid}/task`;
  const times = ifPresent(() => readdirSync(threads), []).flatMap((thread) => {
    const children = ifPresent(() => readFileSync(join(threads, thread, 'children'), 'utf8'), '');
    return [
      readThreadMicroseconds(pid, thread),
      ...children
        .split(' ')
        .filter(Boolean)
        .map((child) => readCpuMicroseconds(Number(child))),
    ];
  });
  // A thread or a process may end after it was listed.
  const known = times.filter((time) => !Number.isNaN(time));
  return known.length === 0 ? Number.NaN : known.reduce((sum, time) => sum + time, 0);
}

function readThreadMicroseconds(pid: number, thread: string): number {
  const text = ifPresent(() => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'), 'NaN');
  return Number(text.split(' ')[0]) / NS_PER_MICROSECOND;
}

/** Returns what is read, or the given value if it cannot be read: on other systems, and after the thread has ended. */
function ifPresent<Result>(read: () => Result, otherwise: Result): Result {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/** Sends one request of the benchmark, checks the response, and returns its text. */
export async function readResponse({ url, token }: Target): Promise<string> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: BODY,
  });
  const text = await response.text();
  const checks = (JSON.parse(text) as { evidence?: { checkResults: readonly unknown[] } }).evidence
    ?.checkResults;
  if (response.status !== 200 || checks?.length !== 6) throw new Error(`${response.status}: ${text}`);
  return text;
}
