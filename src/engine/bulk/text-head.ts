/** The heads of texts: enough of their beginnings to pass most of them by without reading them (V14, L16, L18). */
import type { JsonValue } from '../claims/json-value.js';
import type { PlannedCheck } from '../compile/plan.js';

/** A text's first four code units, as far as the check says them, with eight bits kept of each. */
export interface Head {
  readonly bits: number;
  /** The bits that count. */
  readonly mask: number;
}

const CODE_UNITS = 4;

/** What `startsWith`, or `==` with a text, wants of a head; `undefined` for every other check. */
export function toHead({ operator, expectedValue }: PlannedCheck): Head | undefined {
  if (operator !== 'startsWith' && operator !== '==') return undefined;
  if (typeof expectedValue !== 'string' || expectedValue === '') return undefined;
  const said = Math.min(expectedValue.length, CODE_UNITS);
  return { bits: headOf(expectedValue), mask: -1 >>> (8 * (CODE_UNITS - said)) };
}

/** The heads of a column's texts; what is no text has the head of an empty one. */
export function toHeads(values: readonly (JsonValue | undefined)[]): Uint32Array {
  return Uint32Array.from(values, (value) => (typeof value === 'string' ? headOf(value) : 0));
}

function headOf(text: string): number {
  let head = 0;
  for (let index = 0; index < text.length && index < CODE_UNITS; index += 1) {
    head |= (text.charCodeAt(index) & 0xff) << (8 * index);
  }
  return head;
}
