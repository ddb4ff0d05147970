/** Strict JSON (I-JSON, RFC 7493): no duplicate names, no lone surrogates, no U+0000, numbers in range, bounded depth (S30–S43). */
import { escapeSegment } from '../../util/json-pointer.js';

/** A problem of a JSON text. */
export interface JsonProblem {
  /** JSON Pointer to the value or member, with each name cut to 64 code units; `''` if the text is not JSON or has too many members. */
  readonly pointer: string;
  readonly code:
    | 'json_malformed'
    | 'json_duplicate'
    | 'json_text'
    | 'json_number'
    | 'json_depth'
    | 'body_size';
  readonly message: string;
}

export type JsonOutcome =
  | { readonly accepted: true; readonly value: unknown }
  | { readonly accepted: false; readonly problem: JsonProblem };

/**
 * Deeper than any valid body, and far below the depth that exhausts the stack of recursive code. At the default operand depth, the deepest query
 * has 256 nested policies, the greatest limit that can be configured, of three containers each, and an operand of 16.
 */
const MAX_DEPTH = 1_000;

/** An array or object that encloses the current token. */
interface Container {
  /** Names seen, for an object; `undefined` for an array. */
  readonly names: Set<string> | undefined;
  /** The current index or member name. */
  segment: string | number;
}

/**
 * Parses a JSON text strictly, in time linear in its length and without recursion.
 *
 * @param maxEntries - Maximum number of members and items in total; an empty container counts as one.
 * @returns The value, or the first problem; `json_malformed` takes precedence over others, except for depth and number of entries. Never throws.
 */
export function parseStrictJson(text: string, maxEntries = Number.POSITIVE_INFINITY): JsonOutcome {
  // Checks depth and size first: JSON.parse accepts any depth, and later code does not.
  const problem = scan(text, maxEntries);
  if (problem?.code === 'json_depth' || problem?.code === 'body_size') return { accepted: false, problem };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const message = 'The body must be JSON (RFC 8259) in UTF-8 without a byte order mark.';
    return { accepted: false, problem: { pointer: '', code: 'json_malformed', message } };
  }
  return problem === undefined ? { accepted: true, value } : { accepted: false, problem };
}

// An unterminated string is a token as well; otherwise every quote in it would be tried as a start (quadratic time).
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d[\d.eE+-]*|[{}[\]:,]/gs;

/** Scans the tokens. Syntax errors are left to `JSON.parse`. */
function scan(text: string, maxEntries: number): JsonProblem | undefined {
  const containers: Container[] = [];
  let entries = 0;
  // Checked once: in a storable text, only an escape such as `\u0000` yields a string that is not storable.
  const isStorableAsSent = isStorable(text);
  let expectsName = false;
  for (const [token] of text.matchAll(TOKEN)) {
    const inside = containers.at(-1);
    switch (token[0]) {
      case '{':
      case '[':
        if (containers.length === MAX_DEPTH)
          return problemAt(
            containers,
            'json_depth',
            `The body must not nest deeper than ${MAX_DEPTH} levels.`,
          );
        entries += 1;
        if (entries > maxEntries) return tooManyEntries(maxEntries);
        containers.push(token === '{' ? { names: new Set(), segment: '' } : { names: undefined, segment: 0 });
        expectsName = token === '{';
        break;
      case '}':
      case ']':
        containers.pop();
        expectsName = false;
        break;
      case ',':
        entries += 1;
        if (entries > maxEntries) return tooManyEntries(maxEntries);
        if (typeof inside?.segment === 'number') inside.segment += 1;
        expectsName = inside?.names !== undefined;
        break;
      case ':':
        expectsName = false;
        break;
      case '"': {
        const isKnownStorable = isStorableAsSent && !token.includes('\\u');
        if (isKnownStorable && !(expectsName && inside?.names !== undefined)) break;
        const string = parseString(token);
        if (string === undefined) return undefined;
        if (expectsName && inside?.names !== undefined) {
          inside.segment = string;
          if (inside.names.has(string))
            return problemAt(containers, 'json_duplicate', 'An object must not contain a member name twice.');
          inside.names.add(string);
        }
        if (!isKnownStorable && !isStorable(string)) {
          return problemAt(containers, 'json_text', 'A string must be well-formed Unicode without U+0000.');
        }
        break;
      }
      default:
        if (!isInRange(token)) {
          const message =
            'A number must be finite. A number without fraction and exponent must be within ±(2^53 − 1).';
          return problemAt(containers, 'json_number', message);
        }
    }
  }
  return undefined;
}

function tooManyEntries(limit: number): JsonProblem {
  const message = `The body must have at most ${limit} members and items in total.`;
  return { pointer: '', code: 'body_size', message };
}

function parseString(token: string): string | undefined {
  if (!token.includes('\\')) return token.slice(1, -1);
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}

/** SQLite truncates strings at U+0000, PostgreSQL rejects them, and both replace lone surrogates, so that different strings could become equal (D2). */
function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

function isInRange(token: string): boolean {
  const value = Number(token);
  // Malformed numbers are left to JSON.parse.
  return (
    Number.isNaN(value) ||
    (Number.isFinite(value) &&
      (!Number.isInteger(value) || Number.isSafeInteger(value) || /[.eE]/.test(token)))
  );
}

function problemAt(
  containers: readonly Container[],
  code: JsonProblem['code'],
  message: string,
): JsonProblem {
  const pointer = containers
    .map(({ segment }) => `/${escapeSegment(String(segment).slice(0, 64).toWellFormed())}`)
    .join('');
  return { pointer, code, message };
}
