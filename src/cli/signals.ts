/** Handles signals: a server drains its connections, a command stops its work. */
import type { Server } from 'node:http';

export interface ShutdownDelays {
  /** How long to keep serving after SIGTERM, so that load balancers notice that the instance is not ready. */
  readonly drainMs: number;
  /** How long after the signal pending requests are aborted. */
  readonly graceMs: number;
}

export interface Shutdown {
  /** Whether a signal was received. */
  readonly isShuttingDown: () => boolean;
  /** Resolves when the server is closed after a signal. `drained`: every accepted request got its response. */
  readonly stopped: Promise<{ readonly drained: boolean }>;
}

/**
 * Shuts down a server on a signal; a second signal of the same kind ends the process immediately.
 *
 * SIGINT closes it immediately. After SIGTERM, which supervisors send, it serves for a while with `Connection: close`: closing an idle
 * connection could lose a request that is being sent.
 *
 * @param server - Must not have a `request` listener yet, so that `Connection: close` can be set first.
 */
export function shutDownOnSignal(server: Server, { drainMs, graceMs }: ShutdownDelays): Shutdown {
  let shuttingDown = false;
  server.prependListener('request', (_request, response) => {
    if (shuttingDown) response.setHeader('Connection', 'close');
  });
  const stopped = new Promise<{ readonly drained: boolean }>((resolve) => {
    let drained = true;
    const close = () => {
      server.close(() => resolve({ drained }));
      server.closeIdleConnections();
    };
    const shutDown = (waitMs: number) => {
      shuttingDown = true;
      setTimeout(close, waitMs);
      setTimeout(
        () => {
          drained = false;
          server.closeAllConnections();
        },
        Math.max(graceMs, waitMs),
      ).unref();
    };
    process.once('SIGINT', () => shutDown(0));
    process.once('SIGTERM', () => shutDown(drainMs));
  });
  return { isShuttingDown: () => shuttingDown, stopped };
}

/** Whether to stop: after SIGINT or SIGTERM, or if standard output was closed. */
export interface StopSignal {
  isStopped(): boolean;
  dispose(): void;
}

export function stopOnSignal(): StopSignal {
  let stopped = false;
  const stop = () => {
    stopped = true;
  };
  process.on('SIGINT', stop).on('SIGTERM', stop);
  process.stdout.on('error', stop);
  return {
    isStopped: () => stopped,
    dispose: () => {
      process.off('SIGINT', stop).off('SIGTERM', stop);
    },
  };
}
