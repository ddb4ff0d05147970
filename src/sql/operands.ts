/** Operands that no database can be asked about: texts that it could not hold. */
import type { JsonValue } from '../engine/index.js';
import { Untranslatable } from './refusal.js';

/** @throws {Untranslatable} `operand`, where a text in it has U+0000 or half a surrogate pair. */
export function assertStorable(operand: JsonValue | undefined): void {
  if (typeof operand === 'string') assertText(operand);
  if (typeof operand !== 'object' || operand === null) return;
  if (!Array.isArray(operand)) for (const name of Object.keys(operand)) assertText(name);
  for (const inner of Object.values(operand) as readonly JsonValue[]) assertStorable(inner);
}

function assertText(text: string): void {
  if (!text.includes('\0') && text.isWellFormed()) return;
  const message =
    'A text in a database is well-formed and without U+0000, so that drivers pass it on as it is.';
  throw new Untranslatable('operand', message);
}
