/** Measures the synchronous work of one request: the time that the event loop serves nobody else. */

export interface WorkMeter {
  /** Does work that is to be measured, whether it returns or throws. */
  measure<Result>(work: () => Result): Result;
  /** Milliseconds measured so far. */
  spentMs(): number;
}

/** For callers whose work is not charged to anybody. */
export const UNMETERED: WorkMeter = { measure: (work) => work(), spentMs: () => 0 };

/** @param stopwatch - Milliseconds that only go forward. */
export function createWorkMeter(stopwatch: () => number): WorkMeter {
  let spent = 0;
  return {
    measure: (work) => {
      const begunAt = stopwatch();
      try {
        return work();
      } finally {
        spent += stopwatch() - begunAt;
      }
    },
    spentMs: () => spent,
  };
}
