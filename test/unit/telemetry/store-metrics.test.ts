/** Metrics of a real store: operations, failures, tokens, grants, and the read cache (S388). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Store, StoreUnavailable } from '../../../src/service/index.js';
import type { Redemption } from '../../../src/service/ports/store/authorization-store.js';
import { openSqliteStore } from '../../../src/stores/sqlite/index.js';
import { createServiceMetrics, type ServiceMetrics } from '../../../src/telemetry/service-metrics.js';

const GRANT = {
  authorizationId: 'a1',
  clientId: 'c',
  userId: 'p',
  subject: { sector: 's', hash: 'h' },
  scopes: ['openid'],
  token: { tokenHash: 't'.padEnd(43, '_'), scopes: ['openid'], issuedAt: 1, expiresAt: 9_000_000_000_000 },
};
const GRANT_KEY = { userId: 'p', clientId: 'c' };

let folder: string;
let metrics: ServiceMetrics;
let store: Store;
/** The time of the clock that measures durations, in milliseconds; each read adds 2. */
let now: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'proviso-store-metrics-'));
  now = 0;
  metrics = createServiceMetrics(() => {
    now += 2;
    return now;
  });
  store = await openSqliteStore(join(folder, 'store.sqlite'), { observer: metrics.store });
  const application = { clientId: 'c', name: 'C', organizationId: 'o', redirectUris: [], scopes: ['openid'] };
  await store.seedOnce({
    applications: [{ ...application, idTokenAlgorithm: 'ES256', createdAt: 1 }],
    people: [{ person: { id: 'p', name: 'p', about: '' }, credentials: [] }],
  });
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

/** The samples of metrics whose names and labels match a pattern. */
async function samplesOf(pattern: RegExp): Promise<readonly string[]> {
  const { text } = await metrics.read();
  return text.split('\n').filter((line) => !line.startsWith('#') && pattern.test(line));
}

it('operations of the store are counted and timed by name, and failed ones are counted', async () => {
  await store.recordDirectGrant(GRANT);
  await expect(store.recordDirectGrant(GRANT)).rejects.toThrow(StoreUnavailable);
  expect(await samplesOf(/_seconds_(?:count|sum).*operation="recordDirectGrant"/)).toEqual([
    'proviso_store_operation_seconds_sum{operation="recordDirectGrant"} 0.004',
    'proviso_store_operation_seconds_count{operation="recordDirectGrant"} 2',
  ]);
  expect(await samplesOf(/^proviso_store_failures_total/)).toEqual([
    'proviso_store_failures_total{operation="recordDirectGrant"} 1',
  ]);
});

it('a read that the cache returns counts as a hit, and not as an operation on the database', async () => {
  await store.recordDirectGrant(GRANT);
  for (let read = 0; read < 3; read += 1) await store.findAccessToken(GRANT.token.tokenHash);
  await store.withdrawGrants({ ...GRANT_KEY, until: 100, at: 10 });
  await store.findAccessToken(GRANT.token.tokenHash);
  expect(await samplesOf(/^proviso_read_cache_\w+_total/)).toEqual([
    'proviso_read_cache_hits_total 2',
    'proviso_read_cache_misses_total 2',
    'proviso_read_cache_evictions_total 1',
  ]);
  const [bytes = ''] = await samplesOf(/^proviso_read_cache_bytes/);
  expect(Number(bytes.split(' ')[1])).toBeGreaterThan(512);
  expect(await samplesOf(/_count\{operation="findAccessToken"/)).toEqual([
    'proviso_store_operation_seconds_count{operation="findAccessToken"} 2',
  ]);
});

it('issued and revoked tokens, and created, ended and restored grants are counted', async () => {
  await store.recordDirectGrant(GRANT);
  const token = { ...GRANT.token, tokenHash: 'u'.padEnd(43, '_') };
  expect(await store.recordAccessToken('a1', token)).toBe(true);
  expect(await store.recordAccessToken('unknown', { ...token, tokenHash: 'v'.padEnd(43, '_') })).toBe(false);
  await store.withdrawGrants({ ...GRANT_KEY, until: 100, at: 10 });
  expect(await store.restoreGrants(GRANT_KEY, 20)).toBe(1);
  const revocation = { tokenHashes: [token.tokenHash], clientId: 'c', at: 30 };
  await store.revokeTokens({ ...revocation, cascade: false });
  await store.revokeTokens({ ...revocation, authorizationId: 'a1', cascade: false });
  await store.revokeAuthorization('a1', 40, 'scopes_withdrawn');
  expect(await samplesOf(/^proviso_(?:tokens|grants)_/)).toEqual([
    'proviso_tokens_issued_total{grant_type="sandbox"} 1',
    'proviso_tokens_issued_total{grant_type="client_user_token"} 1',
    'proviso_tokens_revoked_total{token_type="access_token"} 1',
    'proviso_grants_created_total 1',
    'proviso_grants_ended_total{cause="withdrawn"} 1',
    'proviso_grants_ended_total{cause="revoked"} 1',
    'proviso_grants_restored_total 1',
  ]);
});

it('the tokens of a code are counted only if they have scopes or conditions, since others are not returned', async () => {
  const condition = { query: 'q', purpose: 'p' };
  const redeem = async (id: string, allowed: Partial<Redemption>) => {
    const hash = (name: string) => `${id}-${name}`.padEnd(43, '_');
    const lifetime = { issuedAt: 10, expiresAt: 9_000_000_000_000 };
    const parties = { clientId: 'c', redirectUri: 'https://c.example/cb', codeChallenge: hash('challenge') };
    await store.createAuthorization({
      ...parties,
      id,
      status: 'pending_admin',
      requestedScopes: ['openid'],
      requestedConditions: [condition],
      browserHash: hash('browser'),
      createdAt: 10,
      requestExpiresAt: 1_000,
      updatedAt: 10,
    });
    const code = { codeHash: hash('code'), at: 10 };
    const granted = { scopes: ['openid'], conditions: [condition] };
    const holder = { userId: 'p', subject: { sector: 's', hash: 'h' } };
    await store.approveAuthorization({
      ...{ ...code, ...granted, ...holder },
      ...{ authorizationId: id, codeExpiresAt: 500 },
    });
    return await store.redeemCode({
      ...{ ...code, ...parties, ...allowed },
      accessToken: { tokenHash: hash('access'), ...lifetime },
      refreshToken: { tokenHash: hash('refresh'), familyId: hash('family'), ...lifetime },
    });
  };
  expect(await redeem('scopes', {})).toMatchObject({ scopes: ['openid'] });
  expect(await redeem('conditions', { allowedScopes: [], allowsConditions: true })).toMatchObject({
    scopes: [],
    conditions: [condition],
  });
  expect(await redeem('none', { allowedScopes: [] })).toMatchObject({ scopes: [] });
  expect(await samplesOf(/^proviso_tokens_issued_total/)).toEqual([
    'proviso_tokens_issued_total{grant_type="authorization_code"} 2',
  ]);
});

it('removed records, a backlog and failures of the sweeper are reported', async () => {
  const none = { tokens: 0, transient: 0, learned: 0, grants: 0, credentials: 0, audit: 0 };
  metrics.recordSweep({ removed: { ...none, tokens: 200, audit: 3 }, isBacklog: true, at: 1_500 });
  expect(await samplesOf(/^proviso_sweeper_backlog/)).toEqual(['proviso_sweeper_backlog 1']);
  metrics.recordSweep({ removed: { ...none, tokens: 7 }, isBacklog: false, at: 2_500 });
  metrics.recordSweepFailure();
  expect(await samplesOf(/^proviso_sweeper_/)).toEqual([
    'proviso_sweeper_removed_total{kind="tokens"} 207',
    'proviso_sweeper_removed_total{kind="transient"} 0',
    'proviso_sweeper_removed_total{kind="learned"} 0',
    'proviso_sweeper_removed_total{kind="grants"} 0',
    'proviso_sweeper_removed_total{kind="credentials"} 0',
    'proviso_sweeper_removed_total{kind="audit"} 3',
    'proviso_sweeper_failures_total 1',
    'proviso_sweeper_backlog 0',
    'proviso_sweeper_last_success_timestamp_seconds 2.5',
  ]);
});
