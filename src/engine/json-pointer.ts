/** JSON Pointers into a document (RFC 6901), with which problems name their place (L8). */

/** Longer member names are left out of pointers, so that a small document cannot cause a large answer (S153). */
const MAX_SEGMENT_CODE_UNITS = 256;

/**
 * The pointer to a member or an element; the pointer to the parent where the member's name is too long to repeat, and where none is
 * meant.
 */
export function pointerTo(parent: string, segment: string | number | undefined): string {
  if (typeof segment === 'number') return `${parent}/${segment}`;
  if (segment === undefined || segment.length > MAX_SEGMENT_CODE_UNITS) return parent;
  return `${parent}/${segment.replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
