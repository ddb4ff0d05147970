/** The issuers whose credentials are taken: read from a file, and refused with every problem at once. */
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

it('issuers are read with their keys and mappings', () => {
  expect(parseIssuers({ issuers: [ISSUER] }, catalogue)).toEqual([
    {
      issuer: 'https://issuer.example',
      source: 'Issuer',
      keys: [KEY],
      mappings: [{ type: 'Pid', claims: { '/birthdate': 'identity.date_of_birth' } }],
    },
  ]);
});

it('an issuer may have holder binding elsewhere, and credentials without subject or typ', () => {
  const given = { ...ISSUER, holder_binding: 'external', subject: 'optional', accept_missing_typ: true };
  expect(parseIssuers({ issuers: [given] }, catalogue)).toMatchObject([
    { holderBinding: 'external', subject: 'optional', acceptMissingTyp: true },
  ]);
});

describe('what is wrong is told with its place:', () => {
  const claims = (mapping: unknown) => ({
    issuers: [{ ...ISSUER, credentials: [{ type: 'Pid', claims: mapping }] }],
  });

  it.each([
    ['no file of issuers', [], 'not_an_object', ''],
    ['another member', { issuer: [] }, 'member_unknown', '/issuer'],
    [
      'an issuer without a name',
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
    ['an issuer twice', { issuers: [ISSUER, ISSUER] }, 'name_repeated', '/issuers/1/issuer'],
    [
      'a claim that there is not',
      claims({ '/a': 'a.b' }),
      'claim_unknown',
      '/issuers/0/credentials/0/claims/~1a',
    ],
    [
      'a derived claim',
      claims({ '/age': 'identity.age' }),
      'claim_derived',
      '/issuers/0/credentials/0/claims/~1age',
    ],
    [
      'no pointer',
      claims({ birthdate: 'identity.date_of_birth' }),
      'pointer_malformed',
      '/issuers/0/credentials/0/claims/birthdate',
    ],
    [
      'the document',
      claims({ '': 'identity.address_full' }),
      'pointer_malformed',
      '/issuers/0/credentials/0/claims/',
    ],
    [
      'holder binding of another kind',
      { issuers: [{ ...ISSUER, holder_binding: 'none' }] },
      'value_unknown',
      '/issuers/0/holder_binding',
    ],
    [
      'a subject setting of another kind',
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
    ['claims that are none', claims([]), 'not_an_object', '/issuers/0/credentials/0/claims'],
  ])('%s', (_what, json, code, pointer) => {
    expect(problemsOf(json)).toContainEqual([code, pointer]);
  });
});
