/** Runs the service in several processes, which share a port and a store. This process handles requests for metrics only. */
import { createServiceLog } from '../../telemetry/service-log.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { type Configuration, variableOf } from '../configuration/settings.js';
import { onStopSignal } from '../signals.js';
import { printAnnouncement } from './host-process.js';
import { findPort, serveMetrics } from './listen.js';
import { createProcessGroup } from './process-group.js';

/** How long after the grace period a process that does not stop is killed. */
const KILL_AFTER_MS = 5_000;
/** The number of this process in the log. */
const SUPERVISOR = 0;

/** Returns how long an instance may take to stop after SIGTERM, in milliseconds. Service managers must wait longer before they kill it. */
export function shutdownLimitMs({ graceSeconds }: Pick<Configuration, 'graceSeconds'>): number {
  return graceSeconds * MS_PER_SECOND + KILL_AFTER_MS;
}

/**
 * Runs the service in several processes until it must stop.
 *
 * @returns The exit code: that of the first process if it does not start (1 if it exits with 0), 1 if a process aborted a request, crashed or was killed
 *   while it stopped, otherwise 0.
 * @throws {CommandError} If a port is in use or cannot be listened on, or no process stays up.
 */
export async function superviseProcesses(configuration: Configuration, count: number): Promise<number> {
  const { host } = configuration;
  const log = createServiceLog(configuration.logLevel, undefined, SUPERVISOR);
  // All processes must listen on the same port, also after a reload.
  const port = await findPort(host, configuration.port);
  const group = createProcessGroup({
    count,
    environment: { [variableOf('host')]: host, [variableOf('port')]: String(port) },
    killAfterMs: shutdownLimitMs(configuration),
    log,
  });
  const stopMetrics = await serveMetrics({ read: group.readMetrics }, configuration);
  onStopSignal(group.stop);
  let lastWork = group.start().then((announcement) => {
    if (announcement !== undefined) printAnnouncement(announcement);
  });
  let isReloadQueued = false;
  process.on('SIGHUP', () => {
    if (isReloadQueued) return;
    isReloadQueued = true;
    lastWork = lastWork.then(() => {
      isReloadQueued = false;
      return group.reload();
    });
  });
  try {
    return await group.ended;
  } finally {
    await stopMetrics();
    log.event('ended');
    log.flush();
  }
}
