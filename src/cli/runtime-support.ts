/** Whether the Node that runs us still gets security releases (S204, D22). */

/** The oldest line of Node that its maintainers support. */
const OLDEST_SUPPORTED = 22;

/**
 * A sentence for who runs a line without support; `undefined` where there is nothing to say. Never throws.
 *
 * @param version - As `process.versions.node` says it.
 */
export function unsupportedNote(version: string): string | undefined {
  const [line] = version.split('.', 1);
  if (Number(line) >= OLDEST_SUPPORTED) return undefined;
  return `proviso: Node ${version} gets no security releases any more; Node ${OLDEST_SUPPORTED} and later do`;
}
