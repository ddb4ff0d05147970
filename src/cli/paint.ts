/** Colors of a terminal, and values on one line. */
import { styleText } from 'node:util';
import type { JsonValue } from '../index.js';
import { toPrintable } from './output.js';

/** Colors text; returns it unchanged if colors are off. */
export type Paint = (color: 'green' | 'yellow' | 'red' | 'gray', text: string) => string;

/** Colors nothing. */
export const plain: Paint = (_color, text) => text;

/** Returns the function that colors text, following `NO_COLOR` and `FORCE_COLOR`. */
export function paintFor(stream: { readonly isTTY?: boolean }, environment: NodeJS.ProcessEnv): Paint {
  const forced = environment['FORCE_COLOR'];
  const isPlain = (environment['NO_COLOR'] ?? '') !== '';
  const isColored = forced === undefined ? stream.isTTY === true && !isPlain : forced !== '0';
  return isColored ? (color, text) => styleText(color, text) : plain;
}

const MAX_VALUE_CODE_UNITS = 60;

/** Formats a value as JSON, truncated if it is long. Replaces the control characters that JSON does not escape. */
export function formatValue(value: JsonValue | undefined): string {
  if (value === undefined) return 'not defined';
  const text = toPrintable(JSON.stringify(value));
  return text.length <= MAX_VALUE_CODE_UNITS ? text : `${text.slice(0, MAX_VALUE_CODE_UNITS - 1)}…`;
}
