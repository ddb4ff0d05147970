/** Contract of the store's audit log, run for every adapter. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AuditEntry, AuditQuery, Authorization, Seed, Store } from '../../src/service/index.js';

import {
  fillGrowingTables,
  findPlanFaults,
  type PlannedDatabase,
  type StatementCapture,
} from './query-plans.js';

/** A store of an adapter with an audit log. */
export interface AuditedStore {
  readonly store: Store;
  /** The store's database. */
  readonly database: PlannedDatabase;
  /** Runs a statement on the database, as an attacker would to tamper with the log. */
  readonly runSql: (text: string) => Promise<unknown>;
}

const AT = 1_780_000_000_000;

const APPLICATION = { name: 'C', organizationId: 'o', redirectUris: [], scopes: ['openid', 'kyc:read'] };

const SEED: Seed = {
  applications: [{ ...APPLICATION, clientId: 'client', idTokenAlgorithm: 'ES256', createdAt: AT }],
  people: ['p', 'p"', 'rare', ...Array.from({ length: 6 }, (_, index) => `person-${index}`)].map((id) => ({
    person: { id, name: id, about: '' },
    credentials: [],
  })),
};

/** An entry with every member, with strings that could break statements and columns. */
const FULL_ENTRY: AuditEntry = {
  at: AT,
  kind: 'query_answered',
  clientId: "c'--",
  userId: 'p"',
  authorizationId: 'ü🌍',
  scopes: ['a', 'b\\"'],
  claims: ['identity.age'],
  queryHash: 'h'.repeat(43),
  about: '\n\t',
  reason: '%',
};

/** Pads a name to the length of a hash. */
function hash(name: string): string {
  return name.padEnd(43, '_');
}

/** @param open - Opens an empty store with an audit log. */
export function describeAudit(name: string, open: () => Promise<AuditedStore>): void {
  describe(`the audit log on ${name}`, () => {
    let store: Store;
    let runSql: AuditedStore['runSql'];
    let database: PlannedDatabase;
    let capture: StatementCapture;

    beforeAll(async () => {
      ({ store, runSql, database } = await open());
      capture = database.capture();
      await store.seedOnce(SEED);
    });

    afterAll(() => store.close());

    const list = (query: Partial<AuditQuery> = {}) => store.listAudit({ limit: 1_000, ...query });
    /** Lists the entries of an authorization, each as kind, subject and reason. */
    const entriesOf = async (id: string) =>
      (await list())
        .filter(({ authorizationId }) => authorizationId === id)
        .map(({ kind, about, reason }) => [kind, about, reason].filter(Boolean).join(' '));

    it('returns entries as recorded, in order, and records lists atomically', async () => {
      const entries: readonly AuditEntry[] = [
        FULL_ENTRY,
        { at: AT, kind: 'client_refused' },
        { at: AT - 1, kind: 'user_info_read', claims: [] },
      ];
      await store.recordAudit(entries);
      await store.recordAudit([]);
      const found = await list();
      expect(found.map(({ position: _position, ...entry }) => entry)).toEqual([
        entries[2],
        entries[0],
        entries[1],
      ]);
      expect(found[2]?.position).toBeGreaterThan(found[1]?.position ?? 0);
      const broken = { at: 'never' } as unknown as AuditEntry;
      await expect(store.recordAudit([{ at: AT, kind: 'client_refused' }, broken])).rejects.toThrow();
      expect(await list()).toHaveLength(3);
    });

    // S450
    it('has no entry with the id of an erased person, even if entries are recorded during or after the erasure', async () => {
      const person = { id: 'erased-person', name: 'erased-person', about: '' };
      await store.getOrCreatePerson(person);
      const at = AT + 500_000;
      const entry = (authorizationId: string): AuditEntry => ({
        ...{ at, kind: 'query_answered', clientId: 'client', userId: person.id, authorizationId },
      });
      await store.recordAudit([entry('before')]);
      await Promise.all([
        store.erasePerson({ userId: person.id, hashId: (id) => id, at }),
        store.recordAudit([entry('during')]),
      ]);
      await store.recordAudit([entry('after')]);
      expect(await list({ userId: person.id })).toEqual([]);
      const entries = await list({ since: at, asStored: true });
      const find = (id: string) => entries.find(({ authorizationId }) => authorizationId === id);
      const pseudonym = entries.find(({ kind }) => kind === 'person_erased')?.userId;
      expect(find('before')?.userId).toBe(pseudonym);
      expect([pseudonym, undefined]).toContain(find('during')?.userId);
      expect(find('after')).toEqual({
        ...{ at, kind: 'query_answered', clientId: 'client', authorizationId: 'after' },
        position: expect.any(Number),
      });
      expect(JSON.stringify(entries)).not.toContain(person.id);
    });

    it('finds entries by time, application, person, kind and query, each once across pages', async () => {
      const start = AT + 1_000_000;
      await store.recordAudit(
        Array.from({ length: 25 }, (_, index) => ({
          at: start + Math.floor(index / 10),
          kind: index % 2 === 0 ? ('query_answered' as const) : ('query_refused' as const),
          clientId: `client-${index % 3}`,
          userId: `person-${index % 5}`,
          queryHash: `hash-${index % 7}`,
        })),
      );
      const count = async (query: Partial<AuditQuery>) => (await list({ since: start, ...query })).length;
      expect(await count({})).toBe(25);
      expect(await count({ until: start + 2 })).toBe(20);
      expect(await count({ since: start + 2 })).toBe(5);
      expect(await count({ clientId: 'client-0' })).toBe(9);
      expect(await count({ userId: 'person-1', kinds: ['query_refused'] })).toBe(3);
      expect(await count({ kinds: ['query_refused', 'query_answered'], queryHash: 'hash-6' })).toBe(3);
      expect(await count({ clientId: 'Client-0' })).toBe(0);
      const all = await list({ since: start });
      const paged = [];
      for (let after: AuditQuery['after']; ; ) {
        const page = await list({ since: start, limit: 7, ...(after === undefined ? {} : { after }) });
        paged.push(...page);
        after = page.at(-1);
        if (page.length < 7) break;
      }
      expect(paged).toEqual(all);
    });

    it('records grants, denials, tokens, refreshes, replays, revocations and restorations once each, even if a request is repeated', async () => {
      const authorization = (id: string): Authorization => ({
        id,
        clientId: 'client',
        status: 'pending_admin',
        redirectUri: 'r',
        requestedScopes: ['openid', 'kyc:read'],
        codeChallenge: hash('challenge'),
        createdAt: AT,
        requestExpiresAt: AT + 1_000,
        updatedAt: AT,
      });
      const approval = (id: string) => ({
        authorizationId: id,
        userId: 'p',
        subject: { sector: 's', hash: 'h' },
        scopes: ['kyc:read'],
        codeHash: hash(`${id}-code`),
        codeExpiresAt: AT + 500,
        at: AT,
      });
      const access = (suffix: string) => ({
        tokenHash: hash(suffix),
        scopes: ['kyc:read'],
        issuedAt: AT,
        expiresAt: AT + 100,
      });
      const redeem = (id: string, more = {}) =>
        store.redeemCode({
          codeHash: hash(`${id}-code`),
          clientId: 'client',
          redirectUri: 'r',
          codeChallenge: hash('challenge'),
          at: AT,
          accessToken: access(`${id}-a`),
          refreshToken: {
            tokenHash: hash(`${id}-r`),
            familyId: id,
            issuedAt: AT,
            expiresAt: AT + 10_000,
          },
          ...more,
        });
      const rotate = (id: string) =>
        store.rotateRefreshToken({
          tokenHash: hash(`${id}-r`),
          clientId: 'client',
          nextTokenHash: hash(`${id}-r2`),
          accessToken: access(`${id}-a2`),
          at: AT,
        });
      for (const id of ['denied', 'rotated', 'replayed', 'guessed', 'given', 'taken']) {
        await store.createAuthorization(authorization(id));
        await (id === 'denied' ? store.denyAuthorization(id, AT) : store.approveAuthorization(approval(id)));
        if (!['denied', 'guessed'].includes(id)) await redeem(id);
      }
      await store.approveAuthorization(approval('denied'));
      expect(await entriesOf('denied')).toEqual(['authorization_denied']);

      await rotate('rotated');
      await rotate('rotated');
      await rotate('rotated');
      expect(await entriesOf('rotated')).toEqual([
        'authorization_granted',
        'token_issued authorization_code',
        'token_refreshed',
        'token_replayed refresh_token',
        'grant_revoked refresh_token_replayed',
      ]);

      await redeem('replayed');
      await redeem('replayed');
      expect(await entriesOf('replayed')).toEqual([
        'authorization_granted',
        'token_issued authorization_code',
        'token_replayed authorization_code',
        'grant_revoked code_replayed',
      ]);

      for (let guess = 0; guess < 7; guess += 1) await redeem('guessed', { codeChallenge: hash('wrong') });
      expect(await entriesOf('guessed')).toEqual(['authorization_granted', 'grant_revoked code_guessed']);

      await store.recordAccessToken('given', access('given-a3'));
      await store.revokeTokens({
        tokenHashes: [hash('given-a3')],
        clientId: 'client',
        cascade: true,
        at: AT,
      });
      await store.revokeTokens({
        tokenHashes: [hash('given-a3')],
        clientId: 'client',
        cascade: true,
        at: AT,
      });
      expect(await entriesOf('given')).toEqual([
        'authorization_granted',
        'token_issued authorization_code',
        'token_issued client_user_token',
        'token_revoked access_token',
        'grant_revoked given_back',
      ]);

      await store.withdrawGrants({ userId: 'p', clientId: 'client', until: AT + 60, at: AT });
      await store.restoreGrants({ userId: 'p', clientId: 'client' }, AT + 1);
      await store.restoreGrants({ userId: 'p', clientId: 'client' }, AT + 1);
      await store.revokeAuthorization('taken', AT + 2);
      expect(await entriesOf('taken')).toEqual([
        'authorization_granted',
        'token_issued authorization_code',
        'grant_revoked by_person',
        'grant_restored',
        'grant_revoked',
      ]);
      const [granted] = (await list({ kinds: ['authorization_granted'] })).filter(
        ({ authorizationId }) => authorizationId === 'taken',
      );
      expect(granted).toMatchObject({ at: AT, clientId: 'client', userId: 'p', scopes: ['kyc:read'] });
    });

    it('records ingested credentials with their claim paths, revoked credentials and new signing keys, without values', async () => {
      const credential = { id: 'c', source: 's', issuedAt: 1, claims: { 'kyc.level': 'value-marker' } };
      await store.addCredential('p', credential, AT);
      await store.addCredential('p', credential, AT);
      await store.revokeCredential('c', AT + 1);
      await store.revokeCredential('c', AT + 2);
      await store.revokeCredential('nothing', AT + 2);
      const key = { kid: 'k', algorithm: 'ES256' as const, privateJwk: '{"d":"secret-marker"}' };
      await store.addSigningKey({ ...key, publishedAt: AT, signsFrom: AT });
      const kinds = ['credential_ingested', 'credential_revoked', 'signing_key_added'] as const;
      const found = await list({ kinds });
      expect(found.map(({ position: _position, ...entry }) => entry)).toEqual([
        { at: AT, kind: 'credential_ingested', userId: 'p', about: 'c', claims: ['kyc.level'] },
        { at: AT, kind: 'signing_key_added', about: 'k', reason: 'ES256' },
        { at: AT + 1, kind: 'credential_revoked', userId: 'p', about: 'c' },
      ]);
      expect(JSON.stringify(await list())).not.toContain('marker');
    });

    it('records registration, changes and revocation of an application once each, with the names of changed columns', async () => {
      const application = {
        ...APPLICATION,
        clientId: 'shop',
        idTokenAlgorithm: 'ES256',
        createdAt: AT,
      } as const;
      await store.upsertApplication(application);
      const changed = {
        ...application,
        name: 'A <marker>',
        redirectUris: ['https://marker.example/cb'],
        scopes: ['openid'],
      };
      for (const updatedAt of [AT + 1, AT + 2])
        await store.upsertApplication({ ...changed, createdAt: updatedAt, updatedAt });
      await store.upsertApplication({ ...changed, createdAt: AT + 3, revokedAt: AT + 3 });
      await store.upsertApplication({ ...changed, createdAt: AT + 4, revokedAt: AT + 4 });
      const found = await list({ clientId: 'shop' });
      expect(found.map(({ position: _position, ...entry }) => entry)).toEqual([
        { at: AT, kind: 'application_registered', clientId: 'shop', scopes: APPLICATION.scopes },
        {
          at: AT + 1,
          kind: 'application_changed',
          clientId: 'shop',
          scopes: ['openid'],
          reason: 'name redirect_uris scopes',
        },
        { at: AT + 3, kind: 'application_revoked', clientId: 'shop' },
      ]);
    });

    it('records one registration, one change and one revocation for concurrent upserts of an application', async () => {
      const application = { ...APPLICATION, idTokenAlgorithm: 'ES256', createdAt: AT } as const;
      const clients = Array.from({ length: 5 }, (_, index) => `started-${index}`);
      const upsertAll = (change: { readonly secretHash?: string; readonly revokedAt?: number }) =>
        Promise.all(
          clients.flatMap((clientId) =>
            [1, 2, 3].map(() => store.upsertApplication({ ...application, clientId, ...change })),
          ),
        );
      await upsertAll({});
      await upsertAll({ secretHash: 'a' });
      await upsertAll({ secretHash: 'a', revokedAt: AT + 2 });
      for (const clientId of clients)
        expect((await list({ clientId })).map(({ kind }) => kind).sort()).toEqual([
          'application_changed',
          'application_registered',
          'application_revoked',
        ]);
    });

    it('records one revocation for concurrent revocations of an application, and a change for a new secret before it', async () => {
      const application = {
        ...APPLICATION,
        clientId: 'closed',
        idTokenAlgorithm: 'ES256',
        secretHash: 'a',
        createdAt: AT,
      } as const;
      await store.insertApplication(application);
      await store.updateApplication('closed', { secretHash: 'b', updatedAt: AT + 1 });
      await Promise.all(
        [2, 3].map((later) =>
          store.updateApplication('closed', { revokedAt: AT + later, updatedAt: AT + later }),
        ),
      );
      await store.updateApplication('closed', { secretHash: 'c', updatedAt: AT + 4 });
      const [registered, rotated, ...revoked] = await list({ clientId: 'closed' });
      expect(registered?.kind).toBe('application_registered');
      const { position: _position, ...entry } = rotated ?? {};
      expect(entry).toEqual({
        at: AT + 1,
        kind: 'application_changed',
        clientId: 'closed',
        scopes: APPLICATION.scopes,
        reason: 'secret_hash',
      });
      expect(revoked.map(({ kind }) => kind)).toEqual(['application_revoked']);
    });

    it('records one registration for concurrent registrations of an id', async () => {
      const application = {
        ...APPLICATION,
        clientId: 'kiosk',
        idTokenAlgorithm: 'ES256',
        createdAt: AT,
      } as const;
      await Promise.all([1, 2].map(() => store.insertApplication(application)));
      const found = await list({ clientId: 'kiosk' });
      expect(found.map(({ position: _position, ...entry }) => entry)).toEqual([
        { at: AT, kind: 'application_registered', clientId: 'kiosk', scopes: APPLICATION.scopes },
      ]);
    });

    // S185
    it('has no entry for failed changes, and changes fail if their entry cannot be added', async () => {
      const before = (await list()).length;
      const tokenHash = hash('twice');
      const token = { tokenHash, scopes: [], issuedAt: AT, expiresAt: AT + 1 };
      const grantee = { clientId: 'client', userId: 'p', subject: { sector: 's', hash: 'h' } };
      const grant = { authorizationId: 'direct', ...grantee, scopes: [], token };
      await store.recordDirectGrant(grant);
      await expect(store.recordDirectGrant({ ...grant, authorizationId: 'direct-2' })).rejects.toThrow();
      expect(await list()).toHaveLength(before + 2);
      const credential = { id: 'not-recorded', source: 's', issuedAt: 1, claims: {} };
      await expect(store.addCredential('p', credential, Number.NaN)).rejects.toThrow();
      await runSql('ALTER TABLE audit_entry RENAME TO audit_entry_away');
      await expect(store.addCredential('p', credential, AT)).rejects.toThrow();
      await runSql('ALTER TABLE audit_entry_away RENAME TO audit_entry');
      expect(await store.listCredentials('p')).toHaveLength(1);
      expect(await store.addCredential('p', credential, AT)).toBe('added');
    });

    describe('protects itself by triggers', () => {
      it.each([
        ["UPDATE audit_entry SET reason = 'none'", /must not be changed/],
        ['UPDATE audit_entry SET at = 0 WHERE position = 1', /must not be changed/],
        ['DELETE FROM audit_entry', /from kept_from on must not be deleted/],
        ['DELETE FROM audit_entry WHERE position = 1', /from kept_from on must not be deleted/],
        ['UPDATE audit_retention SET kept_from = kept_from - 1', /must not decrease/],
        ['DELETE FROM audit_retention', /must not decrease/],
        ['INSERT INTO audit_retention (kept_from) VALUES (0)', /must not decrease/],
      ])('against %s', async (statement, reason) => {
        const before = await list();
        await expect(runSql(statement)).rejects.toThrow(reason);
        expect(await list()).toEqual(before);
      });
    });

    it('deletes entries before a time, oldest first and a limited number at once, and nothing else', async () => {
      const old = AT - 1_000_000;
      await store.recordAudit(
        [0, 1, 2, 3].map((offset) => ({ at: old + offset, kind: 'client_refused' as const })),
      );
      const before = (await list()).length;
      expect(await store.sweepAudit(old, 2)).toBe(0);
      expect(await store.sweepAudit(old + 3, 2)).toBe(2);
      expect((await list())[0]).toMatchObject({ at: old + 2 });
      expect(await store.sweepAudit(old + 3, 2)).toBe(1);
      expect(await store.sweepAudit(old + 3, 2)).toBe(0);
      expect(await list()).toHaveLength(before - 3);
      await expect(runSql(`DELETE FROM audit_entry WHERE at >= ${old + 3}`)).rejects.toThrow(
        /from kept_from on must not be deleted/,
      );
    });

    it('finds the few entries of an application, kind or query in a long log, with every combination of filters', async () => {
      const start = AT + 2_000_000;
      const rare = (index: number) => index % 1_999 === 0;
      // Ten entries have each instant, so that a search continues between entries of one instant.
      const entries = Array.from(
        { length: 8_000 },
        (_, index): AuditEntry => ({
          at: start + Math.floor(index / 10),
          ...(rare(index)
            ? { kind: 'client_refused', clientId: 'rare', userId: 'rare', queryHash: 'rare' }
            : { kind: 'query_answered', clientId: 'common', userId: `person-${index}`, queryHash: 'common' }),
        }),
      );
      await store.recordAudit(entries);
      const filters: readonly Partial<AuditQuery>[] = [
        { until: start + 1_000_000 },
        { clientId: 'rare' },
        { userId: 'rare' },
        { kinds: ['client_refused', 'grant_revoked'] },
        { queryHash: 'rare' },
      ];
      for (let chosen = 1; chosen < 2 ** filters.length; chosen += 1) {
        const query = Object.assign(
          { since: start, limit: 3 },
          ...filters.filter((_, index) => (chosen & (2 ** index)) > 0),
        ) as AuditQuery;
        const first = await store.listAudit(query);
        const last = first.at(-1);
        const found = [...first, ...(await store.listAudit({ ...query, ...(last && { after: last }) }))];
        const expected = chosen === 1 ? entries.slice(0, 6) : entries.filter((_, index) => rare(index));
        expect(found.map(({ position: _position, ...entry }) => entry)).toEqual(expected);
      }
      expect(await list({ since: start, clientId: 'Rare' })).toEqual([]);
    });

    it('uses no full table scan in statements of requests and of the sweeper', async () => {
      capture.stop();
      await fillGrowingTables(database, 'client');
      expect(await findPlanFaults(database, capture.statements(), 'client')).toEqual([]);
    });
  });
}
