/** `proviso serve` in a separate process, with its state, output and memory. */
import { type ChildProcess, fork } from 'node:child_process';
import { freePort } from './free-port.js';
import { COMMAND } from './run-command.js';

const PRELOADED = new URL('./report-memory.mjs', import.meta.url).href;
const START_MS = 20_000;
const STOP_MS = 20_000;
const MEMORY_MS = 20_000;
const KEPT_CODE_UNITS = 65_536;

/** Memory after a garbage collection, in bytes. */
export interface HeldMemory {
  readonly heapUsed: number;
  readonly rss: number;
}

export interface WatchedService {
  readonly port: number;
  readonly pid: number;
  /** Describes how the process ended; `undefined` while it runs. */
  readonly ended: () => string | undefined;
  /** The end of its standard error. */
  readonly stderr: () => string;
  readonly memory: () => Promise<HeldMemory>;
  /** Sends a signal and waits for the end; kills the process after a timeout. Returns the exit code or the signal. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | NodeJS.Signals>;
}

/** The exit code, or the signal that ended the process; `timeout` for a process that did not listen in time. */
type StartOutcome = number | NodeJS.Signals | 'timeout';

/** Thrown if the service does not start; the message contains the outcome and standard error. */
export class ServiceStartError extends Error {
  override readonly name = 'ServiceStartError';
  readonly outcome: StartOutcome;
  readonly stderr: string;

  constructor(outcome: StartOutcome, stderr: string) {
    super(`serve ${outcome === 'timeout' ? 'did not listen in time' : `ended with ${outcome}`}: ${stderr}`);
    this.outcome = outcome;
    this.stderr = stderr;
  }
}

/**
 * Starts the built command on the chosen port, else on a free one.
 *
 * @param command - The command of another build. Default: that of this checkout.
 * @throws {ServiceStartError} The process ended before it listened, or took longer than 20 seconds (`timeout`).
 */
export async function startWatched(
  cwd: string,
  env: Readonly<Record<string, string>>,
  chosen?: number,
  command: string = COMMAND,
): Promise<WatchedService> {
  const port = chosen ?? (await freePort());
  const child = fork(command, ['serve'], {
    cwd,
    env: { ...process.env, PROVISO_PORT: String(port), ...env },
    execArgv: ['--expose-gc', '--import', PRELOADED],
    silent: true,
  });
  let stderr = '';
  let end: number | NodeJS.Signals | undefined;
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    stderr = (stderr + chunk).slice(-KEPT_CODE_UNITS);
  });
  const closed = new Promise<number | NodeJS.Signals>((resolve) => {
    child.on('close', (code, signal) => {
      end = code ?? signal ?? 0;
      resolve(end);
    });
  });
  await waitUntilListening(child, () => stderr);
  return {
    port,
    pid: child.pid ?? 0,
    ended: () => (end === undefined ? undefined : `ended with ${end}`),
    stderr: () => stderr,
    memory: () => memoryOf(child),
    stop: async (signal) => {
      child.kill(signal);
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
      const outcome = await closed;
      clearTimeout(timer);
      return outcome;
    },
  };
}

function waitUntilListening(child: ChildProcess, stderr: () => string): Promise<void> {
  return new Promise((resolve, reject) => {
    let printed = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new ServiceStartError('timeout', stderr()));
    }, START_MS);
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      printed = (printed + chunk).slice(-KEPT_CODE_UNITS);
      // The banner, which is printed when the server listens, has a line with the store.
      if (!/ {2}store {5}/.test(printed)) return;
      clearTimeout(timer);
      resolve();
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      reject(new ServiceStartError(code ?? signal ?? 0, stderr()));
    });
  });
}

function memoryOf(child: ChildProcess): Promise<HeldMemory> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(
      () => reject(new Error('the service did not report its memory in time')),
      MEMORY_MS,
    );
    child.once('message', (message) => {
      clearTimeout(timer);
      resolve(message as HeldMemory);
    });
    // The callback receives the error of a process that has ended, which would be an unhandled event otherwise.
    child.send('memory', (error) => {
      if (error === null) return;
      clearTimeout(timer);
      reject(error);
    });
  });
}
