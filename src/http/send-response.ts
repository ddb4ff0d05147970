/** Sends responses, in one piece or as a stream of lines (S17, S19, S20, V14). */
import type { ServerResponse } from 'node:http';
import type { ServiceError } from '../service/index.js';
import { pushRateLimit } from './rate-limits.js';
import type { Headers, RequestContext } from './request-context.js';
import type { RouteResponse } from './routes/route.js';

/** A request and its response. */
export interface Exchange {
  readonly context: RequestContext;
  readonly response: ServerResponse;
  /** Set if the request must be rejected and its connection closed: ambiguous framing, or too many pipelined requests. */
  readonly framingError: ServiceError | undefined;
  /** Headers of every response to the request. */
  readonly headers: Headers[];
}

const NO_HEADERS: Headers = {};
const JSON_TYPE = 'application/json; charset=utf-8';

/** Sends the result of a handler. @returns A promise for a stream; otherwise `undefined`. */
export function sendRouteResponse(
  exchange: Exchange,
  routeResponse: RouteResponse,
  onFailure: (error: unknown) => void = () => undefined,
): Promise<void> | undefined {
  const { headers } = routeResponse;
  switch (routeResponse.kind) {
    case 'json':
      send(exchange, routeResponse.status, routeResponse.body, headers);
      break;
    case 'text':
      send(exchange, 200, routeResponse.text, headers, routeResponse.type);
      break;
    case 'page':
      send(exchange, routeResponse.status, routeResponse.html, headers, 'text/html; charset=utf-8');
      break;
    case 'redirect':
      send(exchange, 303, undefined, { ...headers, Location: routeResponse.location });
      break;
    case 'lines':
      return sendLines(exchange, routeResponse.lines, headers, onFailure);
  }
  return undefined;
}

/**
 * Sends a response in one piece.
 *
 * @param body - A string is sent unchanged; any other value as JSON.
 * @param additional - Additional headers; their `Cache-Control` replaces the default.
 */
export function send(
  exchange: Exchange,
  status: number,
  body: unknown,
  additional: Headers = NO_HEADERS,
  type = JSON_TYPE,
): void {
  const { response, framingError } = exchange;
  const { request } = exchange.context;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const unread = !request.complete && hasBody(request.headers);
  const discards = unread && framingError === undefined && isDiscardable(request.headers);
  // A client may read the response only after it has sent the whole body. It would lose the response if the connection were closed earlier.
  if (discards) discardRest(request);
  const head = createHead(exchange, additional);
  const bytes = text === undefined ? 0 : Buffer.byteLength(text);
  if (text !== undefined) head.push('Content-Type', type);
  if (status !== 204) head.push('Content-Length', String(bytes));
  // An open connection would require reading the rest of the body, however large it is. After a framing error, its end is unknown.
  if ((unread && !discards) || framingError !== undefined) head.push('Connection', 'close');
  response.writeHead(status, head);
  // `latin1` copies an ASCII string faster.
  response.end(text, bytes === text?.length ? 'latin1' : 'utf8');
}

/** Returns the headers that every response has, as names and values in turn: Node writes such a list directly, without an object for each response. */
function createHead({ context, headers }: Exchange, additional: Headers): string[] {
  const { requestId, dpop, rateLimit } = context;
  const head = ['X-Content-Type-Options', 'nosniff', 'X-Request-Id', requestId];
  for (const part of headers) for (const name in part) head.push(name, part[name] ?? '');
  for (const name in additional) head.push(name, additional[name] ?? '');
  if (additional['Cache-Control'] === undefined) head.push('Cache-Control', 'no-store');
  if (dpop?.nonce !== undefined) head.push('DPoP-Nonce', dpop.nonce);
  if (rateLimit !== undefined) pushRateLimit(head, rateLimit);
  return head;
}

function hasBody(headers: RequestContext['request']['headers']): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Whether the rest of an unread body is read and discarded, so that the connection stays usable. A client that expects 100 may not send it. */
function isDiscardable(headers: RequestContext['request']['headers']): boolean {
  const isChunked = headers['transfer-encoding'] !== undefined;
  return (
    headers.expect === undefined && (isChunked || Number(headers['content-length']) <= MAX_DISCARDED_BYTES)
  );
}

/**
 * Reads and discards the rest of a body. A chunked body declares no length: beyond the limit, the connection is closed, even before
 * the response is sent completely.
 */
function discardRest(request: RequestContext['request']): void {
  let bytes = 0;
  const count = (chunk: Uint8Array) => {
    bytes += chunk.byteLength;
    if (bytes > MAX_DISCARDED_BYTES) request.destroy();
  };
  // A paused request needs `resume`.
  request.on('data', count).resume();
}

/** Larger than bodies that clients send by mistake. */
const MAX_DISCARDED_BYTES = 1_048_576;

/**
 * Streams lines of JSON with backpressure. Stops if the client disconnects. If `lines` throws, destroys the connection, so that an incomplete
 * list is not mistaken for a complete one. Never rejects.
 *
 * @param lines - Each item is one or more lines. An empty string is not sent, but lets the stream notice a disconnect.
 * @param onFailure - Called with the error that `lines` throws.
 */
async function sendLines(
  exchange: Exchange,
  lines: AsyncIterable<string>,
  additional: Headers = NO_HEADERS,
  onFailure: (error: unknown) => void,
): Promise<void> {
  const { response } = exchange;
  response.writeHead(200, [
    ...createHead(exchange, additional),
    'Content-Type',
    'application/x-ndjson; charset=utf-8',
  ]);
  try {
    for await (const line of lines) {
      if (line !== '' && !response.write(`${line}\n`)) await waitForDrain(response);
      // Yields to the event loop, even if the store responds synchronously, so that other requests run and a disconnect is noticed.
      await new Promise((resolve) => setImmediate(resolve));
      if (response.destroyed) return;
    }
    response.end();
  } catch (error) {
    onFailure(error);
    response.destroy();
  }
}

/** Waits until the response drains or the connection closes. */
function waitForDrain(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const proceed = () => {
      response.off('drain', proceed).off('close', proceed);
      resolve();
    };
    response.on('drain', proceed).on('close', proceed);
    if (response.destroyed) proceed();
  });
}
