/** Hostile patterns, and names of `Object.prototype` members wherever a name is looked up (S37, S45, S54, S129, S142, S155–S157, S159–S161). */
import { beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { call } from '../support/call.js';
import { useHostileInputService } from '../support/hostile-input-service.js';
import { PROTOTYPE_NAMES } from '../support/hostile-strings.js';
import { authorizationQuery, CONFIDENTIAL } from '../support/oauth-client.js';
import type { StartedService } from '../support/start-service.js';

const JSON_TYPE = 'application/json';

let started: StartedService;
let token: string;
const service = useHostileInputService();

beforeAll(() => {
  ({ started, token } = service());
});

describe('a query', () => {
  const evaluate = (query: unknown, accessToken = token) =>
    call(started, '/queries/evaluate', accessToken, { query });
  const pattern = (value: string) =>
    evaluate({ check: { claim: 'identity.legal_name', operator: 'matchRegex', value } });

  // S156, S157
  it.each(['(a+)+$', '(a|a)*$', '(a|aa)+$', '(.*a){20}', '(a*)*b', '^(a?){50}a{50}$', '(a+a+)+y'])(
    'with the pattern %s is evaluated on 4,000 letters that make backtracking slow, or rejected as too large',
    async (value) => {
      const { status, body } = await pattern(value);
      expect(status === 200 ? body.type : body.error_code).toBe(status === 200 ? 'predicate' : 'E4002');
    },
  );

  // S155, S159
  it.each([
    ['a{1000}', 'E4002'],
    ['(\\pL{50}){20}', 'E4002'],
    ['(?:(?:(?:a{0,100}){0,10}){0,1})', 'E4002'],
    ['(?:(?:a{0,100}){0,100}){0,100}', 'E4001'],
    ['x'.repeat(513), 'E4002'],
    ['('.repeat(500), 'E4001'],
    ['(a)\\1', 'E4001'],
    ['(?=a)', 'E4001'],
    ['(?<!a)b', 'E4001'],
    ['(?>a+)', 'E4001'],
    ['a++', 'E4001'],
    ['[z-a]', 'E4001'],
    ['[[:nope:]]', 'E4001'],
    ['\\p{Nope}', 'E4001'],
    ['a{2,1}', 'E4001'],
    ['*', 'E4001'],
    ['\\', 'E4001'],
  ])('with the pattern %s is rejected', async (value, code) => {
    const { status, body } = await pattern(value);
    expect([status, body.error_code]).toEqual([400, code]);
  });

  // S160, S161
  it.each(PROTOTYPE_NAMES)('for the claim identity.%s finds no member of Object.prototype', async (name) => {
    // The names of a claim path begin with a letter.
    const isMalformed = name.startsWith('_');
    const unknown = await evaluate({ check: { claim: `identity.${name}`, operator: 'isDefined' } });
    expect([unknown.status, unknown.body.error_code]).toEqual(isMalformed ? [400, 'E4001'] : [403, 'E4003']);
    const negated = await evaluate({
      policy: { not: { claim: `kyc.level.${name}`, operator: 'isDefined' } },
    });
    expect([negated.status, negated.body]).toMatchObject(
      isMalformed ? [400, { error_code: 'E4001' }] : [200, { passed: true, evidence: { claimsUsed: [] } }],
    );
    const full = await started.token('ada', 'identity:address_full');
    const member = `identity.address_full.${name}`;
    const plucked = await evaluate({ projections: [{ claim: member, lens: 'pluck' }] }, full);
    expect([plucked.status, plucked.body]).toMatchObject(
      isMalformed ? [400, { error_code: 'E4001' }] : [200, { data: { [member]: null } }],
    );
    for (const members of [
      `"claim":"kyc.level","operator":"${name}"`,
      `"claim":"${name}","operator":"isDefined"`,
    ]) {
      const response = await fetch(`${started.url}/queries/evaluate`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${token}`, 'Content-Type': JSON_TYPE },
        body: `{"query":{"check":{${members}}}}`,
      });
      expect([response.status, ((await response.json()) as { error_code: string }).error_code]).toEqual([
        400,
        'E4001',
      ]);
    }
  });

  // S37
  it.each(PROTOTYPE_NAMES)('compares an operand that has a member %s like other operands', async (name) => {
    const text = `{"query":{"check":{"claim":"identity.address_full","operator":"==","value":{"${name}":{"polluted":true}}}}}`;
    const full = await started.token('ada', 'identity:address_full');
    const response = await fetch(`${started.url}/queries/evaluate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${full}`, 'Content-Type': JSON_TYPE },
      body: text,
    });
    const body = await response.text();
    expect([response.status, JSON.parse(body)]).toMatchObject([200, { passed: false }]);
    expect(body).toContain(`"expectedValue":{"${name}":{"polluted":true}}`);
  });
});

describe('a name of an Object.prototype member', () => {
  // S142
  it.each([...PROTOTYPE_NAMES, '%5f%5fproto__'])('does not name a preset: %s', async (name) => {
    const single = await call(started, `/presets/${name}`, token);
    expect([single.status, single.body.error_code]).toEqual([404, 'E4044']);
    const batch = await call(started, '/presets/batch', token, { presets: [name, 'kyc_level'] });
    expect([batch.status, batch.body.results.length, batch.body.errors.length]).toEqual([200, 1, 1]);
  });

  // S45, S54, S129
  it.each(PROTOTYPE_NAMES)(
    'does not name an application, scope, person, credential or file: %s',
    async (name) => {
      const asClient = await fetch(
        `${started.url}/oauth/authorize?${authorizationQuery({ client_id: name })}`,
      );
      expect(asClient.status).toBe(400);
      const asScope = await fetch(`${started.url}/oauth/authorize?${authorizationQuery({ scope: name })}`, {
        redirect: 'manual',
      });
      expect(asScope.headers.get('location')).toContain('error=invalid_scope');
      const selector = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };
      const asType = await call(started, '/oauth/client/user-token', undefined, {
        ...selector,
        identifier: `${name}|x`,
      });
      expect([asType.status, asType.body.error_code]).toEqual([400, 'E4000']);
      const asPerson = await call(started, '/oauth/client/user-token', undefined, {
        ...selector,
        identifier: `id|${name}`,
      });
      expect([asPerson.status, asPerson.body.error_code]).toEqual([404, 'E4046']);
      const asCredential = await call(
        started,
        `/credentials/${name}`,
        SANDBOX_ADMINISTRATOR_TOKEN,
        undefined,
        'DELETE',
      );
      expect([asCredential.status, asCredential.body.error_code]).toEqual([404, 'E4011']);
      expect((await fetch(`${new URL(started.url).origin}/assets/${name}`)).status).toBe(404);
    },
  );

  // S160
  it.each(PROTOTYPE_NAMES)('does not name a claim that can be ingested: %s', async (name) => {
    for (const [claim, code] of [
      [`identity.${name}`, name.startsWith('_') ? 'claim_path_malformed' : 'claim_unknown'],
      [name, 'claim_path_malformed'],
    ]) {
      const response = await fetch(`${started.url}/credentials`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${SANDBOX_ADMINISTRATOR_TOKEN}`, 'Content-Type': JSON_TYPE },
        body: `{"identifier":"id|ada","credential":{"id":"p","source":"R","issuedAt":"2020-01-01T00:00:00Z","claims":{"${claim}":1}}}`,
      });
      const pointer = `/credential/claims/${claim}`;
      expect([response.status, await response.json()]).toMatchObject([
        400,
        { context: { problems: [{ code, pointer }] } },
      ]);
    }
  });
});
