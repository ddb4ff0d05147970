/** The default engine: re2js, an RE2 implementation in JavaScript with linear-time matching (L18). */
import { RE2JS, RE2JSException } from 're2js';
import type { RegexEngine } from '../engine/index.js';
import { measurePattern } from '../re2-syntax/parse-pattern.js';
import { isLiteralPattern } from './literal-pattern.js';
import { toNativePattern } from './native-pattern.js';

/** Compiles patterns: literals and simple patterns natively, others with re2js. Stateless; safe to share. */
export const re2js: RegexEngine = Object.freeze({
  compile(pattern: string) {
    const measured = measurePattern(pattern);
    if (!measured.accepted) return measured;
    const { size: programSize, pattern: parsed } = measured;
    // One closure per kind of matcher, since calls with a constant target are faster.
    if (isLiteralPattern(pattern)) {
      const test = (input: string) => input.includes(pattern);
      return { accepted: true, pattern: { programSize, test } } as const;
    }
    const native = parsed && toNativePattern(parsed);
    if (native !== undefined) {
      const test = (input: string) => native.test(input);
      return { accepted: true, pattern: { programSize, test } } as const;
    }
    try {
      const compiled = RE2JS.compile(pattern);
      const test = (input: string) => compiled.test(input);
      return { accepted: true, pattern: { programSize, test } } as const;
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      return { accepted: false, reason: reasonOf(error) } as const;
    }
  },
  measure: measurePattern,
});

/** Returns the engine's reason, without the part of the pattern that it repeats. */
function reasonOf(error: RE2JSException): string {
  const reason = error.message.replace(/^error parsing regexp: /, '');
  const end = reason.indexOf(': `');
  return end < 0 ? reason : reason.slice(0, end);
}
