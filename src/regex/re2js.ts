/** The default engine: re2js, an RE2 implementation in JavaScript with linear-time matching (L18). */
import { RE2JS, RE2JSException } from 're2js';
import type { RegexEngine } from '../engine/index.js';
import { toLiteralPattern } from './literal-pattern.js';
import { toNativePattern } from './native-pattern.js';
import { estimatePatternWork } from './pattern-work.js';

/** Compiles patterns with re2js. Stateless; safe to share. */
export const re2js: RegexEngine = Object.freeze({
  compile(pattern: string) {
    const literal = toLiteralPattern(pattern);
    if (literal !== undefined) return { accepted: true, pattern: literal } as const;
    try {
      const compiled = RE2JS.compile(pattern);
      const programSize = compiled.programSize();
      const native = toNativePattern(pattern);
      // Two closures instead of one over either, since calls with a constant target are faster.
      const test =
        native === undefined
          ? (input: string) => compiled.test(input)
          : (input: string) => native.test(input);
      return { accepted: true, pattern: { programSize, test } } as const;
    } catch (error) {
      if (!(error instanceof RE2JSException)) throw error;
      return { accepted: false, reason: reasonOf(error) } as const;
    }
  },
  estimateWork: estimatePatternWork,
});

/** Returns the engine's reason, without the part of the pattern that it repeats. */
function reasonOf(error: RE2JSException): string {
  const reason = error.message.replace(/^error parsing regexp: /, '');
  const end = reason.indexOf(': `');
  return end < 0 ? reason : reason.slice(0, end);
}
