/** Patterns without any special character: a search for a substring, and cheap (L18). */
import type { CompiledPattern } from '../engine/index.js';

const LITERAL = /^[^\\^$.|?*+()[\]{}]+$/;

/** A native comparison takes about a sixty-fourth of one instruction's time. */
const CODE_UNITS_PER_INSTRUCTION = 64;

/** The pattern as a search for itself; `undefined` where it means more than its characters. Never throws. */
export function toLiteralPattern(pattern: string): CompiledPattern | undefined {
  // A search by code units would tell the halves of a pair apart; such patterns are the engine's.
  if (!LITERAL.test(pattern) || !pattern.isWellFormed()) return undefined;
  return {
    programSize: Math.ceil(pattern.length / CODE_UNITS_PER_INSTRUCTION),
    test: (input) => input.includes(pattern),
  };
}
