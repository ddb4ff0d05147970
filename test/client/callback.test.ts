/** A callback is accepted only as the response of this service to this request (RFC 9207). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuthorizationRequest, Client } from '../../src/client/index.js';
import { decideByForm } from '../support/decide-by-form.js';
import { clientErrorOf, publicClient, type Watched, watchedFetch } from '../support/package-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;
let watched: Watched;
let client: Client;

beforeAll(async () => {
  started = await startService();
  watched = watchedFetch();
  client = publicClient(started, { fetch: watched.fetch });
});

afterAll(() => started.stop());

/** Begins, and approves as the person. */
async function approved(): Promise<AuthorizationRequest & { readonly callback: URL }> {
  const request = await client.authorize({ scopes: ['openid', 'kyc:read'] });
  return { ...request, callback: await decideByForm(request.url) };
}

type Change = (parameters: URLSearchParams) => void;

describe('a request for authorization', () => {
  it('has a state, a nonce and a challenge of its own each time, and tells none of its secrets', async () => {
    const requests = await Promise.all([1, 2].map(() => client.authorize({ scopes: ['openid'] })));
    const [one, other] = requests.map(({ url }) => new URL(url).searchParams);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(one?.get(name)).toMatch(/^[\w-]{43}$/);
      expect(one?.get(name)).not.toBe(other?.get(name));
    }
    expect(one?.get('code_challenge_method')).toBe('S256');
    for (const { url, pending } of requests) expect(url).not.toContain(pending.codeVerifier);
  });

  it('takes the person’s name, their language and another redirect URI along', async () => {
    const redirectUri = 'http://127.0.0.1:4000/callback';
    const { url, pending } = await client.authorize({
      scopes: ['kyc:read'],
      loginHint: 'ada & co',
      locale: 'pt',
      redirectUri,
    });
    const { searchParams } = new URL(url);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      login_hint: 'ada & co',
      locale: 'pt',
      redirect_uri: redirectUri,
      scope: 'kyc:read',
    });
    expect([pending.redirectUri, 'nonce' in pending]).toEqual([redirectUri, false]);
  });
});

describe('a callback', () => {
  it.each([
    ['whole', ({ href }: URL) => href],
    ['from its path on', ({ pathname, search }: URL) => `${pathname}${search}`],
    ['as its parameters', ({ searchParams }: URL) => searchParams],
  ])('is taken %s', async (_what, shape) => {
    const { callback, pending } = await approved();
    const access = await client.redeem(shape(callback), pending);
    expect((await access.userInfo()).aud).toBe('sandbox-public');
  });

  it.each<[string, Change]>([
    ['another state', (all) => all.set('state', 'x')],
    ['no state', (all) => all.delete('state')],
    ['two states', (all) => all.append('state', 'x')],
    ['another issuer', (all) => all.set('iss', 'https://evil.example/v2')],
    ['no issuer', (all) => all.delete('iss')],
    ['two issuers', (all) => all.append('iss', 'https://evil.example/v2')],
    ['two codes', (all) => all.append('code', 'x')],
    ['no code', (all) => all.delete('code')],
    ['an ID token in it', (all) => all.set('id_token', 'x')],
    ['an answer as a JWT', (all) => all.set('response', 'x.y.z')],
    [
      'an error of another issuer',
      (all) => {
        all.set('error', 'access_denied');
        all.set('iss', 'https://evil.example/v2');
      },
    ],
    [
      'an error with another state',
      (all) => {
        all.set('error', 'access_denied');
        all.set('state', 'x');
      },
    ],
  ])('with %s is none, and its code is not sent anywhere (RFC 9207)', async (_what, change) => {
    const { callback, pending } = await approved();
    change(callback.searchParams);
    const sent = watched.requests.length;
    const error = await clientErrorOf(client.redeem(callback, pending));
    expect([error.code, watched.requests.length]).toEqual(['callback_invalid', sent]);
  });

  // S79
  it('with somebody else’s code is refused by the service, since the verifier is another', async () => {
    const [mine, theirs] = [await approved(), await approved()];
    mine.callback.searchParams.set('code', theirs.callback.searchParams.get('code') ?? '');
    const error = await clientErrorOf(client.redeem(mine.callback, mine.pending));
    expect([error.code, error.errorCode, error.status]).toEqual(['invalid_grant', 'E4005', 400]);
  });

  // S80
  it('is good once', async () => {
    const { callback, pending } = await approved();
    const access = await client.redeem(callback, pending);
    expect((await clientErrorOf(client.redeem(callback, pending))).code).toBe('invalid_grant');
    // And the second redemption ends what came of the first.
    expect((await clientErrorOf(access.userInfo())).code).toBe('authorization_needed');
  });

  // S68
  it('of a person who says no tells that', async () => {
    const { url, pending } = await client.authorize({ scopes: ['kyc:read'] });
    const callback = await decideByForm(url, { action: 'deny' });
    const error = await clientErrorOf(client.redeem(callback, pending));
    expect([error.code, error.error, error.status]).toEqual(['access_denied', 'access_denied', undefined]);
  });

  it('of a request that was wrong tells why', async () => {
    const { url, pending } = await client.authorize({ scopes: ['no:such'] });
    const { headers } = await fetch(url, { redirect: 'manual' });
    const error = await clientErrorOf(client.redeem(headers.get('location') ?? '', pending));
    expect(error.code).toBe('invalid_scope');
  });
});

describe('tokens that come with an ID token', () => {
  it('are none where it was made for another request', async () => {
    const { callback, pending } = await approved();
    const error = await clientErrorOf(client.redeem(callback, { ...pending, nonce: 'another' }));
    expect(error.code).toBe('response_invalid');
  });
});
