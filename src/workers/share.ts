/** Deals the rows of columns out to threads. */
import { type ClaimColumns, type Column, toClaimReference } from '../engine/index.js';
import type { Share } from './messages.js';

/** Verdicts are written 32 to a word, so each share but the last has a multiple of that many rows. */
const ROWS_PER_WORD = 32;

/** Copies the rows into shares of about one size, in their order: one a thread, fewer where there are not as many rows; at least one. */
export function deal(columns: ClaimColumns, threads: number): readonly Share[] {
  const rows = Math.max(1, Math.ceil(columns.size / threads / ROWS_PER_WORD)) * ROWS_PER_WORD;
  const shares: Share[] = [];
  for (let from = 0; from === 0 || from < columns.size; from += rows) {
    shares.push(shareOf(columns, from, Math.min(from + rows, columns.size)));
  }
  return shares;
}

/** The buffers of a share, which need not be copied once more on the way to its thread. */
export function buffersOf({ columns }: Share): readonly ArrayBuffer[] {
  return columns.flatMap(([, column]) => arraysOf(column).map(({ buffer }) => buffer as ArrayBuffer));
}

function shareOf(columns: ClaimColumns, from: number, to: number): Share {
  const own = columns.paths.map((path): [string, Column] => {
    // Without carriers: what reaches into others is worked out where it is asked for (L13).
    const column = columns.find({ ...toClaimReference(path), carriers: [] }) as Column;
    return [path, rowsOf(column, from, to)];
  });
  return { size: to - from, columns: own };
}

function rowsOf(column: Column, from: number, to: number): Column {
  switch (column.layout) {
    case 'coded':
      return { ...column, codes: column.codes.slice(from, to) };
    case 'numbers':
      return {
        ...column,
        values: column.values.slice(from, to),
        nulls: column.nulls?.slice(from, to),
      };
    case 'plain':
      return { ...column, values: column.values.slice(from, to), heads: column.heads?.slice(from, to) };
  }
}

function arraysOf(column: Column): readonly (Uint8Array | Uint16Array | Uint32Array | Float64Array)[] {
  switch (column.layout) {
    case 'coded':
      return [column.codes];
    case 'numbers':
      return column.nulls === undefined ? [column.values] : [column.values, column.nulls];
    case 'plain':
      return column.heads === undefined ? [] : [column.heads];
  }
}
