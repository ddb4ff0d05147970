/** Creation of columns from credentials, claim sets, rows and arrays. */
import { describe, expect, it } from 'vitest';
import { toClaimReference } from '../../../../src/engine/claims/claim-path.js';
import {
  ClaimColumns,
  ClaimColumnsBuilder,
  ClaimSet,
  type Credential,
  type JsonValue,
  QueryError,
} from '../../../../src/index.js';
import { evaluateMany } from '../../../support/with-re2js.js';
import { claimSetOf, expectSame, NOW } from './one-by-one.js';

const adult = { check: { claim: 'a.age', operator: '>=', value: 18 } };
const defined = (claim: string) => ({ check: { claim, operator: 'isDefined' } });

function passed(query: unknown, columns: ClaimColumns): readonly number[] {
  return [...evaluateMany(query, columns).passed.toBytes()];
}

function credential(id: string, claims: Credential['claims'], changes: Partial<Credential> = {}): Credential {
  return { id, source: 's', issuedAt: 0, claims, ...changes };
}

function nested(depth: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

describe('columns created by a builder', () => {
  // L10, L11
  it('have the value of each claim from the active credential that was issued last', () => {
    const builder = new ClaimColumnsBuilder({ now: NOW });
    builder.addCredentials([
      credential('1', { 'a.age': 18 }),
      credential('2', { 'a.age': 17 }, { issuedAt: 1 }),
    ]);
    builder.addCredentials([
      credential('1', { 'a.age': 18 }),
      credential('2', { 'a.age': 17 }, { issuedAt: NOW + 1 }),
    ]);
    builder.addCredentials([credential('1', { 'a.age': 18 }, { expiresAt: NOW })]);
    builder.addCredentials([]);
    const columns = builder.build();
    expect(columns.size).toBe(4);
    expect(passed(adult, columns)).toEqual([0, 1, 0, 0]);
  });

  // L13
  it('keep the named claims and their possible parents', () => {
    const builder = new ClaimColumnsBuilder({ now: NOW, claims: ['a.b.c', 'a.age'] });
    builder.addCredentials([credential('1', { 'a.b': { c: 1 }, 'a.unnamed': 1, 'a.age': 20 })]);
    builder.addRow({ 'a.b.c': 1, 'a.unnamed': 1 });
    builder.addClaimSet(claimSetOf({ 'a.b': { d: 1 }, 'a.unnamed': 1 }));
    const columns = builder.build();
    expect([...columns.paths].sort()).toEqual(['a.age', 'a.b', 'a.b.c']);
    expect(passed(defined('a.b.c'), columns)).toEqual([1, 1, 0]);
  });

  it('reject claim sets of another instant, and invalid instants', () => {
    const builder = new ClaimColumnsBuilder({ now: NOW + 1, claims: ['a.b'] });
    expect(() => builder.addClaimSet(claimSetOf({}))).toThrow(RangeError);
    expect(() => new ClaimColumnsBuilder({ now: 0.5 })).toThrow(RangeError);
  });

  it('need an instant for credentials only', () => {
    const builder = new ClaimColumnsBuilder();
    builder.addRow({ 'a.age': 20 });
    expect(() => builder.addCredentials([])).toThrow('`addCredentials` requires the option `now`');
    expect(passed(adult, builder.build())).toEqual([1]);
    const named = new ClaimColumnsBuilder({ claims: ['a.age'] });
    named.addClaimSet(ClaimSet.of({ 'a.age': 17 }));
    expect(() => named.addClaimSet(claimSetOf({}))).toThrow('the claim set must have no instant');
    expect(passed(adult, named.build())).toEqual([0]);
  });

  it('require the claims of claim sets to be named', () => {
    const builder = new ClaimColumnsBuilder({ now: NOW });
    expect(() => builder.addClaimSet(claimSetOf({}))).toThrow(TypeError);
  });

  it('do not change when the source values are modified', () => {
    const list = [1, { x: 1 }];
    const builder = new ClaimColumnsBuilder({ now: NOW });
    builder.addRow({ 'a.b': list });
    list[0] = 2;
    expect(passed({ check: { claim: 'a.b', operator: 'contains', value: 1 } }, builder.build())).toEqual([1]);
  });

  // S152
  it('omit claims that nest deeper than sixteen levels', () => {
    const builder = new ClaimColumnsBuilder({ now: NOW });
    builder.addRow({ 'a.b': nested(16) });
    builder.addRow({ 'a.b': nested(17) });
    expect(passed(defined('a.b'), builder.build())).toEqual([1, 0]);
  });

  // L9
  it('reject names that are not claim paths', () => {
    const builder = new ClaimColumnsBuilder({ now: NOW });
    expect(() => builder.addRow({ age: 1 })).toThrow(RangeError);
    expect(() => new ClaimColumnsBuilder({ now: NOW, claims: ['age'] })).toThrow(RangeError);
    expect(() => ClaimColumns.of({ age: [1] })).toThrow('a claim path must be two or more names');
  });
});

describe('a rejected subject', () => {
  /** Values of the first column, enough of them for its layout. */
  const layouts: readonly (readonly [layout: string, values: readonly JsonValue[]])[] = [
    ['dictionary', ['admin', 'guest']],
    ['numbers', Array.from({ length: 70_000 }, (_, index) => index + 0.5)],
    ['plain', [{ role: 'admin' }, { role: 'guest' }]],
  ];

  it.each(layouts)('adds nothing to the next row of a column in the layout %s', (layout, values) => {
    const builder = new ClaimColumnsBuilder();
    for (const value of values) builder.addRow({ 'a.x': value, 'a.y': 0 });
    const rejected = { 'a.x': values[0], 'a.flag': true, 'a.bad': Number.NaN };
    expect(() => builder.addRow(rejected)).toThrow(TypeError);
    expect(() => builder.addRow({ ...rejected, bad: 1 })).toThrow();
    builder.addRow({ 'a.y': 2 });
    builder.addRow({ 'a.x': values[1] ?? null });
    const columns = builder.build();
    expect(columns.size).toBe(values.length + 2);
    expect([...columns.paths].sort()).toEqual(['a.x', 'a.y']);
    expect(columns.find({ ...toClaimReference('a.x'), parents: [] })?.layout).toBe(layout);
    const rows = passed(defined('a.x'), columns);
    expect(rows.slice(-3)).toEqual([1, 0, 1]);
    const equal = { check: { claim: 'a.x', operator: '==', value: values[1] } };
    expect(passed(equal, columns).slice(-2)).toEqual([0, 1]);
  });

  it('does not examine the claims of inactive credentials, as `ClaimSet.at` does not', () => {
    const builder = new ClaimColumnsBuilder({ now: NOW });
    const inactive = credential('2', { bad: 1 }, { issuedAt: NOW + 1 });
    builder.addCredentials([credential('1', { 'a.x': 'admin' }), inactive]);
    const active = credential('3', { 'a.y': 1, bad: 1 });
    expect(() => builder.addCredentials([active])).toThrow(RangeError);
    const columns = builder.build();
    expect([...columns.paths]).toEqual(['a.x']);
    expect(passed(defined('a.x'), columns)).toEqual([1]);
  });
});

describe('columns created from arrays', () => {
  const text = { check: { claim: 'a.text', operator: '==', value: 'x' } };

  it('may be numbers, with NaN for an undefined claim', () => {
    const columns = ClaimColumns.of({ 'a.age': Float64Array.of(17, 18, Number.NaN) });
    expect(passed(adult, columns)).toEqual([0, 1, 0]);
    expect(passed(defined('a.age'), columns)).toEqual([1, 1, 0]);
  });

  it('may be booleans as bytes', () => {
    const columns = ClaimColumns.of({ 'a.flag': Uint8Array.of(0, 1, 1) });
    expect(passed({ check: { claim: 'a.flag', operator: '==', value: true } }, columns)).toEqual([0, 1, 1]);
    expect(() => ClaimColumns.of({ 'a.flag': Uint8Array.of(2) })).toThrow(
      'the column `a.flag` must have only the bytes 0 and 1 (got 2)',
    );
  });

  it.each([Uint8Array, Uint16Array, Uint32Array, Int32Array])(
    'may be dictionaries with codes in %o',
    (Codes) => {
      const codes = Codes.of(0, 1, 2, 1);
      const columns = ClaimColumns.of({ 'a.text': { codes, entries: ['y', 'x', undefined] } });
      expect(passed(text, columns)).toEqual([0, 1, 0, 1]);
      expect(passed(defined('a.text'), columns)).toEqual([1, 1, 0, 1]);
    },
  );

  it('reject a code without an entry', () => {
    const createWith = (code: number) => () =>
      ClaimColumns.of({ 'a.b': { codes: Int32Array.of(code), entries: [1] } });
    expect(createWith(-1)).toThrow(RangeError);
    expect(createWith(1)).toThrow(RangeError);
  });

  it.each([
    Float64Array.of(Number.NaN, 0.7),
    Float32Array.of(0),
    BigInt64Array.of(0n),
    new DataView(new ArrayBuffer(1)),
    [0],
  ])('reject codes in %o', (codes) => {
    expect(() => ClaimColumns.of({ 'a.b': { codes: codes as never, entries: [1, 2] } })).toThrow(
      '`codes`, a Uint8Array, Uint16Array, Uint32Array or Int32Array',
    );
  });

  it('may have more dictionary entries than 16-bit codes can index', () => {
    const entries = Array.from({ length: 70_000 }, (_, index) => `x${index}`);
    const columns = ClaimColumns.of({ 'a.text': { codes: Uint32Array.of(69_999, 0), entries } });
    expect(passed({ check: { claim: 'a.text', operator: '==', value: 'x69999' } }, columns)).toEqual([1, 0]);
  });

  it('may be values of any type', () => {
    const values: readonly (JsonValue | undefined)[] = ['x', undefined, null, ['x'], nested(17)];
    expectSame(
      text,
      values.map((value) => ({ 'a.text': value })),
      ClaimColumns.of({ 'a.text': values }),
    );
  });

  it('may share codes', () => {
    const codes = Uint16Array.of(0, 1, 2);
    const columns = ClaimColumns.of({
      'a.one': { codes, entries: [1, 2, 3] },
      'a.two': { codes, entries: [1, 2, 3, 4] },
    });
    const both = (first: string, second: string) => ({
      policy: {
        allOf: [
          { claim: first, operator: '>', value: 1 },
          { claim: second, operator: '<', value: 3 },
        ],
      },
    });
    expect(passed(both('a.one', 'a.two'), columns)).toEqual([0, 1, 0]);
    expect(passed(both('a.two', 'a.one'), columns)).toEqual([0, 1, 0]);
  });

  it('must have equal length', () => {
    expect(() => ClaimColumns.of({ 'a.b': [1], 'a.c': [1, 2] })).toThrow('`a.c` has 2 rows');
  });

  it.each([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])(
    'must not contain %s, like the claims of one person',
    (value) => {
      expect(() => ClaimColumns.of({ 'a.b': Float64Array.of(1, value) })).toThrow(
        'claim `a.b` must be a JSON value with finite numbers',
      );
    },
  );
});

// L14
describe('a query on a claim that is undefined for everybody', () => {
  const unless = (claim: string) => ({ policy: { not: { claim, operator: '==', value: true } } });

  it('is rejected on columns created from arrays, unless `undefinedClaims` lists the claim', () => {
    const given = {
      'a.blocked': Uint8Array.of(1, 0),
      'a.card': [{ lost: true }, undefined],
      'a.age': [1, 2],
    };
    const columns = ClaimColumns.of({ ...given, 'a.score': Float64Array.of(1, 2) });
    expect(() => passed(unless('a.blokced'), columns)).toThrow(
      'The columns do not contain the claim `a.blokced`. Did you mean `a.blocked`? (at /policy/not/claim)',
    );
    expect(() => passed(unless('b.tier'), columns)).toThrow(
      'A claim that no person has must be listed in `undefinedClaims`.',
    );
    expect(() => passed(unless('a.score.value'), columns)).toThrow(QueryError);
    expect(passed(unless('a.card.lost'), columns)).toEqual([0, 1]);
    const listed = ClaimColumns.of(given, { undefinedClaims: ['b.tier'] });
    expect(passed(unless('b.tier'), listed)).toEqual([1, 1]);
    expect(passed(unless('b.tier.name'), listed)).toEqual([1, 1]);
  });

  it('is rejected on columns that were built without the claim', () => {
    const builder = new ClaimColumnsBuilder({ claims: ['a.age'] });
    builder.addRow({ 'a.age': 20, 'a.blocked': true, 'a.age.exact': true });
    const columns = builder.build();
    expect(() => passed(unless('a.blocked'), columns)).toThrow(
      'The columns were built without the claim `a.blocked`. A claim that queries read must be among the `claims` of the builder.',
    );
    expect(() => passed(unless('a.age.exact'), columns)).toThrow(QueryError);
  });

  it('passes everybody on columns that were built from all claims', () => {
    const builder = new ClaimColumnsBuilder();
    builder.addRow({ 'a.age': 20 });
    expect(passed(unless('a.blocked'), builder.build())).toEqual([1]);
  });
});

describe('wrong arguments of bulk evaluation are named', () => {
  const columns = ClaimColumns.of({ 'a.age': [18] });
  const set = ClaimSet.at([credential('1', { 'a.age': 18 })], NOW);
  const required = 'claim columns, created by `ClaimColumns.of` or a builder';

  it.each<[string, () => unknown, Error]>([
    [
      'columns of another type',
      () => evaluateMany(adult, [] as never),
      new TypeError(`\`columns\` must be ${required} (got an array)`),
    ],
    [
      'projections',
      () => evaluateMany({ projections: [{ claim: 'a.age', lens: 'pluck' }] }, columns),
      new TypeError('`evaluateMany` requires a check or a policy; use `evaluate` for projections'),
    ],
    [
      'the size of a slice',
      () => evaluateMany(adult, columns, { sliceRows: 5 }),
      new RangeError('`sliceRows` must be a positive multiple of 8192 (got 5)'),
    ],
    [
      'the claims to keep',
      () => new ClaimColumnsBuilder({ claims: 5 as never }),
      new TypeError('`claims` must be an array or another iterable of strings (got 5)'),
    ],
    [
      'a claim set without the claims to keep',
      () => new ClaimColumnsBuilder({ now: NOW }).addClaimSet(set),
      new TypeError('`addClaimSet` requires the option `claims`, since a claim set does not list its paths'),
    ],
    [
      'a claim set for another instant',
      () => new ClaimColumnsBuilder({ now: 5, claims: ['a.age'] }).addClaimSet(set),
      new RangeError(`the claim set must be for the instant 5 (got ${NOW})`),
    ],
    [
      'a row of a result',
      () => evaluateMany(adult, columns).passed.has('1' as never),
      new TypeError('`row` must be a whole number (got a string)'),
    ],
  ])('%s', (_argument, call, error) => {
    expect(call).toThrow(error);
  });

  it('a claim without a column, with the option for claims that no person has', () => {
    expect(() => evaluateMany(defined('a.other'), columns)).toThrow(/must be listed in `undefinedClaims`/);
  });

  it.each([2, 65_535])('a code without an entry: %i', (code) => {
    const column = { codes: Uint16Array.of(0, code), entries: ['gold', 'silver'] };
    expect(() => ClaimColumns.of({ 'club.tier': column })).toThrow(
      new RangeError(`codes of \`club.tier\` must be indexes of its 2 entries (got ${code})`),
    );
  });

  it('columns, `undefinedClaims` and a column of another type', () => {
    expect(() => ClaimColumns.of(5 as never)).toThrow(new TypeError('`columns` must be an object (got 5)'));
    expect(() => ClaimColumns.of({}, { undefinedClaims: 5 as never })).toThrow(/^`undefinedClaims` must be/);
    expect(() => ClaimColumns.of({ 'a.age': 5 as never })).toThrow(/^the column `a\.age` must be an array/);
    expect(() => ClaimColumns.of({ 'a.age': null as never })).toThrow(
      /^the column `a\.age` must be an array/,
    );
  });
});
