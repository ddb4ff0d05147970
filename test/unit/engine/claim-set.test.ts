/** Claim sets: wrong arguments, claims by path, active credentials, and the names of credentials in evidence (L10, L12, L13, L21). */
import { describe, expect, it } from 'vitest';
import {
  ClaimColumnsBuilder,
  ClaimSet,
  type Credential,
  findClaim,
  formatInstant,
  isActiveAt,
  isClaimPath,
  toClaimReference,
} from '../../../src/index.js';
import { compile } from '../../support/with-re2js.js';

const EVERYTHING = { scopes: [], expand: () => new Set(['all']), coveringScopes: () => ['all'] };
const credential = (claims: Credential['claims'], changes: Partial<Credential> = {}): Credential => ({
  id: 'c',
  source: 's',
  issuedAt: 0,
  claims,
  ...changes,
});

describe('wrong arguments are named', () => {
  const claims = ClaimSet.at([], 1);

  it.each<[string, () => unknown, string]>([
    ['a claim path', () => toClaimReference(5 as never), 'a claim path must be a string (got 5)'],
    [
      'an absent reference',
      () => findClaim(claims, undefined as never),
      '`reference` must be a claim reference, created by `toClaimReference` (got undefined)',
    ],
    [
      'a path as a reference',
      () => findClaim(claims, 'a.b' as never),
      '`reference` must be a claim reference, created by `toClaimReference` (got a string)',
    ],
    [
      'the instant of a move',
      () => ClaimSet.move(claims, '5' as never),
      '`now` must be a number (got a string)',
    ],
    ['an instant to format', () => formatInstant('5' as never), 'an instant must be a number (got a string)'],
    ['a credential', () => ClaimSet.at(['c'] as never, 1), 'a credential must be an object (got a string)'],
    [
      'the instant of activity',
      () => isActiveAt(credential({}), '5' as never),
      '`at` must be a whole number of milliseconds in the years 0000 to 9999 (got a string)',
    ],
  ])('%s', (_argument, call, message) => {
    expect(call).toThrow(new TypeError(message));
  });

  it('an invalid instant of a claim set of plain claims', () => {
    expect(() => ClaimSet.of({ 'a.b': 1 }, { now: 1.5 })).toThrow(
      new RangeError('`now` must be a whole number of milliseconds in the years 0000 to 9999 (got 1.5)'),
    );
  });

  it('a name of a credential that is no string', () => {
    const query = compile({ check: { claim: 'a.b', operator: 'isDefined' } }, { catalogue: EVERYTHING });
    const evaluate = () =>
      query.evaluateToJson(ClaimSet.at([credential({ 'a.b': 1 })], 1), {
        now: 1,
        scopes: [],
        credentialName: () => 5 as never,
      });
    expect(evaluate).toThrow(new TypeError('the result of `credentialName` must be a string (got 5)'));
  });

  it('a row of columns that is neither a claim set nor an object', () => {
    expect(() => new ClaimColumnsBuilder().addRow(5 as never)).toThrow(/^`row` must be an object \(got 5\)/);
  });
});

it('a claim set finds claims by their paths', () => {
  const claims = ClaimSet.at([credential({ 'find.a': { b: 5 } })], 1);
  expect(findClaim(claims, toClaimReference('find.a.b'))).toMatchObject({
    value: 5,
    credential: { id: 'c' },
  });
  expect(findClaim(claims, toClaimReference('find.b'))).toBeUndefined();
});

it('the claims that may contain a claim are those at the prefixes of its path, the longest first', () => {
  expect(toClaimReference('parent.a.b.c').parents.map(({ path, members }) => [path, members])).toEqual([
    ['parent.a.b', ['c']],
    ['parent.a', ['b', 'c']],
  ]);
});

it('an array whose only element is a claim path is not a claim path', () => {
  expect(isClaimPath(['a.b'] as never)).toBe(false);
});

it('a credential is active from its issuance until its expiry or revocation', () => {
  const limited = credential({}, { issuedAt: 5, expiresAt: 8 });
  expect([4, 5, 7, 8].map((at) => isActiveAt(limited, at))).toEqual([false, true, true, false]);
  expect(isActiveAt(credential({}, { revokedAt: 5 }), 5)).toBe(false);
});

// S156
it.each([
  ['an object', { inner: 'a'.repeat(100_000) }, 'long.claim.inner'],
  ['a nested object', { inner: { deep: 'a'.repeat(100_000) } }, 'long.claim.inner.deep'],
])('a long string within %s counts for the cost of a match', (_container, value, claim) => {
  const query = compile({ check: { claim, operator: 'matchRegex', value: 'a{100}b' } });
  expect(() => query.test(ClaimSet.at([credential({ 'long.claim': value })], 1))).toThrow(
    expect.objectContaining({ code: 'query_too_large' }),
  );
});

it('evidence has the names that `credentialName` of the same evaluation returns', () => {
  const query = compile({ check: { claim: 'a.b', operator: 'isDefined' } }, { catalogue: EVERYTHING });
  const claims = ClaimSet.at([credential({ 'a.b': 1 })], 1);
  const nameWith = (credentialName?: (id: string) => string) =>
    JSON.parse(
      query.evaluateToJson(claims, { now: 1, scopes: [], ...(credentialName && { credentialName }) }),
    ).evidence.claimsUsed[0].credentialId;
  const upper = (id: string) => id.toUpperCase();
  expect([nameWith(), nameWith(upper), nameWith((id) => `${id}!`), nameWith(upper), nameWith()]).toEqual([
    'c',
    'C',
    'c!',
    'C',
    'c',
  ]);
});

it('credentials that are no array are named', () => {
  expect(() => ClaimSet.at({} as never, 1)).toThrow(/^`credentials` must be an array/);
});
