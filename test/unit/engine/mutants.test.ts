/** Regression tests for mutants of the engine that other tests did not detect. */
import { describe, expect, it } from 'vitest';
import { checksOf, foldItem, mapChecks } from '../../../src/engine/query/query.js';
import {
  ClaimSet,
  canonicalText,
  type JsonValue,
  jsonEquals,
  type ParseOptions,
  type PolicyItem,
  parse,
  parseCredentials,
} from '../../../src/index.js';
import { queryErrorOf } from '../../support/query-error.js';
import { compile } from '../../support/with-re2js.js';

describe('JSON equality', () => {
  const empty: readonly JsonValue[] = [{}, [], ''];
  // L16
  it.each([5, true, null, '', 'x'])('%j does not equal an empty object or an empty array', (value) => {
    for (const other of empty.filter((one) => one !== value)) {
      expect([jsonEquals(value, other), jsonEquals(other, value)]).toEqual([false, false]);
    }
  });
});

// L16, L18
it('a string that is also a pattern in the same query is compared as a string', () => {
  const items = [
    { claim: 'a.b', operator: 'matchRegex', value: 'x+' },
    { claim: 'a.b', operator: '==', value: 'x+' },
  ];
  const claims = ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims: { 'a.b': 'x+' } }], 1);
  expect(compile({ policy: { allOf: items } }).test(claims)).toBe(true);
});

// L6, L8
it('a misspelled member is not corrected to a member that is present', () => {
  const { problems } = queryErrorOf({
    policy: { alOf: [], allOf: [{ claim: 'a.b', operator: 'isDefined' }] },
  });
  expect(problems.map(({ message }) => message)).toEqual([
    'Unknown member `alOf` of a policy. Allowed members: `allOf`, `anyOf` or `not`.',
  ]);
});

describe('credentials as JavaScript values', () => {
  const credential = (changes: object) => [
    { id: 'c', source: 's', issuedAt: '2026-01-01', claims: {}, ...changes },
  ];

  // L10
  it('must have instants as strings, not as arrays of a string', () => {
    expect(() => parseCredentials(credential({ issuedAt: ['2026-01-01'] }))).toThrow(/RFC 3339/);
  });

  // S152
  it.each(['list', 'object'])('with a claim that contains itself in a %s are rejected', (kind) => {
    const list: unknown[] = [];
    list.push(list);
    const object: Record<string, unknown> = {};
    object['o'] = object;
    expect(() =>
      parseCredentials(credential({ claims: { 'a.b': kind === 'list' ? list : object } })),
    ).toThrow(/nested/);
  });
});

describe('an item that is ambiguous', () => {
  const incomplete = { claim: 'a.b' };
  const place = '/policy/allOf/0';

  // L6, L8
  it('has its nested policies checked as well, in whichever member they are', () => {
    const inner = { allOf: [incomplete] };
    for (const [item, pointer] of [
      [{ check: { claim: 'a.b', operator: 'isDefined' }, policy: inner }, `${place}/policy/allOf/0`],
      [{ claim: 'a.b', ...inner }, `${place}/allOf/0`],
    ]) {
      const { problems } = queryErrorOf({ policy: { allOf: [item] } });
      expect(problems).toContainEqual(expect.objectContaining({ code: 'member_missing', pointer }));
    }
  });

  // L7
  it('counts towards the limit of depth, in whichever member its policy is', () => {
    const nest = (item: object, levels: number): object =>
      levels === 0 ? item : { policy: { allOf: [nest(item, levels - 1)] } };
    const inner = { allOf: [{ claim: 'a.b', operator: 'isDefined' }] };
    for (const item of [
      { check: { claim: 'a.b', operator: 'isDefined' }, policy: inner },
      { claim: 'a.b', ...inner },
    ]) {
      const codes = (levels: number) =>
        queryErrorOf(nest(item, levels), { limits: { depth: 3 } }).problems.map(({ code }) => code);
      expect(codes(2)).not.toContain('limit_depth');
      expect(codes(3)).toContain('limit_depth');
    }
  });
});

describe('options of `parse` of the wrong type', () => {
  const query = { check: { claim: 'a.b', operator: 'isDefined' } };

  // L7, L9
  it.each<[options: object, message: string]>([
    [{ claims: 'a.b' }, '`claims` must be an array (got a string)'],
    [{ claims: ['a.b'] }, 'each of `claims` must be a claim with a `path` (got a string)'],
    [{ claims: [null] }, 'each of `claims` must be a claim with a `path` (got null)'],
    [{ limits: 5 }, '`limits` must be an object (got 5)'],
  ])('%j are rejected with a message that names the option', (options, message) => {
    expect(() => parse(query, options as ParseOptions)).toThrow(new TypeError(message));
  });
});

// L25
it('`canonicalText` rejects a value that `parse` did not return', () => {
  for (const wrong of [undefined, null, {}, 'check'])
    expect(() => canonicalText(wrong as never)).toThrow(/^`query` must be a query that `parse` returned/);
});

// L3
it('a malformed claim path is corrected only if the correction is a claim path', () => {
  const messageOf = (claim: string) =>
    queryErrorOf({ check: { claim, operator: 'isDefined' } }).problems.map(({ message }) => message);
  expect(messageOf(' a.b')).toEqual(['` a.b` is not a valid claim path. Did you mean `a.b`?']);
  expect(messageOf(' a')[0]).not.toContain('Did you mean');
});

describe('a policy with each combination', () => {
  const check = (claim: string) => ({ check: { claim, operator: 'isDefined' } }) as const;
  const item: PolicyItem = {
    policy: {
      allOf: [check('a.one'), { policy: { anyOf: [check('a.two'), { policy: { not: check('a.three') } }] } }],
    },
  };

  it('lists its checks in document order', () => {
    expect(checksOf(item).map(({ claim }) => claim)).toEqual(['a.one', 'a.two', 'a.three']);
  });

  it('keeps its form when its checks are replaced', () => {
    const replaced = mapChecks(item, ({ claim, operator }) => ({ claim: `${claim}_x`, operator }) as never);
    expect(JSON.stringify(replaced)).toBe(
      JSON.stringify(item).replaceAll(/a\.(one|two|three)/g, (path) => `${path}_x`),
    );
  });

  // L19
  it('is folded with the pointer of each item and the parity of its negations', () => {
    const show = (negated: boolean) =>
      foldItem<string>(
        item,
        {
          check: (_check, isNegated, pointer) => `${isNegated ? '!' : ''}${pointer}`,
          all: (items) => `all(${items.join(', ')})`,
          any: (items) => `any(${items.join(', ')})`,
        },
        negated,
      );
    const [one, two, three] = ['/0', '/1/policy/anyOf/0', '/1/policy/anyOf/1/policy/not'].map(
      (place) => `/policy/allOf${place}`,
    );
    expect(show(false)).toBe(`all(${one}, any(${two}, !${three}))`);
    expect(show(true)).toBe(`any(!${one}, all(!${two}, ${three}))`);
  });
});
