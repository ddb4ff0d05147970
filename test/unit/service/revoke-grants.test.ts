/** Revocation of grants by an operator while requests are in progress (S405). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { revokeGrants, type Store } from '../../../src/service/index.js';
import { openSqliteStore } from '../../../src/stores/sqlite/index.js';

const AT = Date.UTC(2026, 5, 1);
const TOKEN_HASH = 't'.repeat(43);
const KEY = { userId: 'ada', clientId: 'shop' };

let folder: string;
let store: Store;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proviso-revocation-'));
  store = await openSqliteStore(join(folder, 'store.sqlite'));
  const application = { clientId: 'shop', name: 'Shop', organizationId: 'o', redirectUris: [] };
  await store.seedOnce({
    applications: [{ ...application, scopes: ['openid'], idTokenAlgorithm: 'ES256', createdAt: AT }],
    people: [{ person: { id: 'ada', name: 'ada', about: '' }, credentials: [] }],
  });
});

afterAll(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

// S405
it('a grant that its person restores while an operator revokes all grants is revoked for good', async () => {
  const subject = { sector: 'o', hash: 'ada-at-o' };
  const token = { tokenHash: TOKEN_HASH, scopes: ['openid'], issuedAt: AT, expiresAt: AT + 3_600_000 };
  await store.recordDirectGrant({ ...KEY, authorizationId: 'a', subject, scopes: ['openid'], token });
  expect(await store.withdrawGrants({ ...KEY, at: AT, until: AT + 60_000 })).toBe(1);
  const restoring: Store = {
    ...store,
    listGrants: async (query) => {
      if (query.status === 'revoked') expect(await store.restoreGrants(KEY, AT)).toBe(1);
      return await store.listGrants(query);
    },
  };
  const revoked = await revokeGrants({}, { store: restoring, clock: { now: () => AT } });
  expect(revoked).toEqual({ grants: 1, people: 1 });
  expect(await store.restoreGrants(KEY, AT)).toBe(0);
  expect((await store.findAccessToken(TOKEN_HASH))?.revoked).toBe(true);
});

// S405
it('each grant is revoked by one call of the store, although it is listed again as a grant that ended just now', async () => {
  const subject = { sector: 'o', hash: 'ada-at-o' };
  const token = { scopes: ['openid'], issuedAt: AT, expiresAt: AT + 3_600_000 };
  for (const id of ['b', 'c'])
    await store.recordDirectGrant({
      ...KEY,
      authorizationId: id,
      subject,
      scopes: ['openid'],
      token: { ...token, tokenHash: id.repeat(43) },
    });
  const calls: string[] = [];
  const counting: Store = {
    ...store,
    revokeAuthorization: async (id, ...rest) => {
      calls.push(id);
      return await store.revokeAuthorization(id, ...rest);
    },
  };
  const revoked = await revokeGrants({ clientId: 'shop' }, { store: counting, clock: { now: () => AT + 1 } });
  expect(revoked).toEqual({ grants: 2, people: 0 });
  expect(calls.filter((id) => id !== 'a')).toEqual(['b', 'c']);
});
