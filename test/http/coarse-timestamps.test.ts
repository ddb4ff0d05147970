/** Timestamps of credentials are rounded down for organizations, and incremental lists still return every change (V5). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SANDBOX_ADMINISTRATOR_TOKEN } from '../../src/service/index.js';
import { call, ingest } from '../support/call.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';

const HOUR_MS = 3_600_000;
/** 15:12:34.321 on the day of the test clock. */
const INGESTED_AT = STARTED_AT + 3 * HOUR_MS + 754_321;
const SCOPES = ['data.read', 'identity:read', 'kyc:read'];
const QUERY = { query: { check: { claim: 'kyc.passed', operator: 'isDefined' } } };

describe.each([
  [86_400, '2026-06-01T00:00:00.000Z', '2025-04-05T00:00:00.000Z', '2031-07-08T00:00:00.000Z'],
  [3_600, '2026-06-01T15:00:00.000Z', '2025-04-05T06:00:00.000Z', '2031-07-08T09:00:00.000Z'],
])('with a timestamp granularity of %d seconds', (timestampGranularitySeconds, changed, issued, expires) => {
  let started: StartedService;
  let token: string;

  beforeAll(async () => {
    started = await startService({ settings: { timestampGranularitySeconds } });
    started.clock.moveTo(INGESTED_AT);
    for (const id of ['coarse-1', 'coarse-2']) {
      await ingest(started, 'grace', {
        id,
        issuedAt: '2025-04-05T06:07:08.901Z',
        expiresAt: '2031-07-08T09:10:11.123Z',
        claims: { 'kyc.passed': true },
      });
    }
    token = await started.token('grace', ...SCOPES);
  });

  afterAll(() => started.stop());

  const list = async (query = '') => (await call(started, `/credentials${query}`, token)).body;
  const since = (at: number) => `?updated_since=${encodeURIComponent(new Date(at).toISOString())}`;
  const expiresAt = async () => (await call(started, '/queries/evaluate', token, QUERY)).body.expiresAt;

  it('the timestamps in a list of credentials and in its cursors are rounded', async () => {
    const { items, last_modified, next_cursor } = await list(`${since(INGESTED_AT)}&limit=1`);
    expect(items[0]).toMatchObject({ issued_at: issued, updated_at: changed, expires_at: expires });
    expect(last_modified).toBe(changed);
    expect(next_cursor.split('.')[0]).toBe(String(Date.parse(changed)));
  });

  it('the timestamps of a preset and of a query result are rounded', async () => {
    const { body } = await call(started, '/presets/kyc_passed', token);
    expect([body.verified_at, body.expires_at, await expiresAt()]).toEqual([issued, expires, expires]);
  });

  it('`updated_since` is rounded too: earlier changes in the same interval are listed again', async () => {
    const end = Date.parse(changed) + timestampGranularitySeconds * 1_000;
    const countChanged = (page: { items: { updated_at: string }[] }) =>
      page.items.filter(({ updated_at }) => updated_at === changed).length;
    expect([countChanged(await list(since(INGESTED_AT))), countChanged(await list(since(end - 1)))]).toEqual([
      2, 2,
    ]);
    expect(countChanged(await list(since(end)))).toBe(0);
  });

  it('an imminent expiry is rounded more finely, to a future instant that is never later than the real one', async () => {
    const real = Date.parse('2031-07-08T09:10:11.123Z');
    started.clock.moveTo(real - 5 * 60_000);
    token = await started.token('grace', ...SCOPES);
    const imminent = await expiresAt();
    expect(imminent).toBe('2031-07-08T09:10:00.000Z');
    expect((await list()).items.map(({ expires_at }: { expires_at: string }) => expires_at)).toContain(
      imminent,
    );
    started.clock.moveTo(real - 2_000);
    expect(await expiresAt()).toBe('2031-07-08T09:10:11.000Z');
    started.clock.moveTo(real);
    const { items } = await list();
    expect(items.map(({ expires_at }: { expires_at?: string }) => expires_at)).toContain(expires);
  });

  it('a revocation is listed to clients that pass their last known change as `updated_since`', async () => {
    started.clock.moveTo(INGESTED_AT + 20 * 60_000);
    token = await started.token('grace', ...SCOPES);
    const { last_modified } = await list();
    await call(started, '/credentials/coarse-1', SANDBOX_ADMINISTRATOR_TOKEN, undefined, 'DELETE');
    const { items } = await list(since(Date.parse(last_modified)));
    const revoked = items.filter(({ status }: { status: string }) => status === 'revoked');
    expect(revoked).toHaveLength(1);
    expect([revoked[0].revoked_at, revoked[0].updated_at]).toEqual([changed, changed]);
  });
});
