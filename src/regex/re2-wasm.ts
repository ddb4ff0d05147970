/**
 * RE2 by re2-wasm: Google's own engine, for who controls the patterns (L18).
 *
 * Its memory is never freed and a few large patterns end all matching in the process, so it is opted into:
 * `compile(query, { regex: re2wasm })`. Needs the optional peer dependency `re2-wasm`.
 */
import { RE2 } from 're2-wasm';
import type { RegexEngine } from '../engine/index.js';
import { estimatePatternWork } from './pattern-work.js';
import { re2js } from './re2js.js';

/** Compiles patterns with re2-wasm; accepts and refuses what re2js does, so that a query means the same on both. */
export const re2wasm: RegexEngine = Object.freeze({
  compile(pattern: string) {
    // re2-wasm tells no program size and knows `\C`; the default engine decides on both.
    const outcome = re2js.compile(pattern);
    if (!outcome.accepted) return outcome;
    const compiled = new RE2(pattern, 'u');
    const test = (input: string) => {
      // It reads UTF-8, which has no lone surrogates.
      if (!input.isWellFormed()) return outcome.pattern.test(input);
      return compiled.test(input);
    };
    return { accepted: true, pattern: { programSize: outcome.pattern.programSize, test } } as const;
  },
  estimateWork: estimatePatternWork,
});
