/** The system clocks. No other module reads the time. */
import type { Clock } from '../service/index.js';

export const systemClock: Clock = Object.freeze({ now: () => Date.now() });

/** Returns milliseconds since the process started, with fractions. */
export const systemStopwatch = (): number => performance.now();
