/** Scopes that the operator withdraws from an application have no effect in its grants and tokens (S130, S138). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { begin, CONFIDENTIAL, isTokenValid, postJson, type Tokens } from '../support/oauth-client.js';
import {
  AS_ADMINISTRATOR,
  approveFor,
  CLIENT,
  grantFor,
  IRIS,
  LENDER,
  startDeployment,
} from '../support/production-deployment.js';
import type { StartedService } from '../support/start-service.js';

const ALL = 'openid identity:read kyc:read';

let started: StartedService;

beforeEach(async () => {
  started = await startDeployment();
});

afterEach(() => started.stop());

/** Changes the application's scopes in the store, as another instance with a changed configuration does. */
async function setScopes(...scopes: readonly string[]): Promise<void> {
  await started.runSql(
    `UPDATE application SET scopes = '${JSON.stringify(scopes)}' WHERE client_id = '${LENDER.clientId}'`,
  );
}

function refresh(token: string, changes: object = {}): Promise<Response> {
  return postJson(started, '/oauth/token', {
    ...CLIENT,
    grant_type: 'refresh_token',
    refresh_token: token,
    ...changes,
  });
}

async function introspect(token: string): Promise<unknown> {
  return await (await postJson(started, '/oauth/introspect', { ...CLIENT, token })).json();
}

async function errorOf(response: Response): Promise<readonly [number, string]> {
  return [response.status, ((await response.json()) as { readonly error: string }).error];
}

const callWithToken = async (path: string, token: string, body?: object) => {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const sent = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  return await fetch(`${started.url}${path}`, { headers, ...sent });
};
const KYC = { query: { check: { claim: 'kyc.passed', operator: '==', value: true } } };

describe('a withdrawn scope', () => {
  it('has no effect in existing tokens, for queries, presets, user information and introspection', async () => {
    const { access_token: token } = await grantFor(started, IRIS.name, ALL);
    expect((await callWithToken('/queries/evaluate', token, KYC)).status).toBe(200);
    expect(await (await callWithToken('/userinfo', token)).json()).toMatchObject({ email: IRIS.email });
    await setScopes('openid', 'identity:read');
    expect(await errorOf(await callWithToken('/queries/evaluate', token, KYC))).toEqual([
      403,
      'insufficient_scope',
    ]);
    expect((await callWithToken('/presets/kyc_passed', token)).status).toBe(403);
    expect((await callWithToken('/presets/email', token)).status).toBe(200);
    expect(await introspect(token)).toMatchObject({ active: true, scope: 'openid identity:read' });
    await setScopes('openid', 'kyc:read');
    const info = await (await callWithToken('/userinfo', token)).json();
    expect(info).toMatchObject({ scopes: ['openid', 'kyc:read'] });
    expect(info).not.toHaveProperty('email');
    await setScopes(...ALL.split(' '));
    expect((await callWithToken('/queries/evaluate', token, KYC)).status).toBe(200);
  });

  it('is excluded from refreshed tokens, and requesting it is an error that does not consume the refresh token', async () => {
    const { refresh_token: token } = await grantFor(started, IRIS.name, ALL);
    await setScopes('openid', 'identity:read');
    expect(await introspect(token)).toMatchObject({ active: true, scope: 'openid identity:read' });
    expect(await errorOf(await refresh(token, { scope: 'kyc:read' }))).toEqual([400, 'invalid_scope']);
    const refreshed = await refresh(token);
    expect([refreshed.status, ((await refreshed.json()) as Tokens).scope]).toEqual([
      200,
      'openid identity:read',
    ]);
  });

  it('is excluded from tokens for codes that were approved before', async () => {
    const request = await approveFor(started, IRIS.name, ALL);
    await setScopes('openid', 'kyc:read');
    const response = await postJson(started, '/oauth/token', request);
    expect((await response.json()) as Tokens).toMatchObject({ scope: 'openid kyc:read' });
  });

  it('is excluded from user tokens, and no longer allows a lookup by the addresses that it covered', async () => {
    const { app_scoped_user_id: subject } = await grantFor(started, IRIS.name, ALL);
    const requestUserToken = (selector: object) =>
      postJson(started, '/oauth/client/user-token', { ...CLIENT, ...selector });
    expect((await requestUserToken({ email: IRIS.email })).status).toBe(200);
    await setScopes('openid', 'kyc:read');
    const response = await requestUserToken({ user_id: subject });
    expect([response.status, ((await response.json()) as { scopes: unknown }).scopes]).toEqual([
      200,
      ['openid', 'kyc:read'],
    ]);
    expect((await requestUserToken({ email: IRIS.email })).status).toBe(404);
  });

  it('that is `openid` ends ID tokens, while a refresh without it only skips one', async () => {
    const { refresh_token: first } = await grantFor(started, IRIS.name, ALL);
    const narrowed = (await (await refresh(first, { scope: 'kyc:read' })).json()) as Tokens;
    expect(narrowed.id_token).toBeUndefined();
    const full = (await (await refresh(narrowed.refresh_token)).json()) as Tokens;
    expect(full.id_token).toBeDefined();
    await setScopes('identity:read', 'kyc:read');
    const withoutOpenid = (await (await refresh(full.refresh_token)).json()) as Tokens;
    expect([withoutOpenid.scope, withoutOpenid.id_token]).toEqual(['identity:read kyc:read', undefined]);
  });

  it('removes people from audiences whose policy requires it', async () => {
    await grantFor(started, IRIS.name, ALL);
    const evaluated = async () => {
      const body = { client_id: LENDER.clientId, ...KYC };
      const response = await postJson(started, '/audiences/evaluate', body, AS_ADMINISTRATOR);
      const lines = (await response.text()).trim().split('\n');
      return (JSON.parse(lines.at(-1) ?? '{}') as { readonly evaluated: number }).evaluated;
    };
    expect(await evaluated()).toBe(1);
    await setScopes('openid', 'identity:read');
    expect(await evaluated()).toBe(0);
  });

  it("is not in the list that the person's grants page shows", async () => {
    await grantFor(started, IRIS.name, ALL);
    await setScopes('openid', 'kyc:read');
    expect(await started.service.grants.listAccess(IRIS.id)).toMatchObject([
      { state: 'active', scopes: ['openid', 'kyc:read'] },
    ]);
  });

  it('is neither requested nor granted by an authorization request that is still pending', async () => {
    const client = { client_id: CONFIDENTIAL.clientId, redirect_uri: CONFIDENTIAL.redirectUri };
    const approve = async (...scopes: readonly string[]) => {
      const pending = await begin(started, { ...client, login_hint: IRIS.name, scope: ALL });
      await setScopes(...scopes);
      const body = { authorization_id: pending.authorizationId };
      const response = await postJson(started, '/oauth/authorize/approve', body, AS_ADMINISTRATOR);
      await setScopes(...ALL.split(' '));
      return [response.status, (await response.json()) as { granted_scopes?: unknown; error?: unknown }];
    };
    expect(await approve('openid', 'kyc:read')).toMatchObject([
      200,
      { granted_scopes: ['openid', 'kyc:read'], scopes: ['openid', 'kyc:read'] },
    ]);
    expect(await approve('data.read')).toMatchObject([400, { error: 'invalid_scope' }]);
  });
});

describe('an application without any granted scope left', () => {
  it('has tokens that are inactive until a scope is restored', async () => {
    const { access_token, refresh_token, app_scoped_user_id } = await grantFor(started, IRIS.name, ALL);
    await setScopes('data.read');
    expect(await isTokenValid(started, access_token)).toBe(false);
    expect([await introspect(access_token), await introspect(refresh_token)]).toEqual([
      { active: false },
      { active: false },
    ]);
    expect(await errorOf(await refresh(refresh_token))).toEqual([400, 'invalid_grant']);
    expect(await errorOf(await refresh(refresh_token, { scope: 'openid' }))).toEqual([400, 'invalid_grant']);
    const named = await postJson(started, '/oauth/client/user-token', {
      ...CLIENT,
      user_id: app_scoped_user_id,
    });
    expect(await errorOf(named)).toEqual([404, 'grant_not_found']);
    await setScopes('openid');
    expect(await isTokenValid(started, access_token)).toBe(true);
    expect(((await (await refresh(refresh_token)).json()) as Tokens).scope).toBe('openid');
  });

  it('receives an error for a code, which is consumed, and the grant is revoked', async () => {
    const request = await approveFor(started, IRIS.name, ALL);
    await setScopes('data.read');
    expect(await errorOf(await postJson(started, '/oauth/token', request))).toEqual([400, 'invalid_grant']);
    await setScopes(...ALL.split(' '));
    expect(await errorOf(await postJson(started, '/oauth/token', request))).toEqual([400, 'invalid_grant']);
    const [grant] = await started.store.listPersonGrants(IRIS.id, 1, started.clock.now());
    expect(grant?.status).toBe('revoked');
  });

  it('still causes the revocation of a grant by replaying a refresh token', async () => {
    const { refresh_token: token, authorization_id: id } = await grantFor(started, IRIS.name, ALL);
    expect((await refresh(token)).status).toBe(200);
    await setScopes('data.read');
    expect(await errorOf(await refresh(token))).toEqual([400, 'invalid_grant']);
    expect((await started.store.findAuthorization(id))?.status).toBe('revoked');
  });
});
