/** Bulk evaluation of policies: combined, negated, nested, and over members of other claims. */
import { describe, expect, it } from 'vitest';
import { ClaimColumns, type JsonValue, toClaimReference } from '../../../../src/index.js';
import { columnsOf, expectSame, type Row } from './one-by-one.js';

/** Every combination of a few values, in more than one block. */
const ROWS: readonly Row[] = Array.from({ length: 8_300 }, (_, row) => ({
  'a.few': [undefined, 1, 2, null][row % 4],
  'a.same': [1, 2, undefined][row % 3],
  'a.any': [undefined, 'x', { m: 1 }, ['x'], 3][row % 5],
  'a.other': [{ m: 'x' }, 'xy', 3, undefined, { m: 2 }, 4, 'y'][row % 7],
}));
const COLUMNS = columnsOf(ROWS);

const few = { claim: 'a.few', operator: '==', value: 1 };
const fewToo = { claim: 'a.few', operator: 'isDefined' };
const same = { claim: 'a.same', operator: '>', value: 1 };
const any = { claim: 'a.any', operator: '==', value: 'x' };
const other = { claim: 'a.other', operator: 'startsWith', value: 'x' };
const nobody = { claim: 'a.nobody', operator: '!=', value: 1 };

describe('policies over many people', () => {
  // L14, L19
  it.each([
    { allOf: [few] },
    { anyOf: [few] },
    { not: few },
    { not: { not: few } },
    { not: { allOf: [few, same] } },
    { not: { anyOf: [few, same] } },
    { allOf: [few, fewToo] },
    { anyOf: [few, fewToo] },
    { allOf: [{ anyOf: [few, fewToo] }, { not: { allOf: [few, fewToo] } }, same] },
    { anyOf: [{ allOf: [few, same] }, { allOf: [fewToo, { not: same }] }] },
    { anyOf: [any, other] },
    { allOf: [any, { not: other }] },
    { allOf: [{ not: any }, { anyOf: [few, { not: other }] }] },
    { anyOf: [{ allOf: [any, few] }, { anyOf: [other, { not: { anyOf: [same, any] } }] }] },
    { allOf: [nobody, few] },
    { anyOf: [nobody, few] },
    { not: nobody },
    { allOf: [{ not: nobody }, { not: { anyOf: [nobody, few] } }] },
    { allOf: [nobody, { anyOf: [any, few] }, other] },
  ])('%j passes for the same subjects as one by one', (policy) => {
    expectSame({ policy }, ROWS, COLUMNS);
  });

  it('select nothing from no subjects', () => {
    expectSame({ check: few }, [], columnsOf([]));
    expectSame({ check: few }, [], ClaimColumns.of({}));
  });

  // V14
  it.each([1, 31, 32, 33, 8_191, 8_192, 8_193])('cover all of %d people', (count) => {
    for (const policy of [{ allOf: [few] }, { not: few }, { anyOf: [any, other] }, { not: nobody }]) {
      expectSame({ policy }, ROWS.slice(0, count));
    }
  });
});

// L13
describe('claims that are members of others', () => {
  const inner: readonly (JsonValue | undefined)[] = [
    undefined,
    { c: 1 },
    { c: null },
    { d: 1 },
    'c',
    ['c'],
    null,
  ];
  const rows = inner.flatMap((ab) =>
    inner.flatMap((abc) =>
      [undefined, 1, null, { d: 2 }].map(
        (own): Row => ({ 'x.a': { b: ab ?? 0 }, 'x.a.b': abc, 'x.a.b.c': own }),
      ),
    ),
  );
  const checks = ['isDefined', '=='].flatMap((operator) =>
    ['x.a.b.c', 'x.a.b.c.d', 'x.a.b', 'x.a.constructor', 'x.a.length'].map((claim) => {
      return { claim, operator, ...(operator === '==' ? { value: 1 } : {}) };
    }),
  );

  it('are found in the parent with the longest path that a subject has', () => {
    for (const check of checks) expectSame({ policy: { not: check } }, rows);
    for (const check of checks) expectSame({ check }, rows);
  });

  it('are found where no subject has a claim of that path', () => {
    for (const check of checks)
      expectSame(
        { check },
        rows.map((row) => ({ 'x.a': row['x.a'] })),
      );
    for (const check of checks)
      expectSame(
        { check },
        rows.map((row) => ({ 'x.a.b': row['x.a.b'] })),
      );
  });

  it('are found once for each distinct value of a dictionary', () => {
    const column = { codes: Uint16Array.from(inner, (_, index) => index), entries: inner };
    const columns = ClaimColumns.of({ 'x.a.b': column });
    const reached = columns.find(toClaimReference('x.a.b.c'));
    expect(reached).toMatchObject({ layout: 'dictionary', codes: column.codes });
    for (const check of checks)
      expectSame(
        { check },
        inner.map((value) => ({ 'x.a.b': value })),
        columns,
      );
  });

  it('are computed once', () => {
    const columns = columnsOf(rows);
    const reference = toClaimReference('x.a.b.c');
    expect(columns.find(reference)).toBe(columns.find(reference));
  });
});
