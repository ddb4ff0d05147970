/** The engine for patterns, each compiled once, and matching that may cost whatever it does. */
import { re2js } from '../../../src/index.js';
import { cachePatterns } from '../../../src/testing/check-conformance.js';

export const regex = cachePatterns(re2js);

export const ANY_COST = { matchCost: Number.MAX_SAFE_INTEGER };
