/** A cached pattern engine, and options without a limit on the cost of matching. */
import { re2js } from '../../../src/index.js';
import { cachePatterns } from '../../../src/testing/cache-patterns.js';

export const regex = cachePatterns(re2js);

export const ANY_COST = { matchCost: Number.MAX_SAFE_INTEGER };
