/** Patterns without special characters, matched by substring search (L18). */

const LITERAL = /^[^\\^$.|?*+()[\]{}]+$/;

/** Returns whether a valid pattern is a literal string, which a substring search finds. Never throws. */
export function isLiteralPattern(pattern: string): boolean {
  return LITERAL.test(pattern);
}
