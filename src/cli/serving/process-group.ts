/** The processes of one instance: starts them, replaces those that crash, replaces all of them one by one, and stops them. */
import { setTimeout as delay } from 'node:timers/promises';
import { systemStopwatch } from '../../system/clock.js';
import type { ServiceLog } from '../../telemetry/service-log.js';
import {
  createSupervisorMetrics,
  mergeMetrics,
  type RenderedMetrics,
} from '../../telemetry/service-metrics.js';
import { CommandError, EXIT, printMessage } from '../output.js';
import type { StopMode } from '../signals.js';
import type { Announcement } from './messages.js';
import { type ExitReason, type ServiceProcess, startServiceProcess } from './service-process.js';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 30_000;
/** If a process accepted requests for this long, its crash counts as the first in a row. */
const STABLE_MS = 60_000;
/** Number of crashes in a row in one slot after which the command ends, unless another process accepts requests. */
const MAX_CRASHES = 5;

export interface ProcessGroupOptions {
  /** Number of processes. */
  readonly count: number;
  /** Additional environment variables of the processes. */
  readonly environment: Readonly<Record<string, string>>;
  /** After this time, a process that was asked to stop is killed. */
  readonly killAfterMs: number;
  readonly log: ServiceLog;
}

export interface ProcessGroup {
  /** Starts the processes: first one alone, which prepares the store. Resolves when all accept requests; `undefined` if they are stopped before. */
  start(): Promise<Announcement | undefined>;
  /** Replaces the processes one by one; stops at the first that does not start. */
  reload(): Promise<void>;
  stop(mode: StopMode): void;
  /** Reads the metrics of all processes. */
  readMetrics(): Promise<RenderedMetrics>;
  /**
   * Resolves with the exit code when the processes have stopped: that of the first process if it does not start (1 if it exits with 0), 1 if a
   * process aborted a request, crashed or was killed while it stopped, otherwise 0. Rejects with a {@link CommandError} if no process stays up.
   */
  readonly ended: Promise<number>;
}

/** One of the `count` processes, and those that replace it. */
interface Slot {
  /** The process that accepts requests; absent until one does, and after a crash. */
  current: ServiceProcess | undefined;
  /** Crashes in a row. */
  crashes: number;
}

export function createProcessGroup({
  count,
  environment,
  killAfterMs,
  log,
}: ProcessGroupOptions): ProcessGroup {
  const slots: readonly Slot[] = Array.from({ length: count }, () => ({ current: undefined, crashes: 0 }));
  const running = new Set<ServiceProcess>();
  const stopping = new AbortController();
  const countReady = () => slots.filter(({ current }) => current !== undefined).length;
  const metrics = createSupervisorMetrics(countReady);
  let hasStarted = false;
  let end: (code: number) => void = () => undefined;
  let fail: (error: CommandError) => void = () => undefined;
  const ended = new Promise<number>((resolve, reject) => {
    end = resolve;
    fail = reject;
  });

  const readMetrics = async () => {
    const found = await Promise.all([metrics.readAsJson(), ...[...running].map((one) => one.readMetrics())]);
    return await mergeMetrics(found.filter((one) => one !== undefined));
  };
  const startProcess = (): ServiceProcess => {
    const started = startServiceProcess(environment, readMetrics);
    running.add(started);
    void started.ended.then(() => running.delete(started));
    return started;
  };

  /** Stops a process, and kills it if it takes too long. */
  const retire = (one: ServiceProcess) => {
    one.stop('retire');
    const timer = setTimeout(one.kill, killAfterMs).unref();
    void one.ended.then(() => clearTimeout(timer));
  };

  /** Starts processes until one accepts requests. Returns its announcement; `undefined` if the group stops, or another one took the slot. */
  const fill = async (slot: Slot): Promise<Announcement | undefined> => {
    while (!stopping.signal.aborted && slot.current === undefined) {
      const started = startProcess();
      const announcement = await started.ready;
      if (announcement !== undefined && slot.current === undefined) {
        occupy(slot, started);
        return announcement;
      }
      if (announcement === undefined) await noteCrash(slot, started, await started.ended);
      else retire(started);
    }
    return undefined;
  };

  /** Lets a process take a slot until it crashes or another one takes the slot. */
  const occupy = (slot: Slot, occupant: ServiceProcess) => {
    const readyAt = systemStopwatch();
    hasStarted = true;
    slot.current = occupant;
    void occupant.ended.then(async (reason) => {
      if (slot.current !== occupant) return;
      slot.current = undefined;
      if (systemStopwatch() - readyAt >= STABLE_MS) slot.crashes = 0;
      await noteCrash(slot, occupant, reason);
      await fill(slot);
    });
  };

  /** Records a crash. Resolves when the next process may start. */
  const noteCrash = async (slot: Slot, crashed: ServiceProcess, exit: ExitReason): Promise<void> => {
    if (stopping.signal.aborted) return;
    // The process has printed why.
    if (!hasStarted && typeof exit === 'number') {
      stopping.abort();
      end(exit === EXIT.ok ? EXIT.failed : exit);
      return;
    }
    slot.crashes += 1;
    metrics.recordCrash();
    const waitMs = restartDelayMs(slot.crashes);
    log.event('process crashed', { crashed: crashed.number, exit, crashes: slot.crashes, waitMs }, 'error');
    if (slot.crashes >= MAX_CRASHES && countReady() === 0) {
      stopping.abort();
      for (const one of running) one.kill();
      fail(
        new CommandError(
          `${slot.crashes} processes in a row crashed, the last one with ${typeof exit === 'number' ? `exit code ${exit}` : exit}, and no other accepts requests`,
        ),
      );
      return;
    }
    // Aborted when the group stops.
    await delay(waitMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  };

  return {
    ended,
    readMetrics,
    start: async () => {
      const [first, ...others] = slots;
      const announcement = first && (await fill(first));
      await Promise.all(others.map(fill));
      return stopping.signal.aborted ? undefined : announcement;
    },
    reload: async () => {
      for (const slot of slots) {
        if (stopping.signal.aborted) return;
        const next = startProcess();
        if ((await next.ready) === undefined) {
          const exit = await next.ended;
          if (stopping.signal.aborted) return;
          log.event('reload failed', { started: next.number, exit }, 'error');
          printMessage(
            'proviso: the reload failed: a new process did not start; the other processes continue',
          );
          return;
        }
        const previous = slot.current;
        occupy(slot, next);
        if (previous === undefined) continue;
        retire(previous);
        await previous.ended;
      }
      log.event('reloaded');
    },
    stop: (mode) => {
      stopping.abort();
      setTimeout(() => {
        for (const one of running) one.kill();
      }, killAfterMs).unref();
      const stopped = [...running].map(async (one) => {
        // A process that does not accept requests yet is killed.
        const wasReady = one.isReady();
        one.stop(mode);
        const exit = await one.ended;
        return !wasReady || exit === EXIT.ok;
      });
      void Promise.all(stopped).then((drained) => end(drained.every(Boolean) ? EXIT.ok : EXIT.failed));
    },
  };
}

/** How long to wait before a process is started again, after a number of crashes in a row. */
function restartDelayMs(crashes: number): number {
  return Math.min(FIRST_DELAY_MS * 2 ** (crashes - 1), MAX_DELAY_MS);
}
