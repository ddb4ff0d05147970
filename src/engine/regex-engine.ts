/** The port of the regular-expression engine (L18); `regex/` has the adapters. */

/** A pattern compiled for unanchored, case-sensitive search. */
export interface CompiledPattern {
  /** Instructions of the compiled program: a match costs at most this many steps for each code unit of the input. */
  readonly programSize: number;
  /** Whether the pattern matches anywhere in the input, in time linear in its length. Never throws. */
  test(input: string): boolean;
}

/** What compiling a pattern came to; a refused one carries the engine's reason, without the pattern. */
export type PatternOutcome =
  | { readonly accepted: true; readonly pattern: CompiledPattern }
  | { readonly accepted: false; readonly reason: string };

/**
 * An engine for the RE2 dialect: look-around, back-references and `\C` are refused, matching is linear, positions lie
 * between characters and `.` does not match a newline unless `(?s)` says so.
 */
export interface RegexEngine {
  /** Compiles a pattern. Never throws for a pattern, however broken. */
  compile(pattern: string): PatternOutcome;
  /**
   * Estimates from its text what compiling a pattern takes, in instructions of about 0.5 µs, so that a query that would take too long is
   * refused before anything is compiled. Never throws. Without it, compiling is bounded by the patterns' length alone.
   */
  estimateWork?(pattern: string): number;
}
