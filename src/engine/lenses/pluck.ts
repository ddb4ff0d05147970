/** `pluck`: the value as it is (L5). */
import type { Extraction } from './lens.js';

export const pluck: Extraction = (value) => value;
