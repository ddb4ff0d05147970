/** Creates the `node:http` server, with limits on the size and duration of requests (D10, D11, S4–S6, S11, S14, S16). */
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { ServiceError } from '../service/index.js';
import { toCallerAddress } from './caller-address.js';
import {
  DEFAULT_HTTP_LIMITS,
  type HttpLimits,
  isResponding,
  limitConnections,
  toServerOptions,
  whenResponded,
} from './connections.js';
import { malformed, toErrorResponse } from './errors.js';
import { declaresTooLarge } from './parameters/body.js';
import { type ListenerOptions, transportSecurity } from './request-listener.js';

/**
 * Creates a server that does not listen yet. The `requestListener` is added later ({@link holdRequests}), since the service's settings contain
 * the server's URL. Requests that `node:http` itself rejects get the service's error body, and the connection is closed.
 */
export function createServer(options: ListenerOptions): Server {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  const server = createHttpServer({
    ...toServerOptions(limits),
    // `findFramingError` rejects requests without `Host`: the response of `node:http` would lack the error body, and would not be logged.
    requireHostHeader: false,
    insecureHTTPParser: false,
  });
  server.maxHeadersCount = limits.headers;
  limitConnections(server, { ...options, limits });
  server.on('checkContinue', (request, response) => {
    // The client must not send a body that is declared too large.
    if (!declaresTooLarge(request, limits.bodyBytes)) response.writeContinue();
    server.emit('request', request, response);
  });
  // Unknown expectations may be ignored (RFC 9110 §10.1.1); the response of `node:http` would lack the error body.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    // Data after `Connection: close` or an HTTP/0.9 request is ignored: the response to the last request closes the connection.
    if (error.code === 'HPE_CLOSED_CONNECTION') return;
    whenResponded(socket, () => rejectRequest(rejectionOf(error, limits), socket, options));
  });
  // No tunnel is allowed. Without a listener, `node:http` closes the connection without a response.
  server.on('connect', ({ socket }) => {
    // `node:http` has removed its own listeners, and an error without a listener would end the process.
    socket.on('error', () => socket.destroy());
    // A pending response could not be finished.
    if (isResponding(socket)) socket.destroy();
    else rejectRequest({ error: new ServiceError('method_not_allowed', { allow: '' }) }, socket, options);
  });
  return server;
}

/**
 * Holds the requests of a server until its listener exists. Otherwise, `node:http` would never respond to a request that arrives before that.
 *
 * @returns A function that adds the listener, and passes it the requests held so far.
 */
export function holdRequests(server: Server): (listener: RequestListener) => void {
  const held: (readonly [IncomingMessage, ServerResponse])[] = [];
  const hold: RequestListener = (request, response) => void held.push([request, response]);
  server.on('request', hold);
  return (listener) => {
    server.off('request', hold);
    server.on('request', listener);
    for (const [request, response] of held) listener(request, response);
  };
}

/** The error for bytes that `node:http` does not accept as a request. */
interface Rejection {
  readonly error: ServiceError;
  /** Default: the status of the error. */
  readonly status?: number;
}

function rejectionOf({ code }: NodeJS.ErrnoException, { headerBytes: limit }: HttpLimits): Rejection {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return { error: new ServiceError('headers_too_large', { limit }) };
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return { error: malformed('', 'request_timeout', 'The request must arrive in time.'), status: 408 };
    default:
      return { error: malformed('', 'http_malformed', 'The request must be valid HTTP/1.1.') };
  }
}

function rejectRequest(rejection: Rejection, socket: Socket, options: ListenerOptions): void {
  const { createRequestId, onResponse, hstsSeconds, clock } = options;
  // The client disconnected.
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = createRequestId();
  const response = toErrorResponse(rejection.error, requestId);
  const { status = response.status } = rejection;
  const body = JSON.stringify(response.body);
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    ...transportSecurity(hstsSeconds),
    ...response.headers,
    ...(clock && { Date: new Date(clock.now()).toUTCString() }),
    Connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('\r\n')}\r\n\r\n${body}`);
  // With a `clientError` listener, `node:http` does not destroy the socket, which a peer could keep half-open forever.
  socket.destroySoon();
  onResponse?.({
    requestId,
    method: '',
    status,
    subcode: rejection.error.subcode,
    address: toCallerAddress(socket.remoteAddress ?? ''),
    durationMs: 0,
  });
}
