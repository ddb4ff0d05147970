/** Limits the connections of a server: how many each address may have open, how many requests one may pipeline, and how long one may stay open without progress (S16). */
import type { Server, ServerOptions, ServerResponse } from 'node:http';
import type { BlockList, Socket } from 'node:net';
import { isTrusted, toCallerAddress } from './caller-address.js';
import { CHECKING_INTERVAL_MS, type HttpLimits } from './http-limits.js';
import { lastResponse, noteExchange } from './last-exchange.js';

/** Why a connection was closed without an answer. */
export type DropReason = 'connections' | 'connections_per_address' | 'idle' | 'unread';

interface ConnectionOptions {
  readonly limits: HttpLimits;
  /** Proxies carry the requests of many callers: their connections are not counted by address. */
  readonly trustedProxies?: BlockList;
  /** Called once for each connection that exceeds a limit. */
  readonly onDropped?: (reason: DropReason) => void;
}

/** An open connection, as the last check found it. */
interface Connection {
  readonly socket: Socket;
  response: ServerResponse | undefined;
  /** Bytes that the kernel has accepted. */
  written: number;
  /** Checks in a row that found no progress. */
  checks: number;
}

/** The limits that `node:http` enforces itself. */
export function toServerOptions(limits: HttpLimits): ServerOptions {
  return {
    headersTimeout: limits.headTimeoutMs,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: CHECKING_INTERVAL_MS,
    maxHeaderSize: limits.headerBytes,
  };
}

/**
 * Enforces the limits that `node:http` does not: connections for each address, output that the peer does not read, and connections
 * without a request that `node:http` takes for active, such as one that sends only line breaks. Once the server is closed, a
 * connection without an accepted request is destroyed as well: `node:http` then no longer enforces its own timeouts.
 */
export function limitConnections(
  server: Server,
  { limits, trustedProxies, onDropped = () => undefined }: ConnectionOptions,
): void {
  const open = new Set<Connection>();
  const counts = new Map<string, number>();
  server.maxConnections = limits.connections;
  server.on('request', (request, response) => noteExchange(request, response, limits.pipelinedRequests));
  server.on('drop', () => onDropped('connections'));
  server.on('connection', (socket) => {
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
        const left = (counts.get(address) ?? 0) - 1;
        if (left > 0) counts.set(address, left);
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
    const checking = setInterval(check, CHECKING_INTERVAL_MS).unref();
    server.once('close', () => clearInterval(checking));
  });
}

/** Why a connection must be destroyed; `undefined` where it is in use or within the limits. */
function findStall(
  connection: Connection,
  { headTimeoutMs, keepAliveMs, sendTimeoutMs }: HttpLimits,
  listening: boolean,
): 'idle' | 'unread' | 'closing' | undefined {
  const { socket } = connection;
  const response = lastResponse(socket);
  const answering = response !== undefined && !response.writableFinished;
  if (!answering && !listening) return 'closing';
  const unread = socket.writableLength > 0;
  // `bytesWritten` includes what is still queued. What the peer sends is no progress: it could send a byte at a time for ever.
  const written = socket.bytesWritten - socket.writableLength;
  if (response !== connection.response || written !== connection.written || (answering && !unread)) {
    connection.response = response;
    connection.written = written;
    connection.checks = 0;
    return undefined;
  }
  connection.checks += 1;
  const stalledMs = connection.checks * CHECKING_INTERVAL_MS;
  if (unread) return stalledMs >= sendTimeoutMs ? 'unread' : undefined;
  return stalledMs >= headTimeoutMs + keepAliveMs ? 'idle' : undefined;
}
