/** The system's timer. */
import type { Timer } from '../service/index.js';

export const systemTimer: Timer = {
  after: (ms, work) => {
    const waiting = setTimeout(work, ms).unref();
    return () => clearTimeout(waiting);
  },
};
