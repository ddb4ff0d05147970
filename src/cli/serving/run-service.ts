/** Serves in this process until it must stop. */
import { fileURLToPath } from 'node:url';
import {
  BASE_PATH,
  createRequestIds,
  createServer,
  holdRequests,
  type RequestLogEntry,
  requestListener,
} from '../../http/index.js';
import {
  createAuditChain,
  getAuditKey,
  getCredentialKey,
  hashCredentialId,
  startAuditSealer,
  startExpirySweeper,
  startRateLimitSync,
} from '../../service/index.js';
import { systemClock, systemStopwatch } from '../../system/clock.js';
import { systemDigest, systemRandom, systemTimer } from '../../system/node-ports.js';
import { createServiceLog } from '../../telemetry/service-log.js';
import { createServiceMetrics } from '../../telemetry/service-metrics.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_DAY, MS_PER_SECOND } from '../../util/time.js';
import type { Configuration } from '../configuration/settings.js';
import { unusableStoreError } from '../database.js';
import { openService, toSettings } from '../open-service.js';
import { EXIT } from '../output.js';
import { readPlaygroundFiles } from '../playground-files.js';
import { unsupportedNote } from '../runtime-support.js';
import { shutDownOnRequest } from '../signals.js';
import { createBanner } from './banner.js';
import type { HostProcess } from './host-process.js';
import { listen, loopbackHostOf, serveMetrics } from './listen.js';

const PLAINTEXT_NOTE =
  'the store may contain plaintext values from before encryption was enabled: run proviso encrypt once all instances have the keys';

/** Next to the built command. */
const PLAYGROUND = fileURLToPath(new URL('./playground', import.meta.url));

/**
 * Serves until the process must stop, then completes the accepted requests.
 *
 * @param version - Version of this program, shown at `/health` in the sandbox.
 * @returns The exit code: 1 if an accepted request had to be aborted, otherwise 0.
 * @throws {CommandError} If a file is invalid, the store cannot be opened, or a port is in use or cannot be listened on.
 */
export async function runService(
  configuration: Configuration,
  version: string,
  host: HostProcess,
): Promise<number> {
  const log = createServiceLog(configuration.logLevel, undefined, host.number);
  const metrics = createServiceMetrics(systemStopwatch, host.number);
  const { build, ports, store, storePath } = await openService(configuration, metrics.store);
  const listening = {
    ...deploymentOf(configuration, version),
    createRequestId: createRequestIds(systemRandom),
    clock: systemClock,
    stopwatch: systemStopwatch,
    metrics: host.shareMetrics(metrics),
    onResponse: (entry: RequestLogEntry) => {
      metrics.recordRequest(entry);
      log.request(entry);
    },
    onDropped: metrics.recordDrop,
    onFailure: (error: unknown, requestId: string) => log.failure('request', error, requestId),
  };
  const server = createServer(listening);
  const { isShuttingDown, stopped } = shutDownOnRequest(
    server,
    {
      drainMs: configuration.drainSeconds * MS_PER_SECOND,
      graceMs: configuration.graceSeconds * MS_PER_SECOND,
    },
    host.onStop,
  );
  const handleRequests = holdRequests(server);
  const prepare = async () => {
    const address = await listen(server, configuration.host, configuration.port, 'port');
    const stopMetrics =
      host.number === undefined ? await serveMetrics(metrics, configuration) : async () => undefined;
    try {
      const url = configuration.issuer ?? `http://${loopbackHostOf(server)}:${address}${BASE_PATH}`;
      const service = build(toSettings(configuration, url));
      const [banner, auditKey, credentialKey] = await Promise.all([
        createBanner(service, {
          url,
          host: configuration.host,
          storePath,
          hasPlayground: listening.playground !== undefined,
        }),
        getAuditKey(ports, configuration.key),
        getCredentialKey(ports),
      ]).catch((error: unknown) => {
        throw unusableStoreError(configuration.databaseUrl, error);
      });
      return { address, service, banner, auditKey, credentialKey, stopMetrics };
    } catch (error) {
      await stopMetrics();
      throw error;
    }
  };
  const { address, service, banner, auditKey, credentialKey, stopMetrics } = await prepare().catch(
    async (error: unknown) => {
      server.close();
      // Requests that are held would keep the process alive.
      server.closeAllConnections();
      await store.close();
      throw error;
    },
  );
  metrics.watchQueryCache(service.readQueryCache);
  const auditChain = createAuditChain(auditKey, systemDigest);
  handleRequests(requestListener(service, { ...listening, isShuttingDown }));
  const stopSweeping = startExpirySweeper({
    ...ports,
    timer: systemTimer,
    auditRetentionMs: retentionMs(configuration.auditRetentionDays),
    endedGrantRetentionMs: retentionMs(configuration.endedGrantRetentionDays),
    endedCredentials: credentialRetentionOf(configuration, credentialKey),
    ledgerRetentionMs: retentionMs(configuration.ledgerRetentionDays),
    auditChain,
    onStep: metrics.recordSweep,
    onFailure: (error) => {
      metrics.recordSweepFailure();
      log.failure('sweeping', error);
    },
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
  const stopSynchronizing = startRateLimitSync(service.rateLimiter, {
    timer: systemTimer,
    onFailure: (error) => log.failure('rate-limit synchronization', error),
  });
  log.event('started', { environment: configuration.environment, port: address, pid: process.pid });
  const note = unsupportedNote(process.versions.node);
  host.announce({
    banner,
    notes: [
      ...(store.encryption?.complete === false ? [PLAINTEXT_NOTE] : []),
      ...(note === undefined ? [] : [note]),
    ],
  });
  const { drained } = await stopped;
  await Promise.all([stopSweeping(), stopSynchronizing(), stopMetrics()]);
  await ports.audit?.flush();
  await stopSealing();
  await store.close();
  log.event('ended', { drained: String(drained) });
  log.flush();
  return drained ? EXIT.ok : EXIT.failed;
}

/** Converts a retention period; `undefined` for 0, which means forever. */
function retentionMs(days: number): number | undefined {
  return days === 0 ? undefined : days * MS_PER_DAY;
}

function credentialRetentionOf({ endedCredentialRetentionDays: days }: Configuration, credentialKey: string) {
  const period = retentionMs(days);
  if (period === undefined) return undefined;
  return {
    retentionMs: period,
    hashId: (id: string) => hashCredentialId(id, { digest: systemDigest, credentialKey }),
  };
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
    signInsOff: configuration.signIns === 'off',
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
