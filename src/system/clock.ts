/** The clocks of the system: the only code that reads the time. */
import type { Clock } from '../service/index.js';

export const systemClock: Clock = Object.freeze({ now: () => Date.now() });

/** Milliseconds since the process began, with fractions. */
export const systemStopwatch = (): number => performance.now();
