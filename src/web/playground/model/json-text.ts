/** Reads JSON that somebody is typing: its value, or where it stops being JSON; and where each of its values stands (L8). */
import { pointerTo } from '../../../engine/json-pointer.js';

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
  const reader = new Reader(text);
  const problem = reader.read();
  const around = (pointer: string): Span => {
    for (let place = pointer; ; place = place.slice(0, place.lastIndexOf('/'))) {
      const span = reader.values.get(place);
      if (span !== undefined) return span;
      if (place === '') return { from: 0, to: text.length };
    }
  };
  const places = {
    spanOf: around,
    nameOf: (pointer: string) => reader.names.get(pointer) ?? around(pointer),
  };
  return problem === undefined ? { value: JSON.parse(text) as unknown, ...places } : { problem, ...places };
}

/** What the reader stops at. */
class Refusal extends Error {
  readonly span: Span;

  constructor(message: string, span: Span) {
    super(message);
    this.span = span;
  }
}

class Reader {
  readonly values = new Map<string, Span>();
  readonly names = new Map<string, Span>();
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): JsonText['problem'] {
    try {
      this.#readValue('', 0);
      this.#skipBlanks();
      if (this.#at < this.#text.length) this.#refuse('The text ends here; take away what follows.');
      return undefined;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      return { span: error.span, message: error.message };
    }
  }

  #readValue(pointer: string, depth: number): void {
    this.#skipBlanks();
    const from = this.#at;
    if (depth > MAX_DEPTH) this.#refuse(`Values nest at most ${MAX_DEPTH} deep.`);
    switch (this.#text[from]) {
      case '{':
        this.#readObject(pointer, depth);
        break;
      case '[':
        this.#readArray(pointer, depth);
        break;
      case '"':
        this.#readString();
        break;
      default:
        this.#readPlain();
    }
    this.values.set(pointer, { from, to: this.#at });
  }

  #readObject(pointer: string, depth: number): void {
    const members = new Set<string>();
    this.#readList('}', (isFirst) => {
      const from = this.#at;
      if (this.#text[from] !== '"') {
        this.#refuse(
          isFirst
            ? 'A name in double quotes belongs here, or `}`.'
            : 'A name in double quotes belongs here; the last member has no comma behind it.',
        );
      }
      const name = this.#readString();
      const span = { from, to: this.#at };
      if (members.has(name)) throw new Refusal('This name stands here twice.', span);
      members.add(name);
      this.#skipBlanks();
      if (this.#text[this.#at] !== ':') this.#refuse('A colon and a value belong here.');
      this.#at += 1;
      const place = pointerTo(pointer, name);
      this.names.set(place, span);
      this.#readValue(place, depth + 1);
    });
  }

  #readArray(pointer: string, depth: number): void {
    let index = 0;
    this.#readList(']', (isFirst) => {
      if (!isFirst && this.#text[this.#at] === ']') this.#refuse('The last entry has no comma behind it.');
      this.#readValue(pointerTo(pointer, index), depth + 1);
      index += 1;
    });
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
      throw new Refusal('This string has no end: it lacks `"`.', { from, to: Math.min(end, text.length) });
    }
    this.#at = end + 1;
    // What has neither escapes nor control characters is read as it stands.
    if (isPlain) return text.slice(from + 1, end);
    try {
      return JSON.parse(text.slice(from, this.#at)) as string;
    } catch {
      throw new Refusal('A control character or an escape in this string is not JSON.', {
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
      throw new Refusal('Only `true`, `false` and `null` stand without quotes.', { from, to: this.#at });
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
    throw new Refusal(message, { from: Math.min(this.#at, Math.max(0, to - 1)), to });
  }
}
