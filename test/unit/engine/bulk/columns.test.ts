/** The layouts of columns, which decide how fast checks on them are (V14). */
import { describe, expect, it } from 'vitest';
import { toPlainColumn, toPrefix } from '../../../../src/engine/bulk/column.js';
import type { PlannedCheck } from '../../../../src/engine/compile/plan.js';
import { ClaimColumns, type ColumnInput, type JsonValue, toClaimReference } from '../../../../src/index.js';

/** The maximum number of entries of a dictionary. In one that is built from values, one of the entries is `undefined`. */
const MANY = 65_536;

function columnOf(values: ColumnInput) {
  return ClaimColumns.of({ 'a.b': values }).find(toClaimReference('a.b'));
}

const numbers = (count: number): (JsonValue | undefined)[] =>
  Array.from({ length: count }, (_, value) => value);
const texts = (count: number) => numbers(count).map((value) => `text ${value}`);

describe('a column', () => {
  // V14
  it.each<[layout: string, content: string, values: ColumnInput]>([
    ['dictionary', 'few distinct values', ['x', 1, null, undefined, ['x', 1, true, null]]],
    ['dictionary', '65,535 distinct numbers', numbers(MANY - 1)],
    ['numbers', '65,536 distinct numbers', numbers(MANY)],
    ['numbers', 'null and 65,536 distinct numbers', [null, undefined, ...numbers(MANY)]],
    [
      'numbers',
      '65,536 distinct numbers after rows without the claim',
      [...Array<undefined>(2_000), ...numbers(MANY)],
    ],
    ['plain', '65,536 distinct numbers and a string', [...numbers(MANY), 'x']],
    ['plain', 'a string and 65,536 distinct numbers', ['x', ...numbers(MANY)]],
    ['plain', '65,536 distinct strings', texts(MANY)],
    ['plain', 'a number and an object', [1, { a: 1 }]],
    ['plain', 'lists of lists', [['x', ['y']]]],
    ['plain', 'lists of objects', [[{ a: 1 }]]],
    ['numbers', 'a Float64Array', new Float64Array(1)],
    ['dictionary', 'a Uint8Array', new Uint8Array(1)],
    ['plain', 'a dictionary of 65,537 entries', { codes: new Uint16Array(1), entries: texts(MANY + 1) }],
    ['dictionary', 'a dictionary of 65,536 entries', { codes: new Uint16Array(1), entries: texts(MANY) }],
  ])('has the layout `%s` for %s', (layout, _content, values) => {
    expect(columnOf(values)?.layout).toBe(layout);
  });

  // V14
  it('of a member that only one claim may contain shares the codes of that claim, if it has few values', () => {
    const codes = Uint16Array.of(0, 1, 0);
    const columns = ClaimColumns.of({ 'a.b': { codes, entries: [{ c: 'x' }, undefined] } });
    const reference = toClaimReference('a.b.c');
    const column = columns.find(reference);
    expect(column).toEqual({ layout: 'dictionary', codes, entries: ['x', undefined] });
    expect((column as { codes: unknown }).codes).toBe(codes);
    expect(columns.find(reference)).toBe(column);
  });

  // V14
  it('of a member has new codes if two claims may contain it, or if some people have a claim with its path', () => {
    const codes = Uint16Array.of(0, 1, 1);
    const both = ClaimColumns.of({
      'a.b': { codes, entries: [{ c: { d: 'long' } }, undefined] },
      'a.b.c': { codes: Uint16Array.of(1, 0, 1), entries: [{ d: 'short' }, undefined] },
    });
    expect(both.find(toClaimReference('a.b.c.d'))).toEqual({
      layout: 'dictionary',
      codes: Uint16Array.of(1, 2, 0),
      entries: [undefined, 'long', 'short'],
    });
    const own = ClaimColumns.of({
      'a.b': { codes, entries: [{ c: 1 }, undefined] },
      'a.b.c': [undefined, 2, undefined],
    });
    expect(own.find(toClaimReference('a.b.c'))).toEqual({
      layout: 'dictionary',
      codes: Uint16Array.of(1, 2, 0),
      entries: [undefined, 1, 2],
    });
  });

  // V14
  it('with few distinct values has each of them once', () => {
    expect(columnOf(['x', undefined, 'x', ['y'], ['y']])).toEqual({
      layout: 'dictionary',
      codes: Uint16Array.of(1, 0, 1, 2, 2),
      entries: [undefined, 'x', ['y']],
    });
  });

  // V14
  it('of many values has the prefixes of strings, if it has strings', () => {
    expect(toPlainColumn(['Adam', 'Ed', '', 1, undefined, '\u0141x']).prefixes).toEqual(
      Uint32Array.of(0x6d_61_64_41, 0x64_45, 0, 0, 0, 0x78_41),
    );
    expect(toPlainColumn([1, null, undefined, { a: 'x' }]).prefixes).toBeUndefined();
    expect(toPlainColumn([]).prefixes).toBeUndefined();
  });
});

// V14
it.each([
  ['startsWith', 'A', { bits: 0x41, mask: 0xff }],
  ['startsWith', 'Adam', { bits: 0x6d_61_64_41, mask: -1 >>> 0 }],
  ['startsWith', 'Adam and Eve', { bits: 0x6d_61_64_41, mask: -1 >>> 0 }],
  ['==', 'Ed', { bits: 0x64_45, mask: 0xff_ff }],
  ['startsWith', '', undefined],
  ['==', '', undefined],
  ['==', 1, undefined],
  ['!=', 'Ed', undefined],
  ['contains', 'Ed', undefined],
])('the check %s %j requires the prefix %j', (operator, expectedValue, prefix) => {
  expect(toPrefix({ operator, expectedValue } as PlannedCheck)).toEqual(prefix);
});
