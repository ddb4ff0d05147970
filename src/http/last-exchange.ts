/** What a connection was last asked, and whether that is answered: a refusal of what comes after it must not stand in its midst. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const LAST = Symbol('last response');
const WAITING = Symbol('to be refused');

type Connection = Socket & { [LAST]?: ServerResponse; [WAITING]?: true };

/** Notes the last request of a connection; what is asked on one is answered in order. */
export function noteExchange({ socket }: { readonly socket: Connection }, response: ServerResponse): void {
  socket[LAST] = response;
}

/** Returns the response to the last request of a connection, finished or not; `undefined` where no request has arrived. */
export function lastResponse(connection: Connection): ServerResponse | undefined {
  return connection[LAST];
}

/**
 * Calls back, once, when a connection can be told that what it sent is no request: when all that it asked before is answered, or at once
 * where what is wrong is the body of the request that is its turn.
 */
export function whenAnswered(connection: Connection, refuse: () => void): void {
  // What follows in the same connection is no request either.
  if (connection[WAITING]) return;
  const response = connection[LAST];
  if (response === undefined || response.writableFinished) {
    refuse();
    return;
  }
  connection[WAITING] = true;
  const refuseInTurn = () => {
    if (response.req.complete || response.headersSent) response.once('close', refuse);
    else refuse();
  };
  // Without the connection, others are answered before it.
  if (response.socket === null) response.once('socket', refuseInTurn);
  else refuseInTurn();
}
