/** Columns: the values of one claim path for all subjects, in one of three layouts (V14). */
import type { JsonValue } from '../claims/json-value.js';
import type { PlannedCheck } from '../compile/plan.js';

/** A dictionary-encoded column, for few distinct values. */
export interface DictionaryColumn {
  readonly layout: 'dictionary';
  readonly codes: Uint16Array;
  /** Values by code; `undefined` where the claim is not defined. */
  readonly entries: readonly (JsonValue | undefined)[];
}

/** A column of numbers: more distinct ones than a dictionary may have, or passed as a `Float64Array`. */
export interface NumberColumn {
  readonly layout: 'numbers';
  /** NaN where the claim is `null` or not defined. */
  readonly values: Float64Array;
  /** 1 where the claim is `null`; `undefined` if it is `null` for no subject. */
  readonly nulls: Uint8Array | undefined;
}

/** A column of values: too many distinct ones for a dictionary, or with objects or nested lists. */
export interface PlainColumn {
  readonly layout: 'plain';
  readonly values: readonly (JsonValue | undefined)[];
  /** The prefix of each string; `undefined` if there are no strings. */
  readonly prefixes: Uint32Array | undefined;
}

export type Column = DictionaryColumn | NumberColumn | PlainColumn;

/** Codes have 16 bits. */
export const MAX_ENTRIES = 65_536;

/** Creates a column in the plain layout. */
export function toPlainColumn(values: readonly (JsonValue | undefined)[]): PlainColumn {
  const hasText = values.some((value) => typeof value === 'string');
  return { layout: 'plain', values, prefixes: hasText ? toPrefixes(values) : undefined };
}

/** Returns the value of a row; `undefined` where the claim is not defined. */
export type ValueReader = (row: number) => JsonValue | undefined;

/** Creates a function that reads the value of one row, in any layout. */
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

/** The low eight bits of each of the first four code units that a check requires of a string. */
export interface Prefix {
  readonly bits: number;
  /** The bits to compare: fewer for an operand of less than four code units. */
  readonly mask: number;
}

const CODE_UNITS = 4;

/** Returns the prefix that `startsWith`, or `==` with a string, requires; `undefined` for other checks, and for the empty string. */
export function toPrefix({ operator, expectedValue }: PlannedCheck): Prefix | undefined {
  if (operator !== 'startsWith' && operator !== '==') return undefined;
  if (typeof expectedValue !== 'string' || expectedValue === '') return undefined;
  const length = Math.min(expectedValue.length, CODE_UNITS);
  return { bits: prefixOf(expectedValue), mask: -1 >>> (8 * (CODE_UNITS - length)) };
}

/** Returns the prefixes of a column's strings; other values have the prefix of an empty string. */
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
