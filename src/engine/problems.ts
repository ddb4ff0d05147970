/** Problems of a parsed document, each with a JSON Pointer, reported all at once (L8). */
import { escapeSegment } from '../util/json-pointer.js';
import { ProvisoError } from '../util/proviso-error.js';

/** One problem of a document: the fault, and what is required. */
export interface Problem<Code extends string = string> {
  readonly code: Code;
  /** JSON Pointer (RFC 6901) into the document as passed in; `''` is the document itself. */
  readonly pointer: string;
  readonly message: string;
}

/** Thrown when a document is rejected as a whole; `problems` lists every fault with its pointer. */
export class ProblemsError<
  Found extends Problem = Problem,
  Code extends string = string,
> extends ProvisoError<Code> {
  readonly problems: readonly Found[];

  constructor(code: Code, message: string, problems: readonly Found[]) {
    super(code, message);
    this.problems = problems;
  }
}

/** Joins problems into one message. @param root - The place that is shown for problems of the document itself; none by default. */
export function joinProblems(problems: readonly Problem[], root = ''): string {
  return problems
    .map(({ pointer, message }) => {
      const place = pointer || root;
      return place === '' ? message : `${message} (at ${place})`;
    })
    .join(' ');
}

/** Collects the problems of a document, in the order in which they are added. */
export class ProblemList<Found extends Problem = Problem> {
  readonly reported: Found[] = [];

  /** Adds a problem. @returns `undefined`, which parsers use in place of the faulty value. */
  add(code: Found['code'], pointer: string, message: string): undefined {
    // All further members of a problem are optional.
    this.push({ code, pointer, message } as Found);
  }

  protected push(problem: Found): void {
    this.reported.push(problem);
  }
}

/** Longer member names are omitted from pointers, so that a small document cannot cause a large response (S153). */
const MAX_SEGMENT_CODE_UNITS = 256;

/** Returns the pointer to a member or an element; the parent's pointer where `segment` is absent, or is too long to repeat. */
export function pointerTo(parent: string, segment: string | number | undefined): string {
  if (typeof segment === 'number') return `${parent}/${segment}`;
  if (segment === undefined || segment.length > MAX_SEGMENT_CODE_UNITS) return parent;
  return `${parent}/${escapeSegment(segment)}`;
}
