/** Texts: those that checks name, and one for each way in which beginnings, patterns and dates can come out (L16–L18). */
import type { Check, CompileOptions } from '../../engine/index.js';
import { partitionTexts } from '../patterns/text-partition.js';
import { instantTextsBeside } from './instants.js';
import type { Values } from './values.js';

/** @param equals - Texts that checks compare with by equality. */
export function textsBeside(
  checks: readonly Check[],
  equals: readonly string[],
  options: CompileOptions,
): Values {
  const taken = new Set(equals);
  const beginnings = operandsOf(checks, 'startsWith');
  const patterns = operandsOf(checks, 'matchRegex');
  const instants = instantTextsBeside(checks, taken);
  const partition = partitionTexts({ equals: [...taken], beginnings, patterns }, options);
  const values = [...partition.texts, ...instants];
  const incomplete =
    partition.incomplete ??
    (instants.length > 0 && beginnings.length + patterns.length > 0
      ? 'one claim is compared with dates and with beginnings or patterns of texts'
      : undefined);
  return { values, ...(incomplete === undefined ? {} : { incomplete }) };
}

function operandsOf(checks: readonly Check[], wanted: Check['operator']): readonly string[] {
  const operands = checks.flatMap(({ operator, value }) =>
    operator === wanted && typeof value === 'string' ? [value] : [],
  );
  return [...new Set(operands)];
}
