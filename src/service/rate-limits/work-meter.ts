/** Measures the synchronous work of one request: the time that the event loop serves nobody else. */

export interface WorkMeter {
  /** Does work that is to be measured, whether it returns or throws. Throws before it where a limit refuses the work. */
  measure<Result>(work: () => Result): Result;
  /** Milliseconds measured so far. */
  spentMs(): number;
}

/** For callers whose work is not charged to anybody. */
export const UNMETERED: WorkMeter = { measure: (work) => work(), spentMs: () => 0 };

/** Called around each measured step. */
export interface StepHooks {
  /** Throws what refuses the step. */
  readonly before: () => void;
  /** Called with the milliseconds measured so far. Must not throw. */
  readonly after: (spentMs: number) => void;
}

const NO_HOOKS: StepHooks = { before: () => undefined, after: () => undefined };

/** @param stopwatch - Milliseconds that only go forward. */
export function createWorkMeter(stopwatch: () => number, hooks: StepHooks = NO_HOOKS): WorkMeter {
  let spent = 0;
  return {
    measure: (work) => {
      hooks.before();
      const begunAt = stopwatch();
      try {
        return work();
      } finally {
        spent += stopwatch() - begunAt;
        hooks.after(spent);
      }
    },
    spentMs: () => spent,
  };
}
