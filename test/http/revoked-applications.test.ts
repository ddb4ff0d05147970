/** Revoked applications, and rows that the service itself never writes (S76, S86, S132, S187). */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  approve,
  authorizationQuery,
  authorize,
  begin,
  isTokenValid,
  logIn,
  PUBLIC,
  postJson,
  redemption,
  refresh,
} from '../support/oauth-client.js';
import { type StartedService, startService } from '../support/start-service.js';

let started: StartedService;

beforeEach(async () => {
  started = await startService();
});

afterEach(async () => {
  await started.stop();
});

async function revokeApplication(): Promise<void> {
  await started.runSql(`UPDATE application SET revoked_at = 1 WHERE client_id = '${PUBLIC.clientId}'`);
}

describe('a revoked application', () => {
  // S45, S76, S89, S132
  it('loses all its tokens at once, and gets no new ones', async () => {
    const tokens = await logIn(started);
    const [pending, approved] = [await begin(started), await begin(started)];
    const code = await approve(started, approved);
    await revokeApplication();
    expect(await isTokenValid(started, tokens.access_token)).toBe(false);
    expect((await refresh(started, tokens.refresh_token)).status).toBe(401);
    expect((await postJson(started, '/oauth/token', redemption(approved, code))).status).toBe(401);
    expect((await authorize(started, authorizationQuery())).status).toBe(400);
    const refused = await postJson(started, '/oauth/authorize/approve', {
      authorization_id: pending.authorizationId,
    });
    expect([refused.status, await refused.json()]).toMatchObject([401, { error_code: 'E4006' }]);
  });
});

describe('the schema rejects', () => {
  const insert = (columns: Readonly<Record<string, string | number | null>>) => {
    const row = {
      id: 'x',
      client_id: PUBLIC.clientId,
      status: 'pending_admin',
      redirect_uri: 'x',
      requested_scopes: '[]',
      created_at: 1,
      request_expires_at: 1,
      updated_at: 1,
      ...columns,
    };
    const values = Object.values(row).map((value) => (typeof value === 'string' ? `'${value}'` : value));
    return started.runSql(`INSERT INTO authorization_record (${Object.keys(row)}) VALUES (${values})`);
  };

  // S187
  it.each([
    // S86
    ['a code without a challenge', { code_hash: 'h'.repeat(43), code_expires_at: 1 }],
    ['a code without expiry', { code_hash: 'h'.repeat(43), code_challenge: 'c'.repeat(43) }],
    ['a malformed hash', { code_hash: 'h', code_challenge: 'c'.repeat(43), code_expires_at: 1 }],
    // V3
    ['an unknown status', { status: 'granted' }],
    ['an approval without a person', { status: 'approved', granted_scopes: '[]' }],
    ['a consumed authorization without granted scopes', { status: 'consumed', person_id: 'person-ada' }],
    ['an unknown application', { client_id: 'nobody' }],
  ])('%s', async (_what, columns) => {
    await expect(insert(columns)).rejects.toThrow();
    await insert({});
  });

  // S187
  it('a second active generation of a family', async () => {
    await logIn(started);
    const copy = (generation: number) =>
      started.runSql(
        `INSERT INTO refresh_token SELECT '${'x'.repeat(42)}${generation}', authorization_id, family_id, ${generation}, issued_at, expires_at, rotated_at, revoked_at, jkt FROM refresh_token`,
      );
    await expect(copy(1)).rejects.toThrow(/unique/i);
    await expect(copy(2)).rejects.toThrow(/unique/i);
  });
});
