/** Limits the connections of a server: open connections per address, pipelined requests, and time without progress (S16). */
import type { Server, ServerOptions, ServerResponse } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { isTrusted, toCallerAddress } from './caller-address.js';

/** Why a connection was closed without a response. */
export type DropReason = 'connections' | 'connections_per_address' | 'idle' | 'unread';

interface ConnectionOptions {
  readonly limits: HttpLimits;
  /** Proxies forward requests of many callers: their connections are not counted by address. */
  readonly trustedProxies?: BlockList;
  /** Called once for each connection that exceeds a limit. */
  readonly onDropped?: (reason: DropReason) => void;
}

/** The state of an open connection at the last check. */
interface Connection {
  readonly socket: Socket;
  response: ServerResponse | undefined;
  /** Bytes that the kernel accepted. */
  written: number;
  /** Consecutive checks without progress. */
  checks: number;
}

/** Returns the limits that `node:http` itself enforces. */
export function toServerOptions(limits: HttpLimits): ServerOptions {
  return {
    headersTimeout: limits.headTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkIntervalMs,
    maxHeaderSize: limits.headerBytes,
  };
}

/**
 * Enforces the limits that `node:http` does not: connections per address, output that the peer does not read, and connections without a
 * request that `node:http` considers active, such as a connection that receives only line breaks. After the server was closed, connections
 * without an accepted request are destroyed as well, since `node:http` then no longer enforces its own timeouts.
 */
export function limitConnections(
  server: Server,
  { limits, trustedProxies, onDropped = () => undefined }: ConnectionOptions,
): void {
  const open = new Set<Connection>();
  const counts = new Map<string, number>();
  server.on('request', (request, response) => {
    // `node:http` ignores the upgrade, but discards what follows the request in the same chunk: the client must not wait for a response to it.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    recordRequest(request.socket, response, limits.pipelinedRequests);
  });
  server.on('connection', (socket) => {
    // Not `server.maxConnections`: a supervisor of several processes would offer the connection to them in turn, without end.
    if (open.size >= limits.connections) {
      onDropped('connections');
      socket.destroy();
      return;
    }
    const peer = socket.remoteAddress ?? '';
    if (limits.connectionsPerAddress > 0 && !(trustedProxies && isTrusted(peer, trustedProxies))) {
      const address = toCallerAddress(peer);
      const count = (counts.get(address) ?? 0) + 1;
      if (count > limits.connectionsPerAddress) {
        onDropped('connections_per_address');
        socket.destroy();
        return;
      }
      counts.set(address, count);
      socket.once('close', () => {
        const remaining = (counts.get(address) ?? 0) - 1;
        if (remaining > 0) counts.set(address, remaining);
        else counts.delete(address);
      });
    }
    const connection: Connection = { socket, response: undefined, written: 0, checks: 0 };
    open.add(connection);
    socket.once('close', () => open.delete(connection));
  });
  const check = () => {
    for (const connection of open) {
      const reason = findStall(connection, limits, server.listening);
      if (reason === undefined) continue;
      if (reason !== 'closing') onDropped(reason);
      connection.socket.destroy();
    }
  };
  server.on('listening', () => {
    const interval = setInterval(check, limits.checkIntervalMs).unref();
    server.once('close', () => clearInterval(interval));
  });
}

/** Returns why a connection must be destroyed; `undefined` if it is in use or within the limits. */
function findStall(
  connection: Connection,
  { headTimeoutMs, keepAliveMs, sendTimeoutMs, checkIntervalMs }: HttpLimits,
  listening: boolean,
): 'idle' | 'unread' | 'closing' | undefined {
  const { socket } = connection;
  const response = pipelines.get(socket)?.last;
  const isResponding = response !== undefined && !response.writableFinished;
  if (!isResponding && !listening) return 'closing';
  const unread = socket.writableLength > 0;
  // `bytesWritten` includes queued bytes. Received bytes do not count as progress: a peer could send one byte at a time forever.
  const written = socket.bytesWritten - socket.writableLength;
  if (response !== connection.response || written !== connection.written || (isResponding && !unread)) {
    connection.response = response;
    connection.written = written;
    connection.checks = 0;
    return undefined;
  }
  connection.checks += 1;
  const stalledMs = connection.checks * checkIntervalMs;
  if (unread) return stalledMs >= sendTimeoutMs ? 'unread' : undefined;
  return stalledMs >= headTimeoutMs + keepAliveMs ? 'idle' : undefined;
}

/** Limits on connections and requests (S11, S12, S16, D11). */
export interface HttpLimits {
  /** Open connections; further ones are closed without a response. */
  readonly connections: number;
  /** Open connections per peer address (IPv6: per /64), except for trusted proxies; further ones are closed. 0: no limit. */
  readonly connectionsPerAddress: number;
  /** Concurrent requests; further ones get 503. */
  readonly concurrentRequests: number;
  /** Pending requests on one connection; the next one gets 503 and closes the connection. */
  readonly pipelinedRequests: number;
  /** Size of the request line and the headers. */
  readonly headerBytes: number;
  readonly headers: number;
  /** In code units. */
  readonly urlLength: number;
  readonly bodyBytes: number;
  /** Time to receive the head of a request. */
  readonly headTimeoutMs: number;
  /** Time to receive a complete request. */
  readonly requestTimeoutMs: number;
  /** How long a connection may be idle between requests. */
  readonly keepAliveMs: number;
  /** How long the peer may stop reading a response. */
  readonly sendTimeoutMs: number;
  /** How often the time limits are checked. A connection may exceed a time limit by less than twice this interval. */
  readonly checkIntervalMs: number;
}

export const DEFAULT_HTTP_LIMITS: HttpLimits = Object.freeze({
  connections: 20_000,
  connectionsPerAddress: 256,
  concurrentRequests: 1_000,
  pipelinedRequests: 16,
  headerBytes: 16_384,
  headers: 100,
  urlLength: 8_192,
  // Larger than any practical query within the limits of the language.
  bodyBytes: 65_536,
  headTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  keepAliveMs: 5_000,
  sendTimeoutMs: 30_000,
  checkIntervalMs: 2_000,
});

/** The pending requests of an open connection. */
interface Pipeline {
  /** The response to the last request, finished or not. */
  last: ServerResponse;
  pending: number;
  /** Whether later requests are discarded: the connection is closed after a response that is pending (RFC 9112 §9.6). */
  isEnding?: true;
  /** The response to the first request beyond the limit. */
  overloaded?: ServerResponse;
  /** Whether an error response is queued. */
  isRejecting?: true;
}

/** Keyed by socket, the only object that all `node:http` events of a connection share. */
const pipelines = new WeakMap<Socket, Pipeline>();
/** The responses to discarded requests. */
const discarded = new WeakSet<ServerResponse>();

/**
 * Records a request as the last of its connection, and counts it as pending until its response is closed. If more than `maxPending` requests
 * are pending, {@link pipeliningOf} rejects this request and discards later ones, and reading is paused: `node:http` emits every request head
 * of a chunk that it has read, regardless of earlier responses.
 */
function recordRequest(socket: Socket, response: ServerResponse, maxPending: number): void {
  const pipeline: Pipeline = pipelines.get(socket) ?? { last: response, pending: 0 };
  pipelines.set(socket, pipeline);
  if (pipeline.isEnding) {
    discarded.add(response);
    socket.pause();
    return;
  }
  pipeline.last = response;
  pipeline.pending += 1;
  if (!response.shouldKeepAlive) pipeline.isEnding = true;
  if (pipeline.pending > maxPending) {
    pipeline.isEnding = true;
    pipeline.overloaded = response;
    socket.pause();
    return;
  }
  response.once('close', () => {
    pipeline.pending -= 1;
  });
}

/**
 * Returns what to do with a request: `process` it; `reject` it and close the connection, which has too many pending requests; or `discard` it
 * without a response, since the connection is closed after an earlier one.
 */
export function pipeliningOf(socket: Socket, response: ServerResponse): 'process' | 'reject' | 'discard' {
  const pipeline = pipelines.get(socket);
  if (!pipeline?.isEnding) return 'process';
  if (pipeline.overloaded === response) return 'reject';
  // An earlier request may have been held until now.
  return discarded.has(response) ? 'discard' : 'process';
}

/** Returns whether a response on the connection is not complete. */
export function isResponding(socket: Socket): boolean {
  return pipelines.get(socket)?.last.writableFinished === false;
}

/**
 * Calls `reject` when the error response to a malformed request may be written: after the responses to all earlier requests, or
 * immediately if the error is in the body of the current request. If that request already has a response, closes the connection instead: a
 * client could take a second response for that to its next request. Does nothing while an earlier error response is queued.
 */
export function whenResponded(socket: Socket, reject: () => void): void {
  const pipeline = pipelines.get(socket);
  // Later data on the connection is ignored.
  if (pipeline?.isRejecting) return;
  if (pipeline === undefined) {
    reject();
    return;
  }
  const { last } = pipeline;
  pipeline.isRejecting = true;
  const rejectNext = last.req.complete ? reject : () => socket.destroySoon();
  const rejectInTurn = () => {
    if (last.writableFinished) rejectNext();
    else if (last.req.complete || last.headersSent) last.once('close', rejectNext);
    else reject();
  };
  // Without a socket, earlier responses are still pending.
  if (last.socket === null && !last.writableFinished) last.once('socket', rejectInTurn);
  else rejectInTurn();
}
