/** `proviso serve`: runs the service until it receives a signal. */

import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { limitConnections, toServerOptions } from '../../http/connections.js';
import {
  BASE_PATH,
  createRequestIds,
  createServer,
  DEFAULT_HTTP_LIMITS,
  type RequestLogEntry,
  requestListener,
} from '../../http/index.js';
import { isDirectHost } from '../../http/request-head.js';
import {
  createAuditChain,
  getAuditKey,
  type Service,
  startAuditSealer,
  startExpirySweeper,
  startRateLimitSync,
} from '../../service/index.js';
import { systemStopwatch } from '../../system/clock.js';
import { systemDigest, systemRandom, systemTimer } from '../../system/node-ports.js';
import { createServiceLog } from '../../telemetry/service-log.js';
import {
  createMetricsServer,
  createServiceMetrics,
  type ServiceMetrics,
} from '../../telemetry/service-metrics.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../../util/time.js';
import { loadConfiguration } from '../configuration/read-configuration.js';
import { type Configuration, variableOf } from '../configuration/settings.js';
import { unusableStoreError } from '../database.js';
import { openService, toSettings } from '../open-service.js';
import { CommandError, EXIT, printMessage, printResult } from '../output.js';
import { readPlaygroundFiles } from '../playground-files.js';
import { unsupportedNote } from '../runtime-support.js';
import { shutDownOnSignal } from '../signals.js';

const CLEAR_VALUES =
  'the store may contain plaintext values from before encryption was enabled: run proviso encrypt once all instances have the keys';
const EXAMPLE_PERSON = 'ada';
const EXAMPLE_SCOPES = ['identity:read', 'identity:date_of_birth', 'kyc:read'];

/** Limits for one or two Prometheus servers that scrape a few times a minute from one address. */
const METRICS_LIMITS = { ...DEFAULT_HTTP_LIMITS, connections: 64, connectionsPerAddress: 0 };

/** Next to the built command. */
const PLAYGROUND = fileURLToPath(new URL('./playground', import.meta.url));

/** A policy with two levels, for the `curl` line of the banner. */
const EXAMPLE_QUERY = {
  policy: {
    allOf: [
      { claim: 'identity.age', operator: '>=', value: 18 },
      {
        anyOf: [
          { claim: 'kyc.level', operator: '==', value: 'enhanced' },
          { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] },
        ],
      },
    ],
  },
};

export interface ServeOptions {
  /** A settings file; overrides PROVISO_CONFIG. */
  readonly config?: string;
  /** A file of scopes, claims and presets; overrides PROVISO_CATALOGUE. */
  readonly catalogue?: string;
  /** A file of issuers whose signed credentials are accepted; overrides PROVISO_ISSUERS. */
  readonly issuers?: string;
}

/** Adds the command. @param version - Version of this program. */
export function addServe(program: Command, variables: NodeJS.ProcessEnv, version: string): void {
  program
    .command('serve')
    .description('run the service: as a sandbox with sample people, or in production')
    .option('--config <file>', 'settings file (JSON); see `proviso config`')
    .option('--catalogue <file>', 'catalogue file with scopes, claims and presets; see `proviso catalogue`')
    .option('--issuers <file>', 'file with the issuers whose signed credentials are accepted, and their keys')
    .addHelpText(
      'after',
      `
Settings come from options, from environment variables (PROVISO_PORT and so on), and from the settings file, in this order of precedence;
\`proviso config\` prints all of them.

Exits with 0 when stopped, 1 when the port is in use, the store cannot be opened, or a pending request had to be aborted,
2 when a setting is invalid.

Example:
  PROVISO_PORT=0 proviso serve`,
    )
    .action(async (options: ServeOptions) => {
      process.exitCode = await serve(variables, options, version);
    });
}

/**
 * Serves until SIGINT or SIGTERM, then completes the accepted requests.
 *
 * @param version - Version of this program, shown at `/health` in the sandbox.
 * @returns The exit code: 1 if an accepted request had to be aborted.
 * @throws {CommandError} If the configuration is invalid (with all problems), or the port is in use.
 */
async function serve(
  variables: NodeJS.ProcessEnv,
  { config: file, ...options }: ServeOptions,
  version: string,
): Promise<number> {
  const configuration = loadConfiguration({ variables, file, options, serving: true });
  const { build, ports, store, storePath } = await openService(configuration);
  const log = createServiceLog(configuration.logLevel);
  const metrics = createServiceMetrics();
  const listening = {
    ...deploymentOf(configuration, version),
    createRequestId: createRequestIds(systemRandom),
    stopwatch: systemStopwatch,
    metrics: metrics.read,
    onResponse: (entry: RequestLogEntry) => {
      metrics.recordRequest(entry);
      log.request(entry);
    },
    onDropped: metrics.recordDrop,
    onFailure: (error: unknown, requestId: string) => log.failure('request', error, requestId),
  };
  const server = createServer(listening);
  const { isShuttingDown, stopped } = shutDownOnSignal(server, {
    drainMs: configuration.drainSeconds * MS_PER_SECOND,
    graceMs: configuration.graceSeconds * MS_PER_SECOND,
  });
  const address = await listen(server, configuration.host, configuration.port, 'port');
  const url = configuration.issuer ?? `http://127.0.0.1:${address}${BASE_PATH}`;
  const service = build(toSettings(configuration, url));
  metrics.watchQueryCache(service.readQueryCache);
  const [banner, auditKey] = await Promise.all([
    createBanner(url, storePath, service, listening.playground !== undefined),
    getAuditKey(ports, configuration.key),
  ]).catch(async (error: unknown) => {
    server.close();
    await store.close();
    throw unusableStoreError(configuration.databaseUrl, error);
  });
  const auditChain = createAuditChain(auditKey, systemDigest);
  server.on('request', requestListener(service, { ...listening, isShuttingDown }));
  const stopMetrics = await serveMetrics(metrics, configuration);
  const stopSweeping = startExpirySweeper({
    ...ports,
    timer: systemTimer,
    auditRetentionMs:
      configuration.auditRetentionDays === 0 ? undefined : configuration.auditRetentionDays * MS_PER_DAY,
    auditChain,
    onFailure: (error) => log.failure('sweeping', error),
  });
  const stopSealing =
    configuration.audit === 'off'
      ? async () => undefined
      : startAuditSealer({
          ...ports,
          timer: systemTimer,
          chain: auditChain,
          onFailure: (error) => log.failure('audit sealing', error),
        });
  const stopSharing = startRateLimitSync(service.rateLimiter, {
    timer: systemTimer,
    onFailure: (error) => log.failure('sharing of limits', error),
  });
  if (store.encryption?.complete === false) printMessage(CLEAR_VALUES);
  const note = unsupportedNote(process.versions.node);
  if (note !== undefined) printMessage(note);
  log.event('started', { environment: configuration.environment, port: address });
  printResult(banner);
  const { drained } = await stopped;
  await Promise.all([stopSweeping(), stopSharing(), stopMetrics()]);
  await ports.audit?.flush();
  await stopSealing();
  await store.close();
  log.event('ended', { drained: String(drained) });
  log.flush();
  return drained ? EXIT.ok : EXIT.failed;
}

/** Maps the configuration to the options of the server. */
function deploymentOf(configuration: Configuration, version: string) {
  const { environment, commit, hstsSeconds, trustedProxies } = configuration;
  // In production, the version is not public (S29).
  const versions = environment === 'sandbox' ? { version, ...omitUndefined({ commit }) } : {};
  const playground = configuration.playground === 'on' ? readPlaygroundFiles(PLAYGROUND) : undefined;
  return {
    ...versions,
    ...omitUndefined({ playground }),
    ...(environment === 'production' && hstsSeconds > 0 ? { hstsSeconds } : {}),
    ...(trustedProxies === undefined ? {} : { trustedProxies: trustedProxies.list }),
    limits: {
      connections: configuration.maxConnections,
      connectionsPerAddress: configuration.maxConnectionsPerAddress,
      concurrentRequests: configuration.maxConcurrentRequests,
      headerBytes: configuration.maxHeaderBytes,
      headers: configuration.maxHeaders,
      urlLength: configuration.maxUrlLength,
      bodyBytes: configuration.maxBodyBytes,
      headTimeoutMs: configuration.headTimeoutSeconds * MS_PER_SECOND,
      requestTimeoutMs: configuration.requestTimeoutSeconds * MS_PER_SECOND,
      keepAliveMs: configuration.keepAliveSeconds * MS_PER_SECOND,
      sendTimeoutMs: configuration.sendTimeoutSeconds * MS_PER_SECOND,
    },
  };
}

/** Serves the metrics on a port of their own, if one is configured. @returns A function that stops it. */
async function serveMetrics(
  metrics: ServiceMetrics,
  { metricsHost, metricsPort }: Configuration,
): Promise<() => Promise<void>> {
  if (metricsPort === undefined) return async () => undefined;
  const server = createMetricsServer(
    metrics,
    (host) => isDirectHost(host, metricsHost),
    toServerOptions(METRICS_LIMITS),
  );
  limitConnections(server, { limits: METRICS_LIMITS });
  // Bounds pipelining: the response to the last of these closes the connection, and a scraper opens another one.
  server.maxRequestsPerSocket = METRICS_LIMITS.pipelinedRequests;
  const port = await listen(server, metricsHost, metricsPort, 'metricsPort');
  printMessage(`metrics: http://${metricsHost}:${port}/metrics`);
  return async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
}

/** @param setting - The setting that chose the port. */
function listen(server: Server, host: string, port: number, setting: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const portInUse = `port ${port} is in use; stop the process that listens on it, or choose another port with ${variableOf(setting)} (0 picks a free one)`;
      reject(
        new CommandError(
          error.code === 'EADDRINUSE' ? portInUse : `cannot listen on port ${port}: ${error.message}`,
        ),
      );
    });
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}

async function createBanner(
  url: string,
  storePath: string,
  service: Service,
  hasPlayground: boolean,
): Promise<string> {
  if (!service.environment.seeded) {
    return ['Proviso in production.', '', `  base URL  ${url}`, `  store     ${storePath}`].join('\n');
  }
  const known = EXAMPLE_SCOPES.every((scope) => service.catalogue.findScope(scope) !== undefined);
  const token = known ? await service.tokens.issueSandboxToken(EXAMPLE_PERSON, EXAMPLE_SCOPES) : undefined;
  const example =
    token === undefined
      ? ['The catalogue is your own: `proviso sandbox token` prints a token for its scopes.']
      : [
          `Evaluate a policy about ${EXAMPLE_PERSON} (the token is valid for one hour):`,
          '',
          curlLine(url, token),
        ];
  return [
    'Proviso sandbox: sample people, on this machine only.',
    '',
    `  base URL  ${url}`,
    `  store     ${storePath}`,
    ...(hasPlayground ? [`  try it    ${new URL(url).origin}/playground`] : []),
    '',
    ...example,
    '',
    'Another person or other scopes:  npx proviso sandbox token --user bruno --scope "kyc:read"',
    'Stop with Ctrl-C; the store is kept.',
  ].join('\n');
}

/** Returns a `curl` command for any shell. It formats the response with Node, which is known to be installed. */
function curlLine(url: string, token: string): string {
  const body = JSON.stringify({ query: EXAMPLE_QUERY });
  const request = `curl -sS ${url}/queries/evaluate -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '${body}'`;
  return `${request} | node -p 'JSON.stringify(JSON.parse(require("fs").readFileSync(0)), null, 2)'`;
}
