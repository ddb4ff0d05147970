/** Tokens, codes and secrets are not in the store, in error responses or in logged failures (V7, S96, S198). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  AS_CONFIDENTIAL,
  approve,
  begin,
  CONFIDENTIAL,
  logIn,
  postJson,
  redemption,
  refresh,
  type Tokens,
} from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeAll(async () => {
  started = await startService();
});

afterAll(() => started.stop());

// V7, S96
it('after a complete flow, no token, code or secret is in the store, an error response or a logged failure', async () => {
  const pending = await begin(started);
  const code = await approve(started, pending);
  const first = (await (await postJson(started, '/oauth/token', redemption(pending, code))).json()) as Tokens;
  const second = (await (await refresh(started, first.refresh_token)).json()) as Tokens;
  const confidential = await logIn(started, AS_CONFIDENTIAL);
  const [cookie = ''] = pending.cookie.split('=').slice(-1);
  const secrets = [
    code,
    pending.verifier,
    cookie,
    CONFIDENTIAL.secret,
    ...[first, second, confidential].flatMap((tokens) => [
      tokens.access_token,
      tokens.refresh_token,
      tokens.id_token ?? '',
    ]),
  ];
  expect(secrets.every((secret) => secret.length > 30)).toBe(true);

  const refusals = await Promise.all([
    postJson(started, '/oauth/token', redemption(pending, code, { code_verifier: 'v'.repeat(43) })),
    postJson(started, '/oauth/token', redemption(pending, code, { client_secret: CONFIDENTIAL.secret })),
    refresh(started, first.access_token),
    postJson(started, '/oauth/introspect', { token: second.access_token }),
    postJson(
      started,
      '/queries/evaluate',
      { query: code },
      { Authorization: `Bearer ${second.access_token}` },
    ),
    fetch(`${started.url}/oauth/authorize?client_id=${code}&redirect_uri=${first.access_token}`),
  ]);
  const refusalTexts = await Promise.all(
    refusals.map(async (response) => `${[...response.headers]}\n${await response.text()}`),
  );
  expect(refusals.every(({ status }) => status >= 400)).toBe(true);

  const contents = await started.contents();
  expect(contents).toContain('sandbox-confidential');
  const searched = [contents, ...refusalTexts, JSON.stringify(started.failures)];
  for (const secret of secrets) expect(searched.some((text) => text.includes(secret))).toBe(false);
});
