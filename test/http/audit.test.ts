/** Entries of the audit log of a running service, and what they never contain (S198, S199, L25). */
import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canonicalText } from '../../src/index.js';
import {
  AUDIT_KINDS,
  type AuditRecord,
  SANDBOX_ADMINISTRATOR_TOKEN,
  type Store,
  StoreUnavailable,
} from '../../src/service/index.js';
import { call, ingest } from '../support/call.js';
import { createGrantWithSecrets } from '../support/grant-with-secrets.js';
import {
  AS_CONFIDENTIAL,
  approve,
  begin,
  CONFIDENTIAL,
  logIn,
  PUBLIC,
  postJson,
  redemption,
  refresh,
  type Tokens,
} from '../support/oauth-client.js';
import { STARTED_AT, type StartedService, startService } from '../support/start-service.js';
import { parse } from '../support/with-re2js.js';

const KYC_IS_ENHANCED = { check: { claim: 'kyc.level', operator: '==', value: 'enhanced' } };

let started: StartedService;
let broken: boolean;
let batches: number;

beforeEach(async () => {
  broken = false;
  batches = 0;
  const failWhenBroken = (store: Store): Store => ({
    ...store,
    recordAudit: async (entries) => {
      batches += 1;
      if (broken) throw new StoreUnavailable('no room');
      await store.recordAudit(entries);
    },
  });
  started = await startService({ store: { audit: true }, wrap: failWhenBroken });
});

afterEach(() => started.stop());

const entries = () => started.store.listAudit({ limit: 1_000 });

/** Returns a function that lists the entries since its last call, each as kind, subject and reason. */
function createEntryReader() {
  let lastPosition = 0;
  return async () => {
    const all = await entries();
    const fresh = all.filter(({ position }) => position > lastPosition);
    lastPosition = Math.max(lastPosition, ...all.map(({ position }) => position));
    return fresh.map(({ kind, about, reason }) => [kind, about, reason].filter(Boolean).join(' '));
  };
}

const lastEntry = async (): Promise<AuditRecord | undefined> => (await entries()).at(-1);

function hashOf(query: unknown): string {
  return createHash('sha256')
    .update(canonicalText(parse(query)))
    .digest('base64url');
}

describe('the audit log', () => {
  it('records the life of a grant: approval, token, refresh, replay, revocation', async () => {
    const newEntries = createEntryReader();
    await newEntries();
    const pending = await begin(started);
    const code = await approve(started, pending, ['kyc:read']);
    const tokens = (await (
      await postJson(started, '/oauth/token', redemption(pending, code))
    ).json()) as Tokens;
    expect(await newEntries()).toEqual(['authorization_granted', 'token_issued authorization_code']);
    expect(await lastEntry()).toMatchObject({
      at: STARTED_AT,
      clientId: PUBLIC.clientId,
      authorizationId: pending.authorizationId,
      scopes: ['kyc:read'],
    });
    const rotated = (await (await refresh(started, tokens.refresh_token)).json()) as Tokens;
    await refresh(started, tokens.refresh_token);
    expect(await newEntries()).toEqual([
      'token_refreshed',
      'token_replayed refresh_token',
      'grant_revoked refresh_token_replayed',
    ]);
    await postJson(started, '/oauth/revoke', { token: rotated.access_token });
    expect(await newEntries()).toEqual(['token_revoked access_token']);
    const denied = await begin(started);
    await postJson(started, '/oauth/authorize/deny', { authorization_id: denied.authorizationId });
    expect(await newEntries()).toEqual(['authorization_denied']);
  });

  it("records a person's withdrawal and restoration, and a token that an application fetched for that person", async () => {
    const newEntries = createEntryReader();
    const tokens = await logIn(started, AS_CONFIDENTIAL);
    await newEntries();
    const basic = Buffer.from(`${CONFIDENTIAL.clientId}:${CONFIDENTIAL.secret}`).toString('base64');
    const userTokenRequest = { user_id: tokens.app_scoped_user_id };
    const headers = { Authorization: `Basic ${basic}` };
    expect((await postJson(started, '/oauth/client/user-token', userTokenRequest, headers)).status).toBe(200);
    const { userId = '' } = (await lastEntry()) ?? {};
    await started.service.grants.withdraw(userId, CONFIDENTIAL.clientId);
    await started.service.grants.restore(userId, CONFIDENTIAL.clientId);
    expect(await newEntries()).toEqual([
      'token_issued client_user_token',
      'grant_revoked by_person',
      'grant_restored',
    ]);
  });

  // L25
  it('records each answered query by the hash of its canonical text and the claims in it', async () => {
    const token = await started.token('ada', 'kyc:read');
    await call(started, '/queries/evaluate', token, { query: KYC_IS_ENHANCED });
    const [ada] = await started.store.listPeople();
    expect(await lastEntry()).toMatchObject({
      at: STARTED_AT,
      kind: 'query_answered',
      clientId: PUBLIC.clientId,
      userId: ada?.id,
      claims: ['kyc.level'],
      queryHash: hashOf(KYC_IS_ENHANCED),
    });
    const spelled = `{"query": {"check": {"value": "enhanced", "operator": "==", "claim": "kyc.level"}}}`;
    await fetch(`${started.url}/queries/evaluate`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: spelled,
    });
    const [one, other] = (await entries()).slice(-2);
    expect(one?.queryHash).toBe(other?.queryHash);
  });

  it('never records the result: entries of two people with different results are equal', async () => {
    const shown = [];
    for (const person of ['ada', 'bruno']) {
      const token = await started.token(person, 'kyc:read');
      const { body } = await call(started, '/queries/evaluate', token, { query: KYC_IS_ENHANCED });
      shown.push(body.passed);
    }
    expect(new Set(shown).size).toBe(2);
    const bare = ({ position: _position, userId: _user, authorizationId: _id, ...entry }: AuditRecord) =>
      entry;
    const [one, other] = (await entries()).filter(({ kind }) => kind === 'query_answered').map(bare);
    expect(one).toEqual(other);
  });

  it('records queries that were rejected, for missing scopes and for other reasons', async () => {
    const token = await started.token('ada', 'openid');
    const newEntries = createEntryReader();
    await newEntries();
    await call(started, '/queries/evaluate', token, { query: KYC_IS_ENHANCED });
    expect(await lastEntry()).toMatchObject({ claims: ['kyc.level'], queryHash: hashOf(KYC_IS_ENHANCED) });
    await call(started, '/queries/evaluate', token, { query: { check: { claim: 'marker', operator: '?' } } });
    await call(started, '/queries/evaluate', token, { nothing: 'marker' });
    expect(await newEntries()).toEqual([
      'query_refused insufficient_scope',
      'query_refused invalid_query',
      'query_refused malformed_body',
    ]);
    expect((await lastEntry())?.queryHash).toBeUndefined();
  });

  // L25, S198
  it("records only the catalogue's part of a claim path, each claim once, for answered and for rejected queries", async () => {
    const token = await started.token('ada', 'kyc:read');
    const ask = async (...claims: string[]) => {
      const checks = claims.map((claim) => ({ check: { claim, operator: 'isDefined' } }));
      const query = { policy: { allOf: checks } };
      const { status } = await call(started, '/queries/evaluate', token, { query });
      const entry = await lastEntry();
      expect(entry?.queryHash).toBe(hashOf(query));
      return [status, entry?.claims];
    };
    expect(await ask('identity.ada_marker_123', 'own.marker', 'kyc.level.marker')).toEqual([
      403,
      ['kyc.level'],
    ]);
    expect(await ask('kyc.level.marker', 'kyc.level', 'kyc.level.other')).toEqual([200, ['kyc.level']]);
    expect(JSON.stringify(await entries())).not.toContain('marker');
  });

  it('records rejected requests for credentials, with the reason', async () => {
    const newEntries = createEntryReader();
    await newEntries();
    await call(started, '/credentials', await started.token('ada', 'kyc:read'));
    await call(started, '/credentials?cursor=marker', await started.token('ada', 'data.read'));
    const refusals = (await newEntries()).filter((words) => words.startsWith('credentials'));
    expect(refusals).toEqual([
      'credentials_refused insufficient_scope',
      'credentials_refused cursor_invalid',
    ]);
    expect(JSON.stringify(await entries())).not.toContain('marker');
  });

  it('records reads of presets, user information and credentials, and the reason of each refusal', async () => {
    const token = await started.token('ada', 'kyc:read', 'identity:read', 'data.read');
    const newEntries = createEntryReader();
    await newEntries();
    await call(started, '/presets/kyc_level', token);
    await call(started, '/presets/batch', token, { presets: ['kyc_level', 'marker', 'total_liabilities'] });
    expect(await newEntries()).toEqual([
      'preset_answered kyc_level',
      'preset_answered kyc_level',
      'preset_refused preset_not_found',
      'preset_refused total_liabilities insufficient_scope',
    ]);
    expect((await lastEntry())?.claims).toEqual(['financial.total_liabilities']);
    await call(started, '/userinfo', token);
    expect(await lastEntry()).toMatchObject({ kind: 'user_info_read' });
    await call(started, '/credentials', token);
    expect(await lastEntry()).toMatchObject({ kind: 'credentials_listed' });
    expect((await lastEntry())?.claims).toContain('kyc.level');
    expect((await lastEntry())?.claims).not.toContain('financial.total_liabilities');
  });

  it('records ingestion and revocation of credentials, new signing keys and requests for audiences', async () => {
    const newEntries = createEntryReader();
    expect(await newEntries()).toEqual([
      expect.stringMatching(/^signing_key_added \S+ ES256$/),
      expect.stringMatching(/^signing_key_added \S+ RS256$/),
    ]);
    await ingest(started, 'ada', { id: 'c-1', claims: { 'kyc.level': 'basic' } });
    expect(await lastEntry()).toMatchObject({ kind: 'credential_ingested', claims: ['kyc.level'] });
    await call(started, '/credentials/c-1', SANDBOX_ADMINISTRATOR_TOKEN, undefined, 'DELETE');
    const ask = (client_id: string, query: unknown) =>
      postJson(
        started,
        '/audiences/evaluate',
        { client_id, query },
        { Authorization: `Bearer ${SANDBOX_ADMINISTRATOR_TOKEN}` },
      ).then((response) => response.text());
    await ask(PUBLIC.clientId, KYC_IS_ENHANCED);
    expect(await lastEntry()).toMatchObject({
      clientId: PUBLIC.clientId,
      queryHash: hashOf(KYC_IS_ENHANCED),
    });
    await ask(PUBLIC.clientId, { check: { claim: '', operator: '?' } });
    await ask('marker', KYC_IS_ENHANCED);
    expect(await newEntries()).toEqual([
      'credential_ingested c-1',
      'credential_revoked c-1',
      'audience_evaluated',
      'audience_refused invalid_query',
    ]);
  });

  // S121
  it('records failed client authentication of known applications only', async () => {
    const newEntries = createEntryReader();
    await newEntries();
    const wrong = { client_id: CONFIDENTIAL.clientId, client_secret: 'marker', token: 'x' };
    await postJson(started, '/oauth/introspect', wrong);
    await expect.poll(newEntries).toEqual(['client_refused not_proven']);
    expect(await lastEntry()).toMatchObject({ clientId: CONFIDENTIAL.clientId });
    await postJson(started, '/oauth/introspect', { ...wrong, client_id: 'marker' });
    // Entries are recorded in order: an entry of the unknown application would precede the last entry.
    await postJson(started, '/oauth/introspect', wrong);
    const refusedClients = async () =>
      (await entries()).flatMap(({ kind, clientId }) => (kind === 'client_refused' ? [clientId] : []));
    await expect.poll(refusedClients).toEqual([CONFIDENTIAL.clientId, CONFIDENTIAL.clientId]);
  });
});

describe('an audited response', () => {
  // S191
  it('is sent only after its entry is recorded: the request fails if recording fails', async () => {
    const token = await started.token('ada', 'kyc:read', 'identity:read', 'data.read');
    const before = (await entries()).length;
    broken = true;
    const responses = [
      await call(started, '/queries/evaluate', token, { query: KYC_IS_ENHANCED }),
      await call(started, '/queries/evaluate', token, { query: {} }),
      await call(started, '/presets/kyc_level', token),
      await call(started, '/userinfo', token),
      await call(started, '/credentials', token),
    ];
    expect(responses.map(({ status }) => status)).toEqual([503, 503, 503, 503, 503]);
    expect(JSON.stringify(responses.map(({ body }) => body))).not.toContain('enhanced');
    expect(await entries()).toHaveLength(before);
  });

  it('shares a write: entries of one event-loop turn, or of the time of another write, are recorded together', async () => {
    const token = await started.token('ada', 'kyc:read');
    const grant = await started.service.tokens.authenticate(token);
    const { queries } = started.service;
    const query = queries.compile(KYC_IS_ENHANCED, JSON.stringify({ query: KYC_IS_ENHANCED }));
    const before = batches;
    await Promise.all(Array.from({ length: 50 }, () => queries.evaluate(query, grant)));
    // One write in SQLite. The reads of PostgreSQL end in several turns, and how many entries share a write depends on its speed.
    expect(batches - before).toBeLessThan(50);
    expect((await entries()).filter(({ kind }) => kind === 'query_answered')).toHaveLength(50);
  });
});

// S198
it('the log contains no claim value, operand, result, token, code, secret or text from a caller', async () => {
  const grant = await createGrantWithSecrets(started);
  const scopes = started.service.catalogue.scopes.scopes;
  const everything = await started.token('ada', ...scopes);
  for (const token of [grant.accessToken, everything]) {
    for (const value of ['enhanced', 'operand-marker'])
      await call(started, '/queries/evaluate', token, {
        query: { check: { claim: 'kyc.level', operator: '==', value } },
      });
    const all = started.service.catalogue.presets.map(({ name }) => name);
    await call(started, '/presets/batch', token, { presets: [...all.slice(0, 10), 'preset-marker'] });
    await call(started, '/presets/preset-marker', token);
    await call(started, '/userinfo', token);
    await call(started, '/credentials', token);
  }
  await ingest(started, 'ada', { id: 'c-1', claims: { 'identity.email': 'claim-marker@example.org' } });
  await call(started, '/userinfo', everything);
  await grant.redeemAgain({ client_secret: 'secret-marker' });
  await grant.redeemAgain();
  await grant.revoke();

  const log = await entries();
  const kinds = new Set(log.map(({ kind }) => kind));
  expect(kinds.size).toBeGreaterThan(Object.keys(AUDIT_KINDS).length / 2);
  const text = JSON.stringify(log);
  const people = await started.store.listPeople();
  const credentials = await Promise.all(people.map(({ id }) => started.store.readCredentials(id)));
  const values = credentials
    .flat()
    .flatMap(({ claims }) => Object.values(claims))
    .flatMap((value) => stringsIn(value))
    // Shorter values occur in any text by chance.
    .filter((value) => value.length > 4);
  expect(values.length).toBeGreaterThan(50);
  const secrets = [...grant.secrets, everything, SANDBOX_ADMINISTRATOR_TOKEN, '"passed"', 'true', 'false'];
  const hashes = secrets.map((one) => createHash('sha256').update(one).digest('base64url'));
  const found = [...values, ...secrets, ...hashes].filter((one) => one === '' || text.includes(one));
  expect(found).toEqual([]);
});

/** Returns the strings and numbers inside a claim's value, as strings. */
function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value === 'number') return [String(value)];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}
