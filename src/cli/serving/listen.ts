/** Listens on the ports of `proviso serve`: for the service, and for its metrics. */
import { type AddressInfo, createServer, isIPv6, type Server } from 'node:net';
import { limitConnections, toServerOptions } from '../../http/connections.js';
import { DEFAULT_HTTP_LIMITS } from '../../http/index.js';
import { isDirectHost } from '../../http/request-head.js';
import { createMetricsServer, type MetricsReader } from '../../telemetry/service-metrics.js';
import { type Configuration, variableOf } from '../configuration/settings.js';
import { CommandError, printMessage } from '../output.js';

/** Limits for one or two Prometheus servers that scrape a few times a minute from one address. */
const METRICS_LIMITS = { ...DEFAULT_HTTP_LIMITS, connections: 64, connectionsPerAddress: 0 };

/** The setting of the address to listen on, by the setting of the port. */
const HOST_SETTINGS = { port: 'host', metricsPort: 'metricsHost' } as const;

/**
 * Listens on a port.
 *
 * @param port - 0 for a free port.
 * @param setting - The setting of the port, for messages.
 * @returns The port.
 * @throws {CommandError} If the port is in use or cannot be listened on, or the server is closed before it listens.
 */
export function listen(
  server: Server,
  host: string,
  port: number,
  setting: keyof typeof HOST_SETTINGS,
): Promise<number> {
  return new Promise((resolve, reject) => {
    // The listener is not removed: later errors concern a connection that could not be accepted, and must not end the process.
    server.on('error', (error: NodeJS.ErrnoException) => {
      const portInUse = `port ${port} is in use; stop the process that listens on it, or choose another port with ${variableOf(setting)} (0 picks a free one)`;
      const settings = `${variableOf(HOST_SETTINGS[setting])} and ${variableOf(setting)}`;
      const notAllowed = `cannot listen on port ${port} of ${host}: ${error.message}; ${settings} must be an address of this machine and a port that this user may listen on`;
      reject(new CommandError(error.code === 'EADDRINUSE' ? portInUse : notAllowed));
    });
    // Node calls nothing else if a server is closed while it resolves the name of the host.
    server.once('close', () => reject(new CommandError(`stopped before listening on port ${port}`)));
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

/**
 * Returns the host in the base URL of the sandbox: the loopback address on which a server listens, or else 127.0.0.1. The sandbox accepts no other `Host`, even
 * if it listens only on an address that a container runtime forwards a loopback port to.
 */
export function loopbackHostOf(server: Server): string {
  const { address } = server.address() as AddressInfo;
  if (address === '::1') return '[::1]';
  return address.startsWith('127.') ? address : '127.0.0.1';
}

/**
 * Finds a port on which another process can listen: the given one, or a free one for 0.
 *
 * @throws {CommandError} If the port is in use, or cannot be listened on.
 */
export async function findPort(host: string, port: number): Promise<number> {
  // A client that connects meanwhile would keep the server from closing.
  const server = createServer((socket) => void socket.destroy());
  const found = await listen(server, host, port, 'port');
  await new Promise((resolve) => server.close(resolve));
  return found;
}

/** Serves the metrics on a separate port, if one is configured. @returns A function that stops it. */
export async function serveMetrics(
  metrics: MetricsReader,
  { metricsHost, metricsPort }: Configuration,
): Promise<() => Promise<void>> {
  if (metricsPort === undefined) return async () => undefined;
  const server = createMetricsServer(
    metrics,
    (host) => isDirectHost(host, metricsHost),
    toServerOptions(METRICS_LIMITS),
  );
  limitConnections(server, { limits: METRICS_LIMITS });
  // Bounds pipelining: the response to the last of these requests closes the connection, and a scraper opens another one.
  server.maxRequestsPerSocket = METRICS_LIMITS.pipelinedRequests;
  const port = await listen(server, metricsHost, metricsPort, 'metricsPort');
  printMessage(`metrics: http://${isIPv6(metricsHost) ? `[${metricsHost}]` : metricsHost}:${port}/metrics`);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}
