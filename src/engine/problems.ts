/** The problems of a document that is read: each with its place, and all reported at once (L8). */

/** One fault of a document, and what would be right. */
export interface Problem<Code extends string = string> {
  readonly code: Code;
  /** JSON Pointer (RFC 6901) into the document as it was handed in; `''` is the document itself. */
  readonly pointer: string;
  readonly message: string;
}

/** Thrown where a document is rejected as a whole; `problems` has every fault and its place. */
export class ProblemsError<Found extends Problem = Problem> extends Error {
  readonly problems: readonly Found[];

  constructor(message: string, problems: readonly Found[]) {
    super(message);
    this.problems = problems;
  }
}

/** Joins problems to one message. @param root - What the document itself is called as a place. */
export function joinProblems(problems: readonly Problem[], root = ''): string {
  return problems
    .map(({ pointer, message }) => {
      const place = pointer || root;
      return place === '' ? message : `${message} (at ${place})`;
    })
    .join(' ');
}

/** Collects the problems of a document in its order. */
export class ProblemList<Found extends Problem = Problem> {
  readonly reported: Found[] = [];

  /** Adds a problem. @returns What is read there: nothing. */
  add(code: Found['code'], pointer: string, message: string): undefined {
    // Further members of a problem are optional.
    this.push({ code, pointer, message } as Found);
  }

  protected push(problem: Found): void {
    this.reported.push(problem);
  }
}

/** Longer member names are left out of pointers, so that a small document cannot cause a large answer (S153). */
const MAX_SEGMENT_CODE_UNITS = 256;

/**
 * The pointer to a member or an element; the pointer to the parent where the member's name is too long to repeat, and where none is
 * meant.
 */
export function pointerTo(parent: string, segment: string | number | undefined): string {
  if (typeof segment === 'number') return `${parent}/${segment}`;
  if (segment === undefined || segment.length > MAX_SEGMENT_CODE_UNITS) return parent;
  return `${parent}/${escapeSegment(segment)}`;
}

/** Writes a member's name as a segment of a JSON Pointer. */
export function escapeSegment(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Reads the names in a JSON Pointer, from the document inwards. */
export function segmentsOf(pointer: string): string[] {
  const segments = pointer.split('/').slice(1);
  return segments.map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
}
