/** The interface of regular-expression engines (L18); `src/regex` has the adapters. */
import { wrongType } from './value-types.js';

/** A pattern compiled for unanchored, case-sensitive search. */
export interface CompiledPattern {
  /** Size of the pattern (L7). A match should take at most this many steps per code unit of the input. */
  readonly programSize: number;
  /** Whether the pattern matches anywhere in the input, in time linear in its length. Never throws. */
  test(input: string): boolean;
}

/** The result of compiling a pattern. A rejection carries the engine's reason, without the pattern. */
export type PatternOutcome =
  | { readonly accepted: true; readonly pattern: CompiledPattern }
  | { readonly accepted: false; readonly reason: string };

/** The size of a valid pattern and the work of compiling it (L7), or the reason why it is invalid. */
export type PatternMeasure =
  | { readonly accepted: true; readonly size: number; readonly work: number }
  | { readonly accepted: false; readonly reason: string };

/**
 * An engine for the pattern dialect, a subset of RE2's syntax: rejects look-around, back-references and `\C`; matches
 * in linear time; no match starts or ends within a surrogate pair; `.` does not match a newline except under `(?s)`.
 */
export interface RegexEngine {
  /** Compiles a pattern. Never throws for an invalid pattern. */
  compile(pattern: string): PatternOutcome;
  /**
   * Parses and measures a pattern without compiling it, in time linear in its length, so that a pattern that
   * exceeds a limit is never compiled. Never throws. Without it, a pattern is measured by its program size, and its
   * work is its length.
   */
  measure?(pattern: string): PatternMeasure;
}

const REQUIRED =
  "a regular-expression engine: import { re2js } from 'proviso', or implement the interface `RegexEngine`";

/** @throws {TypeError} For anything without a method `compile`. */
export function assertRegexEngine(regex: RegexEngine): void {
  if (typeof (regex as Partial<RegexEngine> | null)?.compile !== 'function')
    throw wrongType('`regex`', REQUIRED, regex);
}

/**
 * Compiles a pattern.
 *
 * @throws {TypeError} When `compile` does not return a {@link PatternOutcome} (the methods `compile` of `RegExp` and of the package `re2js` do not), or
 *   `test` of the returned pattern does not return a boolean.
 */
export function compileWith(regex: RegexEngine, pattern: string): PatternOutcome {
  const outcome = regex.compile(pattern);
  const { accepted, pattern: compiled } = (outcome ?? {}) as {
    accepted?: unknown;
    pattern?: Partial<CompiledPattern>;
  };
  // A `test` that returns a promise would match every string. A rejection has no pattern.
  const isPattern =
    typeof compiled?.programSize === 'number' &&
    typeof compiled.test === 'function' &&
    typeof compiled.test('') === 'boolean';
  if (accepted === isPattern) return outcome;
  throw new TypeError(`\`regex\` must be ${REQUIRED} (its \`compile\` returned no \`PatternOutcome\`)`);
}
