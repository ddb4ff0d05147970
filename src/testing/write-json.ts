/** Writes JSON exactly: `-0` keeps its sign, and all characters are ASCII. */
import type { JsonValue } from '../engine/claims/json-value.js';

/** Characters that are written as escapes. */
const NOT_ASCII = /[^\0-\x7f]/g;

/**
 * Writes a value as JSON in ASCII, including `-0`, which `JSON.stringify` writes as `0`.
 *
 * @example
 * writeJson([-0, 'é']) // '[-0,"\\u00e9"]'
 */
export function writeJson(value: JsonValue): string {
  if (Object.is(value, -0)) return '-0';
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([name, inner]) => `${writeString(name)}:${writeJson(inner)}`);
    return `{${members.join(',')}}`;
  }
  return typeof value === 'string' ? writeString(value) : JSON.stringify(value);
}

function writeString(text: string): string {
  return JSON.stringify(text).replace(
    NOT_ASCII,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
