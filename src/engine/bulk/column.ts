/** A column: the values of one claim path, one a subject, in one of three layouts (V14). */
import type { JsonValue } from '../claims/json-value.js';
import type { PlannedCheck } from '../compile/plan.js';

/** Few distinct values: each subject has the place of its value among the entries. */
export interface DictionaryColumn {
  readonly layout: 'dictionary';
  readonly codes: Uint16Array;
  /** What a code stands for; `undefined` where the claim is not defined. */
  readonly entries: readonly (JsonValue | undefined)[];
}

/** Many distinct numbers. */
export interface NumberColumn {
  readonly layout: 'numbers';
  /** NaN where there is no number: the claim is `null` there, or not defined. */
  readonly values: Float64Array;
  /** 1 where the claim is `null`; absent where it nowhere is. */
  readonly nulls: Uint8Array | undefined;
}

/** Many distinct values, not all of them numbers. */
export interface PlainColumn {
  readonly layout: 'plain';
  readonly values: readonly (JsonValue | undefined)[];
  /** How each text begins; absent where there is none. */
  readonly prefixes: Uint32Array | undefined;
}

export type Column = DictionaryColumn | NumberColumn | PlainColumn;

/** Codes have 16 bits. */
export const MAX_ENTRIES = 65_536;

/** A column in the plain layout. */
export function toPlainColumn(values: readonly (JsonValue | undefined)[]): PlainColumn {
  const hasText = values.some((value) => typeof value === 'string');
  return { layout: 'plain', values, prefixes: hasText ? toPrefixes(values) : undefined };
}

/** Reads one subject's value; `undefined` where the claim is not defined. */
export type ValueReader = (row: number) => JsonValue | undefined;

/** Reads a column row by row, where no kernel reads it as a whole. */
export function toValueReader(column: Column): ValueReader {
  switch (column.layout) {
    case 'dictionary': {
      const { codes, entries } = column;
      return (row) => entries[codes[row] as number];
    }
    case 'numbers': {
      const { values, nulls } = column;
      return (row) => {
        const value = values[row] as number;
        if (!Number.isNaN(value)) return value;
        return nulls?.[row] === 1 ? null : undefined;
      };
    }
    case 'plain': {
      const { values } = column;
      return (row) => values[row];
    }
  }
}

/** A text's first four code units, as far as the check says them, with eight bits kept of each. */
export interface Prefix {
  readonly bits: number;
  /** The bits that count. */
  readonly mask: number;
}

const CODE_UNITS = 4;

/** What `startsWith`, or `==` with a text, wants of a head; `undefined` for every other check. */
export function toPrefix({ operator, expectedValue }: PlannedCheck): Prefix | undefined {
  if (operator !== 'startsWith' && operator !== '==') return undefined;
  if (typeof expectedValue !== 'string' || expectedValue === '') return undefined;
  const length = Math.min(expectedValue.length, CODE_UNITS);
  return { bits: prefixOf(expectedValue), mask: -1 >>> (8 * (CODE_UNITS - length)) };
}

/** The heads of a column's texts; what is no text has the head of an empty one. */
function toPrefixes(values: readonly (JsonValue | undefined)[]): Uint32Array {
  return Uint32Array.from(values, (value) => (typeof value === 'string' ? prefixOf(value) : 0));
}

function prefixOf(text: string): number {
  let prefix = 0;
  for (let index = 0; index < text.length && index < CODE_UNITS; index += 1) {
    prefix |= (text.charCodeAt(index) & 0xff) << (8 * index);
  }
  return prefix;
}
