/** Adds up, beside the requests, what several instances count (S190). */
import type { Timer } from '../ports/ports.js';
import type { RateLimiter } from './rate-limiter.js';

const BETWEEN_MS = 1_000;

/** What the sharing needs of the outside. */
export interface SharingPorts {
  readonly timer: Timer;
  /** Told of a round that failed; the next is made all the same. */
  readonly onFailure: (error: unknown) => void;
}

/**
 * Begins to share, once a second.
 *
 * @returns What ends it, after the round that is being made.
 */
export function keepShared(limiter: RateLimiter, { timer, onFailure }: SharingPorts): () => Promise<void> {
  let stopped = false;
  let round = Promise.resolve();
  let callOff = () => {};
  const wait = () => {
    callOff = timer.after(BETWEEN_MS, () => {
      round = limiter
        .share()
        .catch(onFailure)
        .then(() => {
          if (!stopped) wait();
        });
    });
  };
  wait();
  return async () => {
    stopped = true;
    callOff();
    await round;
  };
}
