/** A process of an instance, as its supervisor sees it. */
import cluster from 'node:cluster';
import type { ProcessMetrics, RenderedMetrics } from '../../telemetry/service-metrics.js';
import { EXIT, printMessage } from '../output.js';
import type { StopMode } from '../signals.js';
import { type Announcement, createPeer, type Message } from './messages.js';

/** How a process ended: with an exit code, or by a signal. */
export type ExitReason = number | NodeJS.Signals;

export interface ServiceProcess {
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
  const worker = cluster.fork(environment);
  const send = (message: Message) => {
    if (worker.isConnected()) worker.send(message, () => undefined);
  };
  const peer = createPeer(send, readAllMetrics);
  const ended = new Promise<ExitReason>((resolve) => {
    worker.once('exit', (code, signal) => resolve((signal as NodeJS.Signals | null) ?? code));
    // The process could not be started, so it has printed nothing itself.
    worker.on('error', (error) => {
      printMessage(`proviso: a process could not be started: ${error.message}`);
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
