/** Evaluation of granted conditions: exactly the granted queries, and nothing but the verdict (RFC 9396, S295–S298). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEFAULT_CATALOGUE } from '../../src/service/index.js';
import { call, type HttpResponse } from '../support/call.js';
import { approve, begin, PUBLIC, postJson, redemption } from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';
import { tokenWithConditions } from '../support/token-with-conditions.js';

const ADULT = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
const LIVES_IN_IBERIA = {
  check: { claim: 'identity.country_of_residence', operator: 'in', value: ['PT', 'ES'] },
};
const IN_PORTUGAL = { check: { claim: 'identity.address_full.country', operator: '==', value: 'PT' } };
const BOTH = { policy: { allOf: [ADULT, LIVES_IN_IBERIA] } };
const AT = new Date(STARTED_AT).toISOString();
const EXPIRES_AT = new Date(STARTED_AT + 300_000).toISOString();

let started: StartedService;

beforeAll(async () => {
  started = await startService({ store: { audit: true } });
});

afterAll(() => started.stop());

function tokenFor(person: string, queries: readonly object[], changes = {}): Promise<string> {
  return tokenWithConditions(started, person, queries, changes);
}

function evaluate(token: string, query: unknown): Promise<HttpResponse> {
  return call(started, '/queries/evaluate', token, { query });
}

describe('a granted condition', () => {
  // S295, S296
  it('is answered with the verdict only, in the usual shape', async () => {
    const token = await tokenFor('ada', [ADULT]);
    const { status, body } = await evaluate(token, ADULT);
    expect(status).toBe(200);
    expect(body).toEqual({
      type: 'predicate',
      passed: true,
      evaluatedAt: AT,
      evidence: { claimsUsed: [], checkResults: [] },
      expiresAt: EXPIRES_AT,
    });
  });

  // S295
  it('may be sent in every form with the same canonical text, and in no other form', async () => {
    const token = await tokenFor('ada', [ADULT, BOTH, IN_PORTUGAL]);
    const bare = [ADULT.check, LIVES_IN_IBERIA.check];
    const same = [
      { check: { value: 18.0, operator: '>=', claim: 'identity.age' } },
      { policy: { allOf: bare } },
    ];
    for (const query of same) expect((await evaluate(token, query)).status).toBe(200);
    const others = [
      // A part of a granted query.
      LIVES_IN_IBERIA,
      // The claim of which a part was granted, another part, and a part of a granted claim.
      { check: { ...IN_PORTUGAL.check, claim: 'identity.address_full' } },
      { check: { ...IN_PORTUGAL.check, claim: 'identity.address_full.city' } },
      { check: { ...ADULT.check, claim: 'identity.age.years' } },
      // Reordered.
      { policy: { allOf: [LIVES_IN_IBERIA, ADULT] } },
      { policy: { allOf: [ADULT, { check: { ...LIVES_IN_IBERIA.check, value: ['ES', 'PT'] } }] } },
      // Equivalent.
      { policy: { not: { check: { ...ADULT.check, operator: '<' } } } },
      { policy: { allOf: [ADULT] } },
      { policy: { not: { policy: { not: ADULT } } } },
      { check: { ...ADULT.check, operator: '>', value: 17 } },
      // Another operand, another operator, a further check, and a projection of the claim.
      { check: { ...ADULT.check, value: 19 } },
      { check: { claim: 'identity.age', operator: 'isDefined' } },
      { policy: { allOf: [ADULT, LIVES_IN_IBERIA, ADULT] } },
      { projections: [{ claim: 'identity.age', lens: 'pluck' }] },
    ];
    for (const query of others) {
      const { status, body } = await evaluate(token, query);
      expect([status, body.error, body.context.conditions]).toEqual([
        403,
        'insufficient_scope',
        [ADULT, BOTH, IN_PORTUGAL],
      ]);
      expect(body.context.missing.length).toBeGreaterThan(0);
    }
  });

  // S295
  it('on a claim that the catalogue no longer has is rejected, since the claim would count as absent', async () => {
    const over18 = { check: { claim: 'identity.age_over_18', operator: '==', value: true } };
    const minor = { policy: { not: over18 } };
    const token = await tokenFor('ada', [over18, minor]);
    const catalogue = {
      ...DEFAULT_CATALOGUE,
      claims: DEFAULT_CATALOGUE.claims.filter(({ path }) => path !== over18.check.claim),
      presets: DEFAULT_CATALOGUE.presets.filter(({ claim }) => claim !== over18.check.claim),
    };
    const later = await startService({ wrap: () => started.store, options: { catalogue } });
    for (const query of [over18, minor]) {
      const { status, body } = await call(later, '/queries/evaluate', token, { query });
      expect([status, body.error]).toEqual([403, 'insufficient_scope']);
      expect(body.context.missing).toMatchObject([{ claim: over18.check.claim, scopes: [] }]);
    }
    await later.stop();
    expect((await evaluate(token, minor)).body.passed).toBe(false);
  });

  // S297
  it('gives no access to presets, user information, credentials, audiences or user tokens', async () => {
    const token = await tokenFor('ada', [ADULT]);
    for (const path of ['/presets/age', '/userinfo', '/credentials']) {
      const { status, body } = await call(started, path, token);
      expect([path, status, body.error]).toEqual([path, 403, 'insufficient_scope']);
    }
    const { body } = await call(started, '/presets/batch', token, { presets: ['age', 'age_over_18'] });
    expect([body.results, body.errors.length]).toEqual([[], 2]);
    const audience = await fetch(`${started.url}/audiences/evaluate`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sandbox-administrator-token', 'Content-Type': 'application/json' },
      body: JSON.stringify({ client_id: 'sandbox-conditions', query: ADULT }),
    });
    expect([audience.status, JSON.parse((await audience.text()).trim())]).toEqual([
      200,
      { evaluated: 0, satisfied: 0, evaluated_at: AT },
    ]);
    const secret = 'sandbox-client-secret-not-confidential';
    const client = { client_id: 'sandbox-confidential', client_secret: secret };
    const redirect_uri = 'https://meridian.example/oauth/callback';
    const pending = await begin(started, {
      ...{ client_id: client.client_id, redirect_uri, scope: undefined, login_hint: 'ada' },
      authorization_details: JSON.stringify([{ type: 'claims_condition', query: ADULT, purpose: 'x' }]),
    });
    await postJson(started, '/oauth/token', redemption(pending, await approve(started, pending)));
    const userToken = await postJson(started, '/oauth/client/user-token', { ...client, user_id: 'ada' });
    expect(userToken.status).toBe(404);
  });

  it('does not reduce the evidence of other queries, which the scopes cover', async () => {
    const changes = { client_id: PUBLIC.clientId, scope: 'openid identity:date_of_birth' };
    const token = await tokenFor('ada', [LIVES_IN_IBERIA], changes);
    const covered = await evaluate(token, ADULT);
    expect(covered.body.evidence.checkResults).toHaveLength(1);
    expect((await evaluate(token, LIVES_IN_IBERIA)).body.evidence.checkResults).toEqual([]);
    expect((await evaluate(token, BOTH)).body.context).toMatchObject({ conditions: [LIVES_IN_IBERIA] });
  });

  // S298
  it('is audited with its hash and claims, without the verdict', async () => {
    const token = await tokenFor('ada', [ADULT]);
    await evaluate(token, ADULT);
    const entries = await started.store.listAudit({ kinds: ['query_answered' as const], limit: 1_000 });
    expect(entries.at(-1)).toMatchObject({ claims: ['identity.age'], queryHash: expect.any(String) });
    expect(JSON.stringify(entries)).not.toMatch(/passed|true|false/);
  });
});
