/** Pattern matching for peers that lack it. Compiles each pattern once. */

const patterns = new Map<string, RegExp>();

/** The pattern as a `RegExp`, compiled at its first use. */
export function cachedPattern(pattern: string): RegExp {
  let compiled = patterns.get(pattern);
  if (compiled === undefined) {
    compiled = new RegExp(pattern);
    patterns.set(pattern, compiled);
  }
  return compiled;
}
