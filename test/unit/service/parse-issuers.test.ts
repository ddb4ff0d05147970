/** Parsing of trusted issuers, and the problems that it reports. */
import { describe, expect, it } from 'vitest';
import { createServiceCatalogue, IssuersError, parseIssuers } from '../../../src/service/index.js';

const catalogue = createServiceCatalogue();
const KEY = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };
const ISSUER = {
  issuer: 'https://issuer.example',
  source: 'Issuer',
  keys: [KEY],
  credentials: [{ type: 'Pid', claims: { '/birthdate': 'identity.date_of_birth' } }],
};

function problemsOf(json: unknown): readonly (readonly [string, string])[] {
  try {
    parseIssuers(json, catalogue);
  } catch (error) {
    if (error instanceof IssuersError)
      return error.problems.map(({ code, pointer }) => [code, pointer] as const);
    throw error;
  }
  return [];
}

it('parseIssuers returns issuers with their keys and mappings', () => {
  expect(parseIssuers({ issuers: [ISSUER] }, catalogue)).toEqual([
    {
      issuer: 'https://issuer.example',
      source: 'Issuer',
      keys: [KEY],
      mappings: [{ type: 'Pid', claims: { '/birthdate': 'identity.date_of_birth' } }],
    },
  ]);
});

it('an issuer may have external holder binding, and credentials without subject or typ', () => {
  const issuer = { ...ISSUER, holder_binding: 'external', subject: 'optional', accept_missing_typ: true };
  expect(parseIssuers({ issuers: [issuer] }, catalogue)).toMatchObject([
    { holderBinding: 'external', subject: 'optional', acceptMissingTyp: true },
  ]);
});

describe('an invalid file of issuers', () => {
  const claims = (mapping: unknown) => ({
    issuers: [{ ...ISSUER, credentials: [{ type: 'Pid', claims: mapping }] }],
  });

  it.each([
    ['an array', [], 'not_an_object', ''],
    ['an unknown member', { issuer: [] }, 'member_unknown', '/issuer'],
    [
      'an issuer with an empty `issuer`',
      { issuers: [{ ...ISSUER, issuer: '' }] },
      'not_a_string',
      '/issuers/0/issuer',
    ],
    ['an issuer without keys', { issuers: [{ ...ISSUER, keys: [] }] }, 'member_missing', '/issuers/0'],
    [
      'a private key',
      { issuers: [{ ...ISSUER, keys: [{ ...KEY, d: 'd' }] }] },
      'key_malformed',
      '/issuers/0/keys/0',
    ],
    [
      'a shared secret',
      { issuers: [{ ...ISSUER, keys: [{ kty: 'oct', k: 'k' }] }] },
      'key_malformed',
      '/issuers/0/keys/0',
    ],
    ...[
      { kty: 'EC', crv: 'P-256', x: 'x' },
      { kty: 'EC', crv: 'P-256', x: 'x', y: 1 },
      { kty: 'OKP', crv: 'Ed25519' },
      { kty: 'RSA', n: 'n' },
      { kty: 'AKP', pub: 'p' },
      [],
    ].map((key): [string, unknown, string, string] => [
      `the key ${JSON.stringify(key)}`,
      { issuers: [{ ...ISSUER, keys: [key] }] },
      'key_malformed',
      '/issuers/0/keys/0',
    ]),
    ['a repeated issuer', { issuers: [ISSUER, ISSUER] }, 'name_repeated', '/issuers/1/issuer'],
    ['an unknown claim', claims({ '/a': 'a.b' }), 'claim_unknown', '/issuers/0/credentials/0/claims/~1a'],
    [
      'a derived claim',
      claims({ '/age': 'identity.age' }),
      'claim_derived',
      '/issuers/0/credentials/0/claims/~1age',
    ],
    [
      'a malformed pointer',
      claims({ birthdate: 'identity.date_of_birth' }),
      'pointer_malformed',
      '/issuers/0/credentials/0/claims/birthdate',
    ],
    [
      'the pointer to the whole credential',
      claims({ '': 'identity.address_full' }),
      'pointer_malformed',
      '/issuers/0/credentials/0/claims/',
    ],
    [
      'an unknown value of holder_binding',
      { issuers: [{ ...ISSUER, holder_binding: 'none' }] },
      'value_unknown',
      '/issuers/0/holder_binding',
    ],
    [
      'an unknown value of subject',
      { issuers: [{ ...ISSUER, subject: 'absent' }] },
      'value_unknown',
      '/issuers/0/subject',
    ],
    [
      'a flag that is a string',
      { issuers: [{ ...ISSUER, accept_missing_typ: 'true' }] },
      'not_a_boolean',
      '/issuers/0/accept_missing_typ',
    ],
    [
      'an unknown claim in a mapping without a type',
      { issuers: [{ ...ISSUER, credentials: [{ claims: { '/a': 'a.b' } }] }] },
      'claim_unknown',
      '/issuers/0/credentials/0/claims/~1a',
    ],
    ['claims that are an array', claims([]), 'not_an_object', '/issuers/0/credentials/0/claims'],
  ])('is rejected with the pointer of the problem: %s', (_title, json, code, pointer) => {
    expect(problemsOf(json)).toContainEqual([code, pointer]);
  });
});
