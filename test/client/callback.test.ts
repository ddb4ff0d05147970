/** A callback is accepted only as the response of this service to this request (RFC 6749 §10.12, RFC 9207). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuthorizationRequest, Client, PendingAuthorization } from '../../src/client/index.js';
import { decideByForm } from '../support/decide-by-form.js';
import { approve } from '../support/oauth-client.js';
import {
  clientErrorOf,
  createRecordingFetch,
  publicClient,
  type RecordingFetch,
} from '../support/package-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;
let observed: RecordingFetch;
let client: Client;

beforeAll(async () => {
  started = await startService();
  observed = createRecordingFetch();
  client = publicClient(started, { fetch: observed.fetch });
});

afterAll(() => started.stop());

/** Begins an authorization and approves it as the person. */
async function beginApproved(): Promise<AuthorizationRequest & { readonly callback: URL }> {
  const request = await client.authorize({ scopes: ['openid', 'kyc:read'] });
  return { ...request, callback: await decideByForm(request.url) };
}

type Change = (parameters: URLSearchParams) => void;

describe('an authorization request', () => {
  it('has a new state, nonce and challenge each time, and does not reveal the verifier', async () => {
    const requests = await Promise.all([1, 2].map(() => client.authorize({ scopes: ['openid'] })));
    const [first, other] = requests.map(({ url }) => new URL(url).searchParams);
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(first?.get(name)).toMatch(/^[\w-]{43}$/);
      expect(first?.get(name)).not.toBe(other?.get(name));
    }
    expect(first?.get('code_challenge_method')).toBe('S256');
    for (const { url, pending } of requests) expect(url).not.toContain(pending.codeVerifier);
  });

  it('includes the login hint, the locale, and a redirect URI that replaces the one of the client', async () => {
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
    ['as the text of a URL', ({ href }: URL) => href],
    ['as a path', ({ pathname, search }: URL) => `${pathname}${search}`],
    ['as parameters', ({ searchParams }: URL) => searchParams],
  ])('is accepted %s', async (_what, shape) => {
    const { callback, pending } = await beginApproved();
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
    ['an ID token', (all) => all.set('id_token', 'x')],
    ['a JWT response', (all) => all.set('response', 'x.y.z')],
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
  ])('with %s is rejected, and its code is not sent', async (_what, change) => {
    const { callback, pending } = await beginApproved();
    change(callback.searchParams);
    const sent = observed.requests.length;
    const error = await clientErrorOf(client.redeem(callback, pending));
    expect([error.code, observed.requests.length]).toEqual(['callback_invalid', sent]);
  });

  it.each<[string, (pending: PendingAuthorization) => unknown]>([
    ['undefined', () => undefined],
    ['null', () => null],
    ['an object without members', () => ({})],
    ['one without the code verifier', ({ codeVerifier: _codeVerifier, ...rest }) => rest],
    ['one without the redirect URI', ({ redirectUri: _redirectUri, ...rest }) => rest],
  ])('is rejected, and its code is not sent, if the pending authorization is %s', async (_what, change) => {
    const { callback, pending } = await beginApproved();
    const sent = observed.requests.length;
    const error = await clientErrorOf(client.redeem(callback, change(pending) as never));
    expect([error.code, observed.requests.length]).toEqual(['callback_invalid', sent]);
  });

  // S79
  it('with the code of another request is rejected by the service, since the verifier does not match', async () => {
    const [own, foreign] = [await beginApproved(), await beginApproved()];
    own.callback.searchParams.set('code', foreign.callback.searchParams.get('code') ?? '');
    const error = await clientErrorOf(client.redeem(own.callback, own.pending));
    expect([error.code, error.errorCode, error.status]).toEqual(['invalid_grant', 'E4005', 400]);
  });

  // S80
  it('can be used once: a second use is rejected, and revokes the tokens of the first', async () => {
    const { callback, pending } = await beginApproved();
    const access = await client.redeem(callback, pending);
    expect((await clientErrorOf(client.redeem(callback, pending))).code).toBe('invalid_grant');
    expect((await clientErrorOf(access.userInfo())).code).toBe('authorization_needed');
  });

  // S68
  it('of a denial throws access_denied', async () => {
    const { url, pending } = await client.authorize({ scopes: ['kyc:read'] });
    const callback = await decideByForm(url, { action: 'deny' });
    const error = await clientErrorOf(client.redeem(callback, pending));
    expect([error.code, error.error, error.status]).toEqual(['access_denied', 'access_denied', undefined]);
  });

  it("of an invalid request throws the service's error", async () => {
    const { url, pending } = await client.authorize({ scopes: ['no:such'] });
    const { headers } = await fetch(url, { redirect: 'manual' });
    const error = await clientErrorOf(client.redeem(headers.get('location') ?? '', pending));
    expect(error.code).toBe('invalid_scope');
  });
});

describe('a token response with an ID token', () => {
  it('is accepted if the person granted no `openid`, but a scope that implies it', async () => {
    const { url, pending } = await client.authorize({ scopes: ['openid', 'profile.full'] });
    const { headers } = await fetch(url, { redirect: 'manual' });
    const page = new URL(headers.get('location') ?? '');
    const authorizationId = page.searchParams.get('authorization_id') ?? '';
    const code = await approve(started, { authorizationId }, ['profile.full']);
    const parameters = new URLSearchParams({ code, state: pending.state, iss: started.url });
    const access = await client.redeem(parameters, pending);
    expect((await access.tokens())?.scopes).toEqual(['profile.full']);
  });

  it('is rejected if the nonce is that of another request', async () => {
    const { callback, pending } = await beginApproved();
    const error = await clientErrorOf(client.redeem(callback, { ...pending, nonce: 'another' }));
    expect(error.code).toBe('response_invalid');
  });
});
