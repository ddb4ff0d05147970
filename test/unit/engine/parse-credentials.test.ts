/** Parsing of credentials, which reports every problem at once (L9, L10). */
import { describe, expect, it } from 'vitest';
import { CredentialError, parseCredentials } from '../../../src/engine/index.js';

function problemsOf(json: unknown): readonly (readonly [string, string])[] {
  try {
    parseCredentials(json);
  } catch (error) {
    if (error instanceof CredentialError) return error.problems.map(({ code, pointer }) => [code, pointer]);
  }
  return [];
}

// L10
it('parseCredentials converts instants to epoch milliseconds, and omits absent ones', () => {
  const [credential] = parseCredentials([
    {
      id: 'c1',
      source: 'registry',
      issuedAt: '2026-01-01',
      expiresAt: '2027-01-01T00:00:00Z',
      claims: { 'identity.age': 34 },
    },
  ]);
  expect(credential).toEqual({
    id: 'c1',
    source: 'registry',
    issuedAt: Date.UTC(2026, 0, 1),
    expiresAt: Date.UTC(2027, 0, 1),
    claims: { 'identity.age': 34 },
  });
});

// L9, L10
it('parseCredentials reports every problem with its pointer', () => {
  const deep = JSON.parse(`${'['.repeat(30)}${']'.repeat(30)}`);
  const json = [
    {
      id: 'c1',
      source: 'registry',
      issuedAt: 'yesterday',
      claims: { age: 1, 'a.b': undefined, 'a.c': deep, 'a.d': Number.NaN },
    },
    { id: 'c1', source: '', issuedAt: '2026-01-01', revokedAt: 5, claims: [], kind: 'x' },
    7,
    {},
  ];
  expect(problemsOf(json)).toEqual([
    ['instant_malformed', '/0/issuedAt'],
    ['claim_path_malformed', '/0/claims/age'],
    ['claim_value', '/0/claims/a.b'],
    ['claim_value', '/0/claims/a.c'],
    ['claim_value', '/0/claims/a.d'],
    ['member_unknown', '/1/kind'],
    ['not_a_string', '/1/source'],
    ['instant_malformed', '/1/revokedAt'],
    ['not_an_object', '/1/claims'],
    ['id_repeated', '/1/id'],
    ['not_an_object', '/2'],
    ['member_missing', '/3'],
    ['member_missing', '/3'],
    ['member_missing', '/3'],
    ['not_an_object', '/3/claims'],
  ]);
});

// L11
it('parseCredentials rejects duplicate ids, since the id decides which of two credentials with the same `issuedAt` takes precedence', () => {
  const credential = { id: 'c1', source: 's', issuedAt: '2026-01-01', claims: {} };
  expect(problemsOf([credential, credential])).toEqual([['id_repeated', '/1/id']]);
  const { source: _, ...sourceless } = credential;
  expect(problemsOf([sourceless, credential])).toEqual([
    ['member_missing', '/0'],
    ['id_repeated', '/1/id'],
  ]);
  const { id: __, ...unnamed } = credential;
  expect(problemsOf([unnamed, unnamed])).toEqual([
    ['member_missing', '/0'],
    ['member_missing', '/1'],
  ]);
});

describe('credentials that are not an array', () => {
  it.each([null, {}, 'x', 1])('%j is rejected', (json) => {
    expect(problemsOf(json)).toEqual([['not_an_array', '']]);
  });
});

// L10
it('parseCredentials reports an instant that is not a string', () => {
  expect(
    problemsOf([{ id: 'c', source: 's', issuedAt: { toString: () => '2026-01-01' }, claims: {} }]),
  ).toEqual([['instant_malformed', '/0/issuedAt']]);
});

it('parseCredentials returns only members with a value', () => {
  const [credential] = parseCredentials([{ id: 'c', source: 's', issuedAt: '2026-01-01', claims: {} }]);
  expect(Object.keys(credential ?? {})).toEqual(['id', 'source', 'issuedAt', 'claims']);
});

// L10
it.each(['9999-12-31T23:59:60Z', '9999-12-31T23:59:59-12:00', '0000-01-01T00:00:00+00:01'])(
  'parseCredentials reports %s, which no date-time in UTC represents',
  (instant) => {
    const credential = { id: 'c', source: 's', issuedAt: '2026-01-01', claims: {} };
    expect(problemsOf([{ ...credential, expiresAt: instant }])).toEqual([
      ['instant_malformed', '/0/expiresAt'],
    ]);
    expect(problemsOf([{ ...credential, issuedAt: instant }])).toEqual([
      ['instant_malformed', '/0/issuedAt'],
    ]);
  },
);
