/** Creation of columns from credentials, claim sets, rows and arrays. */
import { describe, expect, it } from 'vitest';
import { ClaimColumns, ClaimColumnsBuilder, type Credential, type JsonValue } from '../../../../src/index.js';
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

describe('columns built from credentials', () => {
  // L10, L11
  it('have the claims of the active credentials, of those the one issued last', () => {
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
    expect(() => new ClaimColumnsBuilder({ now: 0.5 }).addCredentials([])).toThrow(RangeError);
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
  it('omit claims that nest deeper than sixteen', () => {
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
      'codes of `a.flag` must be indexes of its 2 entries (got 2)',
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

  it('may have more entries than 16-bit codes', () => {
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
});
