/** Runs the vectors and random scenarios with an implementation in a child process. */
import { re2js } from '../../index.js';
import { type ImplementationCommand, ImplementationProcess } from './implementation-process.js';
import {
  type ConformanceOptions,
  type ConformanceReport,
  checkConformance,
  ImplementationError,
} from './kit.js';
import type { ImplementationName } from './response.js';

/** A run of the conformance suite. */
export interface ConformanceRun extends ConformanceReport {
  /** Absent if the implementation could not be started. */
  readonly implementation?: ImplementationName;
}

/** Which vectors and scenarios are run, and how their results are compared. */
export type RunOptions = Omit<ConformanceOptions, 'regex' | 'canonicalize'>;

/**
 * Starts an implementation, and compares it with the vectors and the reference interpreter.
 *
 * SIGINT and SIGTERM also end the implementation.
 */
export async function runConformance(
  command: ImplementationCommand,
  options: RunOptions,
): Promise<ConformanceRun> {
  const running = new ImplementationProcess(command);
  const stop = (signal: NodeJS.Signals) => {
    running.kill();
    process.kill(process.pid, signal);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    const implementation = await running.start();
    const { evaluate, canonicalize } = running;
    const report = await checkConformance(evaluate, { ...options, regex: re2js, canonicalize });
    const stopped = await running.close();
    if (!report.conforms || stopped === undefined) return { implementation, ...report };
    return { implementation, ...report, conforms: false, stopped };
  } catch (error) {
    if (!(error instanceof ImplementationError)) throw error;
    const nothing = { vectorCount: 0, vectorFailures: [], runs: 0, seed: options.seed ?? 0 };
    return { ...nothing, conforms: false, skipped: { vectors: 0, runs: 0 }, stopped: error.message };
  } finally {
    running.kill();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}
