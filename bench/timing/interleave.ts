/** The timing loop: contenders alternate in many short rounds and are compared with the baseline of the same round. */
import type { Runner } from './runner.js';
import { type Spread, spreadOf } from './statistics.js';

export interface TimingSettings {
  readonly rounds: number;
  /** Approximate duration of a runner in one round, in milliseconds. */
  readonly sliceMs: number;
}

/** The timing of one runner. */
export interface Timing {
  readonly name: string;
  /** Nanoseconds per call on this machine. */
  readonly nanoseconds: Spread;
  /** Multiple of the baseline in the same round; lower is faster. */
  readonly ratio: Spread;
}

const NS_PER_MS = 1e6;
const CALIBRATIONS = 4;
/** Rounds after the calibration whose times are discarded. */
const SETTLING_ROUNDS = 5;

/**
 * Times the runners, the first of which is the baseline.
 *
 * The order rotates from round to round, so that each runner takes every position of a round equally often. Young garbage is collected before
 * each slice if the process exposes its collector, so that no contender pays for the garbage of another.
 */
export async function interleave(
  runners: readonly Runner[],
  settings: TimingSettings,
): Promise<readonly Timing[]> {
  const counts: number[] = [];
  for (const runner of runners) counts.push(await calibrate(runner, settings.sliceMs));
  const samples = runners.map((): number[] => []);
  for (let round = -SETTLING_ROUNDS; round < settings.rounds; round += 1) {
    for (let turn = 0; turn < runners.length; turn += 1) {
      const index = (turn + round + SETTLING_ROUNDS) % runners.length;
      const count = counts[index] as number;
      const runner = runners[index] as Runner;
      await runner.prepareRound?.(round + SETTLING_ROUNDS, count);
      const perCall = (await timeSlice(runner, count)) / count;
      if (round >= 0) samples[index]?.push(perCall);
    }
  }
  for (const runner of runners) runner.assertResults?.();
  const [baseline = []] = samples;
  return runners.map(({ name }, index) => {
    const timings = samples[index] as readonly number[];
    return {
      name,
      nanoseconds: spreadOf(timings),
      ratio: spreadOf(timings.map((perCall, round) => perCall / (baseline[round] as number))),
    };
  });
}

/** Returns the number of calls that fill a slice. Runs increasing numbers of calls, which also lets the JIT compiler optimize the runner. */
async function calibrate(runner: Runner, sliceMs: number): Promise<number> {
  let count = 1;
  for (let round = 0; round < CALIBRATIONS; round += 1) {
    let elapsed = await timeSlice(runner, count);
    while (elapsed < sliceMs * NS_PER_MS) {
      count = Math.ceil(count * Math.min(8, Math.max(1.2, (sliceMs * NS_PER_MS) / Math.max(elapsed, 1))));
      elapsed = await timeSlice(runner, count);
    }
    count = Math.max(1, Math.round((count * sliceMs * NS_PER_MS) / elapsed));
  }
  return count;
}

/** Runs `count` calls. Returns their duration in nanoseconds. */
async function timeSlice(runner: Runner, count: number): Promise<number> {
  globalThis.gc?.({ type: 'minor', execution: 'sync' } as never);
  const startedAt = process.hrtime.bigint();
  const running = runner.run(count);
  // Awaiting a synchronous result would add a turn of the microtask queue.
  if (running !== undefined) await running;
  return Number(process.hrtime.bigint() - startedAt);
}
