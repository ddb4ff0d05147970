/** Parsing of sign-in providers: defaults, members, and problems with their locations. */
import { expect, it } from 'vitest';
import { parseSignInProviders, SignInProvidersError } from '../../../src/service/index.js';

const PROVIDER = {
  id: 'keycloak',
  name: 'Example accounts',
  issuer: 'https://sso.example/realms/people',
  client_id: 'proviso',
};

function problemsOf(json: unknown): readonly (readonly [string, string])[] {
  try {
    parseSignInProviders(json);
  } catch (error) {
    if (error instanceof SignInProvidersError)
      return error.problems.map(({ code, pointer }) => [code, pointer] as const);
    throw error;
  }
  return [];
}

const problemsWith = (changes: object) => problemsOf({ providers: [{ ...PROVIDER, ...changes }] });

it('parseSignInProviders fills in the defaults', () => {
  expect(parseSignInProviders({ providers: [PROVIDER] })).toEqual([
    {
      settings: {
        id: 'keycloak',
        name: 'Example accounts',
        issuer: 'https://sso.example/realms/people',
        clientId: 'proviso',
        scopes: ['openid', 'email'],
        claims: { name: '/sub', email: '/email', emailVerified: '/email_verified' },
        linkBy: [],
        endSession: true,
      },
      credential: { method: 'none' },
    },
  ]);
});

it('parseSignInProviders reads every member', () => {
  const provider = {
    ...PROVIDER,
    issuer: 'http://127.0.0.1:8081/',
    client_secret_file: 'secret',
    token_endpoint_auth_method: 'client_secret_post',
    scopes: ['openid', 'profile'],
    claims: { name: '/nickname', email: '/mail', email_verified: '/xms_edov' },
    link_by: ['email', 'name'],
    required: { acr: ['mfa'] },
    palm: { amr: ['palm'] },
    end_session: false,
  };
  expect(parseSignInProviders({ providers: [provider] })).toEqual([
    {
      settings: {
        id: 'keycloak',
        name: 'Example accounts',
        issuer: 'http://127.0.0.1:8081/',
        clientId: 'proviso',
        scopes: ['openid', 'profile'],
        claims: { name: '/nickname', email: '/mail', emailVerified: '/xms_edov' },
        linkBy: ['email', 'name'],
        required: { acr: ['mfa'], amr: [] },
        palm: { acr: [], amr: ['palm'] },
        endSession: false,
      },
      credential: { method: 'client_secret_post', file: 'secret' },
    },
  ]);
  const withKey = { ...PROVIDER, private_key_file: 'key' };
  expect(parseSignInProviders({ providers: [withKey] })).toMatchObject([
    { credential: { method: 'private_key_jwt', file: 'key' } },
  ]);
});

it.each([
  ['an array', [], 'not_an_object', ''],
  ['no provider', { providers: [] }, 'list_empty', '/providers'],
  [
    'two providers with one id',
    { providers: [PROVIDER, { ...PROVIDER, issuer: 'https://other.example' }] },
    'id_repeated',
    '/providers/1/id',
  ],
  [
    'two providers with one issuer',
    { providers: [PROVIDER, { ...PROVIDER, id: 'other' }] },
    'id_repeated',
    '/providers/1/issuer',
  ],
  [
    'two providers with one issuer, of which the first has another problem',
    {
      providers: [
        { ...PROVIDER, name: '' },
        { ...PROVIDER, id: 'other' },
      ],
    },
    'id_repeated',
    '/providers/1/issuer',
  ],
  // S412
  [
    'providers that link accounts by different identifiers',
    {
      providers: [
        { ...PROVIDER, link_by: ['email', 'name'] },
        { ...PROVIDER, id: 'other', issuer: 'https://other.example', link_by: ['email'] },
      ],
    },
    'link_by_differs',
    '/providers',
  ],
])('an invalid file is rejected with the pointer of the problem: %s', (_what, json, code, pointer) => {
  expect(problemsOf(json)).toContainEqual([code, pointer]);
});

it.each([
  ['an unknown member', { client_secret: 's' }, 'member_unknown', '/client_secret'],
  ['an id with a slash', { id: 'a/b' }, 'name_malformed', '/id'],
  ['a name with a line break', { name: 'a\nb' }, 'name_malformed', '/name'],
  ['no issuer', { issuer: undefined }, 'member_missing', ''],
  ['an issuer with http', { issuer: 'http://sso.example' }, 'issuer_malformed', '/issuer'],
  ['an issuer with a query', { issuer: 'https://sso.example?a' }, 'issuer_malformed', '/issuer'],
  ['an issuer that is no URL', { issuer: 'sso.example' }, 'issuer_malformed', '/issuer'],
  ['an issuer with a space at its end', { issuer: 'https://sso.example ' }, 'issuer_malformed', '/issuer'],
  ['a secret and a key', { client_secret_file: 's', private_key_file: 'k' }, 'credential_conflict', ''],
  [
    'a method that needs a secret',
    { token_endpoint_auth_method: 'client_secret_basic' },
    'value_unknown',
    '/token_endpoint_auth_method',
  ],
  ['scopes without openid', { scopes: ['email'] }, 'scope_missing', '/scopes'],
  ['a scope with a space', { scopes: ['openid', 'a b'] }, 'scope_missing', '/scopes'],
  ['a claim that is no pointer', { claims: { name: 'sub' } }, 'pointer_malformed', '/claims/name'],
  ['an unknown claim', { claims: { wallet: '/w' } }, 'member_unknown', '/claims/wallet'],
  ['an unknown identifier', { link_by: ['phone'] }, 'value_unknown', '/link_by/0'],
  ['a palm without values', { palm: { acr: [] } }, 'list_empty', '/palm'],
  ['a flag that is a string', { end_session: 'no' }, 'not_a_boolean', '/end_session'],
])('an invalid provider is rejected with the pointer of the problem: %s', (_what, changes, code, pointer) => {
  expect(problemsWith(changes)).toContainEqual([code, `/providers/0${pointer}`]);
});

it.each([
  ['client_secret_file', 'client_secret_post'],
  ['private_key_file', 'private_key_jwt'],
])('a %s of another type is the only problem of a provider with the fitting method', (member, method) => {
  expect(problemsWith({ [member]: 5, token_endpoint_auth_method: method })).toEqual([
    ['not_a_string', `/providers/0/${member}`],
  ]);
});
