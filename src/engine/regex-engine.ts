/** The interface of regular-expression engines (L18); `src/regex` has the adapters. */

/** A pattern compiled for unanchored, case-sensitive search. */
export interface CompiledPattern {
  /** Number of instructions of the compiled program. A match takes at most this many steps per code unit of the input. */
  readonly programSize: number;
  /** Whether the pattern matches anywhere in the input, in time linear in its length. Never throws. */
  test(input: string): boolean;
}

/** The result of compiling a pattern. A rejection carries the engine's reason, without the pattern. */
export type PatternOutcome =
  | { readonly accepted: true; readonly pattern: CompiledPattern }
  | { readonly accepted: false; readonly reason: string };

/**
 * An engine for the RE2 dialect: rejects look-around, back-references and `\C`; matches in linear time; no
 * match starts or ends within a surrogate pair; `.` does not match a newline except under `(?s)`.
 */
export interface RegexEngine {
  /** Compiles a pattern. Never throws for an invalid pattern. */
  compile(pattern: string): PatternOutcome;
  /**
   * Estimates the work of compiling a pattern from its text, in instructions of about 0.5 µs, so that an expensive
   * query is rejected before anything is compiled. Never throws. Without it, only the length of patterns bounds the
   * work.
   */
  estimateWork?(pattern: string): number;
}
