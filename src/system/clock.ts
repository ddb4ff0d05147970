/** The clocks of the process. No other module reads them, except the log, whose timestamps pino writes. */
import type { Clock } from '../service/index.js';

export const systemClock: Clock = Object.freeze({ now: () => Date.now() });

/** Returns milliseconds since the process started, with fractions. */
export const systemStopwatch = (): number => performance.now();
