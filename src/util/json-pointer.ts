/** JSON Pointers (RFC 6901): escapes and splits their segments. */

/** Escapes a member name as a segment of a JSON Pointer. */
export function escapeSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Splits a JSON Pointer into its unescaped segments. */
export function segmentsOf(pointer: string): string[] {
  const segments = pointer.split('/').slice(1);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
