/** Checks that every operator gives the same results on every column layout as for a single subject. */
import { describe, expect, it } from 'vitest';
import {
  type Check,
  ClaimColumns,
  type Column,
  type JsonValue,
  OPERATOR_NAMES,
  toClaimReference,
} from '../../../../src/index.js';
import { columnsOf, expectSame, type Row } from './one-by-one.js';

/** More rows than a block, not a multiple of a word, and enough for more distinct values than codes. */
const MANY = 67_003;

const NUMBERS: readonly JsonValue[] = [
  -0,
  0,
  17,
  18,
  19,
  0.1 + 0.2,
  -5,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  5e-324,
];
const OTHERS: readonly JsonValue[] = [
  null,
  true,
  false,
  '',
  '18',
  'abc',
  'abcd',
  'abcde',
  'ÿbcd',
  'ǿbcd',
  '2026-01-31',
  '2026-01-31T01:00:00+01:00',
  [],
  [18],
  ['abc', 'x'],
  ['abc', null, true],
  [['abc']],
  { a: 18 },
  {},
];
const VALUES: readonly (JsonValue | undefined)[] = [undefined, ...NUMBERS, ...OTHERS];

const OPERANDS: Readonly<Record<(typeof OPERATOR_NAMES)[number], readonly (JsonValue | undefined)[]>> = {
  '==': [18, -0, null, true, '', 'abc', 'abcde', [18], { a: 18 }],
  '!=': [18, 0, null, false, 'abc', ['abc', 'x'], {}],
  '>': [18, 0, -0, -5, Number.MAX_VALUE, -Number.MAX_VALUE, '2026-01-30'],
  '>=': [18, 0, 5e-324, '2026-01-31'],
  '<': [18, 0, -0, -5, -Number.MAX_VALUE, Number.MAX_VALUE, '2026-02-01'],
  '<=': [18, 0, -Number.MAX_VALUE, '2026-01-31T00:00:00Z'],
  in: [[18], [18, 19], ['abc', 18, null], [null], [], [[18]], ['abc', 'x', { a: 18 }]],
  notIn: [[18], [18, 19], ['abc', 18, null], [null], [], ['x']],
  contains: ['abc', 18, null, ['abc']],
  startsWith: ['', 'a', 'abcd', 'abcde', 'ÿ', 'ǿ'],
  matchRegex: ['^ab', '18'],
  isDefined: [undefined],
};

const CHECKS = OPERATOR_NAMES.flatMap((operator) =>
  OPERANDS[operator].map((value): Check => {
    return { claim: 'a.b', operator, ...(value === undefined ? {} : { value }) };
  }),
);

function rowsOf(values: readonly (JsonValue | undefined)[], count: number): readonly Row[] {
  return Array.from({ length: count }, (_, row) => ({ 'a.b': values[row % values.length] }));
}

/** Rows with repeated values, followed by more distinct ones than there are codes. */
function rowsWithManyValues(
  values: readonly (JsonValue | undefined)[],
  distinct: (row: number) => JsonValue,
): readonly Row[] {
  return Array.from({ length: MANY }, (_, row) => ({
    'a.b': row < 400 ? values[row % values.length] : distinct(row),
  }));
}

function columnOf(columns: ClaimColumns): Column | undefined {
  return columns.find(toClaimReference('a.b'));
}

/** Compares every operator and its negation with the evaluation of single subjects. */
function expectAllSame(rows: readonly Row[], layout: Column['layout']): void {
  const columns = columnsOf(rows);
  expect(columnOf(columns)?.layout).toBe(layout);
  for (const check of CHECKS) {
    for (const query of [{ check }, { policy: { not: check } }]) expectSame(query, rows, columns);
  }
}

describe('the twelve operators on many people', () => {
  // L14–L18
  it('agree with single evaluation on few distinct values', () => {
    const scalars = VALUES.filter(
      (value) => value === undefined || value === null || typeof value !== 'object',
    );
    expectAllSame(rowsOf([...scalars, ['abc', 'x'], [18], []], 8_192 + 77), 'dictionary');
  });

  // L14–L18
  it('agree with single evaluation on values of every type', () => {
    expectAllSame(rowsOf(VALUES, 8_192 + 77), 'plain');
  });

  // L14–L17
  it('agree with single evaluation on many numbers', () => {
    const rows = rowsOf([undefined, ...(NUMBERS as readonly number[])], 8_192 + 77);
    const numbers = Float64Array.from(rows, (row) => (row['a.b'] as number | undefined) ?? Number.NaN);
    const columns = ClaimColumns.of({ 'a.b': numbers });
    expect(columnOf(columns)).toEqual({ layout: 'numbers', values: numbers, nulls: undefined });
    for (const check of CHECKS) {
      for (const query of [{ check }, { policy: { not: check } }]) expectSame(query, rows, columns);
    }
  });

  // L12, L14
  it('agree with single evaluation on many numbers with nulls', () => {
    const rows = rowsOf([undefined, null, ...(NUMBERS as readonly number[])], 100);
    const column: Column = {
      layout: 'numbers',
      values: Float64Array.from(rows, (row) => (row['a.b'] as number | null | undefined) ?? Number.NaN),
      nulls: Uint8Array.from(rows, (row) => Number(row['a.b'] === null)),
    };
    const columns = new ClaimColumns(rows.length, new Map([['a.b', column]]));
    for (const check of CHECKS) {
      for (const query of [{ check }, { policy: { not: check } }]) expectSame(query, rows, columns);
    }
  });
});

describe('the layout of a column changes', () => {
  const query = {
    policy: {
      anyOf: [
        { claim: 'a.b', operator: '>', value: 60_000.5 },
        { claim: 'a.b', operator: '==', value: null },
      ],
    },
  };

  // V14
  it('to numbers if there are more distinct numbers than codes', () => {
    const rows = rowsWithManyValues([undefined, 1, 2], (row) => row + 0.5);
    const columns = columnsOf(rows);
    expect(columnOf(columns)).toMatchObject({ layout: 'numbers', nulls: undefined });
    expectSame(query, rows, columns);
  });

  // V14
  it('to numbers with nulls, which occur before and after the change', () => {
    const rows = rowsWithManyValues([undefined, 1, null], (row) => (row === 66_990 ? null : row + 0.5));
    const columns = columnsOf(rows);
    expect(columnOf(columns)?.layout).toBe('numbers');
    expectSame(query, rows, columns);
  });

  // V14
  it('to numbers with a null, after which more numbers follow', () => {
    const rows = Array.from({ length: 140_000 }, (_, row) => ({ 'a.b': row === 66_000 ? null : row + 0.5 }));
    const columns = columnsOf(rows);
    expect(columnOf(columns)?.layout).toBe('numbers');
    expectSame(query, rows, columns);
  });

  // V14
  it('from numbers to plain values at a value of another type', () => {
    const rows = rowsWithManyValues([1, undefined], (row) => (row === 66_990 ? 'x' : row + 0.5));
    const columns = columnsOf(rows);
    expect(columnOf(columns)?.layout).toBe('plain');
    expectSame(query, rows, columns);
  });

  // V14
  it('to plain values if there are more distinct strings than codes', () => {
    const rows = rowsWithManyValues([1, undefined], (row) => `x${row}`);
    const columns = columnsOf(rows);
    expect(columnOf(columns)?.layout).toBe('plain');
    expectSame({ check: { claim: 'a.b', operator: 'startsWith', value: 'x669' } }, rows, columns);
  });

  // V14
  it('not at NaN, which is rejected, since it marks undefined claims in columns of numbers', () => {
    const rows = rowsWithManyValues([1, undefined], (row) => (row === 500 ? Number.NaN : row + 0.5));
    expect(() => columnsOf(rows)).toThrow(
      new TypeError('claim `a.b` must be a JSON value with finite numbers (got NaN)'),
    );
  });
});
