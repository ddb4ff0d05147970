/** A service whose operator turned sign-ins off (S406). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROUTES } from '../../src/http/routes/catalogue.js';
import { call } from '../support/call.js';
import { authorizationQuery, isTokenValid, postJson } from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService({ listener: { signInsOff: true } });
});

afterAll(() => started.stop());

// S406
it('while sign-ins are off, every endpoint and page of sign-in and approval returns 503, and no failure is reported', async () => {
  const { origin } = new URL(started.url);
  const affected = ROUTES.filter(({ grantsAccess }) => grantsAccess === true);
  expect(affected.map(({ path }) => path)).toEqual([
    '/v2/oauth/authorize',
    '/v2/oauth/authorize/approve',
    '/v2/oauth/par',
    '/consent',
    '/sign-in',
    '/sign-in/return',
    expect.stringMatching(/^\/sign-in\//),
  ]);
  for (const { path, operations } of affected)
    for (const method of Object.keys(operations)) {
      const response = await fetch(`${origin}${path}`, { method, redirect: 'manual' });
      expect([path, method, response.status, response.headers.get('retry-after')]).toEqual([
        path,
        method,
        503,
        '1',
      ]);
    }
  expect(started.failures).toEqual([]);
});

// S406
it('while sign-ins are off, tokens are valid, queries are answered, and a pending request can be denied', async () => {
  const token = await started.token('ada', 'openid', 'kyc:read');
  expect(await isTokenValid(started, token)).toBe(true);
  const query = { check: { claim: 'kyc.passed', operator: '==', value: true } };
  expect((await call(started, '/queries/evaluate', token, { query })).status).toBe(200);
  // Begun before sign-ins were turned off.
  const parameters = new Map(new URLSearchParams(authorizationQuery()));
  const outcome = await started.service.authorizations.request(parameters, 'browser');
  const id = outcome.kind === 'pending' ? outcome.authorization.id : '';
  expect((await postJson(started, '/oauth/authorize/deny', { authorization_id: id })).status).toBe(200);
  expect((await started.service.authorizations.get(id)).authorization.status).toBe('denied');
});
