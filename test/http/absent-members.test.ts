/** Optional members that are `null` count as absent; required and unknown ones do not. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { REQUEST_SCHEMAS } from '../../src/http/schemas/requests.js';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { call, ingest } from '../support/call.js';
import { approve, begin, logIn, PUBLIC, postJson, redemption } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

/** Returns every optional member of a request body, set to `null`. */
function nulls(name: keyof typeof REQUEST_SCHEMAS): Readonly<Record<string, null>> {
  const { properties, required }: { readonly properties: object; readonly required?: readonly string[] } =
    REQUEST_SCHEMAS[name];
  const optional = Object.keys(properties).filter((member) => required?.includes(member) !== true);
  return Object.fromEntries(optional.map((member) => [member, null]));
}

describe('an optional member that is null counts as absent', () => {
  it('at `/oauth/authorize/approve` and `/oauth/authorize/deny`', async () => {
    const [one, other] = [await begin(started), await begin(started)];
    const approved = await postJson(started, '/oauth/authorize/approve', {
      ...nulls('ApprovalRequest'),
      authorization_id: one.authorizationId,
    });
    expect([approved.status, await approved.json()]).toMatchObject([
      200,
      { granted_scopes: ['openid', 'identity:read', 'kyc:read'] },
    ]);
    const denied = await postJson(started, '/oauth/authorize/deny', {
      ...nulls('DenialRequest'),
      authorization_id: other.authorizationId,
    });
    expect(denied.status).toBe(200);
  });

  it('at `/oauth/token` and `/oauth/revoke`, in client authentication too', async () => {
    const pending = await begin(started);
    const redeemed = await postJson(started, '/oauth/token', {
      ...nulls('TokenRequest'),
      ...redemption(pending, await approve(started, pending)),
    });
    expect(redeemed.status).toBe(200);
    const { access_token: token } = await logIn(started);
    const revoked = await postJson(started, '/oauth/revoke', {
      ...nulls('RevocationRequest'),
      client_id: PUBLIC.clientId,
      token,
    });
    expect(await revoked.json()).toMatchObject({ revoked: true, revoked_count: 1 });
  });

  it('at `/credentials` (ingestion)', async () => {
    const claims = { 'kyc.passed': true };
    const ingested = await ingest(started, 'grace', { id: 'n1', claims, expiresAt: null, revokedAt: null });
    expect([ingested.status, ingested.body.status, 'expires_at' in ingested.body]).toEqual([
      200,
      'active',
      false,
    ]);
    const format = await call(started, '/credentials', SANDBOX_ADMINISTRATOR_TOKEN, {
      identifier: 'id|grace',
      format: null,
      credential: { id: 'n2', source: 'Registry', issuedAt: '2020-01-01T00:00:00Z', claims },
    });
    expect(format.status).toBe(200);
  });
});

describe('a member that is null and is required or unknown', () => {
  it.each([
    ['/oauth/authorize/approve', { authorization_id: null }, '/authorization_id'],
    ['/oauth/authorize/deny', { authorization_id: 'x', comment: null }, '/comment'],
    ['/oauth/token', { grant_type: null, client_id: PUBLIC.clientId }, '/grant_type'],
  ])('is rejected by %s for the body %j', async (path, body, pointer) => {
    const response = await postJson(started, path, body);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error_code: 'E4000', context: { problems: [{ pointer }] } },
    ]);
  });
});
