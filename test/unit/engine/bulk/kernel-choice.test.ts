/** The kernels that a bulk evaluation chooses. They determine its time, but not its results (V14). */
import { describe, expect, it } from 'vitest';
import { LOOKUPS_BEFORE_INDEX } from '../../../../src/engine/bulk/claim-columns.js';
import { toPlainColumn } from '../../../../src/engine/bulk/column.js';
import { ClaimColumns, type DictionaryColumn, toClaimReference } from '../../../../src/index.js';
import { evaluateMany } from '../../../support/with-re2js.js';

// V14
describe('a check on numbers', () => {
  /** Counts the numbers that a check reads if no row is selected: a kernel that compares with a range reads all of them, tests of single values none. */
  function numbersRead(check: object, nulls?: Uint8Array): number {
    let reads = 0;
    const values = new Proxy(new Float64Array(64), {
      get: (target, name) => {
        reads += 1;
        return Reflect.get(target, name);
      },
    });
    const columns = new ClaimColumns(64, new Map([['a.b', { layout: 'numbers', values, nulls }]]), 'all');
    const noRow = { claim: 'a.undefined', operator: 'isDefined' };
    evaluateMany({ policy: { allOf: [noRow, { claim: 'a.b', ...check }] } }, columns);
    return reads;
  }

  it.each<[object]>([
    [{ operator: '==', value: 5 }],
    [{ operator: '!=', value: 5 }],
    [{ operator: '==', value: 'x' }],
    [{ operator: '!=', value: 'x' }],
    [{ operator: '>', value: 5 }],
    [{ operator: '>=', value: 5 }],
    [{ operator: '<', value: 5 }],
    [{ operator: '<=', value: 5 }],
    [{ operator: '<', value: '2026-01-31' }],
    [{ operator: 'in', value: [5, 'x'] }],
    [{ operator: 'notIn', value: [5, 'x'] }],
    [{ operator: 'isDefined' }],
    [{ operator: 'contains', value: 5 }],
    [{ operator: 'startsWith', value: 'x' }],
    [{ operator: 'matchRegex', value: 'x' }],
  ])('such as %j compares whole blocks with a range', (check) => {
    expect(numbersRead(check)).toBe(64);
  });

  it.each<[object]>([[{ operator: 'in', value: [5, 6] }], [{ operator: 'notIn', value: [5, 6] }]])(
    'such as %j tests single values, since they are not a range',
    (check) => {
      expect(numbersRead(check)).toBe(0);
    },
  );

  it('tests single values among which is `null` only where `null` passes', () => {
    const nulls = new Uint8Array(64);
    expect(numbersRead({ operator: '>', value: 5 }, nulls)).toBe(64);
    expect(numbersRead({ operator: '!=', value: 5 }, nulls)).toBe(0);
  });
});

// V14
it('an evaluation looks up the checks on one column once, however they are nested', () => {
  const codes = Uint16Array.of(0, 1, 2);
  const columns = ClaimColumns.of({ 'a.b': { codes, entries: [1, 2, 3] } });
  const is = (value: number) => ({ claim: 'a.b', operator: '==', value });
  const query = {
    policy: { allOf: [{ anyOf: [is(1), is(2)] }, { not: { allOf: [is(1), { anyOf: [is(1), is(3)] }] } }] },
  };
  // Each evaluation is one lookup, so that the next one is the last without an index.
  for (let count = 2; count < LOOKUPS_BEFORE_INDEX; count += 1)
    expect([...evaluateMany(query, columns).passed]).toEqual([1]);
  const column = columns.find(toClaimReference('a.b')) as DictionaryColumn;
  expect(columns.findBitSlicedIndex(column)).toBeUndefined();
  expect(columns.findBitSlicedIndex(column)).toBeDefined();
});

// V14
it.each([
  ['startsWith', 'text 7', 2],
  ['==', 'text 7', 2],
  ['startsWith', '', 64],
  ['contains', 'text 7', 64],
])(
  'the check %s %j on many strings reads %i of 64, those with the prefix that it requires',
  (operator, value, count) => {
    const given = Array.from({ length: 64 }, (_, row) => (row % 32 === 7 ? `text ${row}` : `other ${row}`));
    const column = toPlainColumn(given);
    let reads = 0;
    const values = new Proxy(given, {
      get: (target, name) => {
        if (typeof name === 'string' && /^\d+$/.test(name)) reads += 1;
        return Reflect.get(target, name);
      },
    });
    const columns = new ClaimColumns(64, new Map([['a.b', { ...column, values }]]));
    evaluateMany({ check: { claim: 'a.b', operator, value } }, columns);
    expect(reads).toBe(count);
  },
);
