/** Runs work in the background, step by step. */
import type { Timer } from './ports/ports.js';

/**
 * Runs a step after a time, and then again and again.
 *
 * @param step - Never rejects. Returns the time until the next step, in milliseconds.
 * @returns A function that stops after the current step.
 */
export function repeat(timer: Timer, firstMs: number, step: () => Promise<number>): () => Promise<void> {
  let stopped = false;
  let current = Promise.resolve();
  let cancel = () => {};
  const runAfter = (ms: number) => {
    cancel = timer.after(ms, () => {
      current = run();
    });
  };
  const run = async () => {
    const ms = await step();
    if (!stopped) runAfter(ms);
  };
  runAfter(firstMs);
  return async () => {
    stopped = true;
    cancel();
    await current;
  };
}
