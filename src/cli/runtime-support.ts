/** Checks whether the running version of Node gets security releases, and has the fixes that matter here (S204, D22). */

/** The oldest supported release line of Node. */
const OLDEST_SUPPORTED = 22;

/** The security releases of March 2026, by line: they fix hash flooding (CVE-2026-21717). Later lines include the fix. */
const FIXED: ReadonlyMap<number, readonly [minor: number, patch: number]> = new Map([
  [20, [20, 2]],
  [22, [22, 2]],
  [24, [14, 1]],
  [25, [8, 2]],
]);

/**
 * Returns a warning about an unsupported line or a vulnerable release; `undefined` if there is none. Never throws.
 *
 * @param version - As in `process.versions.node`.
 */
export function unsupportedNote(version: string): string | undefined {
  const [line = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const fixed = FIXED.get(line);
  if (fixed !== undefined && (minor < fixed[0] || (minor === fixed[0] && patch < fixed[1]))) {
    return `proviso: Node ${version} has vulnerabilities that ${line}.${fixed.join('.')} fixes; update it`;
  }
  // Lines with odd numbers are supported for half a year only, and count as unsupported.
  if (line >= OLDEST_SUPPORTED && line % 2 === 0) return undefined;
  return `proviso: Node ${version} no longer gets security releases; use Node ${OLDEST_SUPPORTED} or a later even version`;
}
