/** Regression tests for mutants of the engine that other tests did not detect. */
import { describe, expect, it } from 'vitest';
import { ClaimSet, type JsonValue, jsonEquals, parseCredentials } from '../../../src/index.js';
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
