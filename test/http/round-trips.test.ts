/** The number of statements that a request sends to the database: on PostgreSQL, each is a round trip. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { postgresPlans, type StatementCapture, sqlitePlans } from '../contracts/query-plans.js';
import {
  AS_CONFIDENTIAL,
  begin,
  CONFIDENTIAL,
  postJson,
  redemption,
  refresh,
  type Tokens,
} from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

const onPostgres = process.env['PROVISO_TEST_STORE'] === 'postgres';
const CLIENT = { client_id: CONFIDENTIAL.clientId, client_secret: CONFIDENTIAL.secret };

let capture: StatementCapture;
let started: StartedService;

beforeAll(async () => {
  // The capture must start before the store prepares its statements.
  capture = (onPostgres ? postgresPlans('') : sqlitePlans('')).capture();
  started = await startService();
});

afterAll(async () => {
  capture.stop();
  await started.stop();
});

/** Sends a request. Returns the response and the statements, without pragmas and those of the rate limits, which all instances share. */
async function statementsOf(
  request: () => Promise<Response>,
): Promise<readonly [Response, readonly string[]]> {
  const before = capture.sent().length;
  const response = await request();
  expect(response.status).toBe(200);
  const sent = capture.sent().slice(before);
  return [response, sent.filter((text) => !text.includes('"rate_limit"') && !text.startsWith('PRAGMA'))];
}

it('each endpoint that issues or revokes tokens sends few statements, and reads no row twice', async () => {
  const counts: Record<string, number> = {};
  const count = async (name: string, request: () => Promise<Response>) => {
    const [response, statements] = await statementsOf(request);
    counts[name] = statements.length;
    expect(new Set(statements).size, `${name}: ${statements.join('; ')}`).toBe(statements.length);
    return (await response.json()) as Tokens & { readonly code: string };
  };
  const logIn = async (suffix: string, changes = {}) => {
    const pending = await begin(started, { ...AS_CONFIDENTIAL, scope: 'openid identity:read', ...changes });
    const { code } = await count(`approve${suffix}`, () =>
      postJson(started, '/oauth/authorize/approve', { authorization_id: pending.authorizationId }),
    );
    return await count(`exchange${suffix}`, () =>
      postJson(started, '/oauth/token', redemption(pending, code, CLIENT)),
    );
  };
  // The first ID token reads the signing keys.
  await logIn(', first');
  const { refresh_token: token } = await logIn('', { login_hint: 'ada@example.org' });
  const { access_token: access, refresh_token: next } = await count('refresh', () =>
    refresh(started, token, CLIENT),
  );
  await count('user-token', () =>
    postJson(started, '/oauth/client/user-token', { ...CLIENT, email: 'ada@example.org' }),
  );
  await count('revoke an access token', () =>
    postJson(started, '/oauth/revoke', { ...CLIENT, token: access }),
  );
  await count('revoke a refresh token', () => postJson(started, '/oauth/revoke', { ...CLIENT, token: next }));
  expect(counts).toEqual(
    onPostgres
      ? {
          'approve, first': 3,
          'exchange, first': 3,
          approve: 3,
          exchange: 2,
          refresh: 3,
          'user-token': 3,
          'revoke an access token': 2,
          'revoke a refresh token': 2,
        }
      : {
          // A transaction of SQLite takes two statements more, and no round trips.
          'approve, first': 5,
          'exchange, first': 7,
          approve: 5,
          exchange: 6,
          refresh: 8,
          'user-token': 6,
          'revoke an access token': 5,
          'revoke a refresh token': 6,
        },
  );
});
