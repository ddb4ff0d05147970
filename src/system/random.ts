/** The system's cryptographic generator: the only reader of randomness. */
import { randomBytes } from 'node:crypto';
import type { Random } from '../service/index.js';

export const systemRandom: Random = Object.freeze({ bytes: (count: number) => randomBytes(count) });
