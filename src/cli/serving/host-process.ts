/** The process that serves: the only one of its instance, or one of several under a supervisor. */
import cluster, { type Worker } from 'node:cluster';
import type { ProcessMetrics, RenderedMetrics, ServiceMetrics } from '../../telemetry/service-metrics.js';
import { printMessage, printResult } from '../output.js';
import { onStopSignal, type StopListener, type StopMode } from '../signals.js';
import { type Announcement, createPeer, type Message } from './messages.js';

export interface HostProcess {
  /** Number of the process, for logs and metrics; `undefined` for the only process. */
  readonly number: number | undefined;
  /** Calls the listener when the process must stop. */
  onStop(listener: StopListener): void;
  /** Reports that the service accepts requests. */
  announce(announcement: Announcement): void;
  /** Adds the metrics of this process to those of the instance. @returns A function that reads the metrics of the instance. */
  shareMetrics(own: ServiceMetrics): () => Promise<RenderedMetrics>;
  /** Lets the process end. */
  release(): void;
}

/** The only process of its instance. */
export const SINGLE_PROCESS: HostProcess = {
  number: undefined,
  onStop: (listener) => {
    onStopSignal(listener);
    // A single process cannot be replaced while it drains, so SIGHUP stops it.
    process.once('SIGHUP', () => listener('drain'));
  },
  announce: printAnnouncement,
  shareMetrics: (own) => own.read,
  release: () => undefined,
};

export function printAnnouncement({ banner, notes }: Announcement): void {
  for (const note of notes) printMessage(note);
  printResult(banner);
}

/** Returns the process as one of several; `undefined` if no supervisor started it. */
export function findSupervisedProcess(): HostProcess | undefined {
  return cluster.worker === undefined ? undefined : createSupervisedProcess(cluster.worker);
}

/**
 * Creates a process that stops when the supervisor requests it. It ignores signals: a terminal and many service managers send them to all
 * processes of a group, and the supervisor handles them.
 */
function createSupervisedProcess(worker: Worker): HostProcess {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  const listeners: StopListener[] = [];
  const received: StopMode[] = [];
  let own: ServiceMetrics | undefined;
  const send = (message: Message) => {
    // After the supervisor has gone, this process ends.
    if (worker.isConnected()) worker.send(message, () => undefined);
  };
  const peer = createPeer(send, async (): Promise<ProcessMetrics | undefined> => own?.readAsJson());
  // The supervisor sends nothing else.
  process.on('message', (message: Message) => {
    const order = peer.receive(message);
    if (order?.kind !== 'stop') return;
    received.push(order.mode);
    for (const listener of listeners) listener(order.mode);
  });
  return {
    number: worker.id,
    onStop: (listener) => {
      listeners.push(listener);
      for (const mode of received) listener(mode);
    },
    announce: (announcement) => send({ kind: 'ready', announcement }),
    shareMetrics: (metrics) => {
      own = metrics;
      return async () => {
        const rendered = await peer.call();
        if (rendered === undefined) throw new Error('the metrics of the other processes cannot be read');
        // The supervisor runs the same program.
        return rendered as RenderedMetrics;
      };
    },
    release: () => worker.disconnect(),
  };
}
