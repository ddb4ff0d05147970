/** Handles signals: a server drains its connections, a command stops its work. */
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * How a server stops. `close`: immediately. `drain`: after a while during which it reports that it is not ready. `retire`: like `drain`, but
 * it still reports that it is ready, since another process of the same instance has taken over.
 */
export type StopMode = 'close' | 'drain' | 'retire';

export type StopListener = (mode: StopMode) => void;

/**
 * Calls the listener on SIGINT, which a terminal sends, and on SIGTERM, which supervisors send. A second signal of the same kind ends the
 * process immediately.
 */
export function onStopSignal(listener: StopListener): void {
  process.once('SIGINT', () => listener('close'));
  process.once('SIGTERM', () => listener('drain'));
}

export interface ShutdownDelays {
  /** How long to keep serving before the server closes, so that load balancers notice that the instance is not ready. */
  readonly drainMs: number;
  /** Time from the stop signal until requests that are still pending are aborted. */
  readonly graceMs: number;
}

export interface Shutdown {
  /** Whether new requests must be sent to another instance. */
  readonly isShuttingDown: () => boolean;
  /** Resolves when the server is closed. `drained`: every accepted request got its response. */
  readonly stopped: Promise<{ readonly drained: boolean }>;
}

/**
 * Shuts down a server when the process must stop. Unless it closes immediately, it serves for a while with `Connection: close`: closing an
 * idle connection could lose a request that is being sent.
 *
 * @param onStop - Registers the listener of requests to stop.
 */
export function shutDownOnRequest(
  server: Server,
  { drainMs, graceMs }: ShutdownDelays,
  onStop: (listener: StopListener) => void,
): Shutdown {
  let sendsClose = false;
  let shuttingDown = false;
  /** The last response on each open connection that has sent a request. */
  const lastResponses = new Map<Socket, ServerResponse>();
  server.prependListener('request', ({ socket }, response) => {
    if (!lastResponses.has(socket)) socket.once('close', () => lastResponses.delete(socket));
    lastResponses.set(socket, response);
    if (sendsClose) response.setHeader('Connection', 'close');
  });
  const stopped = new Promise<{ readonly drained: boolean }>((resolve) => {
    let drained = true;
    const close = () => {
      server.close(() => resolve({ drained }));
      server.closeIdleConnections();
    };
    onStop((mode) => {
      const waitMs = mode === 'close' ? 0 : drainMs;
      sendsClose = true;
      shuttingDown ||= mode !== 'retire';
      // The timers do not keep the process alive; the server does until it is closed.
      setTimeout(close, waitMs).unref();
      setTimeout(
        () => {
          drained = [...lastResponses.values()].every(({ writableFinished }) => writableFinished);
          server.closeAllConnections();
        },
        Math.max(graceMs, waitMs),
      ).unref();
    });
  });
  return { isShuttingDown: () => shuttingDown, stopped };
}

/** Whether to stop: after SIGINT or SIGTERM, or if standard output was closed. */
export interface StopSignal {
  isStopped(): boolean;
  dispose(): void;
}

export function watchStopSignals(): StopSignal {
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
      process.stdout.off('error', stop);
    },
  };
}
