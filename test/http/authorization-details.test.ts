/** Conditions as authorization details: requests, grants and tokens (RFC 9396, S287–S294). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../support/call.js';
import {
  approve,
  authorizationQuery,
  authorize,
  begin,
  CONFIDENTIAL,
  PUBLIC,
  postJson,
  redemption,
  refresh,
} from '../support/oauth-client.js';
import { pushRequest } from '../support/pushed-requests.js';
import { type StartedService, startService } from '../support/start-service.js';

const ADULT = {
  type: 'claims_condition',
  query: { check: { claim: 'identity.age', operator: '>=', value: 18 } },
  purpose: 'To sell you a ticket.',
};
const NAMED = { check: { claim: 'identity.legal_name', operator: 'matchRegex', value: '^[A-Z]' } };
const RESIDENT = {
  type: 'claims_condition',
  query: { check: { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] } },
  purpose: 'To offer you the price for residents.',
};
const CINEMA = {
  client_id: 'sandbox-conditions',
  redirect_uri: 'http://127.0.0.1/callback',
  scope: undefined,
};

interface DetailedTokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly scope?: string;
  readonly granted_scopes: readonly string[];
  readonly authorization_details?: unknown;
}

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

/** Begins an authorization with details. */
function beginWith(details: unknown, changes = {}) {
  return begin(started, { ...CINEMA, authorization_details: JSON.stringify(details), ...changes });
}

/** Completes a login with details. */
async function logInWith(details: unknown, changes = {}): Promise<DetailedTokens> {
  const pending = await beginWith(details, changes);
  const response = await postJson(
    started,
    '/oauth/token',
    redemption(pending, await approve(started, pending)),
  );
  expect(response.status).toBe(200);
  return (await response.json()) as DetailedTokens;
}

/** Returns the error that is returned to the client by redirect, and its description. */
async function errorOf(details: string, changes = {}): Promise<readonly [string | null, string | null]> {
  const query = authorizationQuery({ ...CINEMA, authorization_details: details, ...changes });
  const response = await authorize(started, query);
  const { searchParams } = new URL(response.headers.get('location') ?? '');
  return [searchParams.get('error'), searchParams.get('error_description')];
}

describe('a request with authorization details', () => {
  // S287
  it('needs no scope, and grants the conditions alone', async () => {
    const tokens = await logInWith([ADULT, RESIDENT]);
    expect(tokens).toMatchObject({ granted_scopes: [], authorization_details: [ADULT, RESIDENT] });
    expect(tokens).not.toHaveProperty('scope');
    expect(tokens).not.toHaveProperty('id_token');
  });

  it('may also have scopes', async () => {
    const changes = { client_id: PUBLIC.clientId, scope: 'openid kyc:read' };
    const tokens = await logInWith([ADULT], changes);
    expect(tokens).toMatchObject({ scope: 'openid kyc:read', authorization_details: [ADULT] });
    expect(tokens).toHaveProperty('id_token');
  });

  // S289
  it('grants queries in canonical form', async () => {
    const bare = { allOf: [{ value: 18, operator: '>=', claim: 'identity.age' }, RESIDENT.query] };
    const { authorization_details: details } = await logInWith([{ ...ADULT, query: { policy: bare } }]);
    const policy = { allOf: [ADULT.query, RESIDENT.query] };
    expect(details).toEqual([{ ...ADULT, query: { policy } }]);
    expect(JSON.stringify(details)).toContain('{"claim":"identity.age","operator":">=","value":18}');
  });

  // S288
  it.each([
    ['malformed JSON', '[{', 'must be a JSON array'],
    ['JSON with a repeated member', '[{"type":"a","type":"b"}]', 'authorization_details/0/type'],
    ['an object', '{}', 'must be an array of 1 to 10 objects'],
    ['no entries', '[]', 'must be an array of 1 to 10 objects'],
    ['eleven entries', JSON.stringify(new Array(11).fill(ADULT)), 'must be an array of 1 to 10 objects'],
    ['an entry that is not an object', '["claims_condition"]', 'must be an object with'],
    ['an unknown type', JSON.stringify([{ ...ADULT, type: 'payment' }]), '`type` must be one of'],
    ['no type', JSON.stringify([{ query: ADULT.query }]), '`type` is required'],
    ['an unknown member', JSON.stringify([{ ...ADULT, locations: [] }]), 'authorization_details/0/locations'],
    ['no purpose', JSON.stringify([{ ...ADULT, purpose: undefined }]), '`purpose` is required'],
    ['a blank purpose', JSON.stringify([{ ...ADULT, purpose: ' ' }]), '1 to 200 characters'],
    ['a long purpose', JSON.stringify([{ ...ADULT, purpose: '🎬'.repeat(201) }]), '1 to 200 characters'],
    ['control characters', JSON.stringify([{ ...ADULT, purpose: 'a\nb' }]), '1 to 200 characters'],
    ['no query', JSON.stringify([{ ...ADULT, query: undefined }]), '`query` is required'],
    [
      'an invalid query',
      JSON.stringify([{ ...ADULT, query: { check: { claim: 'a.b' } } }]),
      '/0/query/check',
    ],
    [
      'projections',
      JSON.stringify([{ ...ADULT, query: { projections: [{ claim: 'identity.email', lens: 'pluck' }] } }]),
      'must be a check or a policy',
    ],
    [
      'an unknown claim',
      JSON.stringify([{ ...ADULT, query: { check: { claim: 'identity.agee', operator: 'isDefined' } } }]),
      'authorization_details/0/query/check/claim',
    ],
    ['the same query twice', JSON.stringify([ADULT, { ...ADULT, purpose: 'x' }]), 'the same query'],
    [
      'a query that nobody satisfies',
      JSON.stringify([
        {
          ...ADULT,
          query: { policy: { allOf: [ADULT.query, { check: { ...ADULT.query.check, operator: '<' } }] } },
        },
      ]),
      'fails on all claims',
    ],
    [
      'a query that everybody satisfies',
      JSON.stringify([{ ...ADULT, query: { policy: { anyOf: [ADULT.query, { not: ADULT.query }] } } }]),
      'passes on all claims',
    ],
    [
      'a pattern that must match and must not match',
      JSON.stringify([
        {
          ...ADULT,
          query: { policy: { allOf: [NAMED, { not: NAMED }] } },
        },
      ]),
      'fails on all claims',
    ],
    [
      'patterns that are costly on long claims',
      JSON.stringify([
        {
          ...ADULT,
          query: { check: { claim: 'identity.legal_name', operator: 'matchRegex', value: '[ab]{245}' } },
        },
      ]),
      'must have a total size of at most',
    ],
    // S421
    [
      'a check that no value of its claim passes',
      JSON.stringify([
        {
          ...ADULT,
          query: { policy: { not: { claim: 'kyc.passed', operator: '==', value: 'true' } } },
        },
      ]),
      'must be of type boolean',
    ],
    ['more than 4096 bytes', JSON.stringify([{ ...ADULT, purpose: 'a'.repeat(4_100) }]), '4096 bytes'],
  ])('is rejected with `invalid_authorization_details` for %s', async (_what, details, expected) => {
    const [error, description] = await errorOf(details);
    expect([error, description]).toEqual([
      'invalid_authorization_details',
      expect.stringContaining(expected),
    ]);
    expect(description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/);
    const pushed = await pushRequest(started, { ...CINEMA, authorization_details: details });
    expect([pushed.status, pushed.body]).toEqual([
      400,
      expect.objectContaining({
        error: 'invalid_authorization_details',
        context: { problems: expect.any(Array), problem_count: expect.any(Number) },
      }),
    ]);
  });

  // S288
  it('is accepted without an analysis of its patterns, which would take a minute for these', async () => {
    const details = Array.from({ length: 8 }, (_, index) => {
      const anyOf = Array.from({ length: 4 }, (_unused, length) => ({
        ...{ claim: 'identity.legal_name', operator: 'matchRegex' },
        value: `(a|b)*a(a|b){${8 + length}}c${index}`,
      }));
      return { ...ADULT, query: { policy: { anyOf } } };
    });
    const named = (value: string) => ({ ...NAMED.check, value });
    // An analysis of these patterns would find that no claim matches both.
    const contradiction = { ...ADULT, query: { policy: { allOf: [named('^a$'), named('^b$')] } } };
    const accepted = [...details, contradiction];
    const { authorizationId } = await beginWith(accepted);
    expect(authorizationId).toMatch(/^[\w-]{22}$/);
    expect(await errorOf(JSON.stringify([...accepted, { ...ADULT, type: 'payment' }]))).toEqual([
      'invalid_authorization_details',
      expect.stringContaining('authorization_details/9/type'),
    ]);
  });

  // S290
  it('is rejected for an application that is not registered for its type', async () => {
    const changes = { client_id: 'sandbox-pkce', scope: 'openid' };
    expect(await errorOf(JSON.stringify([ADULT]), changes)).toEqual([
      'invalid_authorization_details',
      expect.stringContaining('must be registered for the type'),
    ]);
  });

  it('is rejected with `invalid_scope` for a scope that the application may not request', async () => {
    expect(await errorOf(JSON.stringify([ADULT]), { scope: 'identity:read' })).toEqual([
      'invalid_scope',
      expect.anything(),
    ]);
  });

  it('can be pushed', async () => {
    const pushed = await pushRequest(started, { ...CINEMA, authorization_details: JSON.stringify([ADULT]) });
    const { request_uri: uri } = pushed.body as { readonly request_uri: string };
    const query = `client_id=${CINEMA.client_id}&request_uri=${encodeURIComponent(uri)}`;
    const location = (await authorize(started, query)).headers.get('location') ?? '';
    expect(location).toContain('/consent?authorization_id=');
  });
});

describe('an approval by API', () => {
  // S293
  it('grants only the selected conditions, and rejects conditions that were not requested', async () => {
    const pending = await beginWith([ADULT, RESIDENT]);
    const context = `/oauth/authorize/context?authorization_id=${pending.authorizationId}`;
    const before = await call(started, context);
    expect(before.body).toMatchObject({ requested_authorization_details: [ADULT, RESIDENT] });
    expect(before.body).not.toHaveProperty('authorization_details');
    const approveWith = (details: unknown) =>
      postJson(started, '/oauth/authorize/approve', {
        authorization_id: pending.authorizationId,
        authorization_details: details,
      });
    const other = { ...ADULT, query: { check: { ...ADULT.query.check, value: 21 } } };
    expect((await approveWith([other])).status).toBe(400);
    expect((await approveWith([])).status).toBe(400);
    const approved = await approveWith([RESIDENT]);
    expect(await approved.json()).toMatchObject({
      granted_scopes: [],
      authorization_details: [RESIDENT],
    });
    expect((await call(started, context)).body).toMatchObject({
      requested_authorization_details: [ADULT, RESIDENT],
      authorization_details: [RESIDENT],
    });
  });

  // S289
  it('can select conditions with as many list items as a request can have', async () => {
    const value = Array.from({ length: 600 }, (_, index) => index % 10);
    const large = ['financial.net_worth', 'financial.bank_balance'].map((claim) => ({
      type: 'claims_condition',
      query: { check: { claim, operator: 'in', value } },
      purpose: 'x',
    }));
    const pending = await beginWith(large);
    const approved = await postJson(started, '/oauth/authorize/approve', {
      authorization_id: pending.authorizationId,
      authorization_details: large,
    });
    expect(await approved.json()).toMatchObject({ authorization_details: large });
  });

  it('grants scopes without any condition if `authorization_details` is empty', async () => {
    const pending = await beginWith([ADULT], { client_id: PUBLIC.clientId, scope: 'openid' });
    const body = { authorization_id: pending.authorizationId, authorization_details: [] };
    const { code } = (await (await postJson(started, '/oauth/authorize/approve', body)).json()) as {
      readonly code: string;
    };
    const tokens = await (await postJson(started, '/oauth/token', redemption(pending, code))).json();
    expect(tokens).toMatchObject({ scope: 'openid', authorization_details: [] });
  });

  // V6, S294
  it('requires palm verification for a condition whose claim only sensitive scopes cover', async () => {
    const requires = async (details: unknown) => {
      const pending = await beginWith(details);
      const path = `/oauth/authorize/context?authorization_id=${pending.authorizationId}`;
      const { body } = await call(started, path);
      return (body as { readonly policy: { readonly requires_palm_verification: boolean } }).policy
        .requires_palm_verification;
    };
    expect([await requires([RESIDENT]), await requires([RESIDENT, ADULT])]).toEqual([false, true]);
  });
});

// S292
describe('a refresh', () => {
  const asCinema = { client_id: CINEMA.client_id };

  it('can narrow the conditions to a subset, and the next refresh restores all of them', async () => {
    const { refresh_token: first } = await logInWith([ADULT, RESIDENT]);
    const details = JSON.stringify([RESIDENT]);
    const narrowed = await refresh(started, first, { ...asCinema, authorization_details: details });
    const tokens = (await narrowed.json()) as DetailedTokens;
    expect(tokens.authorization_details).toEqual([RESIDENT]);
    const next = await refresh(started, tokens.refresh_token, asCinema);
    expect(await next.json()).toMatchObject({ authorization_details: [ADULT, RESIDENT] });
  });

  it('that narrows only `scope` keeps the conditions', async () => {
    const changes = { client_id: PUBLIC.clientId, scope: 'openid kyc:read' };
    const { refresh_token: token } = await logInWith([ADULT], changes);
    const narrowed = await refresh(started, token, { scope: 'kyc:read' });
    expect(await narrowed.json()).toMatchObject({ scope: 'kyc:read', authorization_details: [ADULT] });
  });

  it('that leaves neither scopes nor conditions is rejected with `invalid_authorization_details`, and does not consume the token', async () => {
    const { refresh_token: token } = await logInWith([ADULT]);
    const rejected = await refresh(started, token, { ...asCinema, authorization_details: '[]' });
    expect([rejected.status, await rejected.json()]).toEqual([
      400,
      expect.objectContaining({ error: 'invalid_authorization_details' }),
    ]);
    expect((await refresh(started, token, asCinema)).status).toBe(200);
  });

  it('with a condition that was not granted, or twice the same one, is rejected, and does not consume the token', async () => {
    const { refresh_token: token } = await logInWith([ADULT]);
    for (const details of [
      [RESIDENT],
      [ADULT, RESIDENT],
      [{ ...ADULT, purpose: 'Other.' }],
      [ADULT, ADULT],
    ]) {
      const changes = { ...asCinema, authorization_details: JSON.stringify(details) };
      const rejected = await refresh(started, token, changes);
      expect([rejected.status, await rejected.json()]).toEqual([
        400,
        expect.objectContaining({ error: 'invalid_authorization_details' }),
      ]);
    }
    expect((await refresh(started, token, asCinema)).status).toBe(200);
  });
});

describe('a token with conditions', () => {
  it('is introspected with its conditions', async () => {
    const changes = {
      client_id: CONFIDENTIAL.clientId,
      redirect_uri: CONFIDENTIAL.redirectUri,
      scope: 'openid',
    };
    const tokens = await logInWith([ADULT], changes);
    const client = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const response = await postJson(started, '/oauth/introspect', { ...client, token });
      expect(await response.json()).toMatchObject({
        active: true,
        scope: 'openid',
        authorization_details: [ADULT],
      });
    }
  });

  // S291
  it('loses them while its application is not registered for their type, and is invalid without scopes', async () => {
    const { access_token: token, refresh_token: refreshToken } = await logInWith([ADULT]);
    const mixed = await logInWith([ADULT], { client_id: PUBLIC.clientId, scope: 'openid' });
    const setTypes = (types: string) =>
      started.runSql(`UPDATE application SET authorization_details_types = ${types}`);
    const statusOf = async (bearer: string) => (await call(started, '/authorizations', bearer)).status;
    expect([await statusOf(token), await statusOf(mixed.access_token)]).toEqual([200, 200]);
    await setTypes('NULL');
    expect([await statusOf(token), await statusOf(mixed.access_token)]).toEqual([401, 200]);
    const refused = await refresh(started, refreshToken, { client_id: CINEMA.client_id });
    expect(await refused.json()).toMatchObject({ error: 'invalid_grant' });
    const refreshed = await refresh(started, mixed.refresh_token);
    expect(await refreshed.json()).toMatchObject({ scope: 'openid', authorization_details: [] });
    await setTypes(`'["claims_condition"]'`);
    expect(await statusOf(token)).toBe(200);
  });
});

it('the metadata lists the types of authorization details', async () => {
  for (const document of ['openid-configuration', 'oauth-authorization-server', 'hp-configuration']) {
    const { body } = await call(started, `/.well-known/${document}`);
    expect(body).toMatchObject({ authorization_details_types_supported: ['claims_condition'] });
  }
});
