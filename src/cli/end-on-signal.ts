/** How a server ends: it answers what it has, asks its callers to leave, and only then closes (S200). */
import type { Server } from 'node:http';

/** Long enough for whoever balances several instances to see that this one is leaving. */
const GRACE_MS = 2_000;

export interface Ending {
  /** Whether the server has been told to end. */
  readonly isLeaving: () => boolean;
  /** Resolves when a signal has come and every request that was accepted has its answer. */
  readonly stopped: Promise<void>;
}

/**
 * Ends a server when a signal comes; a second signal of a kind does not wait.
 *
 * SIGINT, a person's, closes at once. SIGTERM, a supervisor's, first answers for a while with `Connection: close`: a connection that is
 * cut while it is idle may have a request under way.
 *
 * @param server - Not yet listened to by anyone, so that its answers can be told to close.
 */
export function endOnSignal(server: Server): Ending {
  let leaving = false;
  server.prependListener('request', (_request, response) => {
    if (leaving) response.setHeader('Connection', 'close');
  });
  const stopped = new Promise<void>((resolve) => {
    const close = () => {
      server.close(() => resolve());
      server.closeIdleConnections();
    };
    process.once('SIGINT', close);
    process.once('SIGTERM', () => {
      leaving = true;
      setTimeout(close, GRACE_MS);
    });
  });
  return { isLeaving: () => leaving, stopped };
}
