/** Parses JSON and records the location of each value; for invalid JSON, the location and message of the error (L8). */
import { segmentsOf } from './json-pointer.js';

/** A range of a text, in code units. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A parsed text. */
export interface JsonText {
  /** Absent if there is a `problem`. */
  readonly value?: unknown;
  /** The first error: invalid JSON, a repeated member name, or a value that nests too deep. */
  readonly problem?: { readonly span: Span; readonly message: string };
  /** Returns the span of the value at a JSON Pointer, or of the nearest enclosing value. */
  spanOf(pointer: string): Span;
  /** Returns the span of the member name at a JSON Pointer; the result of {@link spanOf} if it is not a member. */
  nameOf(pointer: string): Span;
}

/** Maximum depth, to avoid a stack overflow; queries and claims nest far less. */
const MAX_DEPTH = 200;

/** The location of a value and its contents. Pointers are resolved on demand. */
interface Place extends Span {
  /** The members of an object, by name. */
  readonly members?: ReadonlyMap<string, NamedPlace>;
  /** The items of an array. */
  readonly entries?: readonly Place[];
}

interface NamedPlace {
  readonly name: Span;
  readonly value: Place;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /[A-Za-z]+/y;

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Parses a JSON text, and locates its values. Never throws. */
export function readJsonText(text: string): JsonText {
  const { place, problem } = new Reader(text).read();
  const around = (pointer: string): Span => placeAround(place, pointer);
  const places = {
    spanOf: around,
    nameOf: (pointer: string) => nameAt(place, pointer) ?? around(pointer),
  };
  return problem === undefined ? { value: JSON.parse(text) as unknown, ...places } : { problem, ...places };
}

/** Returns the line and the column of a position, both from 1. Columns count code units. */
export function lineAndColumn(
  text: string,
  position: number,
): { readonly line: number; readonly column: number } {
  const before = text.slice(0, position);
  return { line: before.split('\n').length, column: position - before.lastIndexOf('\n') };
}

/** Returns the location of the value at a pointer, or of the nearest enclosing value. */
function placeAround(place: Place, pointer: string): Place {
  let nearest = place;
  for (const segment of segmentsOf(pointer)) {
    const next = placeIn(nearest, segment);
    if (next === undefined) break;
    nearest = next;
  }
  return nearest;
}

function nameAt(place: Place, pointer: string): Span | undefined {
  const segments = segmentsOf(pointer);
  const last = segments.pop();
  const object = segments.reduce<Place | undefined>(
    (around, segment) => around && placeIn(around, segment),
    place,
  );
  return last === undefined ? undefined : object?.members?.get(last)?.name;
}

function placeIn({ members, entries }: Place, segment: string): Place | undefined {
  return members?.get(segment)?.value ?? entries?.[Number(segment)];
}

/** An error at a span. */
class SyntaxProblem extends Error {
  readonly span: Span;

  constructor(message: string, span: Span) {
    super(message);
    this.span = span;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): { readonly place: Place; readonly problem?: JsonText['problem'] } {
    try {
      const place = this.#readValue(0);
      this.#skipBlanks();
      if (this.#at < this.#text.length)
        this.#refuse('Unexpected text after the end of the value; remove it.');
      return { place };
    } catch (error) {
      if (!(error instanceof SyntaxProblem)) throw error;
      const { span, message } = error;
      return { place: { from: 0, to: this.#text.length }, problem: { span, message } };
    }
  }

  #readValue(depth: number): Place {
    this.#skipBlanks();
    const from = this.#at;
    if (depth > MAX_DEPTH) this.#refuse(`Values must not nest deeper than ${MAX_DEPTH} levels.`);
    switch (this.#text[from]) {
      case '{': {
        const members = this.#readObject(depth);
        return { from, to: this.#at, members };
      }
      case '[': {
        const entries = this.#readArray(depth);
        return { from, to: this.#at, entries };
      }
      case '"':
        this.#readString();
        return { from, to: this.#at };
      default:
        this.#readPlain();
        return { from, to: this.#at };
    }
  }

  #readObject(depth: number): ReadonlyMap<string, NamedPlace> {
    const members = new Map<string, NamedPlace>();
    this.#readList('}', (isFirst) => {
      const from = this.#at;
      if (this.#text[from] !== '"') {
        this.#refuse(
          isFirst
            ? 'Expected a name in double quotes, or `}`.'
            : 'Expected a name in double quotes; a comma must not follow the last member.',
        );
      }
      const text = this.#readString();
      const name = { from, to: this.#at };
      if (members.has(text)) throw new SyntaxProblem('This name is repeated.', name);
      this.#skipBlanks();
      if (this.#text[this.#at] !== ':') this.#refuse('Expected a colon and a value.');
      this.#at += 1;
      members.set(text, { name, value: this.#readValue(depth + 1) });
    });
    return members;
  }

  #readArray(depth: number): readonly Place[] {
    const entries: Place[] = [];
    this.#readList(']', (isFirst) => {
      if (!isFirst && this.#text[this.#at] === ']') this.#refuse('Remove the comma after the last item.');
      entries.push(this.#readValue(depth + 1));
    });
    return entries;
  }

  /** Reads a comma-separated list up to the closing bracket. */
  #readList(end: string, readEntry: (isFirst: boolean) => void): void {
    this.#at += 1;
    this.#skipBlanks();
    if (this.#text[this.#at] === end) {
      this.#at += 1;
      return;
    }
    for (let isFirst = true; ; isFirst = false) {
      readEntry(isFirst);
      this.#skipBlanks();
      const next = this.#text[this.#at];
      if (next !== end && next !== ',') this.#refuse(`Expected a comma or \`${end}\`.`);
      this.#at += 1;
      if (next === end) return;
      this.#skipBlanks();
    }
  }

  #readString(): string {
    const text = this.#text;
    const from = this.#at;
    let end = from + 1;
    let isPlain = true;
    for (; end < text.length; end += 1) {
      const unit = text.charCodeAt(end);
      if (unit === QUOTE || unit === LINE_FEED) break;
      if (unit === BACKSLASH) end += 1;
      if (unit === BACKSLASH || unit < SPACE) isPlain = false;
    }
    if (text.charCodeAt(end) !== QUOTE) {
      throw new SyntaxProblem('The string is not closed: add `"`.', {
        from,
        to: Math.min(end, text.length),
      });
    }
    this.#at = end + 1;
    // Without escapes and control characters, the text is the value.
    if (isPlain) return text.slice(from + 1, end);
    try {
      return JSON.parse(text.slice(from, this.#at)) as string;
    } catch {
      throw new SyntaxProblem('The string contains a control character or an invalid escape.', {
        from,
        to: this.#at,
      });
    }
  }

  #readPlain(): void {
    const from = this.#at;
    const word = this.#match(WORD);
    if (word !== '') {
      if (['true', 'false', 'null'].includes(word)) return;
      throw new SyntaxProblem('Only `true`, `false` and `null` may be written without quotes.', {
        from,
        to: this.#at,
      });
    }
    if (this.#match(NUMBER) === '') this.#refuse('Expected a value.');
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }

  #skipBlanks(): void {
    for (; this.#at < this.#text.length; this.#at += 1) {
      const unit = this.#text.charCodeAt(this.#at);
      if (unit !== SPACE && unit !== LINE_FEED && unit !== CARRIAGE_RETURN && unit !== TAB) return;
    }
  }

  /** Throws an error at the current character, or at the last one at the end of the text. */
  #refuse(message: string): never {
    const to = Math.min(this.#at + 1, this.#text.length);
    throw new SyntaxProblem(message, { from: Math.min(this.#at, Math.max(0, to - 1)), to });
  }
}
