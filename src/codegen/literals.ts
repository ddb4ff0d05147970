/** JavaScript literals of JSON values. */
import { isJsonArray, isJsonObject, type JsonValue } from '../engine/claims/json-value.js';

/**
 * Renders a value as an expression. In strings, `</` and `<!` are escaped, so that the text may be part of an HTML page, and lone
 * surrogates, so that it may be encoded as UTF-8.
 */
export function toLiteral(value: JsonValue): string {
  return write(value, (literal) => literal);
}

/** Renders a value as an expression for an immutable value. */
export function toFrozenLiteral(value: JsonValue): string {
  return write(value, (literal) => `Object.freeze(${literal})`);
}

/** @param wrap - Wraps the literal of each array and object. */
function write(value: JsonValue, wrap: (literal: string) => string): string {
  if (isJsonArray(value)) return wrap(`[${value.map((element) => write(element, wrap)).join(', ')}]`);
  if (!isJsonObject(value)) return JSON.stringify(value).replace(/<(?=[/!])/g, '\\x3c');
  const members = Object.entries(value).map(([name, member]) => {
    // In a literal, a plain `__proto__` would set the prototype.
    const key = name === '__proto__' ? '["__proto__"]' : write(name, wrap);
    return `${key}: ${write(member, wrap)}`;
  });
  return wrap(members.length === 0 ? '{}' : `{ ${members.join(', ')} }`);
}

/** Renders a pattern whose source has all characters as `\xhh`. In the literal, readable characters are written as themselves. */
export function toPatternLiteral(source: string): string {
  const readable = source.replace(/\\x([0-9a-f]{2})/g, (escaped, digits: string) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16));
    if (/[A-Za-z0-9_@ ]/.test(character)) return character;
    return /[-./+*?()[\]{}|^$\\]/.test(character) ? `\\${character}` : escaped;
  });
  return `/${readable}/`;
}
