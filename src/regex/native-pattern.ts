/** Patterns that JavaScript's own engine matches as RE2 does, and in bounded time: no choice but one, no repetition but a fixed one (L18). */

/** A character that means itself, or an escaped one that does. ASCII only: code units and code points are one there. */
const CHARACTER = String.raw`(?:[A-Za-z0-9 _@,:;=<>!"#%&'~\x60/-]|\\[.+*?()|[\]{}^$\\/-])`;
const CLASS = String.raw`\[(?:[A-Za-z0-9](?:-[A-Za-z0-9])?)+\]`;
const ATOM = String.raw`(?:${CHARACTER}|${CLASS})(?:\{\d{1,4}\})?`;
const CHOICE = String.raw`\(${CHARACTER}+(?:\|${CHARACTER}+)*\)`;

/** No two ways lead through a pattern's text, so this is linear in it. */
const BOUNDED = new RegExp(String.raw`^\^?(?:${ATOM})*(?:${CHOICE})?(?:${ATOM})*\$?$`);

/**
 * The pattern for JavaScript's own engine, many times faster; `undefined` where it could mean something else to it, or take long.
 *
 * A match tries each alternative once at each place of the input, and each takes as many steps as it has characters: no more than what
 * the program's size already counts.
 *
 * @param pattern - One that RE2 has accepted.
 */
export function toNativePattern(pattern: string): RegExp | undefined {
  return BOUNDED.test(pattern) ? new RegExp(pattern) : undefined;
}
