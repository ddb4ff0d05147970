/**
 * The package entry `proviso/re2-wasm`: Google's RE2 compiled to WebAssembly, for trusted patterns (L18).
 *
 * Its memory is never freed, and a few large patterns disable all matching in the process, so it is opt-in:
 * `compile(query, { regex: re2wasm })`. Requires the optional peer dependency `re2-wasm`.
 */
import { RE2 } from 're2-wasm';
import type { RegexEngine } from '../engine/index.js';
import { measurePattern } from '../re2-syntax/parse-pattern.js';
import { re2js } from './re2js.js';

/**
 * Compiles patterns with re2-wasm. Accepts and rejects the same patterns as re2js, so that queries mean the same on both.
 */
export const re2wasm: RegexEngine = Object.freeze({
  compile(pattern: string) {
    const outcome = re2js.compile(pattern);
    const measured = measurePattern(pattern);
    if (!outcome.accepted || !measured.accepted) return outcome;
    // A pattern that requires Unicode tables has no `pattern`: re2-wasm has the tables of an older version of Unicode.
    if (measured.pattern === undefined) return outcome;
    const compiled = new RE2(pattern, 'u');
    const test = (input: string) => {
      // re2-wasm reads UTF-8, which has no lone surrogates.
      if (!input.isWellFormed()) return outcome.pattern.test(input);
      return compiled.test(input);
    };
    return { accepted: true, pattern: { programSize: measured.size, test } } as const;
  },
  measure: measurePattern,
});
