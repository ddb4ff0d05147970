/** A clock that tests advance manually. */
import type { Clock } from '../../src/service/index.js';

export interface FixedClock extends Clock {
  /** Sets the instant, epoch milliseconds. */
  moveTo(at: number): void;
}

export function createFixedClock(at: number): FixedClock {
  let now = at;
  return {
    now: () => now,
    moveTo: (next) => {
      now = next;
    },
  };
}
