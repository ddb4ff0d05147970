/** What a credential's members become: what a mapping names, nothing else. */
import { expect, it } from 'vitest';
import { mapClaims } from '../../../src/service/credentials/map-claims.js';
import type { TrustedIssuer, VerifiedCredential } from '../../../src/service/index.js';

const CONTENT = {
  given_name: 'Ada',
  address: { country: 'DE', 'a/b~c': 1 },
  nationalities: ['DE', 'GB'],
  nothing: null,
  secret: 'unmapped',
};

function mapped(claims: Record<string, string>, types = ['Pid']) {
  const issuer: TrustedIssuer = { issuer: 'i', source: 's', keys: [], mappings: [{ type: 'Pid', claims }] };
  const credential: VerifiedCredential = {
    issuer,
    types,
    signedContent: 'header.payload',
    issuedAt: 0,
    content: CONTENT,
  };
  return mapClaims(credential).claims;
}

it('only what a mapping names gets through, under the path that it names', () => {
  expect(mapped({ '/given_name': 'identity.first_name', '/address/country': 'identity.country' })).toEqual({
    'identity.first_name': 'Ada',
    'identity.country': 'DE',
  });
});

it('a pointer reaches elements, and members whose names hold a slash or a tilde', () => {
  expect(mapped({ '/nationalities/1': 'a.b', '/address/a~1b~0c': 'a.c', '/nothing': 'a.d' })).toEqual({
    'a.b': 'GB',
    'a.c': 1,
    'a.d': null,
  });
});

it.each([
  '/absent',
  '/given_name/0',
  '/nationalities/2',
  '/nationalities/length',
  '/constructor',
  '/__proto__',
  'x',
])('the pointer %s, at which there is nothing, is left out', (pointer) => {
  expect(mapped({ [pointer]: 'a.b' })).toEqual({});
});

it('a mapping of another type gives nothing', () => {
  expect(mapped({ '/given_name': 'identity.first_name' }, ['Other'])).toEqual({});
});
