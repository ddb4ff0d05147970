/** A regular-expression engine that remembers what it compiled: random queries repeat their patterns (L18). */
import type { PatternOutcome, RegexEngine } from '../engine/regex-engine.js';

const MOST_REMEMBERED = 1_000;

/** The same engine, compiling each of the last patterns once. Holds up to 1,000 patterns. */
export function rememberPatterns(regex: RegexEngine): RegexEngine {
  const remembered = new Map<string, PatternOutcome>();
  const { estimateWork } = regex;
  return {
    ...(estimateWork === undefined ? {} : { estimateWork }),
    compile: (pattern) => {
      const known = remembered.get(pattern);
      if (known !== undefined) return known;
      if (remembered.size >= MOST_REMEMBERED) remembered.clear();
      const outcome = regex.compile(pattern);
      remembered.set(pattern, outcome);
      return outcome;
    },
  };
}
