/** Measures the synchronous work of one request, which blocks the event loop. */

export interface WorkMeter {
  /** Runs and measures work. Throws before the work if a limit rejects it. */
  measure<Result>(work: () => Result): Result;
  /** Milliseconds measured so far. */
  spentMs(): number;
}

/** A meter that measures nothing. */
export const UNMETERED: WorkMeter = { measure: (work) => work(), spentMs: () => 0 };

/** Called around each measured step. */
export interface StepHooks {
  /** Throws to reject the step. */
  readonly before: () => void;
  /** Called with the milliseconds measured so far. Must not throw. */
  readonly after: (spentMs: number) => void;
}

const NO_HOOKS: StepHooks = { before: () => undefined, after: () => undefined };

/** @param stopwatch - A monotonic clock in milliseconds. */
export function createWorkMeter(stopwatch: () => number, hooks: StepHooks = NO_HOOKS): WorkMeter {
  let spent = 0;
  return {
    measure: (work) => {
      hooks.before();
      const startedAt = stopwatch();
      try {
        return work();
      } finally {
        spent += stopwatch() - startedAt;
        hooks.after(spent);
      }
    },
    spentMs: () => spent,
  };
}
