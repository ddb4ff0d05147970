/** A running service returns the fields of the interface specification with their names and types, except those that it must not return. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { revokeApplication } from '../../src/service/index.js';
import {
  FIELDS,
  type FieldRow,
  fieldProblems,
  type RecordedResponses,
  unknownMembers,
  withRenamedField,
} from '../specification/check-fields.js';
import { CLIENT_ID, CLIENT_SECRET, createLiteralClient } from '../specification/literal-client.js';
import { postJson } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;
let responses: RecordedResponses;

beforeAll(async () => {
  started = await startService();
  responses = await collectResponses();
});

afterAll(() => started.stop());

/** Calls every endpoint of the specification in such states that each field that may be present is present at least once. */
async function collectResponses(): Promise<RecordedResponses> {
  const client = createLiteralClient(started);
  await client.get('/.well-known/hp-configuration');
  await client.get('/.well-known/openid-configuration');
  await client.get('/presets');

  const denied = await client.begin();
  await client.context(denied.authorizationId);
  await postJson(started, '/oauth/authorize/deny', { authorization_id: denied.authorizationId });
  await client.context(denied.authorizationId);

  const { pending, accessToken, tokens } = await client.completeGrant();
  const id = pending.authorizationId;
  await client.context(id);
  const approved = await client.begin();
  await client.approve(approved.authorizationId, ['identity:read']);
  await client.context(approved.authorizationId);

  const credentials = { client_id: CLIENT_ID, client_secret: CLIENT_SECRET };
  await client.post('/oauth/client/user-token', { ...credentials, email: 'ada@example.org' });
  await client.get('/userinfo', accessToken);
  const presets = ['service_uuid', 'age', 'nothing', 'tax_id'];
  await client.post('/presets/batch', { presets }, accessToken);
  const check = { claim: 'identity.age', operator: '>=', value: 18 };
  await client.evaluate({ check }, accessToken);
  await client.evaluate({ check: { claim: 'kyc.passed', operator: 'isDefined' } }, accessToken);
  await client.evaluate({ projections: [{ claim: 'kyc.level', lens: 'pluck' }] }, accessToken);
  await client.post('/oauth/revoke', {
    token: tokens.body.refresh_token,
    tokens: [accessToken, 'unknown'],
    token_type_hint: 'authorization',
    authorization_id: id,
    cascade: 'true',
    client_id: CLIENT_ID,
  });
  await client.context(id);

  // Two states that the calls of the specification do not produce: a person without most claims, and a revoked application.
  const grace = await client.completeGrant(['identity:read', 'kyc:read'], 'grace');
  await client.post('/presets/batch', { presets: ['kyc_level', 'is_human'] }, grace.accessToken);
  await client.evaluate({ check: { claim: 'kyc.level', operator: '==', value: 'basic' } }, grace.accessToken);
  await revokeApplication(CLIENT_ID, started);
  await client.context(id);
  return client.responses;
}

function nameOf({ resource, name }: FieldRow): string {
  return `${name} of ${resource}`;
}

describe('the responses of the service', () => {
  it.each(FIELDS.map((row) => [nameOf(row), row] as const))(
    'match the specification of the field %s',
    (_name, row) => {
      expect(fieldProblems(row, responses)).toEqual([]);
    },
  );

  it('have no member that the specification does not name', () => {
    expect(unknownMembers(FIELDS, responses)).toEqual([]);
  });

  it('have every status of authorizations and applications', () => {
    const contexts = (responses.get('GET /oauth/authorize/context') ?? []) as readonly {
      readonly status: string;
      readonly application: { readonly status: string };
    }[];
    expect([...new Set(contexts.map(({ status }) => status))].sort()).toEqual([
      'approved',
      'consumed',
      'denied',
      'pending_admin',
      'revoked',
    ]);
    expect(new Set(contexts.map(({ application }) => application.status))).toEqual(
      new Set(['active', 'revoked']),
    );
  });
});

describe('the check of fields', () => {
  const presentFields = FIELDS.filter(({ present }) => present !== 'never');

  it.each(presentFields.map((row) => [nameOf(row), row] as const))(
    'detects the renaming of %s',
    (_name, row) => {
      const changed = withRenamedField(row, responses);
      expect(fieldProblems(row, changed).length).toBeGreaterThan(0);
      if (!row.resource.endsWith('discovery document'))
        expect(unknownMembers(FIELDS, changed).join()).toContain(`${row.name}_renamed`);
    },
  );

  it('detects another type or format, and a field that must be absent', () => {
    const row = (resource: string, name: string) => {
      const found = FIELDS.find((one) => one.resource === resource && one.name === name);
      if (found === undefined) throw new Error(`no such row: ${resource} ${name}`);
      return found;
    };
    const changed = structuredClone(responses) as Map<string, Record<string, unknown>[]>;
    for (const context of changed.get('GET /oauth/authorize/context') ?? []) {
      context['user_id'] = null;
      context['code'] = 'x';
      context['scopes'] = ['openid'];
    }
    for (const result of changed.get('POST /queries/evaluate (predicate)') ?? [])
      result['evaluatedAt'] = '2026-06-01T12:00:00Z';
    for (const name of ['user_id', 'code', 'scopes'])
      expect(fieldProblems(row('Authorization context', name), changed).length).toBeGreaterThan(0);
    expect(fieldProblems(row('Query predicate result', 'evaluatedAt'), changed).length).toBeGreaterThan(0);
  });
});
