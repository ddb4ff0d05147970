/** What a connection was last asked, and whether that is answered: a refusal of what comes after it must not stand in its midst. */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

const LAST = Symbol('last response');
const WAITING = Symbol('to be refused');
const UNANSWERED = Symbol('unanswered requests');
const OVERLOADED = Symbol('first request beyond the limit');

type Connection = Socket & {
  [LAST]?: ServerResponse;
  [WAITING]?: true;
  [UNANSWERED]?: number;
  [OVERLOADED]?: ServerResponse;
};

/**
 * Records a request as the last of its connection, and counts it as unanswered until its response is closed. Once more than
 * `maxUnanswered` are pipelined, {@link pipeliningOf} rejects that request and discards the ones after it, and reading is paused:
 * `node:http` passes on every head of a chunk that it has read, whatever earlier responses occupy.
 */
export function noteExchange(
  { socket }: { readonly socket: Connection },
  response: ServerResponse,
  maxUnanswered: number,
): void {
  if (socket[OVERLOADED] !== undefined) {
    socket.pause();
    return;
  }
  socket[LAST] = response;
  const unanswered = (socket[UNANSWERED] ?? 0) + 1;
  socket[UNANSWERED] = unanswered;
  if (unanswered > maxUnanswered) {
    socket[OVERLOADED] = response;
    socket.pause();
    return;
  }
  response.once('close', () => {
    socket[UNANSWERED] = (socket[UNANSWERED] ?? 0) - 1;
  });
}

/**
 * Returns what to do with a request of a connection: process it; reject it, because its connection has too many unanswered requests,
 * and close the connection with that response; or discard it without a response, because it follows a rejected one.
 */
export function pipeliningOf(
  connection: Connection,
  response: ServerResponse,
): 'process' | 'reject' | 'discard' {
  const overloaded = connection[OVERLOADED];
  if (overloaded === undefined) return 'process';
  return overloaded === response ? 'reject' : 'discard';
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
