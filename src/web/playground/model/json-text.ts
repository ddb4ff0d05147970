/** Reads JSON that somebody is typing: its value, or where it stops being JSON; and where each of its values stands (L8). */
import { segmentsOf } from '../../../engine/problems.js';

/** A stretch of a text, in code units. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A text as JSON. */
export interface JsonText {
  /** Absent where the text is no JSON. */
  readonly value?: unknown;
  /** What keeps it from being JSON, or is not allowed in it. */
  readonly problem?: { readonly span: Span; readonly message: string };
  /** Where the value of a JSON Pointer stands; where the nearest value around it does, if there is none. */
  spanOf(pointer: string): Span;
  /** Where the name of the member at a JSON Pointer stands; as {@link spanOf} where it is no member. */
  nameOf(pointer: string): Span;
}

/** Deeper texts are refused before the reader would run out of stack; queries and claims nest far less. */
const MAX_DEPTH = 200;

/** Where a value stands, and what is in it. A pointer is followed when somebody asks: most key strokes ask for none. */
interface Place extends Span {
  /** An object's members by name, each with where the name stands. */
  readonly members?: ReadonlyMap<string, NamedPlace>;
  /** An array's entries. */
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

/** Reads a text. Never throws. */
export function readJsonText(text: string): JsonText {
  const { place, problem } = new Reader(text).read();
  const around = (pointer: string): Span => placeAround(place, pointer);
  const places = {
    spanOf: around,
    nameOf: (pointer: string) => nameAt(place, pointer) ?? around(pointer),
  };
  return problem === undefined ? { value: JSON.parse(text) as unknown, ...places } : { problem, ...places };
}

/** The place of a pointer's value, or of the nearest value around it. */
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

/** What the reader stops at. */
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
      if (this.#at < this.#text.length) this.#refuse('The text ends here; take away what follows.');
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
    if (depth > MAX_DEPTH) this.#refuse(`Values nest at most ${MAX_DEPTH} deep.`);
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
            ? 'A name in double quotes belongs here, or `}`.'
            : 'A name in double quotes belongs here; the last member has no comma behind it.',
        );
      }
      const text = this.#readString();
      const name = { from, to: this.#at };
      if (members.has(text)) throw new SyntaxProblem('This name stands here twice.', name);
      this.#skipBlanks();
      if (this.#text[this.#at] !== ':') this.#refuse('A colon and a value belong here.');
      this.#at += 1;
      members.set(text, { name, value: this.#readValue(depth + 1) });
    });
    return members;
  }

  #readArray(depth: number): readonly Place[] {
    const entries: Place[] = [];
    this.#readList(']', (isFirst) => {
      if (!isFirst && this.#text[this.#at] === ']') this.#refuse('The last entry has no comma behind it.');
      entries.push(this.#readValue(depth + 1));
    });
    return entries;
  }

  /** What stands between brackets, separated by commas. */
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
      if (next !== end && next !== ',') this.#refuse(`A comma or \`${end}\` belongs here.`);
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
      throw new SyntaxProblem('This string has no end: it lacks `"`.', {
        from,
        to: Math.min(end, text.length),
      });
    }
    this.#at = end + 1;
    // What has neither escapes nor control characters is read as it stands.
    if (isPlain) return text.slice(from + 1, end);
    try {
      return JSON.parse(text.slice(from, this.#at)) as string;
    } catch {
      throw new SyntaxProblem('A control character or an escape in this string is not JSON.', {
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
      throw new SyntaxProblem('Only `true`, `false` and `null` stand without quotes.', {
        from,
        to: this.#at,
      });
    }
    if (this.#match(NUMBER) === '') this.#refuse('A value belongs here.');
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

  /** Refuses what stands at this place: a character, or, at the text's end, what was read last. */
  #refuse(message: string): never {
    const to = Math.min(this.#at + 1, this.#text.length);
    throw new SyntaxProblem(message, { from: Math.min(this.#at, Math.max(0, to - 1)), to });
  }
}
