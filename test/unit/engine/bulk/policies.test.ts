/** Bulk evaluation of policies: combined, negated, nested, and on members of other claims. */
import { describe, expect, it } from 'vitest';
import { ClaimColumns, type JsonValue, toClaimReference } from '../../../../src/index.js';
import { columnsOf, expectSame, type Row } from './one-by-one.js';

/** Every combination of a few values, in more rows than a block. */
const ROWS: readonly Row[] = Array.from({ length: 8_300 }, (_, row) => ({
  'a.few': [undefined, 1, 2, null][row % 4],
  'a.same': [1, 2, undefined][row % 3],
  'a.any': [undefined, 'x', { m: 1 }, ['x'], 3][row % 5],
  'a.other': [{ m: 'x' }, 'xy', 3, undefined, { m: 2 }, 4, 'y'][row % 7],
}));
const COLUMNS = columnsOf(ROWS);

const few = { claim: 'a.few', operator: '==', value: 1 };
const fewDefined = { claim: 'a.few', operator: 'isDefined' };
const same = { claim: 'a.same', operator: '>', value: 1 };
const any = { claim: 'a.any', operator: '==', value: 'x' };
const other = { claim: 'a.other', operator: 'startsWith', value: 'x' };
const absent = { claim: 'a.absent', operator: '!=', value: 1 };

describe('policies in bulk evaluation', () => {
  // L14, L19
  it.each([
    { allOf: [few] },
    { anyOf: [few] },
    { not: few },
    { not: { not: few } },
    { not: { allOf: [few, same] } },
    { not: { anyOf: [few, same] } },
    { allOf: [few, fewDefined] },
    { anyOf: [few, fewDefined] },
    { allOf: [{ anyOf: [few, fewDefined] }, { not: { allOf: [few, fewDefined] } }, same] },
    { anyOf: [{ allOf: [few, same] }, { allOf: [fewDefined, { not: same }] }] },
    { anyOf: [any, other] },
    { allOf: [any, { not: other }] },
    { allOf: [{ not: any }, { anyOf: [few, { not: other }] }] },
    { anyOf: [{ allOf: [any, few] }, { anyOf: [other, { not: { anyOf: [same, any] } }] }] },
    { allOf: [absent, few] },
    { anyOf: [absent, few] },
    { not: absent },
    { allOf: [{ not: absent }, { not: { anyOf: [absent, few] } }] },
    { allOf: [absent, { anyOf: [any, few] }, other] },
  ])('select the same subjects as single evaluation: %j', (policy) => {
    expectSame({ policy }, ROWS, COLUMNS);
  });

  it('select no subject from empty columns', () => {
    expectSame({ check: few }, [], columnsOf([]));
    expectSame({ check: few }, [], ClaimColumns.of({}, { undefinedClaims: [few.claim] }));
  });

  // V14
  it.each([1, 31, 32, 33, 8_191, 8_192, 8_193])('evaluate each of %d people', (count) => {
    for (const policy of [{ allOf: [few] }, { not: few }, { anyOf: [any, other] }, { not: absent }]) {
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
        (abcValue): Row => ({ 'x.a': { b: ab ?? 0 }, 'x.a.b': abc, 'x.a.b.c': abcValue }),
      ),
    ),
  );
  const checks = ['isDefined', '=='].flatMap((operator) =>
    ['x.a.b.c', 'x.a.b.c.d', 'x.a.b', 'x.a.constructor', 'x.a.length'].map((claim) => {
      return { claim, operator, ...(operator === '==' ? { value: 1 } : {}) };
    }),
  );

  it('are read from the parent claim with the longest path that a subject has', () => {
    for (const check of checks) expectSame({ policy: { not: check } }, rows);
    for (const check of checks) expectSame({ check }, rows);
  });

  it('are found if no subject has a claim with the full path', () => {
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

  it('are computed once for each distinct value of a dictionary', () => {
    const column = { codes: Uint16Array.from(inner, (_, index) => index), entries: inner };
    const paths = checks.map(({ claim }) => claim);
    const columns = ClaimColumns.of({ 'x.a.b': column }, { undefinedClaims: paths });
    const reached = columns.find(toClaimReference('x.a.b.c'));
    expect(reached).toMatchObject({ layout: 'dictionary', codes: column.codes });
    for (const check of checks)
      expectSame(
        { check },
        inner.map((value) => ({ 'x.a.b': value })),
        columns,
      );
  });

  it('are cached as one column', () => {
    const columns = columnsOf(rows);
    const reference = toClaimReference('x.a.b.c');
    expect(columns.find(reference)).toBe(columns.find(reference));
  });
});
