/** Patterns without any special character: a search for a substring, and cheap (L18). */
import type { CompiledPattern } from '../engine/index.js';

const LITERAL = /^[^\\^$.|?*+()[\]{}]+$/;

/** Two halves of a pair must not be told apart, as a search by code units would; such patterns are the engine's. */
const SURROGATE = /\p{Surrogate}/u;

/** A native comparison takes about a sixty-fourth of one instruction's time. */
const CODE_UNITS_PER_INSTRUCTION = 64;

/** The pattern as a search for itself; `undefined` where it means more than its characters. Never throws. */
export function toLiteralPattern(pattern: string): CompiledPattern | undefined {
  if (!LITERAL.test(pattern) || SURROGATE.test(pattern)) return undefined;
  return {
    programSize: Math.ceil(pattern.length / CODE_UNITS_PER_INSTRUCTION),
    test: (input) => input.includes(pattern),
  };
}
