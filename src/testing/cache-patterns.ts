/** Caches compiled patterns: random scenarios draw theirs from a small set. */
import type { PatternOutcome, RegexEngine } from '../engine/regex-engine.js';

const MAX_CACHED = 1_000;

/** Wraps an engine with a cache of up to 1,000 compiled patterns. */
export function cachePatterns(regex: RegexEngine): RegexEngine {
  const cached = new Map<string, PatternOutcome>();
  const { measure } = regex;
  return {
    ...(measure === undefined ? {} : { measure: measure.bind(regex) }),
    compile: (pattern) => {
      const known = cached.get(pattern);
      if (known !== undefined) return known;
      if (cached.size >= MAX_CACHED) cached.clear();
      const outcome = regex.compile(pattern);
      cached.set(pattern, outcome);
      return outcome;
    },
  };
}
