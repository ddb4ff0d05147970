/** The standard scopes and the `claims` parameter of OpenID Connect (Core §5.4, §5.5; S240–S243). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { registerApplication } from '../../src/service/index.js';
import { systemDigest, systemRandom } from '../../src/system/node-ports.js';
import { authorizationQuery, authorize, begin, logIn, refresh } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

const REDIRECT_URI = 'https://bank.example/callback';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

/** Registers a public application with these scopes. */
async function register(scopes: readonly string[]) {
  const { store, clock, service } = started;
  const registration = {
    name: 'Corner Bank',
    redirectUris: [REDIRECT_URI],
    scopes,
    authentication: 'public' as const,
  };
  const ports = { store, clock, random: systemRandom, digest: systemDigest, catalogue: service.catalogue };
  const { application } = await registerApplication(registration, ports);
  return { client_id: application.clientId, redirect_uri: REDIRECT_URI };
}

async function userInfo(accessToken: string): Promise<Record<string, unknown>> {
  const headers = { Authorization: `Bearer ${accessToken}` };
  return (await (await fetch(`${started.url}/userinfo`, { headers })).json()) as Record<string, unknown>;
}

function readPreset(accessToken: string, name: string): Promise<Response> {
  return fetch(`${started.url}/presets/${name}`, { headers: { Authorization: `Bearer ${accessToken}` } });
}

async function redirectErrorOf(
  changes: Readonly<Record<string, string>>,
): Promise<readonly (string | null)[]> {
  const response = await authorize(started, authorizationQuery(changes));
  const { searchParams } = new URL(response.headers.get('location') ?? '', started.url);
  return [searchParams.get('error'), searchParams.get('error_description')];
}

describe('a standard scope', () => {
  // S241
  it.each([
    ['email', { email: 'ada@example.org', email_verified: true }],
    ['phone', { phone_number: '+351210000000', phone_number_verified: true }],
    ['profile', { name: 'Ada Ferreira Lopes', birthdate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }],
    [
      'address',
      {
        address: {
          street_address: 'Rua Augusta 100',
          locality: 'Lisboa',
          region: 'Lisboa',
          postal_code: '1100-148',
          country: 'PT',
        },
      },
    ],
  ])('gives access to its user information only: %s', async (scope, members) => {
    const { access_token, app_scoped_user_id } = await logIn(started, { scope: `openid ${scope}` });
    expect(await userInfo(access_token)).toEqual({
      sub: app_scoped_user_id,
      iss: started.url,
      aud: 'sandbox-public',
      authorization_id: expect.any(String),
      scopes: ['openid', scope],
      updated_at: expect.any(String),
      ...members,
    });
  });

  // S241
  it.each([
    ['identity.address_full', 'address', {}],
    ['identity.address_full', 'address', 'Rua Augusta 100'],
    ['identity.phone', 'phone', 351],
  ])(
    'does not show a value of %s that is empty or of the wrong type, nor its `updated_at`',
    async (claim, scope, value) => {
      const own = await startService();
      try {
        const { access_token } = await logIn(own, { scope: `openid ${scope}` });
        const person = await own.store.findPerson('name', 'ada');
        const issuedAt = own.clock.now();
        const credential = { id: 'unusual', source: 'Registry', issuedAt, claims: { [claim]: value } };
        await own.store.addCredential(person?.id ?? '', credential, issuedAt);
        const headers = { Authorization: `Bearer ${access_token}` };
        const info = await (await fetch(`${own.url}/userinfo`, { headers })).json();
        expect(Object.keys(info as object).sort()).toEqual([
          'aud',
          'authorization_id',
          'iss',
          'scopes',
          'sub',
        ]);
      } finally {
        await own.stop();
      }
    },
  );

  // S242
  it('is required for every standard member but `email`: other scopes give access to claims in queries only', async () => {
    const scope = 'openid identity:read identity:legal_name identity:date_of_birth identity:address_full';
    const { access_token } = await logIn(started, { scope });
    const info = await userInfo(access_token);
    expect(info).toMatchObject({ email: 'ada@example.org' });
    for (const [member, preset] of [
      ['name', 'legal_name'],
      ['birthdate', 'date_of_birth'],
      ['phone_number', 'phone'],
      ['address', 'address_full'],
    ] as const) {
      expect(info).not.toHaveProperty(member);
      expect([preset, (await readPreset(access_token, preset)).status]).toEqual([preset, 200]);
    }
  });

  // S241
  it('gives access to its claims in queries, and to no others', async () => {
    const { access_token } = await logIn(started, { scope: 'openid email' });
    const statusOf = async (preset: string) => (await readPreset(access_token, preset)).status;
    expect([await statusOf('email'), await statusOf('phone'), await statusOf('nationality')]).toEqual([
      200, 403, 403,
    ]);
  });

  // S240
  it('is ignored if the application is not registered for it, at authorization and at refresh', async () => {
    const application = await register(['openid', 'email']);
    const scope = 'openid profile email offline_access';
    const tokens = await logIn(started, { ...application, scope });
    expect(tokens.scope).toBe('openid email');
    const next = await refresh(started, tokens.refresh_token, { client_id: application.client_id, scope });
    expect([next.status, await next.json()]).toMatchObject([200, { scope: 'openid email' }]);
  });

  // S240
  it('is named in the error if the application is registered for none of the requested scopes', async () => {
    const application = await register(['openid']);
    expect(await redirectErrorOf({ ...application, scope: 'profile email' })).toEqual([
      'invalid_scope',
      'scope not allowed for this client: profile email',
    ]);
  });

  // S240
  it('is not named in the error for another scope that is not allowed', async () => {
    const application = await register(['openid']);
    expect(await redirectErrorOf({ ...application, scope: 'openid kyc:read profile' })).toEqual([
      'invalid_scope',
      'scope not allowed for this client: kyc:read',
    ]);
  });
});

describe('the claims parameter', () => {
  const claims = (value: unknown) => ({ claims: JSON.stringify(value) });

  // S243
  it('requests the standard scopes of its claims if the application is registered for them', async () => {
    const requested = claims({
      userinfo: { email: { essential: true }, phone_number: null, nickname: null },
      id_token: { auth_time: { essential: true }, address: null },
    });
    const { access_token, scope } = await logIn(started, { scope: 'openid', ...requested });
    expect(scope).toBe('openid email phone address');
    expect(await userInfo(access_token)).toMatchObject({ email: 'ada@example.org' });
    const application = await register(['openid', 'email']);
    const tokens = await logIn(started, { ...application, scope: 'openid', ...requested });
    expect(tokens.scope).toBe('openid email');
  });

  // S243, S287
  it('requests these scopes also in a request that has authorization details and no scope', async () => {
    const adult = {
      type: 'claims_condition',
      query: { check: { claim: 'identity.age', operator: '>=', value: 18 } },
      purpose: 'To sell you a ticket.',
    };
    const { scope } = await logIn(started, {
      scope: undefined,
      authorization_details: JSON.stringify([adult]),
      ...claims({ userinfo: { email: null } }),
    });
    expect(scope).toBe('email');
  });

  // S243
  it('has no effect if it names no claim of the service', async () => {
    const tokens = await logIn(started, {
      scope: 'openid',
      ...claims({ userinfo: { nickname: null }, id_token: { acr: { values: ['urn:mfa'] } }, vp: 1 }),
    });
    expect(tokens.scope).toBe('openid');
  });

  // S243
  it('is shown on the consent page', async () => {
    const { cookie, authorizationId } = await begin(started, {
      scope: 'openid',
      ...claims({ userinfo: { email: null } }),
    });
    const page = await fetch(`${new URL(started.url).origin}/consent?authorization_id=${authorizationId}`, {
      headers: { Cookie: cookie },
    });
    expect(await page.text()).toContain('Your e-mail address');
  });

  // S243
  it.each([
    [
      'malformed JSON',
      'x',
      'claims must be a JSON object without repeated names, of at most 100 members and items in total',
    ],
    [
      'an array',
      '[]',
      'claims must be a JSON object without repeated names, of at most 100 members and items in total',
    ],
    [
      'a repeated member',
      '{"userinfo":{},"userinfo":{}}',
      'claims must be a JSON object without repeated names, of at most 100 members and items in total',
    ],
    ['a destination that is not an object', '{"userinfo":[]}', 'claims.userinfo must be a JSON object'],
    [
      'a claim that is neither null nor an object',
      '{"id_token":{"email":true}}',
      'each member of claims.id_token must be null or a JSON object',
    ],
    [
      'a claim with a long name whose value is neither null nor an object',
      JSON.stringify({ userinfo: { [`${'x'.repeat(63)}😀`]: 1 } }),
      'each member of claims.userinfo must be null or a JSON object',
    ],
    [
      'a required value of sub',
      '{"id_token":{"sub":{"value":"usr_1"}}}',
      'claims must not request a value of sub: use login_hint',
    ],
    [
      'an essential value of acr',
      '{"id_token":{"acr":{"essential":true,"values":["urn:mfa"]}}}',
      'claims must not require acr: ID tokens have no acr',
    ],
  ])('is rejected if it has %s', async (_what, value, description) => {
    expect(await redirectErrorOf({ scope: 'openid', claims: value })).toEqual([
      'invalid_request',
      description,
    ]);
  });
});
