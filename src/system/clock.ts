/** The wall clock: the only reader of it. */
import type { Clock } from '../service/index.js';

export const systemClock: Clock = Object.freeze({ now: () => Date.now() });
