/** The client with a running service: authorize, redeem, evaluate, refresh, revoke. */
import { exportJWK, generateKeyPair } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { p } from '../../src/builder/index.js';
import { createClient, inMemoryTokens } from '../../src/client/index.js';
import { decideByForm } from '../support/decide-by-form.js';
import { PUBLIC } from '../support/oauth-client.js';
import {
  clientErrorOf,
  confidentialClient,
  createRecordingFetch,
  obtainAccess,
  publicClient,
} from '../support/package-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const HOUR_MS = 3_600_000;
const adult = p.allOf(p.claim('identity.age').gte(18), p.claim('kyc.level').in(['basic', 'enhanced']));

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

describe.each([
  ['the public application', publicClient],
  ['the application with a secret', confidentialClient],
])('%s', (_what, createApplicationClient) => {
  // V8, V9
  it('authorizes, redeems, queries, refreshes and revokes', async () => {
    started.clock.moveTo(STARTED_AT);
    const client = createApplicationClient(started);
    const storage = inMemoryTokens();
    const { url, pending } = await client.authorize({ scopes: ['openid', 'identity:read', ...adult.scopes] });
    expect(JSON.parse(JSON.stringify(pending))).toEqual(pending);
    const access = await client.redeem(await decideByForm(url), pending, { storage });
    const first = await access.tokens();
    expect(first).toMatchObject({
      expiresAt: STARTED_AT + HOUR_MS,
      scopes: ['openid', 'identity:read', 'identity:date_of_birth', 'kyc:read'],
    });

    const result = await access.evaluate(adult);
    expect([result.type, result.passed, result.evidence.checkResults.length]).toEqual(['predicate', true, 2]);

    started.clock.moveTo(STARTED_AT + 2 * HOUR_MS);
    expect((await access.userInfo()).sub).toBe(first?.subject);
    const second = await access.tokens();
    expect(second?.refreshToken).not.toBe(first?.refreshToken);
    expect(second).toMatchObject({
      expiresAt: STARTED_AT + 3 * HOUR_MS,
      authorizationId: first?.authorizationId,
    });

    expect(await access.revoke()).toMatchObject({ revoked: true });
    expect([await access.tokens(), await access.revoke()]).toEqual([undefined, undefined]);
    expect((await clientErrorOf(access.evaluate(adult))).code).toBe('authorization_needed');
    const revokedAccess = client.access(inMemoryTokens(second));
    expect((await clientErrorOf(revokedAccess.evaluate(adult))).code).toBe('authorization_needed');
  });
});

describe('an application with a grant', () => {
  it('can send queries of each form, and read presets, credentials and grants', async () => {
    started.clock.moveTo(STARTED_AT);
    const client = publicClient(started);
    const access = await obtainAccess(client, ['identity:read', 'kyc:read', 'data.read']);
    const check = { check: { claim: 'kyc.passed', operator: '==', value: true } } as const;
    expect((await access.evaluate(check)).passed).toBe(true);
    const projection = await access.evaluate(p.project(p.claim('kyc.level').pluck()));
    expect(projection.data).toEqual({ 'kyc.level': 'enhanced' });
    expect((await access.evaluate(JSON.parse(JSON.stringify(check)) as unknown)).type).toBe('predicate');

    expect(await access.preset('kyc_level')).toMatchObject({ value: 'enhanced', status: 'valid' });
    const batch = await access.presets(['kyc_level', 'date_of_birth', 'nothing']);
    expect(batch.results.map(({ preset }) => preset)).toEqual(['kyc_level']);
    expect(batch.errors.map(({ error }) => error.error)).toEqual(['insufficient_scope', 'preset_not_found']);
    expect((await client.presets()).find(({ name }) => name === 'kyc_level')?.scope).toBe('kyc:read');

    const page = await access.credentials({ limit: 1 });
    expect([page.items.length, page.has_more]).toEqual([1, true]);
    const { next_cursor: cursor = '' } = page;
    const next = await access.credentials({ limit: 1, cursor });
    expect(next.items[0]?.id).not.toBe(page.items[0]?.id);
    const { items } = await access.grants({ status: 'active' });
    expect(items.map(({ app_scoped_user_id }) => app_scoped_user_id)).toContain(
      (await access.tokens())?.subject,
    );
  });

  // S110
  it('keeps its grant when it signs out, which revokes the tokens only', async () => {
    const client = publicClient(started);
    const access = await obtainAccess(client, ['kyc:read']);
    const tokens = await access.tokens();
    await access.signOut();
    await access.signOut();
    // Databases return null where there are no tokens.
    const empty = { read: async () => null as never, write: async () => undefined };
    for (const storage of [inMemoryTokens(tokens), inMemoryTokens(), empty])
      expect((await clientErrorOf(client.access(storage).userInfo())).code).toBe('authorization_needed');
    const nextAccess = await obtainAccess(client, ['kyc:read']);
    const { items } = await nextAccess.grants({ status: 'active' });
    expect(items.map(({ authorization_id }) => authorization_id)).toContain(tokens?.authorizationId);
  });
});

describe('a confidential application', () => {
  it('requests user tokens, lists its grants and revokes one', async () => {
    const client = confidentialClient(started);
    const access = await obtainAccess(client, ['openid', 'kyc:read', 'identity:read']);
    const { authorizationId = '' } = (await access.tokens()) ?? {};
    const named = await client.userToken({ email: 'ada@example.org' });
    expect((await named.tokens())?.refreshToken).toBeUndefined();
    expect(await named.preset('kyc_level')).toMatchObject({ value: 'enhanced' });
    expect((await clientErrorOf(client.userToken({ userId: 'nobody' }))).code).toBe('grant_not_found');
    const { items } = await client.grants({ status: 'active' });
    expect(items.map(({ authorization_id }) => authorization_id)).toContain(authorizationId);
    expect(await client.revoke(authorizationId)).toMatchObject({ revoked: true });
    expect((await clientErrorOf(access.userInfo())).code).toBe('authorization_needed');
  });

  it('gets user tokens by several members of a selector only if all select the same person', async () => {
    const client = confidentialClient(started);
    const access = await obtainAccess(client, ['openid', 'kyc:read', 'identity:read']);
    await obtainAccess(client, ['openid', 'identity:read'], { decision: { person: 'bruno' } });
    const { subject = '' } = (await access.tokens()) ?? {};
    const named = await client.userToken({ userId: subject, email: 'ada@example.org' });
    expect((await named.tokens())?.subject).toBe(subject);
    const contradictory = client.userToken({ userId: subject, email: 'bruno@example.com' });
    expect((await clientErrorOf(contradictory)).code).toBe('malformed_body');
    // Without `exactOptionalPropertyTypes`, a member may be undefined.
    const selector = { email: 'ada@example.org', ...({ userId: undefined } as object) };
    expect((await (await client.userToken(selector)).tokens())?.subject).toBe(subject);
  });

  it('receives authorization_needed when a user token has expired', async () => {
    started.clock.moveTo(STARTED_AT);
    const client = confidentialClient(started);
    await obtainAccess(client, ['openid', 'kyc:read', 'identity:read']);
    const named = await client.userToken({ identifier: 'email|ada@example.org' });
    started.clock.moveTo(STARTED_AT + 2 * HOUR_MS);
    const error = await clientErrorOf(named.preset('kyc_level'));
    expect([error.code, await named.tokens()]).toEqual(['authorization_needed', undefined]);
    started.clock.moveTo(STARTED_AT);
  });
});

describe('an application with a configured authentication method', () => {
  it.each([
    ['sandbox-basic', 'client_secret_basic'],
    ['sandbox-post', 'client_secret_post'],
    ['sandbox-pkce', 'none'],
  ] as const)('completes a flow as %s with %s', async (clientId, tokenEndpointAuthMethod) => {
    started.clock.moveTo(STARTED_AT);
    const { redirectUri } = PUBLIC;
    const client = confidentialClient(started, { clientId, redirectUri, tokenEndpointAuthMethod });
    const access = await obtainAccess(client, ['openid', 'kyc:read', 'identity:read']);
    const { authorizationId = '' } = (await access.tokens()) ?? {};
    started.clock.moveTo(STARTED_AT + 2 * HOUR_MS);
    expect(await access.preset('kyc_level')).toMatchObject({ value: 'enhanced' });
    const named = await client.userToken({ email: 'ada@example.org' });
    expect(await named.preset('kyc_level')).toMatchObject({ value: 'enhanced' });
    const { items } = await client.grants({ status: 'active' });
    expect(items.map(({ authorization_id }) => authorization_id)).toContain(authorizationId);
    expect(await client.revoke(authorizationId)).toMatchObject({
      revoked: true,
      details: [{ subject: 'authorization', reason: 'requested' }],
    });
    started.clock.moveTo(STARTED_AT);
  });
});

describe('an application with a signing key', () => {
  it('authenticates by assertions when it redeems, refreshes, requests user tokens and revokes', async () => {
    const { privateKey, publicKey } = await generateKeyPair('ES256');
    const [clientId, redirectUri] = ['signing-client', 'https://signing.example/callback'];
    await started.store.upsertApplication({
      clientId,
      name: 'Signing',
      organizationId: 'org-signing',
      redirectUris: [redirectUri],
      scopes: ['openid', 'kyc:read', 'identity:read'],
      idTokenAlgorithm: 'ES256',
      createdAt: 1,
      keys: [{ kty: 'EC', ...(await exportJWK(publicKey)), kid: 'k1', alg: 'ES256' }],
    });
    const client = createClient({
      issuer: started.url,
      clientId,
      redirectUri,
      signingKey: { key: privateKey, kid: 'k1' },
      clock: started.clock,
    });
    const access = await obtainAccess(client, ['openid', 'kyc:read', 'identity:read']);
    started.clock.moveTo(STARTED_AT + 2 * HOUR_MS);
    expect(await access.preset('kyc_level')).toMatchObject({ value: 'enhanced' });
    const named = await client.userToken({ email: 'ada@example.org' });
    expect(await named.preset('kyc_level')).toMatchObject({ value: 'enhanced' });
    expect(await client.revoke((await access.tokens())?.authorizationId ?? '')).toMatchObject({
      revoked: true,
    });
    started.clock.moveTo(STARTED_AT);
  });
});

it('a client without a secret, also one with a signing key, rejects `grants` without a request', async () => {
  const { requests, fetch } = createRecordingFetch();
  const { privateKey: key } = await generateKeyPair('ES256');
  for (const more of [{}, { signingKey: { key, kid: 'k1' } }]) {
    const client = createClient({ ...PUBLIC, issuer: started.url, fetch, ...more });
    await expect(client.grants()).rejects.toThrow(new TypeError('`grants` requires a `clientSecret`'));
  }
  expect(requests).toEqual([]);
});

describe('the discovery document', () => {
  it('is requested once for concurrent calls, and again after a failure', async () => {
    const { requests, fetch } = createRecordingFetch((_path, count) =>
      count === 1 ? new Response('<html>', { status: 502 }) : undefined,
    );
    const client = publicClient(started, { fetch });
    const error = await clientErrorOf(client.authorize({ scopes: ['openid'] }));
    expect([error.code, error.status]).toEqual(['response_invalid', 502]);
    await Promise.all([1, 2, 3].map(() => client.authorize({ scopes: ['openid'] })));
    expect(requests).toHaveLength(2);
  });

  it('of another issuer is rejected', async () => {
    const { fetch } = createRecordingFetch(() =>
      Response.json({ issuer: 'https://evil.example/v2', authorization_endpoint: 'https://evil.example/a' }),
    );
    const error = await clientErrorOf(publicClient(started, { fetch }).authorize({ scopes: ['openid'] }));
    expect(error.code).toBe('response_invalid');
  });

  it.each([
    { authorization_endpoint: 'authorize' },
    { authorization_endpoint: 'javascript:alert(1)' },
    { authorization_endpoint: undefined },
    { authorization_endpoint: ['https://claims.example/authorize'] },
    { token_endpoint: 'ftp://claims.example/token' },
  ])('with an endpoint that is not an http or https URL is rejected: %j', async (endpoint) => {
    const response = await fetch(`${started.url}/.well-known/openid-configuration`);
    const metadata = { ...((await response.json()) as object), ...endpoint };
    const client = publicClient(started, {
      fetch: createRecordingFetch(() => Response.json(metadata)).fetch,
    });
    const error = await clientErrorOf(client.authorize({ scopes: ['openid'] }));
    expect(error.code).toBe('response_invalid');
    expect(error.message).toContain(`\`${Object.keys(endpoint)[0]}\``);
  });
});
