/**
 * The package entry `proviso/re2-wasm`: Google's RE2 compiled to WebAssembly, for trusted patterns (L18).
 *
 * Its memory is never freed, and a few large patterns disable all matching in the process, so it is opt-in:
 * `compile(query, { regex: re2wasm })`. Requires the optional peer dependency `re2-wasm`.
 */
import { RE2 } from 're2-wasm';
import type { RegexEngine } from '../engine/index.js';
import { estimatePatternWork } from './pattern-work.js';
import { re2js } from './re2js.js';

/** Compiles patterns with re2-wasm. Accepts and rejects the same patterns as re2js, so that queries mean the same on both. */
export const re2wasm: RegexEngine = Object.freeze({
  compile(pattern: string) {
    // re2-wasm reports no program size and accepts `\C`; re2js decides on both.
    const outcome = re2js.compile(pattern);
    if (!outcome.accepted) return outcome;
    const compiled = new RE2(pattern, 'u');
    const test = (input: string) => {
      // re2-wasm reads UTF-8, which has no lone surrogates.
      if (!input.isWellFormed()) return outcome.pattern.test(input);
      return compiled.test(input);
    };
    return { accepted: true, pattern: { programSize: outcome.pattern.programSize, test } } as const;
  },
  estimateWork: estimatePatternWork,
});
