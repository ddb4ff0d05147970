/** Ending on signals: a server drains its connections, a command stops its work. */
import type { Server } from 'node:http';

export interface ShutdownDelays {
  /** Long enough for whoever balances several instances to see that this one is leaving. */
  readonly drainMs: number;
  /** From the signal on: when what is still under way is cut off. */
  readonly graceMs: number;
}

export interface Shutdown {
  /** Whether the server has been told to end. */
  readonly isShuttingDown: () => boolean;
  /** Resolves when a signal has come and the server is closed: with whether every request that was accepted has its answer. */
  readonly stopped: Promise<{ readonly isComplete: boolean }>;
}

/**
 * Ends a server when a signal comes; a second signal of a kind does not wait.
 *
 * SIGINT, a person's, closes at once. SIGTERM, a supervisor's, first answers for a while with `Connection: close`: a connection that is
 * cut while it is idle may have a request under way.
 *
 * @param server - Not yet listened to by anyone, so that its answers can be told to close.
 */
export function shutDownOnSignal(server: Server, { drainMs, graceMs }: ShutdownDelays): Shutdown {
  let shuttingDown = false;
  server.prependListener('request', (_request, response) => {
    if (shuttingDown) response.setHeader('Connection', 'close');
  });
  const stopped = new Promise<{ readonly isComplete: boolean }>((resolve) => {
    let isComplete = true;
    const close = () => {
      server.close(() => resolve({ isComplete }));
      server.closeIdleConnections();
    };
    const shutDown = (waitMs: number) => {
      shuttingDown = true;
      setTimeout(close, waitMs);
      setTimeout(
        () => {
          isComplete = false;
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

/** Long work that a person may end in its midst: it is told, and stops where it can go on later. */

/** Whether to stop: SIGINT and SIGTERM say so, and so does a reader who has had enough. */
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
