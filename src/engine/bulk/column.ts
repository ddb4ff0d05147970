/** A column: the values of one claim path, one a subject, in one of three layouts (V14). */
import type { JsonValue } from '../claims/json-value.js';
import { toHeads } from './text-head.js';

/** Few distinct values: each subject has the place of its value among the entries. */
export interface CodedColumn {
  readonly layout: 'coded';
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
  readonly heads: Uint32Array | undefined;
}

export type Column = CodedColumn | NumberColumn | PlainColumn;

/** Codes have 16 bits. */
export const MAX_ENTRIES = 65_536;

/** A column in the plain layout. */
export function toPlainColumn(values: readonly (JsonValue | undefined)[]): PlainColumn {
  const hasText = values.some((value) => typeof value === 'string');
  return { layout: 'plain', values, heads: hasText ? toHeads(values) : undefined };
}

/** Reads one subject's value; `undefined` where the claim is not defined. */
export type ValueReader = (row: number) => JsonValue | undefined;

/** Reads a column row by row, where no kernel reads it as a whole. */
export function toValueReader(column: Column): ValueReader {
  switch (column.layout) {
    case 'coded': {
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
