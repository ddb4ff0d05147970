/** Whether the Node that runs us gets security releases, and has those that matter to us (S204, D22). */

/** The oldest line of Node that its maintainers support. */
const OLDEST_SUPPORTED = 22;

/** The releases of March 2026, by line: among them the fix of hash flooding (CVE-2026-21717). Later lines have it from the start. */
const FIXED: ReadonlyMap<number, readonly [minor: number, patch: number]> = new Map([
  [20, [20, 2]],
  [22, [22, 2]],
  [24, [14, 1]],
  [25, [8, 2]],
]);

/**
 * A sentence for who runs a line without support, or a release with known holes; `undefined` where there is nothing to say. Never throws.
 *
 * @param version - As `process.versions.node` says it.
 */
export function unsupportedNote(version: string): string | undefined {
  const [line = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const fixed = FIXED.get(line);
  if (fixed !== undefined && (minor < fixed[0] || (minor === fixed[0] && patch < fixed[1]))) {
    return `proviso: Node ${version} has security holes that ${line}.${fixed.join('.')} closed; update it`;
  }
  // Lines with odd numbers live for half a year.
  if (line >= OLDEST_SUPPORTED && line % 2 === 0) return undefined;
  return `proviso: Node ${version} gets no security releases any more; Node ${OLDEST_SUPPORTED} and later even ones do`;
}
