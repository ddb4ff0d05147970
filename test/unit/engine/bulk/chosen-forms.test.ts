/** Which layout, index and kernel a bulk evaluation chooses: results do not depend on it, but time and memory do (V14). */
import { describe, expect, it } from 'vitest';
import { bitSlicedKernel, createBitSlicedIndex } from '../../../../src/engine/bulk/bit-sliced-index.js';
import { LOOKUPS_BEFORE_INDEX } from '../../../../src/engine/bulk/claim-columns.js';
import { MAX_ENTRIES, toPlainColumn, toPrefix } from '../../../../src/engine/bulk/column.js';
import { SelectionBitmap } from '../../../../src/engine/bulk/row-set.js';
import type { PlannedCheck } from '../../../../src/engine/compile/plan.js';
import {
  ClaimColumns,
  type DictionaryColumn,
  type JsonValue,
  toClaimReference,
} from '../../../../src/index.js';
import { evaluateMany } from '../../../support/with-re2js.js';

function layoutOf(values: readonly (JsonValue | undefined)[]): string | undefined {
  return ClaimColumns.of({ 'a.b': values }).find(toClaimReference('a.b'))?.layout;
}

describe('a bit-sliced index', () => {
  it('ranks numbers by size, then other values by their JSON, and equal values by their code', () => {
    const entries = ['b', 10, undefined, 2, 'a', { a: 1 }, -1, 'b', null, 'a', 2];
    const { ranks } = createBitSlicedIndex(new Uint16Array(1), entries);
    const order = [...ranks.keys()].sort((one, other) => Number(ranks[one]) - Number(ranks[other]));
    expect(order).toEqual([6, 3, 10, 1, 2, 4, 9, 0, 7, 8, 5]);
  });

  it.each([
    [1, 0],
    [2, 1],
    [3, 2],
    [4, 2],
    [5, 3],
    [256, 8],
    [257, 9],
  ])('of %i values has %i slices', (count, slices) => {
    const entries = Array.from({ length: count }, (_, value) => value);
    expect(createBitSlicedIndex(new Uint16Array(1), entries).slices).toHaveLength(slices);
  });

  it.each([
    [0, 0],
    [1, 4],
    [32, 4],
    [128, 4],
    [129, 8],
  ])('of %i subjects has %i words per slice', (subjects, words) => {
    const { slices } = createBitSlicedIndex(new Uint16Array(subjects), [false, true]);
    expect(slices.map(({ length }) => length)).toEqual([words]);
  });

  it('of no values selects nobody', () => {
    const selection = new SelectionBitmap();
    bitSlicedKernel(createBitSlicedIndex(new Uint16Array(0), []), new Uint8Array(0))?.(selection, 0, 0);
    expect(selection.some()).toBe(false);
  });

  it.each([
    [28, 'an index', 12],
    [29, 'lookups', 13],
  ])(
    'of %i values, of which every fifth passes, gives %s, since that takes %i steps',
    (count, _form, steps) => {
      const entries = Array.from({ length: count }, (_, value) => value);
      const holds = Uint8Array.from(entries, (value) => Number(value % 5 === 0));
      const kernel = bitSlicedKernel(createBitSlicedIndex(Uint16Array.from(entries), entries), holds);
      expect(kernel !== undefined).toBe(steps <= 12);
      const selection = new SelectionBitmap();
      selection.reset(count);
      kernel?.(selection, 0, count);
      expect(selection.words[0]).toBe(kernel ? 0x2_10_84_21 : 2 ** count - 1);
    },
  );

  it('is built at the last of the lookups that it takes as long as, and then kept', () => {
    const column: DictionaryColumn = {
      layout: 'dictionary',
      codes: Uint16Array.of(0, 1),
      entries: ['a', 'b'],
    };
    const columns = new ClaimColumns(2, new Map([['a.b', column]]));
    const found = Array.from({ length: LOOKUPS_BEFORE_INDEX + 1 }, () => columns.findBitSlicedIndex(column));
    const [last, next] = found.slice(-2);
    expect(found.slice(0, -2)).toEqual(Array(LOOKUPS_BEFORE_INDEX - 1).fill(undefined));
    expect(last?.slices).toHaveLength(1);
    expect(next).toBe(last);
  });
});

describe('a column of any values', () => {
  it.each<[string, (JsonValue | undefined)[], string]>([
    ['scalars', [1, 'a', true, null, undefined], 'dictionary'],
    ['lists of strings', [['a'], ['a', 'b']], 'dictionary'],
    ['lists with `null`', [[null], ['a', null]], 'dictionary'],
    ['lists of booleans', [[true], [false, true]], 'dictionary'],
    ['lists of lists', [[['a']]], 'plain'],
    ['lists of objects', [[{ a: 1 }]], 'plain'],
    ['objects', [{ a: 1 }], 'plain'],
  ])('of %s has the layout for them', (_values, values, layout) => {
    expect(layoutOf(values)).toBe(layout);
  });

  it('has codes for as many values as there are codes, and no more', () => {
    const layouts = [MAX_ENTRIES, MAX_ENTRIES + 1].map((count) => {
      const entries = Array.from({ length: count }, (_, value) => value);
      return ClaimColumns.of({ 'a.b': { codes: Uint16Array.of(7), entries } }).find(toClaimReference('a.b'))
        ?.layout;
    });
    expect(layouts).toEqual(['dictionary', 'plain']);
  });

  it('keeps its strings if more distinct numbers follow than there are codes', () => {
    const values = ['x', ...Array.from({ length: MAX_ENTRIES }, (_, value) => value)];
    const columns = ClaimColumns.of({ 'a.b': values });
    expect(columns.find(toClaimReference('a.b'))?.layout).toBe('plain');
    const { passed } = evaluateMany({ check: { claim: 'a.b', operator: '==', value: 'x' } }, columns);
    expect([...passed]).toEqual([0]);
  });

  it('has the prefix of each string, if there are any strings', () => {
    expect(toPlainColumn([{}, 'ab', 5, undefined, 'abcde']).prefixes).toEqual(
      Uint32Array.of(0, 0x62_61, 0, 0, 0x64_63_62_61),
    );
    expect(toPlainColumn([{}, 5]).prefixes).toBeUndefined();
  });

  it.each<[Pick<PlannedCheck, 'operator' | 'expectedValue'>, object | undefined]>([
    [
      { operator: 'startsWith', expectedValue: 'ab' },
      { bits: 0x62_61, mask: 0xff_ff },
    ],
    [
      { operator: '==', expectedValue: 'abcde' },
      { bits: 0x64_63_62_61, mask: 0xff_ff_ff_ff },
    ],
    [{ operator: 'startsWith', expectedValue: '' }, undefined],
    [{ operator: '==', expectedValue: 5 }, undefined],
    [{ operator: '>', expectedValue: '2026-01-01' }, undefined],
  ])('is compared by prefix where %j requires one', (check, prefix) => {
    // Only these two members of a check are read.
    expect(toPrefix(check as PlannedCheck)).toEqual(prefix);
  });
});

describe('the column of a member of a claim', () => {
  const [given, absent] = [Uint16Array.of(0, 1), undefined];

  // L13
  it('has the codes of its only parent claim, so that the member is found once per value', () => {
    const columns = ClaimColumns.of({ 'a.b': { codes: given, entries: [{ c: 1 }, {}] } });
    const column = columns.find(toClaimReference('a.b.c')) as DictionaryColumn;
    expect(column.codes).toBe(given);
    expect(column.entries).toEqual([1, absent]);
    expect(columns.find(toClaimReference('a.b.c'))).toBe(column);
  });

  // L13
  it('has the values of all parent claims, and of a claim with the same path', () => {
    const parent = { codes: given, entries: [{ c: { d: 1 } }, absent] };
    const other = { codes: given, entries: [absent, { d: 1 }] };
    const own = { codes: given, entries: [absent, 1] };
    const query = { check: { claim: 'a.b.c.d', operator: '==', value: 1 } };
    for (const columns of [
      { 'a.b': parent, 'a.b.c': other },
      { 'a.b': parent, 'a.b.c.d': own },
    ])
      expect(evaluateMany(query, ClaimColumns.of(columns)).count).toBe(2);
  });
});

describe('a check on numbers', () => {
  /** The rows whose number was read although nobody was selected: all by a kernel of a range, none by tests of single values. */
  function numbersRead(check: object, nulls?: Uint8Array): number {
    let reads = 0;
    const values = new Proxy(new Float64Array(64), {
      get: (target, name) => {
        reads += 1;
        return Reflect.get(target, name);
      },
    });
    const columns = new ClaimColumns(64, new Map([['a.b', { layout: 'numbers', values, nulls }]]), 'all');
    const nobody = { claim: 'a.none', operator: 'isDefined' };
    evaluateMany({ policy: { allOf: [nobody, { claim: 'a.b', ...check }] } }, columns);
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

it('checks on one column are one lookup, however they are nested', () => {
  const codes = Uint16Array.of(0, 1, 2);
  const columns = ClaimColumns.of({ 'a.b': { codes, entries: [1, 2, 3] } });
  const is = (value: number) => ({ claim: 'a.b', operator: '==', value });
  const query = {
    policy: { allOf: [{ anyOf: [is(1), is(2)] }, { not: { allOf: [is(1), { anyOf: [is(1), is(3)] }] } }] },
  };
  for (let lookup = 2; lookup < LOOKUPS_BEFORE_INDEX; lookup += 1)
    expect([...evaluateMany(query, columns).passed]).toEqual([1]);
  const column = columns.find(toClaimReference('a.b')) as DictionaryColumn;
  expect(columns.findBitSlicedIndex(column)).toBeUndefined();
  expect(columns.findBitSlicedIndex(column)).toBeDefined();
});

it('the selection of a block has one bit per subject', () => {
  expect(new SelectionBitmap().words).toHaveLength(256);
});
