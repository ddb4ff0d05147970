/** Formats JSON for reading. */
import { readJsonText } from '../../../util/json-text.js';

/** Maximum length of a value on one line. */
const LINE_CODE_UNITS = 90;

/**
 * Formats a JSON text; `undefined` if it is invalid, repeats a name (formatting would keep only one of the values), or contains a number
 * beyond the range of JavaScript. Never throws.
 */
export function formatJson(text: string): string | undefined {
  if (readJsonText(text).problem !== undefined) return undefined;
  let isInRange = true;
  const value = JSON.parse(text, (_name, inner: unknown) => {
    if (inner === Number.POSITIVE_INFINITY || inner === Number.NEGATIVE_INFINITY) isInRange = false;
    return inner;
  }) as unknown;
  return isInRange ? toReadableJson(value) : undefined;
}

/** Formats JSON for reading: a value that fits on a line stays on one line, unless it contains an object, or a list with objects or lists in it. */
export function toReadableJson(value: unknown, indent = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  // Nested objects are easier to read on separate lines, even if they are short. Only values without them are written twice.
  const line = hasNestedObjects(value) ? undefined : oneLine(value);
  if (line !== undefined && line.length + indent.length <= LINE_CODE_UNITS) return line;
  const inner = `${indent}  `;
  if (Array.isArray(value)) {
    const entries = value.map((entry) => `${inner}${toReadableJson(entry, inner)}`);
    return `[\n${entries.join(',\n')}\n${indent}]`;
  }
  const members = Object.entries(value).map(
    ([name, member]) => `${inner}${JSON.stringify(name)}: ${toReadableJson(member, inner)}`,
  );
  return `{\n${members.join(',\n')}\n${indent}}`;
}

function hasNestedObjects(value: object): boolean {
  return Object.values(value).some(
    (inner: unknown) => typeof inner === 'object' && inner !== null && !isPrimitiveList(inner),
  );
}

function isPrimitiveList(value: object): boolean {
  return Array.isArray(value) && value.every((entry) => typeof entry !== 'object' || entry === null);
}

function oneLine(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(oneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${oneLine(member)}`,
  );
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
