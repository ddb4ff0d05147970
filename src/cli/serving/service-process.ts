/** A process of an instance, as its supervisor sees it. */
import cluster, { type Worker } from 'node:cluster';
import type { ProcessMetrics, RenderedMetrics } from '../../telemetry/service-metrics.js';
import { EXIT, printMessage } from '../output.js';
import type { StopMode } from '../signals.js';
import { type Announcement, createPeer, type Message } from './messages.js';

/** How a process ended: with an exit code, or by a signal. */
export type ExitReason = number | NodeJS.Signals;

export interface ServiceProcess {
  /** 0 if it could not be started. */
  readonly number: number;
  /** Resolves when it accepts requests; `undefined` if it ends before. */
  readonly ready: Promise<Announcement | undefined>;
  readonly ended: Promise<ExitReason>;
  readonly isReady: () => boolean;
  /** Stops it in an orderly way if it is ready; otherwise kills it. */
  stop(mode: StopMode): void;
  kill(): void;
  /** Reads its metrics; `undefined` if it does not respond in time. */
  readMetrics(): Promise<ProcessMetrics | undefined>;
}

/** A process that is busy for longer is left out of the metrics. */
const METRICS_TIMEOUT_MS = 2_000;

/**
 * Starts a process with the arguments of this one.
 *
 * @param environment - Additional environment variables.
 * @param readAllMetrics - Reads the metrics of all processes.
 */
export function startServiceProcess(
  environment: Readonly<Record<string, string>>,
  readAllMetrics: () => Promise<RenderedMetrics>,
): ServiceProcess {
  let worker: Worker;
  try {
    worker = cluster.fork(environment);
  } catch (error) {
    // The system has no memory or no process left.
    return createFailedProcess(error);
  }
  const send = (message: Message) => {
    if (worker.isConnected()) worker.send(message, () => undefined);
  };
  const peer = createPeer(send, readAllMetrics);
  const ended = new Promise<ExitReason>((resolve) => {
    worker.once('exit', (code, signal) => resolve((signal as NodeJS.Signals | null) ?? code));
    worker.on('error', (error) => {
      // The channel of a process that ends is broken; its exit follows.
      if (worker.process.pid !== undefined) return;
      // The process could not be started, so it has printed nothing itself.
      printStartFailure(error);
      resolve(EXIT.failed);
    });
  });
  let isReady = false;
  const ready = new Promise<Announcement | undefined>((resolve) => {
    // The process runs the same program, and sends nothing else.
    worker.on('message', (message: Message) => {
      const received = peer.receive(message);
      if (received?.kind !== 'ready') return;
      isReady = true;
      resolve(received.announcement);
    });
    void ended.then(() => resolve(undefined));
  });
  const kill = () => void worker.process.kill('SIGKILL');
  return {
    number: worker.id,
    ready,
    ended,
    isReady: () => isReady,
    stop: (mode) => {
      if (isReady) send({ kind: 'stop', mode });
      else kill();
    },
    kill,
    readMetrics: () => {
      const timeout = new Promise<undefined>((resolve) => {
        setTimeout(() => resolve(undefined), METRICS_TIMEOUT_MS).unref();
      });
      // The process runs the same program.
      const metrics = peer.call() as Promise<ProcessMetrics | undefined>;
      return Promise.race([metrics, ended.then(() => undefined), timeout]);
    },
  };
}

/** Returns a process that has ended, in place of one that could not be started. */
function createFailedProcess(error: unknown): ServiceProcess {
  printStartFailure(error);
  return {
    number: 0,
    ready: Promise.resolve(undefined),
    ended: Promise.resolve(EXIT.failed),
    isReady: () => false,
    stop: () => undefined,
    kill: () => undefined,
    readMetrics: () => Promise.resolve(undefined),
  };
}

function printStartFailure(error: unknown): void {
  const reason = error instanceof Error ? error.message : String(error);
  printMessage(`proviso: a process could not be started: ${reason}`);
}
