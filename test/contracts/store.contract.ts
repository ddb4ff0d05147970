/** Contract of the store port, run for every adapter (V11, V12). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Credential, PolicyItem } from '../../src/engine/index.js';
import {
  type Application,
  type Authorization,
  type DirectGrant,
  type GrantQuery,
  type GrantRecord,
  type GrantSelector,
  type LearnedRecord,
  type Seed,
  type Store,
  StoreUnavailable,
} from '../../src/service/index.js';

import {
  fillGrowingTables,
  findPlanFaults,
  type PlannedDatabase,
  type StatementCapture,
} from './query-plans.js';

/** A store of an adapter, and a function that opens it again. */
export interface StoreUnderTest {
  readonly store: Store;
  /** The store's database. */
  readonly database: PlannedDatabase;
  /** Opens the store a second time. */
  reopen(): Promise<Store>;
}

const CREDENTIALS: readonly Credential[] = [
  {
    id: 'c1',
    source: 'Registry',
    issuedAt: 1_000,
    claims: { 'identity.legal_name': 'Zoë 🌍', 'identity.phone': null },
  },
  {
    id: 'c2',
    source: 'registry',
    issuedAt: 2_000,
    expiresAt: 9_007_199_254_740_991,
    revokedAt: 3_000,
    claims: { 'a.b': [{ c: -0.5 }] },
  },
];

const SEED: Seed = {
  applications: [
    {
      clientId: 'public',
      name: 'A',
      organizationId: 'o1',
      redirectUris: ['http://127.0.0.1/cb'],
      scopes: ['openid', 'kyc:read'],
      idTokenAlgorithm: 'ES256',
      createdAt: 5,
    },
    {
      clientId: 'Public',
      name: 'B',
      organizationId: 'o2',
      redirectUris: [],
      secretHash: 'h'.repeat(43),
      scopes: [],
      idTokenAlgorithm: 'RS256',
      createdAt: 6,
      revokedAt: 7,
    },
  ],
  people: [
    { person: { id: 'p1', name: 'zoe', about: 'one' }, credentials: CREDENTIALS },
    { person: { id: 'P1', name: 'Zoe', about: 'two' }, credentials: [] },
  ],
};

/** Returns a test subject of a person in a sector. */
function subjectOf(userId: string, sector = 'o1') {
  return { sector, hash: `${userId} at ${sector}` };
}

const GRANT: DirectGrant = {
  authorizationId: 'a1',
  clientId: 'public',
  userId: 'p1',
  subject: subjectOf('p1'),
  scopes: ['kyc:read', 'openid'],
  token: {
    tokenHash: 't'.repeat(43),
    scopes: ['kyc:read', 'openid'],
    issuedAt: 1_780_000_000_000,
    expiresAt: 1_780_000_003_600,
  },
};

/** A public application. */
function applicationOf(clientId: string) {
  return {
    clientId,
    name: clientId,
    organizationId: 'o9',
    redirectUris: [`https://${clientId}.example/cb`],
    scopes: ['openid'],
    idTokenAlgorithm: 'ES256' as const,
    createdAt: 50,
  };
}

/**
 * @param open - Opens an empty store.
 * @param encrypted - Whether values are encrypted, so that the database cannot narrow audiences.
 */
export function describeStore(
  name: string,
  open: () => Promise<StoreUnderTest>,
  { encrypted = false } = {},
): void {
  describe(`the store port on ${name}`, () => {
    let opened: StoreUnderTest;
    let store: Store;
    let capture: StatementCapture;
    const called = new Set<string>();
    let seedings: readonly boolean[];

    beforeAll(async () => {
      opened = await open();
      store = recordCalls(opened.store, called);
      capture = opened.database.capture();
      seedings = await Promise.all([store.seedOnce(SEED), store.seedOnce(SEED), store.seedOnce(SEED)]);
    });

    // Restores the methods of the driver, so that a later capture does not wrap the spies of this one.
    afterAll(() => capture.stop());

    it('is seeded by exactly one of several concurrent attempts', async () => {
      expect(seedings.filter(Boolean)).toHaveLength(1);
      expect(await store.listPeople()).toHaveLength(2);
    });

    it('lists people and applications in code-unit order, and distinguishes names by case', async () => {
      expect((await store.listPeople()).map(({ name: personName }) => personName)).toEqual(['Zoe', 'zoe']);
      expect((await store.listPeople(2)).map(({ name: personName }) => personName)).toEqual(['Zoe', 'zoe']);
      expect(await store.listPeople(1)).toHaveLength(1);
      expect(await store.listApplications()).toEqual([SEED.applications[1], SEED.applications[0]]);
    });

    it('returns credentials as stored, active or not', async () => {
      const read = await store.readCredentials('p1');
      expect([...read].sort((left, right) => (left.id < right.id ? -1 : 1))).toEqual(CREDENTIALS);
      expect(await store.readCredentials('P1')).toEqual([]);
      expect(await store.readCredentials('nobody')).toEqual([]);
    });

    it('reads the credentials of several people at once as it reads those of each', async () => {
      expect(await store.readCredentialsOf([])).toEqual(new Map());
      const read = await store.readCredentialsOf(['p1', 'P1', 'nobody']);
      expect([...read.keys()]).toEqual(['p1']);
      expect([...(read.get('p1') ?? [])].sort((left, right) => (left.id < right.id ? -1 : 1))).toEqual(
        CREDENTIALS,
      );
    });

    it('lists a person’s credentials by last change, and revokes each once', async () => {
      const listed = async () =>
        (await store.listCredentials('p1')).map(({ credential, updatedAt }) => [credential.id, updatedAt]);
      expect(await listed()).toEqual([
        ['c1', 1_000],
        ['c2', 3_000],
      ]);
      expect(await store.listCredentials('nobody')).toEqual([]);
      await store.addCredential('p1', { id: 'c3', source: 's', issuedAt: 0, claims: {} }, 2_000);
      const revoked = { userId: 'p1', updatedAt: 4_000, credential: { id: 'c3', revokedAt: 4_000 } };
      expect(await store.revokeCredential('c3', 4_000)).toMatchObject(revoked);
      expect(await store.revokeCredential('c3', 5_000)).toMatchObject(revoked);
      expect((await listed()).map(([id]) => id)).toEqual(['c1', 'c2', 'c3']);
      expect(await store.revokeCredential('nothing', 4_000)).toBeUndefined();
    });

    it('estimates the number of people, and lists their ids in a stable order, each once across pages', async () => {
      // PostgreSQL has no estimate before its first analysis.
      expect([0, 2]).toContain(await store.estimatePeople());
      const all = await store.listPersonIds(undefined, 5);
      expect([...all].sort()).toEqual(['P1', 'p1']);
      const first = await store.listPersonIds(undefined, 1);
      expect([...first, ...(await store.listPersonIds(first[0], 5))]).toEqual(all);
      expect(await store.listPersonIds(all[1], 5)).toEqual([]);
    });

    // V14
    it.skipIf(encrypted)(
      'narrows people down to those who satisfy a query at an instant, and reports whether the result is exact',
      async () => {
        const query: PolicyItem = {
          check: { claim: 'identity.legal_name', operator: '==', value: 'Zoë 🌍' },
        };
        const narrow = (more: Partial<Parameters<Store['narrowAudience']>[0]>) =>
          store.narrowAudience({ query, among: ['p1', 'P1', 'nobody'], at: 2_500, derived: [], ...more });
        expect(await narrow({})).toEqual({ userIds: ['p1'], exact: true });
        expect(await narrow({ at: 999 })).toEqual({ userIds: [], exact: true });
        expect(await narrow({ among: ['P1'] })).toEqual({ userIds: [], exact: true });
        expect(await narrow({ among: [] })).toEqual({ userIds: [], exact: true });
        const nested: PolicyItem = { check: { claim: 'a.b', operator: '==', value: [{ c: -0.5 }] } };
        expect(await narrow({ query: nested })).toEqual({ userIds: ['p1'], exact: true });
        // The credential is revoked from then on.
        expect(await narrow({ query: nested, at: 3_000 })).toEqual({ userIds: [], exact: true });
        const inexact = await narrow({ derived: ['identity.legal_name'], at: 999 });
        expect([[...inexact.userIds].sort(), inexact.exact]).toEqual([['P1', 'p1'], false]);
      },
    );

    // V3
    it('lists people with active grants to an application, each once with the scopes of each grant', async () => {
      const grant = (name: string, scopes: readonly string[]) => ({
        ...GRANT,
        authorizationId: `holder-${name}`,
        scopes,
        token: { ...GRANT.token, tokenHash: name.repeat(43), scopes },
      });
      await store.recordDirectGrant(grant('x', ['kyc:read']));
      await store.recordDirectGrant(grant('y', ['openid', 'kyc:read']));
      const listHolders = (after?: string) =>
        store.listGrantHolders({
          clientId: 'public',
          sector: 'o1',
          at: 1,
          limit: 5,
          ...(after === undefined ? {} : { after }),
        });
      const [holder, ...others] = await listHolders();
      expect([holder?.userId, others]).toEqual(['p1', []]);
      const byLength = [...(holder?.grants ?? [])].sort((one, other) => one.length - other.length);
      expect(byLength).toEqual([['kyc:read'], ['openid', 'kyc:read']]);
      expect(await listHolders(holder?.subjectHash)).toEqual([]);
      for (const name of ['x', 'y']) await store.revokeAuthorization(`holder-${name}`, 2_000_000_000_000);
      expect(await listHolders()).toEqual([]);
    });

    it('finds a token with its grant by its hash only', async () => {
      await store.recordDirectGrant(GRANT);
      expect(await store.findAccessToken(GRANT.token.tokenHash)).toEqual({
        issuedAt: GRANT.token.issuedAt,
        expiresAt: GRANT.token.expiresAt,
        revoked: false,
        authorization: { status: 'consumed' },
        authorizationId: 'a1',
        userId: 'p1',
        clientId: 'public',
        organizationId: 'o1',
        grantedScopes: GRANT.scopes,
        applicationScopes: ['openid', 'kyc:read'],
      });
      expect(await store.findAccessToken('T'.repeat(43))).toBeUndefined();
    });

    // V11
    it('reads current credentials, also after a token lookup in the same event-loop turn', async () => {
      await store.recordDirectGrant({
        ...GRANT,
        authorizationId: 'a-mark',
        token: { ...GRANT.token, tokenHash: 'M'.repeat(43) },
      });
      const count = async () => (await store.readCredentials('p1')).length;
      expect(await store.findAccessToken('M'.repeat(43))).toBeDefined();
      const before = await count();
      expect(await count()).toBe(before);
      await store.addCredential('p1', { id: 'later', source: 's', issuedAt: 0, claims: { 'a.b': 1 } }, 1);
      expect(await count()).toBe(before + 1);
      expect(await store.findAccessToken('M'.repeat(43))).toBeDefined();
      expect(await count()).toBe(before + 1);
    });

    // V18
    it('binds a subject to the person of its first credential, even if it is added concurrently', async () => {
      const subject = (name: string) => name.padEnd(43, '_');
      const add = (userId: string, id: string, subjectHash = subject('s1')) =>
        store.addCredential(userId, { id, source: 's', issuedAt: 0, claims: {} }, 1, subjectHash);
      expect(await add('p1', 's-1')).toBe('added');
      expect(await add('p1', 's-2')).toBe('added');
      expect(await add('p1', 's-1')).toBe('id_repeated');
      expect(await add('P1', 's-3')).toBe('subject_of_another_person');
      expect((await store.listCredentials('P1')).map(({ credential }) => credential.id)).not.toContain('s-3');
      expect(await add('P1', 's-3', subject('s2'))).toBe('added');
      const raced = await Promise.all(
        ['p1', 'P1', 'p1', 'P1'].map((userId, index) => add(userId, `raced-${index}`, subject('s3'))),
      );
      expect(raced.filter((outcome) => outcome === 'added')).toHaveLength(2);
      expect(raced.filter((outcome) => outcome === 'subject_of_another_person')).toHaveLength(2);
    });

    // V18
    it('does not bind a subject by a credential with a repeated id', async () => {
      const subject = 'free'.padEnd(43, '_');
      const credential = { id: 'c1', source: 's', issuedAt: 0, claims: {} };
      expect(await store.addCredential('p1', credential, 1, subject)).toBe('id_repeated');
      expect(await store.addCredential('P1', { ...credential, id: 'free-1' }, 1, subject)).toBe('added');
    });

    // V11
    it('reports a token of a revoked application as revoked', async () => {
      const grant = {
        ...GRANT,
        authorizationId: 'a2',
        clientId: 'Public',
        token: { ...GRANT.token, tokenHash: 'u'.repeat(43) },
      };
      await store.recordDirectGrant(grant);
      expect(await store.findAccessToken(grant.token.tokenHash)).toMatchObject({
        revoked: true,
        organizationId: 'o2',
      });
    });

    // S185
    it('records a grant atomically', async () => {
      const clashing = { ...GRANT, authorizationId: 'a3' };
      await expect(store.recordDirectGrant(clashing)).rejects.toThrow(StoreUnavailable);
      // If the authorization had been stored, its id would be taken.
      await store.recordDirectGrant({ ...clashing, token: { ...GRANT.token, tokenHash: 'v'.repeat(43) } });
    });

    describe('authorizations, codes and tokens', () => {
      const at = GRANT.token.issuedAt;
      let count = 0;

      /** Returns a 43-character string that is unique to the test. */
      const hash = (name: string) => `${name}${count}`.padEnd(43, '_');

      function pending(changes: Partial<Authorization> = {}): Authorization {
        count += 1;
        return {
          id: `pending-${count}`,
          clientId: 'public',
          status: 'pending_admin',
          redirectUri: 'http://127.0.0.1/cb',
          requestedScopes: ['kyc:read', 'openid'],
          state: 'ü"🌍',
          nonce: 'n',
          loginHint: 'h',
          codeChallenge: hash('challenge'),
          browserHash: hash('browser'),
          createdAt: at,
          requestExpiresAt: at + 1_000,
          updatedAt: at,
          ...changes,
        };
      }

      const createPushed = (name: string, expiresAt = at + 60_000) => ({
        tokenHash: hash(name),
        clientId: 'public',
        parameters: new Map([
          ['scope', 'openid'],
          ['state', 'ü"🌍'],
          ['__proto__', 'x'],
        ]),
        expiresAt,
      });

      // S263
      it('returns the parameters of a pushed request to exactly one of several concurrent uses', async () => {
        count += 1;
        const request = createPushed('once');
        await store.createPushedRequest(request);
        const uses = await Promise.all(
          Array.from({ length: 5 }, () => store.consumePushedRequest(request.tokenHash, 'public', at)),
        );
        expect(uses.filter((one) => one !== undefined)).toEqual([request.parameters]);
        expect(await store.consumePushedRequest(request.tokenHash, 'public', at)).toBeUndefined();
      });

      // S263, S264
      it('keeps a pushed request until its client uses it or it expires, to the millisecond', async () => {
        count += 1;
        const [used, expired] = [createPushed('used', at + 2), createPushed('expired', at + 1)];
        await store.createPushedRequest(used);
        await store.createPushedRequest(expired);
        expect(await store.consumePushedRequest(used.tokenHash, 'Public', at)).toBeUndefined();
        expect(await store.consumePushedRequest(hash('unknown'), 'public', at)).toBeUndefined();
        expect(await store.consumePushedRequest(expired.tokenHash, 'public', at + 1)).toBeUndefined();
        expect(await store.consumePushedRequest(used.tokenHash, 'public', at + 1)).toEqual(used.parameters);
      });

      const approval = ({ id }: Authorization) => ({
        authorizationId: id,
        userId: 'p1',
        subject: subjectOf('p1'),
        scopes: ['openid'],
        codeHash: hash('code'),
        codeExpiresAt: at + 500,
        at,
      });
      const redemption = (authorization: Authorization) => ({
        codeHash: hash('code'),
        clientId: 'public',
        redirectUri: authorization.redirectUri,
        codeChallenge: authorization.codeChallenge ?? '',
        at,
      });
      const issue = (name: string) => ({
        accessToken: { tokenHash: hash(`${name}-a`), issuedAt: at, expiresAt: at + 100 },
        refreshToken: {
          tokenHash: hash(`${name}-r`),
          familyId: hash(name),
          issuedAt: at,
          expiresAt: at + 10_000,
        },
      });
      const redemptionWithTokens = (authorization: Authorization, name: string) => ({
        ...redemption(authorization),
        ...issue(name),
      });
      const rotation = (from: string, to: string) => ({
        tokenHash: hash(from),
        clientId: 'public',
        nextTokenHash: hash(to),
        accessToken: {
          tokenHash: hash(`${to}-access`),
          scopes: ['openid'],
          issuedAt: at,
          expiresAt: at + 100,
        },
        at,
      });

      async function createConsumed(): Promise<Authorization> {
        const authorization = pending();
        await store.createAuthorization(authorization);
        await store.approveAuthorization(approval(authorization));
        await store.redeemCode(redemptionWithTokens(authorization, 'first'));
        return authorization;
      }

      it('returns an authorization as stored, by its exact id only', async () => {
        const authorization = pending();
        await store.createAuthorization(authorization);
        expect(await store.findAuthorization(authorization.id)).toEqual(authorization);
        expect(await store.findAuthorization(authorization.id.toUpperCase())).toBeUndefined();
        const application = await store.findApplication(authorization.clientId);
        expect(await store.findAuthorizationDetail(authorization.id)).toEqual({ authorization, application });
        expect(await store.findAuthorizationDetail(authorization.id.toUpperCase())).toBeUndefined();
      });

      // V3, V4
      it('lets exactly one of concurrent decisions succeed, and returns the status to the others', async () => {
        const authorization = pending();
        await store.createAuthorization(authorization);
        const outcomes = await Promise.all([
          store.approveAuthorization(approval(authorization)),
          store.denyAuthorization(authorization.id, at),
          store.approveAuthorization(approval(authorization)),
          store.denyAuthorization(authorization.id, at),
        ]);
        expect(outcomes.filter((outcome) => outcome?.done)).toHaveLength(1);
        const status = (await store.findAuthorization(authorization.id))?.status;
        expect(outcomes.filter((outcome) => !outcome?.done)).toEqual(Array(3).fill({ done: false, status }));
      });

      it('does not approve, deny or revoke an unknown authorization', async () => {
        const authorization = pending();
        expect(await store.approveAuthorization(approval(authorization))).toBeUndefined();
        expect(await store.denyAuthorization(authorization.id, at)).toBeUndefined();
        expect(await store.revokeAuthorization(authorization.id, at)).toBeUndefined();
      });

      // V3
      it('treats an expired request as denied, to the millisecond', async () => {
        const [early, late] = [pending(), pending()];
        await store.createAuthorization(early);
        await store.createAuthorization(late);
        expect(
          await store.approveAuthorization({ ...approval(early), codeHash: hash('early'), at: at + 999 }),
        ).toEqual({
          done: true,
        });
        expect(await store.approveAuthorization({ ...approval(late), at: at + 1_000 })).toEqual({
          done: false,
          status: 'denied',
        });
      });

      // V6
      it('records a palm verification with its person, while the request is pending', async () => {
        const [one, other] = [pending(), pending()];
        await store.createAuthorization(one);
        await store.createAuthorization(other);
        await store.recordPalmVerification(one.id, 'p1', at);
        expect(await store.findAuthorization(one.id)).toMatchObject({
          palmVerifiedAt: at,
          palmVerifiedPersonId: 'p1',
        });
        expect((await store.findAuthorization(other.id))?.palmVerifiedAt).toBeUndefined();
        await store.approveAuthorization(approval(one));
        await store.recordPalmVerification(one.id, 'p2', at);
        expect((await store.findAuthorization(one.id))?.palmVerifiedPersonId).toBe('p1');
      });

      // V6
      it('clears palm verifications of other people in a browser, for its pending requests only', async () => {
        const [mine, theirs, approved, otherBrowser] = [
          pending({ browserHash: 'b1' }),
          pending({ browserHash: 'b1' }),
          pending({ browserHash: 'b1' }),
          pending({ browserHash: 'b2' }),
        ];
        for (const one of [mine, theirs, approved, otherBrowser]) await store.createAuthorization(one);
        await store.getOrCreatePerson({ id: 'p2', name: 'u-palm', about: '' });
        await store.recordPalmVerification(mine.id, 'p1', at);
        for (const { id } of [theirs, approved, otherBrowser])
          await store.recordPalmVerification(id, 'p2', at);
        await store.approveAuthorization(approval(approved));
        await store.clearPalmVerifications('b1', 'p1');
        const verified = async ({ id }: Authorization) => {
          const { palmVerifiedAt, palmVerifiedPersonId } = (await store.findAuthorization(id)) ?? {};
          return [palmVerifiedAt, palmVerifiedPersonId];
        };
        expect(await Promise.all([mine, theirs, approved, otherBrowser].map(verified))).toEqual([
          [at, 'p1'],
          [undefined, undefined],
          [at, 'p2'],
          [at, 'p2'],
        ]);
      });

      it('keeps the sign-in requirements and the languages of a request', async () => {
        const signIn = { prompt: 'login consent', maxAgeSeconds: 0, authenticatedAfter: at };
        const requested = { ...signIn, uiLocales: 'pt-BR en' };
        const authorization = pending(requested);
        await store.createAuthorization(authorization);
        expect(await store.findAuthorization(authorization.id)).toMatchObject(requested);
      });

      // V8
      it('lets exactly one of concurrent redemptions succeed, and the next valid one revokes the grant', async () => {
        const authorization = pending();
        await store.createAuthorization(authorization);
        await store.approveAuthorization(approval(authorization));
        const redeem = (name: string) => store.redeemCode(redemptionWithTokens(authorization, name));
        const won = (await Promise.all(['x', 'y', 'z'].map(redeem))).filter(
          (outcome) => outcome !== undefined,
        );
        expect(won).toMatchObject([
          {
            authorization: { id: authorization.id, userId: 'p1', grantedScopes: ['openid'], nonce: 'n' },
            scopes: ['openid'],
          },
        ]);
        expect((await store.findAuthorization(authorization.id))?.status).toBe('revoked');
      });

      it('records an access token with the granted scopes that are allowed to the application', async () => {
        const authorization = pending();
        await store.createAuthorization(authorization);
        await store.approveAuthorization({ ...approval(authorization), scopes: ['openid', 'kyc:read'] });
        const redeemed = await store.redeemCode({
          ...redemptionWithTokens(authorization, 'allowed'),
          allowedScopes: ['kyc:read', 'other'],
        });
        expect(redeemed?.scopes).toEqual(['kyc:read']);
        expect(redeemed?.authorization.grantedScopes).toEqual(['openid', 'kyc:read']);
        expect((await store.findAccessToken(hash('allowed-a')))?.grantedScopes).toEqual(['kyc:read']);
      });

      // S288, S292
      it('keeps the conditions of a request, its grant, its tokens, and narrowed tokens', async () => {
        const [adult, resident] = [
          { query: '{"check":{"claim":"identity.age","operator":">=","value":18}}', purpose: 'é \u2028 "’' },
          {
            query: '{"check":{"claim":"identity.address_country","operator":"==","value":"\\u0000"}}',
            purpose: 'b',
          },
        ];
        const authorization = pending({ requestedConditions: [adult, resident], requestedScopes: [] });
        await store.createAuthorization(authorization);
        const granted = [resident, adult];
        await store.approveAuthorization({ ...approval(authorization), scopes: [], conditions: granted });
        const redeemed = await store.redeemCode({
          ...redemptionWithTokens(authorization, 'conditions'),
          allowsConditions: true,
        });
        expect(redeemed).toMatchObject({ scopes: [], conditions: granted });
        expect(redeemed?.authorization).toMatchObject({
          requestedConditions: [adult, resident],
          grantedConditions: granted,
        });
        expect(await store.findAccessToken(hash('conditions-a'))).toMatchObject({
          grantedConditions: granted,
        });
        const refreshToken = await store.findRefreshToken(hash('conditions-r'));
        expect(refreshToken?.authorization.grantedConditions).toEqual(granted);
        const rotated = await store.rotateRefreshToken({
          tokenHash: hash('conditions-r'),
          clientId: authorization.clientId,
          nextTokenHash: hash('conditions-r2'),
          accessToken: { tokenHash: hash('conditions-a2'), scopes: [], issuedAt: at, expiresAt: at + 100 },
          conditions: { authorizationId: authorization.id, conditions: [adult] },
          at,
        });
        expect(rotated).toBe(true);
        expect((await store.findAccessToken(hash('conditions-a2')))?.grantedConditions).toEqual([adult]);
        const detail = await store.findAuthorizationDetail(authorization.id);
        expect(detail?.authorization.grantedConditions).toEqual(granted);
        const grants = await store.listPersonGrants('p1', 100, at);
        expect(
          grants.find(({ authorizationId }) => authorizationId === authorization.id)?.conditions,
        ).toEqual(granted);
        const { clientId } = authorization;
        const selection = { clientId, userId: 'p1', limit: 100, at };
        for (const [withConditions, conditions] of [
          [true, granted],
          [false, undefined],
        ] as const) {
          const listed = await store.listGrants({ ...selection, withConditions });
          expect(
            listed.find(({ authorizationId }) => authorizationId === authorization.id)?.conditions,
          ).toEqual(conditions);
        }
      });

      it('records an access token without the granted conditions if the application may have none', async () => {
        const authorization = pending({ requestedConditions: [{ query: 'q', purpose: 'p' }] });
        await store.createAuthorization(authorization);
        const conditions = authorization.requestedConditions ?? [];
        await store.approveAuthorization({ ...approval(authorization), conditions });
        const redeemed = await store.redeemCode(redemptionWithTokens(authorization, 'no-conditions'));
        expect(redeemed?.conditions).toBeUndefined();
        expect(redeemed?.authorization.grantedConditions).toEqual(conditions);
        expect((await store.findAccessToken(hash('no-conditions-a')))?.grantedConditions).toBeUndefined();
      });

      // D15, S82
      it('revokes the grant at the fifth wrong redemption of its code, and changes no status before', async () => {
        const authorization = pending();
        await store.createAuthorization(authorization);
        await store.approveAuthorization(approval(authorization));
        const wrong = [
          { clientId: 'Public' },
          { redirectUri: 'x' },
          { codeChallenge: hash('other') },
          { codeHash: hash('other') },
        ];
        for (const change of wrong) {
          expect(
            await store.redeemCode({ ...redemptionWithTokens(authorization, 'w'), ...change }),
          ).toBeUndefined();
        }
        // The unknown code is not counted.
        for (const status of ['approved', 'revoked']) {
          await store.redeemCode({ ...redemptionWithTokens(authorization, 'w'), redirectUri: 'x' });
          expect((await store.findAuthorization(authorization.id))?.status).toBe(status);
        }
      });

      // V3, V8
      it('rejects a code from its expiry on, and then revokes its authorization', async () => {
        const authorization = pending();
        await store.createAuthorization(authorization);
        await store.approveAuthorization(approval(authorization));
        expect(
          await store.redeemCode({ ...redemptionWithTokens(authorization, 'late'), at: at + 500 }),
        ).toBeUndefined();
        expect((await store.findAuthorization(authorization.id))?.status).toBe('revoked');
      });

      // V9
      it('lets exactly one of concurrent rotations succeed, and a replayed token revokes its authorization', async () => {
        const authorization = await createConsumed();
        const rotate = (to: string) => store.rotateRefreshToken(rotation('first-r', to));
        expect((await Promise.all(['x', 'y'].map(rotate))).filter(Boolean)).toHaveLength(1);
        expect((await store.findAuthorization(authorization.id))?.status).toBe('revoked');
      });

      // V9
      it('changes nothing after a rotation by another client or after the family has expired', async () => {
        const authorization = await createConsumed();
        expect(await store.rotateRefreshToken({ ...rotation('first-r', 'x'), clientId: 'Public' })).toBe(
          false,
        );
        expect(await store.rotateRefreshToken({ ...rotation('first-r', 'x'), at: at + 10_000 })).toBe(false);
        expect(await store.findRefreshToken(hash('first-r'))).toMatchObject({
          spent: false,
          expiresAt: at + 10_000,
        });
        expect((await store.findAuthorization(authorization.id))?.status).toBe('consumed');
        expect(await store.rotateRefreshToken(rotation('first-r', 'x'))).toBe(true);
      });

      // S280
      it('redeems a key-bound code with its key only, and revokes the grant on its replay', async () => {
        const dpopJkt = hash('key');
        const authorization = pending({ dpopJkt });
        await store.createAuthorization(authorization);
        await store.approveAuthorization(approval(authorization));
        const redeem = (jkt: string | undefined, name: string) =>
          store.redeemCode({ ...redemptionWithTokens(authorization, name), ...(jkt && { jkt }) });
        const status = async () => (await store.findAuthorization(authorization.id))?.status;
        for (const jkt of [undefined, hash('other')]) expect(await redeem(jkt, 'w')).toBeUndefined();
        expect(await status()).toBe('approved');
        expect(await redeem(dpopJkt, 'bound')).toMatchObject({
          authorization: { id: authorization.id, dpopJkt },
        });
        for (const jkt of [undefined, hash('other')]) expect(await redeem(jkt, 'w')).toBeUndefined();
        expect(await status()).toBe('consumed');
        expect(await redeem(dpopJkt, 'again')).toBeUndefined();
        expect(await status()).toBe('revoked');
      });

      // S278, S279
      it('keeps the key of bound tokens in rotations, and binds unbound ones', async () => {
        const authorization = pending();
        await store.createAuthorization(authorization);
        await store.approveAuthorization(approval(authorization));
        const [jkt, otherJkt] = [hash('key'), hash('other')];
        const { accessToken, refreshToken } = issue('free');
        await store.redeemCode({
          ...redemption(authorization),
          jkt,
          accessToken: { ...accessToken, jkt },
          refreshToken,
        });
        const boundTo = async (name: string) => (await store.findRefreshToken(hash(name)))?.jkt;
        expect(await store.findAccessToken(accessToken.tokenHash)).toMatchObject({ jkt });
        expect(await boundTo('free-r')).toBeUndefined();
        await store.rotateRefreshToken(rotation('free-r', 'free-2'));
        expect(await boundTo('free-2')).toBeUndefined();
        expect(await store.findAccessToken(hash('free-2-access'))).not.toHaveProperty('jkt');
        const next = rotation('free-2', 'bound-3');
        const issued = { ...next.accessToken, jkt: otherJkt };
        await store.rotateRefreshToken({ ...next, accessToken: issued, nextJkt: jkt });
        expect(await boundTo('bound-3')).toBe(jkt);
        expect(await store.findAccessToken(hash('bound-3-access'))).toMatchObject({ jkt: otherJkt });
        await store.rotateRefreshToken(rotation('bound-3', 'bound-4'));
        expect(await boundTo('bound-4')).toBe(jkt);
      });

      // S109, S113
      it('revokes several tokens together with a result for each, and none of another client', async () => {
        const authorization = await createConsumed();
        const revocation = {
          tokenHashes: [hash('first-a'), hash('none'), hash('first-r')],
          cascade: false,
          at,
        };
        const foreign = await store.revokeTokens({
          ...revocation,
          authorizationId: authorization.id,
          clientId: 'Public',
        });
        expect(foreign).toEqual({ tokens: [undefined, undefined, undefined], authorizations: [] });
        const own = await store.revokeTokens({
          ...revocation,
          authorizationId: authorization.id,
          clientId: 'public',
        });
        expect(own).toEqual({
          tokens: [
            {
              tokenType: 'access_token',
              authorizationId: authorization.id,
              userId: 'p1',
              clientId: 'public',
              organizationId: 'o1',
            },
            undefined,
            {
              tokenType: 'refresh_token',
              authorizationId: authorization.id,
              userId: 'p1',
              clientId: 'public',
              organizationId: 'o1',
            },
          ],
          authorizations: [
            {
              authorizationId: authorization.id,
              userId: 'p1',
              clientId: 'public',
              organizationId: 'o1',
            },
          ],
        });
        expect(await store.findAccessToken(hash('first-a'))).toMatchObject({ revoked: true });
      });

      // S113
      it('reports each revoked token and authorization once, even if the revocation of another token revoked it', async () => {
        const authorization = await createConsumed();
        const tokenHashes = [hash('first-r'), hash('first-a')];
        const revocation = { tokenHashes, clientId: 'public', cascade: true, at };
        const named = { ...revocation, authorizationId: authorization.id };
        const results = async (what: typeof revocation) => {
          const { tokens, authorizations } = await store.revokeTokens(what);
          return [tokens.map((one) => one?.tokenType), authorizations.map((one) => one.authorizationId)];
        };
        expect(await results(named)).toEqual([['refresh_token', 'access_token'], [authorization.id]]);
        expect(await results(named)).toEqual([[undefined, undefined], []]);
      });

      it('issues further tokens under an active grant', async () => {
        const authorization = await createConsumed();
        const token = { tokenHash: hash('more'), scopes: ['openid'], issuedAt: at, expiresAt: at + 100 };
        expect(await store.recordAccessToken(authorization.id, token)).toBe(true);
        await store.revokeAuthorization(authorization.id, at);
        expect(await store.recordAccessToken(authorization.id, { ...token, tokenHash: hash('late') })).toBe(
          false,
        );
        expect(await store.findAccessToken(hash('late'))).toBeUndefined();
      });

      describe('grants of a client by person', () => {
        const person = {
          id: 'named',
          name: 'Named',
          email: 'named@people.example',
          evmAddress: `0x${'a1'.repeat(20)}`,
        };
        const selectors: readonly GrantSelector[] = [
          { by: 'subject', subject: subjectOf('named') },
          { by: 'name', value: person.name },
          { by: 'email', value: person.email },
          { by: 'evmAddress', value: person.evmAddress },
        ];

        /** Creates a grant of the person to an application, redeemed or not. */
        async function createGrantOf(
          changes: { readonly clientId?: string; readonly at?: number; readonly redeemed?: boolean } = {},
        ): Promise<string> {
          const { clientId = 'public', redeemed = true } = changes;
          const authorization = { ...pending(), clientId };
          await store.getOrCreatePerson({ ...person, about: '' });
          await store.createAuthorization(authorization);
          const subject = subjectOf('named', clientId === 'public' ? 'o1' : 'o2');
          await store.approveAuthorization({
            ...approval(authorization),
            userId: person.id,
            subject,
            at: changes.at ?? at,
          });
          if (redeemed) await store.redeemCode({ ...redemptionWithTokens(authorization, 'named'), clientId });
          return authorization.id;
        }

        const find = (clientId = 'public', now = at, coverage: readonly (readonly string[])[] = []) =>
          Promise.all(selectors.map((selector) => store.findActiveGrant(clientId, selector, coverage, now)));
        const endAllGrants = async () => {
          for (const clientId of ['public', 'Public'])
            await store.withdrawGrants({ userId: person.id, clientId, until: at, at });
        };

        it('are found by pairwise id, name, e-mail and wallet, the latest approval first', async () => {
          await createGrantOf({ at: at - 2 });
          const latest = await createGrantOf({ redeemed: false });
          await createGrantOf({ at: at - 1 });
          const grant = { authorizationId: latest, userId: person.id, scopes: ['openid'] };
          expect(await find()).toEqual(Array(4).fill(grant));
          await endAllGrants();
        });

        it('are found if they cover the required scopes, the latest approval first', async () => {
          const earlier = await createGrantOf({ at: at - 1 });
          const narrow = pending();
          const granted = { ...approval(narrow), userId: person.id, subject: subjectOf('named'), at };
          await store.createAuthorization(narrow);
          await store.approveAuthorization({ ...granted, scopes: ['kyc:read'] });
          await store.redeemCode(redemptionWithTokens(narrow, 'narrow'));
          const ids = async (...coverage: (readonly string[])[]) => [
            ...new Set((await find('public', at, coverage)).map((grant) => grant?.authorizationId)),
          ];
          expect(await ids()).toEqual([narrow.id]);
          expect(await ids(['openid', 'kyc:read'])).toEqual([narrow.id]);
          expect(await ids(['openid'])).toEqual([earlier]);
          expect(await ids(['openid'], ['kyc:read'])).toEqual([undefined]);
          expect(await ids([])).toEqual([undefined]);
          await endAllGrants();
        });

        it('are found if they cover the required scopes, however many later grants do not', async () => {
          const covering = await createGrantOf({ at: at - 1 });
          for (let count = 0; count < 101; count += 1) {
            const narrow = pending();
            await store.createAuthorization(narrow);
            const granted = { ...approval(narrow), userId: person.id, subject: subjectOf('named') };
            await store.approveAuthorization({ ...granted, scopes: ['openid:narrow', 'kyc:read'] });
          }
          const found = await find('public', at, [['other', 'openid']]);
          expect(found.map((grant) => grant?.authorizationId)).toEqual(Array(4).fill(covering));
          await endAllGrants();
        });

        // V3
        it('end when their code expires unredeemed, and an earlier redeemed grant is found again', async () => {
          const redeemed = await createGrantOf({ at: at - 2 });
          const abandoned = await createGrantOf({ redeemed: false });
          const codeExpiresAt = at + 500;
          const ids = async (now: number) => [
            ...new Set((await find('public', now)).map((grant) => grant?.authorizationId)),
          ];
          expect(await ids(codeExpiresAt - 1)).toEqual([abandoned]);
          expect(await ids(codeExpiresAt)).toEqual([redeemed]);
          const record = (name: string, issuedAt: number) =>
            store.recordAccessToken(abandoned, {
              tokenHash: hash(name),
              scopes: ['openid'],
              issuedAt,
              expiresAt: issuedAt + 9_000,
            });
          expect(await record('in-time', codeExpiresAt - 1)).toBe(true);
          expect(await record('too-late', codeExpiresAt)).toBe(false);
          expect(await store.findAccessToken(hash('too-late'))).toBeUndefined();
          expect(await store.findAccessToken(hash('in-time'))).toMatchObject({
            authorization: { status: 'approved', codeExpiresAt },
          });
          const given = { tokenHashes: [hash('in-time')], clientId: 'public', cascade: false };
          expect(await store.revokeTokens({ ...given, at: codeExpiresAt })).toMatchObject({
            tokens: [undefined],
          });
          const named = { ...given, authorizationId: abandoned, cascade: true, at: codeExpiresAt };
          expect(await store.revokeTokens(named)).toEqual({ tokens: [undefined], authorizations: [] });
          await endAllGrants();
          expect(await ids(codeExpiresAt)).toEqual([undefined]);
        });

        it('are found if they have one of thousands of scopes', async () => {
          await createGrantOf();
          const others = Array.from({ length: 2_000 }, (_, index) => `other:${index}`);
          expect(await find('public', at, [others])).toEqual(Array(4).fill(undefined));
          const found = await find('public', at, [['openid'], [...others, 'openid']]);
          expect(found).toEqual(Array(4).fill(expect.objectContaining({ scopes: ['openid'] })));
          await endAllGrants();
        });

        it('are not found after they ended, or for another client', async () => {
          await createGrantOf();
          await endAllGrants();
          expect(await find()).toEqual(Array(4).fill(undefined));
          await createGrantOf({ clientId: 'Public' });
          expect(await find()).toEqual(Array(4).fill(undefined));
          // Not by the pairwise identifier, which is of the sector of `public`.
          expect((await find('Public')).filter((grant) => grant !== undefined)).toHaveLength(3);
          await endAllGrants();
        });

        it('are not found by unknown values, or in another sector', async () => {
          await createGrantOf();
          const others: readonly GrantSelector[] = [
            { by: 'subject', subject: subjectOf('nobody') },
            { by: 'subject', subject: { ...subjectOf('named'), sector: 'o2' } },
            { by: 'name', value: 'named' },
            { by: 'email', value: 'Named@people.example' },
            { by: 'evmAddress', value: '' },
          ];
          for (const other of others)
            expect(await store.findActiveGrant('public', other, [], at)).toBeUndefined();
          await endAllGrants();
        });

        // S122
        it('are looked up by the same statement for a person without a grant and for an unknown person', async () => {
          const stranger = { email: 'stranger@people.example', evmAddress: `0x${'b2'.repeat(20)}` };
          await store.getOrCreatePerson({ id: 'stranger', name: 'Stranger', about: '', ...stranger });
          const runsOf = async (selector: GrantSelector) => {
            const before = capture.runs().length;
            expect(await store.findActiveGrant('public', selector, [], at)).toBeUndefined();
            return capture.runs().slice(before);
          };
          const pairs: readonly (readonly [GrantSelector, GrantSelector])[] = [
            [
              { by: 'subject', subject: subjectOf('stranger') },
              { by: 'subject', subject: subjectOf('nobody') },
            ],
            [
              { by: 'name', value: 'Stranger' },
              { by: 'name', value: 'Nobody' },
            ],
            [
              { by: 'email', value: stranger.email },
              { by: 'email', value: 'nobody@people.example' },
            ],
            [
              { by: 'evmAddress', value: stranger.evmAddress },
              { by: 'evmAddress', value: `0x${'c3'.repeat(20)}` },
            ],
          ];
          for (const [known, unknown] of pairs) {
            const runs = await runsOf(known);
            expect(runs).toHaveLength(1);
            expect(await runsOf(unknown)).toEqual(runs);
          }
        });

        it('are reindexed for another sector in batches, each once', async () => {
          const grants = [await createGrantOf(), await createGrantOf()];
          const unindexed = async (sector: string, limit = 1_000) =>
            (await store.listUnindexedGrants('public', sector, limit)).filter(
              ({ userId }) => userId === person.id,
            );
          expect(await unindexed('o1')).toEqual([]);
          for (const sector of ['a', 'z']) {
            const found = await unindexed(sector);
            expect(found.map(({ authorizationId }) => authorizationId)).toEqual(
              expect.arrayContaining(grants),
            );
            expect(await store.listUnindexedGrants('public', sector, 1)).toHaveLength(1);
            const subject = subjectOf('named', sector);
            await store.indexGrants(found.map(({ authorizationId }) => ({ authorizationId, subject })));
            expect(await unindexed(sector)).toEqual([]);
            expect(await store.findActiveGrant('public', { by: 'subject', subject }, [], at)).toMatchObject({
              userId: person.id,
            });
            expect(
              await store.findActiveGrant('public', { by: 'subject', subject: subjectOf('named') }, [], at),
            ).toBeUndefined();
          }
          await store.indexGrants([]);
          await endAllGrants();
        });

        it('are listed in the order of change across pages, optionally by status', async () => {
          const clientId = 'lister';
          await store.upsertApplication({ ...SEED.applications[0], clientId } as Application);
          const kinds = ['consumed', 'revoked', 'approved', 'expired', 'revoked', 'consumed'] as const;
          const now = at + 10;
          const created: { readonly id: string; readonly status: string }[] = [];
          for (const [index, kind] of kinds.entries()) {
            const authorization = { ...pending(), clientId };
            await store.createAuthorization(authorization);
            const times = { at: at + index, codeExpiresAt: kind === 'expired' ? now : now + 1 };
            await store.approveAuthorization({ ...approval(authorization), ...times, userId: 'P1' });
            if (kind === 'consumed')
              await store.redeemCode({
                ...redemptionWithTokens(authorization, 'listed'),
                ...times,
                clientId,
              });
            if (kind === 'revoked') await store.revokeAuthorization(authorization.id, times.at);
            const status = kind === 'revoked' || kind === 'expired' ? 'revoked' : 'active';
            created.push({ id: authorization.id, status });
          }
          // Requests without approval.
          for (let more = 0; more < 3; more += 1) await store.createAuthorization({ ...pending(), clientId });
          const pagesOf = async (filter: Partial<GrantQuery>) => {
            const found: GrantRecord[] = [];
            for (;;) {
              const after = found.at(-1);
              const page = await store.listGrants({
                clientId,
                limit: 2,
                at: now,
                ...filter,
                ...(after === undefined ? {} : { after }),
              });
              if (page.length === 0) return found.map(({ authorizationId: id, status }) => ({ id, status }));
              found.push(...page);
            }
          };
          expect(await pagesOf({ userId: 'nobody' })).toEqual([]);
          for (const status of [undefined, 'active', 'revoked'] as const) {
            for (const person of [{}, { userId: 'P1' }]) {
              for (const [first, since] of [
                [0, {}],
                [2, { updatedSince: at + 2 }],
              ] as const) {
                const expected = created
                  .slice(first)
                  .filter((grant) => grant.status === (status ?? grant.status));
                expect(await pagesOf({ ...(status && { status }), ...person, ...since })).toEqual(expected);
              }
            }
          }
          const [first] = await store.listGrants({ clientId, limit: 1, at: now });
          expect(first?.scopes).toEqual(['openid']);
        });
      });

      describe('grants of a person', () => {
        const grantKey = { userId: 'P1', clientId: 'public' };
        const withdrawal = { ...grantKey, until: at + 60, at: at + 1 };

        /** Withdraws the earlier grants of P1, and creates a new one, redeemed by default. */
        async function createGrant(redeemed = true): Promise<Authorization> {
          await store.withdrawGrants({ ...withdrawal, until: at });
          const authorization = pending();
          await store.createAuthorization(authorization);
          await store.approveAuthorization({
            ...approval(authorization),
            userId: 'P1',
            subject: subjectOf('P1'),
          });
          if (redeemed) await store.redeemCode(redemptionWithTokens(authorization, 'own'));
          return authorization;
        }
        const isTokenValid = async () => (await store.findAccessToken(hash('own-a')))?.revoked === false;

        it('are listed with their applications', async () => {
          const { id } = await createGrant();
          const listed = (await store.listPersonGrants('P1', 50, at)).find(
            (grant) => grant.authorizationId === id,
          );
          expect(listed).toEqual({
            authorizationId: id,
            application: SEED.applications[0],
            status: 'active',
            scopes: ['openid'],
            approvedAt: at,
            updatedAt: at,
            lastTokenIssuedAt: at,
          });
          expect(await store.listPersonGrants('P1', 1, at)).toHaveLength(1);
          expect(await store.listPersonGrants('nobody', 50, at)).toEqual([]);
        });

        it('are listed with the latest first, and those to one application do not displace others from a limited list', async () => {
          const { id: userId } = await store.getOrCreatePerson({ id: 'often', name: 'often', about: '' });
          const signIn = (clientId: string, scopes: readonly string[], approvedAt: number) =>
            store.recordDirectGrant({
              authorizationId: `often-${clientId}-${scopes.length}-${approvedAt}`,
              clientId,
              userId,
              subject: subjectOf(userId),
              scopes,
              token: {
                tokenHash: hash(`often-${approvedAt}`),
                scopes,
                issuedAt: approvedAt,
                expiresAt: at + 100,
              },
            });
          await signIn('Public', ['openid'], at - 9);
          await signIn('public', ['openid', 'identity:read'], at - 8);
          for (const ago of [7, 6, 5, 4]) await signIn('public', ['openid'], at - ago);
          const listed = async (limit: number | undefined) =>
            (await store.listPersonGrants(userId, limit, at)).map(({ authorizationId }) => authorizationId);
          expect(await listed(4)).toEqual([
            `often-public-1-${at - 4}`,
            `often-public-1-${at - 5}`,
            `often-public-2-${at - 8}`,
            `often-Public-1-${at - 9}`,
          ]);
          expect(await listed(100)).toHaveLength(6);
          expect(await listed(undefined)).toEqual(await listed(100));
        });

        it('share their application, whose logo is read once and not once for each grant', async () => {
          const { id: userId } = await store.getOrCreatePerson({ id: 'logos', name: 'logos', about: '' });
          for (const name of ['logos-1', 'logos-2']) {
            await store.recordDirectGrant({
              authorizationId: name,
              clientId: 'public',
              userId,
              subject: subjectOf(userId),
              scopes: ['openid'],
              token: { tokenHash: hash(name), scopes: ['openid'], issuedAt: at, expiresAt: at + 100 },
            });
          }
          const [one, other] = await store.listPersonGrants(userId, 50, at);
          expect(one?.application).toMatchObject({ clientId: 'public' });
          expect(other?.application).toBe(one?.application);
        });

        // V3, V11
        it('end at once with every token, and can be restored until a deadline', async () => {
          const { id } = await createGrant();
          expect(await store.withdrawGrants(withdrawal)).toBe(1);
          expect(await isTokenValid()).toBe(false);
          const ended = (await store.listPersonGrants('P1', 50, at)).find(
            (grant) => grant.authorizationId === id,
          );
          expect(ended).toMatchObject({ status: 'revoked', restorableUntil: at + 60 });
          expect(await store.rotateRefreshToken(rotation('own-r', 'own-2'))).toBe(false);
          expect(await store.restoreGrants(grantKey, at + 59)).toBe(1);
          expect(await isTokenValid()).toBe(true);
          expect(await store.restoreGrants(grantKey, at + 59)).toBe(0);
        });

        // V9, V11
        it('do not consume a refresh token that is presented before they are restored', async () => {
          await createGrant();
          await store.withdrawGrants(withdrawal);
          expect(await store.rotateRefreshToken(rotation('own-r', 'own-2'))).toBe(false);
          await store.restoreGrants(grantKey, at + 59);
          expect(await store.rotateRefreshToken(rotation('own-r', 'own-3'))).toBe(true);
          expect(await isTokenValid()).toBe(true);
        });

        it('cannot be restored after the deadline', async () => {
          await createGrant();
          await store.withdrawGrants(withdrawal);
          expect(await store.restoreGrants(grantKey, at + 60)).toBe(0);
          expect(await isTokenValid()).toBe(false);
        });

        // V9
        it('cannot be restored if the client or a replay ended them in the meantime', async () => {
          const { id } = await createGrant();
          await store.withdrawGrants(withdrawal);
          expect(await store.revokeAuthorization(id, at + 2)).toEqual({ done: true });
          expect(await store.restoreGrants(grantKey, at + 3)).toBe(0);

          await createGrant();
          await store.rotateRefreshToken(rotation('own-r', 'own-2'));
          await store.withdrawGrants(withdrawal);
          await store.rotateRefreshToken(rotation('own-r', 'own-3'));
          expect(await store.restoreGrants(grantKey, at + 3)).toBe(0);

          const replayed = await createGrant();
          await store.withdrawGrants(withdrawal);
          await store.redeemCode(redemptionWithTokens(replayed, 'copied'));
          expect(await store.restoreGrants(grantKey, at + 3)).toBe(0);
        });

        it('are not reported as revoked if the client revokes them, and cannot be restored then', async () => {
          const { id: authorizationId } = await createGrant();
          await store.withdrawGrants(withdrawal);
          const revocation = { tokenHashes: [], authorizationId, clientId: 'public', cascade: false };
          expect(await store.revokeTokens({ ...revocation, at: at + 2 })).toEqual({
            tokens: [],
            authorizations: [],
          });
          expect(await store.restoreGrants(grantKey, at + 3)).toBe(0);
        });

        it('are not restored if their code was unredeemed, or if a later grant exists', async () => {
          const unredeemed = await createGrant(false);
          expect(await store.withdrawGrants(withdrawal)).toBe(1);
          expect(await store.restoreGrants(grantKey, at + 2)).toBe(0);
          expect(await store.redeemCode(redemptionWithTokens(unredeemed, 'own'))).toBeUndefined();

          await createGrant();
          await store.withdrawGrants(withdrawal);
          const again = pending();
          await store.createAuthorization(again);
          await store.approveAuthorization({ ...approval(again), userId: 'P1', subject: subjectOf('P1') });
          expect(await store.restoreGrants(grantKey, at + 2)).toBe(0);
        });

        it('can be restored after a later approval whose code expired unredeemed', async () => {
          await createGrant();
          const until = at + 10_000;
          await store.withdrawGrants({ ...withdrawal, until });
          const abandoned = pending();
          await store.createAuthorization(abandoned);
          await store.approveAuthorization({
            ...approval(abandoned),
            userId: 'P1',
            subject: subjectOf('P1'),
          });
          expect(await store.restoreGrants(grantKey, at + 499)).toBe(0);
          expect(await store.restoreGrants(grantKey, at + 500)).toBe(1);
          await store.withdrawGrants(withdrawal);
        });

        it('of another person or application are not affected', async () => {
          await createGrant();
          expect(await store.withdrawGrants({ ...withdrawal, userId: 'nobody' })).toBe(0);
          expect(await store.withdrawGrants({ ...withdrawal, clientId: 'Public' })).toBe(0);
          await store.withdrawGrants(withdrawal);
          expect(await store.restoreGrants({ ...grantKey, userId: 'nobody' }, at + 2)).toBe(0);
          expect(await isTokenValid()).toBe(false);
        });
      });

      describe('the sweeper', () => {
        /** Long before all times of the other tests. */
        const past = 1_000;

        const direct = (name: string, expiresAt: number) => ({
          ...GRANT,
          authorizationId: hash(name),
          token: { ...GRANT.token, tokenHash: hash(name), issuedAt: past, expiresAt },
        });

        it('removes expired tokens in batches, to the millisecond, and keeps their grants', async () => {
          count += 1;
          for (const name of ['e', 'f', 'g']) await store.recordDirectGrant(direct(name, past + 10));
          await store.recordDirectGrant(direct('later', past + 11));
          expect(await store.sweepTokens(past + 9, 2)).toBe(0);
          expect([await store.sweepTokens(past + 10, 2), await store.sweepTokens(past + 10, 2)]).toEqual([
            2, 1,
          ]);
          expect(await store.sweepTokens(past + 10, 2)).toBe(0);
          expect(await store.findAccessToken(hash('e'))).toBeUndefined();
          expect(await store.findAccessToken(hash('later'))).toBeDefined();
          expect((await store.findAuthorization(hash('e')))?.status).toBe('consumed');
          expect(await store.sweepTokens(past + 11, 2)).toBe(1);
        });

        it('removes expired pushed requests in batches, to the millisecond', async () => {
          count += 1;
          for (const name of ['h', 'i', 'j']) await store.createPushedRequest(createPushed(name, past + 10));
          await store.createPushedRequest(createPushed('later', past + 11));
          expect(await store.sweepTransient(past + 9, 2)).toBe(0);
          expect([
            await store.sweepTransient(past + 10, 2),
            await store.sweepTransient(past + 10, 2),
            await store.sweepTransient(past + 10, 2),
          ]).toEqual([2, 1, 0]);
          expect(await store.consumePushedRequest(hash('h'), 'public', past)).toBeUndefined();
          expect(await store.consumePushedRequest(hash('later'), 'public', past)).toBeDefined();
        });

        it('removes requests that were not approved in time, and no others', async () => {
          const request = () => ({ ...pending(), requestExpiresAt: past });
          const [undecided, denied, approved, later] = [request(), request(), request(), request()] as const;
          await store.createAuthorization(undecided);
          await store.createAuthorization(denied);
          await store.createAuthorization(approved);
          await store.createAuthorization({ ...later, requestExpiresAt: past + 1 });
          await store.denyAuthorization(denied.id, past - 1);
          await store.approveAuthorization({
            ...approval(approved),
            codeHash: hash('approved'),
            at: past - 1,
          });
          expect(await store.sweepTransient(past, 10)).toBe(2);
          const found = await Promise.all(
            [undecided, denied, approved, later].map(({ id }) => store.findAuthorization(id)),
          );
          expect(found.map((one) => one?.status)).toEqual([
            undefined,
            undefined,
            'approved',
            'pending_admin',
          ]);
          expect(await store.sweepTransient(past + 1, 10)).toBe(1);
        });

        // S80, S97, S194
        it('keeps replay detection: a used code and a rotated token still revoke their grant', async () => {
          const byCode = pending();
          const brief = {
            accessToken: { tokenHash: hash('brief'), issuedAt: past, expiresAt: past + 1 },
            refreshToken: {
              tokenHash: hash('long'),
              familyId: hash('f'),
              issuedAt: past,
              expiresAt: at + 10_000,
            },
          };
          await store.createAuthorization(byCode);
          await store.approveAuthorization(approval(byCode));
          await store.redeemCode({ ...redemption(byCode), ...brief });
          expect(await store.sweepTokens(past + 1, 10)).toBe(1);
          expect(await store.redeemCode(redemptionWithTokens(byCode, 'again'))).toBeUndefined();
          expect((await store.findAuthorization(byCode.id))?.status).toBe('revoked');

          const byToken = await createConsumed();
          const first = { ...rotation('first-r', 'second'), at: at + 1 };
          await store.rotateRefreshToken({
            ...first,
            accessToken: { ...first.accessToken, issuedAt: past, expiresAt: past + 1 },
          });
          expect(await store.sweepTokens(past + 1, 10)).toBe(1);
          expect(await store.rotateRefreshToken(rotation('first-r', 'third'))).toBe(false);
          expect((await store.findAuthorization(byToken.id))?.status).toBe('revoked');
        });

        it('removes an expired family with every generation', async () => {
          const authorization = pending();
          await store.createAuthorization(authorization);
          await store.approveAuthorization(approval(authorization));
          const { accessToken, refreshToken } = issue('ended');
          await store.redeemCode({
            ...redemption(authorization),
            accessToken,
            refreshToken: { ...refreshToken, issuedAt: past, expiresAt: past + 20 },
          });
          await store.rotateRefreshToken({ ...rotation('ended-r', 'ended-2'), at: past + 1 });
          expect(await store.sweepTokens(past + 20, 10)).toBe(2);
          expect(await store.findRefreshToken(hash('ended-r'))).toBeUndefined();
          expect(await store.findRefreshToken(hash('ended-2'))).toBeUndefined();
        });
      });

      // S360, S364, S365
      describe('the ledger', () => {
        const learned = (
          entry: string,
          lastAt: number,
          more: Partial<LearnedRecord> = {},
        ): LearnedRecord => ({
          entry,
          authorizationId: 'ledger-1',
          detail: `{"value":"${entry}"}`,
          ...{ firstAt: lastAt, lastAt, changes: 0 },
          ...more,
        });

        it('inserts records once, advances their last instant, and adds their changes', async () => {
          for (const [number, clientId] of [
            [1, 'public'],
            [2, 'Public'],
          ] as const) {
            const [authorizationId, tokenHash] = [`ledger-${number}`, hash(`ledger-${number}`)];
            await store.recordDirectGrant({
              ...GRANT,
              ...{ authorizationId, clientId, token: { ...GRANT.token, tokenHash } },
            });
          }
          await store.recordLearned([]);
          await store.recordLearned([learned('e1', 20), learned('e2', 10)]);
          await store.recordLearned([learned('e1', 30, { changes: 1 }), learned('e3', 25)]);
          await store.recordLearned([learned('e1', 5, { changes: 1 })]);
          expect(await store.listLearned(['ledger-1', 'unknown'])).toEqual([
            learned('e2', 10),
            { ...learned('e1', 20), lastAt: 30, changes: 2 },
            learned('e3', 25),
          ]);
          expect(await store.listLearned([])).toEqual([]);
        });

        it('removes records in batches, to the millisecond, the oldest first', async () => {
          expect(await store.sweepLearned(10, 10)).toBe(0);
          expect([await store.sweepLearned(30, 1), await store.sweepLearned(30, 5)]).toEqual([1, 1]);
          expect((await store.listLearned(['ledger-1'])).map(({ entry }) => entry)).toEqual(['e1']);
        });

        it('deletes the records of a person, of one application or of all', async () => {
          const other = { authorizationId: 'ledger-2' };
          await store.recordLearned([learned('e4', 40, other)]);
          const left = async () =>
            (await store.listLearned(['ledger-1', 'ledger-2'])).map(({ entry }) => entry);
          expect(await store.deleteLearned({ userId: 'P1' })).toBe(0);
          expect(await store.deleteLearned({ userId: 'p1', clientId: 'public' })).toBe(1);
          expect(await left()).toEqual(['e4']);
          expect(await store.deleteLearned({ userId: 'p1' })).toBe(1);
          expect(await left()).toEqual([]);
        });

        // S452
        it('merges the records of one entry that are written together', async () => {
          await store.recordLearned([
            learned('e5', 26),
            learned('e6', 27),
            learned('e5', 28, { changes: 1 }),
            learned('e5', 29, { changes: 1 }),
          ]);
          expect(await store.listLearned(['ledger-1'])).toEqual([
            { ...learned('e5', 26), lastAt: 29, changes: 2 },
            learned('e6', 27),
          ]);
        });

        // S452
        it('drops the records of erased grants, before and during an erasure, and writes the others', async () => {
          await store.recordLearned([learned('e7', 26, { authorizationId: 'unknown' }), learned('e8', 26)]);
          for (let round = 0; round < 10; round += 1) {
            const [userId, authorizationId] = [`unlearned-${round}`, `unlearned-grant-${round}`];
            await store.getOrCreatePerson({ id: userId, name: userId, about: '' });
            await store.recordDirectGrant({
              ...GRANT,
              ...{ authorizationId, userId, subject: { sector: 'o', hash: hash(userId) } },
              token: { ...GRANT.token, tokenHash: hash(authorizationId) },
            });
            const records = [learned(`of-${userId}`, 26, { authorizationId }), learned('e8', 27 + round)];
            const erase = () => store.erasePerson({ userId, hashId: hash, at: 26 });
            const begun = round % 2 === 0 ? erase() : undefined;
            const recording = store.recordLearned(records);
            const [outcome] = await Promise.all([begun ?? erase(), recording]);
            expect(outcome).toEqual({ credentials: 0, grants: 1 });
            expect(await store.listLearned([authorizationId])).toEqual([]);
          }
          const [last] = (await store.listLearned(['ledger-1'])).filter(({ entry }) => entry === 'e8');
          expect(last).toEqual({ ...learned('e8', 26), lastAt: 36 });
          expect(await store.listLearned(['unknown'])).toEqual([]);
        });
      });

      // V10
      it('lists signing keys in the order of their publication', async () => {
        const key = (kid: string, publishedAt: number) => ({
          kid,
          algorithm: 'ES256' as const,
          privateJwk: '{}',
          publishedAt,
          signsFrom: publishedAt,
        });
        await store.addSigningKey(key('later', 2));
        await store.addSigningKey(key('earlier', 1));
        expect((await store.listSigningKeys()).map(({ kid }) => kid)).toEqual(['earlier', 'later']);
      });
    });

    // S187
    it.each([
      ['a malformed hash', { token: { ...GRANT.token, tokenHash: 'short' } }],
      [
        'a token that expires before it is issued',
        { token: { ...GRANT.token, tokenHash: 'x'.repeat(43), expiresAt: GRANT.token.issuedAt } },
      ],
      ['an unknown person', { userId: 'nobody' }],
      ['an unknown application', { clientId: 'nobody' }],
    ])('rejects %s by database constraints', async (_what, change) => {
      const grant = {
        ...GRANT,
        authorizationId: 'a9',
        token: { ...GRANT.token, tokenHash: 'w'.repeat(43) },
        ...change,
      };
      await expect(store.recordDirectGrant(grant)).rejects.toThrow(StoreUnavailable);
    });

    // D2, S35, S36
    it.each(['a\0b', '\ud800'])('rejects %j, which the database would change', async (text) => {
      await expect(store.getOrCreateSecret(text, 'x')).rejects.toThrow(StoreUnavailable);
    });

    // S350
    it('replaces recorded answers once per version, also concurrently', async () => {
      const { id: userId } = await store.getOrCreatePerson({ id: 'asked', name: 'asked', about: '' });
      const key = { organizationId: 'o1', userId };
      expect(await store.findInference(key)).toBeUndefined();
      const replaceTogether = (version: number | undefined, ...texts: readonly string[]) =>
        Promise.all(texts.map((text) => store.replaceInference(key, version, text)));
      const first = await replaceTogether(undefined, 'a', 'b', 'c');
      expect(first.filter(Boolean)).toHaveLength(1);
      expect(await store.findInference(key)).toEqual({ version: 1, answers: 'abc'[first.indexOf(true)] });
      const second = await replaceTogether(1, 'd', 'e', 'f');
      expect(second.filter(Boolean)).toHaveLength(1);
      expect(await store.findInference(key)).toEqual({ version: 2, answers: 'def'[second.indexOf(true)] });
      expect(await replaceTogether(1, 'g')).toEqual([false]);
      expect(await replaceTogether(undefined, 'h')).toEqual([false]);
      expect(await store.findInference({ ...key, organizationId: 'o2' })).toBeUndefined();
      expect(await store.replaceInference({ ...key, organizationId: 'o2' }, 2, 'i')).toBe(false);
    });

    // S352
    it('lists the recorded answers about a person by organization', async () => {
      const [one, other] = await Promise.all(
        ['listed', 'unlisted'].map((id) => store.getOrCreatePerson({ id, name: id, about: '' })),
      );
      const userId = one?.id ?? '';
      await store.replaceInference({ organizationId: 'o2', userId }, undefined, 'b');
      await store.replaceInference({ organizationId: 'o1', userId }, undefined, 'a');
      await store.replaceInference({ organizationId: 'o1', userId: other?.id ?? '' }, undefined, 'c');
      expect(await store.listInference(userId)).toEqual([
        { organizationId: 'o1', answers: 'a' },
        { organizationId: 'o2', answers: 'b' },
      ]);
    });

    // S190
    it('adds up the usage of concurrent callers, and counts from zero once a bucket is empty', async () => {
      const uses = [
        { id: 'b', ms: 200 },
        { id: 'a', ms: 1_000 },
      ];
      expect(await store.addUsage(uses, 10_000)).toEqual(
        new Map([
          ['a', 11_000],
          ['b', 10_200],
        ]),
      );
      const together = Array.from({ length: 10 }, () => store.addUsage([{ id: 'a', ms: 100 }], 10_500));
      const ends = (await Promise.all(together)).map((one) => one.get('a'));
      expect(Math.max(...ends.map(Number))).toBe(12_000);
      expect(await store.addUsage([{ id: 'b', ms: 50 }], 20_000)).toEqual(new Map([['b', 20_050]]));
      expect(await store.addUsage([], 20_000)).toEqual(new Map());
      expect(await store.sweepTransient(12_000, 10)).toBeGreaterThan(0);
      expect(await store.addUsage([{ id: 'a', ms: 1 }], 5_000)).toEqual(new Map([['a', 5_001]]));
    });

    // S190
    it('reserves concurrent uses up to the capacity of a bucket, and lets callers return them', async () => {
      const use = { id: 'guesses', ms: 1_000 };
      const reserve = (now: number) => store.reserveUsage(use, 3_000, now);
      const together = await Promise.all(Array.from({ length: 20 }, () => reserve(50_000)));
      expect(together.filter(({ reserved }) => reserved)).toHaveLength(3);
      expect(await reserve(50_999)).toEqual({ reserved: false, emptyAt: 53_000 });
      expect(await reserve(51_000)).toEqual({ reserved: true, emptyAt: 54_000 });
      expect(await store.addUsage([{ ...use, ms: -1_000 }], 51_000)).toEqual(new Map([['guesses', 53_000]]));
      expect(await reserve(51_000)).toEqual({ reserved: true, emptyAt: 54_000 });
      expect(await reserve(54_500)).toEqual({ reserved: true, emptyAt: 55_500 });
      // A caller whose clock is behind finds the bucket full.
      expect(await reserve(50_000)).toEqual({ reserved: false, emptyAt: 55_500 });
      expect(await store.addUsage([{ id: 'never used', ms: -1_000 }], 54_500)).toEqual(
        new Map([['never used', 53_500]]),
      );
    });

    // S190
    it('consumes an assertion exactly once, even if it is used concurrently', async () => {
      const uses = await Promise.all(Array.from({ length: 5 }, () => store.consumeAssertion('once', 1_000)));
      expect(uses.filter(Boolean)).toHaveLength(1);
      expect(await store.consumeAssertion('another', 1_000)).toBe(true);
      expect(await store.sweepTransient(999, 10)).toBe(0);
      expect(await store.sweepTransient(1_000, 10)).toBe(2);
    });

    // V2
    it('records and updates an application, and keeps its revocation', async () => {
      const application = applicationOf('new');
      await store.upsertApplication(application);
      expect(await store.findApplication('new')).toEqual(application);
      await store.upsertApplication({ ...application, name: 'Newer', createdAt: 60, revokedAt: 60 });
      const revoked = { ...application, name: 'Newer', revokedAt: 60 };
      expect(await store.findApplication('new')).toEqual(revoked);
      await store.upsertApplication({ ...application, name: 'Newer', createdAt: 70 });
      expect(await store.findApplication('new')).toEqual(revoked);
    });

    it('recognizes the origins of redirect URIs of active applications', async () => {
      const application = {
        clientId: 'origins',
        name: 'Origins',
        organizationId: 'o9',
        redirectUris: ['https://a.example/cb', 'https://a.example/other', 'https://b.example:8443?x=/'],
        scopes: [],
        idTokenAlgorithm: 'ES256' as const,
        createdAt: 50,
      };
      const known = async () => {
        const origins = ['https://a.example', 'https://b.example:8443', 'https://c.example'];
        const others = ['https:', 'https://a.exampl', 'https://a.example/', 'https://b.example', ''];
        const found = await Promise.all(
          [...origins, ...others].map(async (origin) => [origin, await store.isRegisteredOrigin(origin)]),
        );
        return found.flatMap(([origin, is]) => (is === true ? [origin] : []));
      };
      await store.insertApplication(application);
      expect(await known()).toEqual(['https://a.example', 'https://b.example:8443']);
      await store.upsertApplication({ ...application, redirectUris: ['https://c.example'] });
      expect(await known()).toEqual(['https://c.example']);
      await store.upsertApplication({ ...application, revokedAt: 60 });
      expect(await known()).toEqual([]);
      expect(await store.isRegisteredOrigin('http://127.0.0.1')).toBe(true);
    });

    it('keeps authentication settings and creator of an application, and the time of its last change', async () => {
      const application = {
        clientId: 'detailed',
        name: 'Detailed',
        organizationId: 'o11',
        redirectUris: ['https://detailed.example/cb'],
        postLogoutRedirectUris: ['https://detailed.example/signed-out', 'http://127.0.0.1:8000/'],
        scopes: ['openid'],
        secretHash: 's'.repeat(43),
        tokenEndpointAuthMethod: 'none' as const,
        requirePushedAuthorizationRequests: true,
        dpopBoundAccessTokens: true,
        maxEvidence: 'checks' as const,
        organizationName: 'Détail & Co',
        logoUri: 'data:image/png;base64,AAAA',
        policyUri: 'https://detailed.example/privacy',
        tosUri: 'https://detailed.example/terms',
        createdByUserId: 'operator-7',
        idTokenAlgorithm: 'ES256' as const,
        createdAt: 50,
        updatedAt: 50,
      };
      await store.upsertApplication(application);
      expect(await store.findApplication('detailed')).toEqual(application);
      await store.upsertApplication({ ...application, createdAt: 60, updatedAt: 60 });
      expect(await store.findApplication('detailed')).toEqual(application);
      const {
        tokenEndpointAuthMethod: _method,
        requirePushedAuthorizationRequests: _pushed,
        dpopBoundAccessTokens: _bound,
        maxEvidence: _most,
        organizationName: _organization,
        logoUri: _logo,
        policyUri: _policy,
        tosUri: _terms,
        ...changed
      } = application;
      await store.upsertApplication({ ...changed, createdAt: 70, updatedAt: 70 });
      expect(await store.findApplication('detailed')).toEqual({ ...changed, updatedAt: 70 });
      await store.upsertApplication({ ...changed, createdAt: 80, updatedAt: 80, revokedAt: 80 });
      expect(await store.findApplication('detailed')).toEqual({ ...changed, updatedAt: 80, revokedAt: 80 });
      await store.upsertApplication({ ...changed, createdAt: 90, updatedAt: 90, revokedAt: 90 });
      expect(await store.findApplication('detailed')).toEqual({ ...changed, updatedAt: 80, revokedAt: 80 });
    });

    // V2
    it('registers an application once per id, also concurrently and after its revocation', async () => {
      const application = applicationOf('once');
      const offers = ['a', 'b', 'c'].map((secretHash) => ({ ...application, secretHash }));
      const registered = await Promise.all(offers.map((offer) => store.insertApplication(offer)));
      expect(registered.filter(Boolean)).toHaveLength(1);
      expect(await store.findApplication('once')).toEqual(offers[registered.indexOf(true)]);
      await store.upsertApplication({ ...application, revokedAt: 60 });
      expect(await store.insertApplication({ ...application, createdAt: 70 })).toBe(false);
      expect(await store.findApplication('once')).toEqual({ ...application, revokedAt: 60 });
    });

    it('changes the secret or the revocation of an active application without changing other properties', async () => {
      const application = { ...applicationOf('updated'), secretHash: 'a' };
      await store.insertApplication(application);
      await store.insertApplication({ ...application, clientId: 'other-updated' });
      const { secretHash: _secret, ...withoutSecret } = { ...application, clientId: 'no-secret' };
      await store.insertApplication(withoutSecret);
      const rotated = { ...application, secretHash: 'b', updatedAt: 60 };
      expect(await store.updateApplication('updated', { secretHash: 'b', updatedAt: 60 })).toEqual(rotated);
      const revoked = { ...rotated, revokedAt: 70, updatedAt: 70 };
      expect(await store.updateApplication('updated', { revokedAt: 70, updatedAt: 70 })).toEqual(revoked);
      const rejected = ['updated', 'no-secret', 'unknown'].map((clientId) =>
        store.updateApplication(clientId, { secretHash: 'c', updatedAt: 80 }),
      );
      expect(await Promise.all(rejected)).toEqual([undefined, undefined, undefined]);
      expect(await store.updateApplication('updated', { revokedAt: 90, updatedAt: 90 })).toBeUndefined();
      const ids = ['updated', 'no-secret', 'other-updated'];
      expect(await Promise.all(ids.map((id) => store.findApplication(id)))).toEqual([
        revoked,
        withoutSecret,
        { ...application, clientId: 'other-updated' },
      ]);
    });

    // V2
    it('assigns a new address to exactly one of the people who are recorded with it concurrently', async () => {
      const offers = Array.from({ length: 8 }, (_, index) => ({
        ...{ id: `same-${index}`, name: `same-${index}`, about: '' },
        ...{ email: 'same@people.example', evmAddress: '0x5a3e' },
      }));
      const people = await Promise.all(
        offers.map((person, index) =>
          index % 2 === 0
            ? store.getOrCreatePerson(person)
            : store.signInWithAccount({
                accountHash: `same-account-${index}`.padEnd(43, '-'),
                issuer: 'https://sso.example',
                linkBy: [],
                person,
                alternativeName: person.id,
                at: 5,
              }),
        ),
      );
      expect(people.map(({ id }) => id)).toEqual(offers.map(({ id }) => id));
      expect(people.filter(({ email }) => email !== undefined)).toHaveLength(1);
      expect(people.filter(({ evmAddress }) => evmAddress !== undefined)).toHaveLength(1);
    });

    // V2
    it('records a person once per name, and does not reassign the address of another person', async () => {
      const person = { id: 'p-new', name: 'u-1', about: '' };
      const offers = await Promise.all(
        ['a', 'b', 'c'].map((id) => store.getOrCreatePerson({ ...person, id, email: 'u1@people.example' })),
      );
      expect(new Set(offers.map(({ id }) => id)).size).toBe(1);
      expect(offers[0]).toMatchObject({ name: 'u-1', email: 'u1@people.example' });
      const other = await store.getOrCreatePerson({
        ...person,
        id: 'd',
        name: 'u-2',
        email: 'u1@people.example',
      });
      expect(other).toEqual({ id: 'd', name: 'u-2', about: '' });
      const moved = await store.getOrCreatePerson({ ...person, email: 'new@people.example' });
      expect(moved).toEqual({ ...offers[0], email: 'new@people.example' });
    });

    // S330, S331
    it('erases a person with everything that refers to them, and remembers revoked credentials', async () => {
      const addresses = { email: 'erased@people.example', evmAddress: '0xe5a5ed' };
      const person = { id: 'erased-1', name: 'erased-name', about: '', ...addresses };
      await store.getOrCreatePerson(person);
      await store.signInWithAccount({
        accountHash: 'erased-account'.padEnd(43, '-'),
        issuer: 'https://sso.example',
        linkBy: ['name'],
        person: { ...person, id: 'unused' },
        alternativeName: 'unused',
        at: 5,
      });
      expect(await store.listAccounts('erased-1')).toEqual([{ issuer: 'https://sso.example', linkedAt: 5 }]);
      const subject = 'erased-subject'.padEnd(43, '-');
      const hashOf = (id: string) => id.padEnd(43, '-');
      const credential = (id: string) => ({ id, source: 'S', issuedAt: 1, claims: { 'kyc.passed': true } });
      for (const id of ['kept-out', 'may-return'])
        expect(await store.addCredential('erased-1', credential(id), 1, subject, hashOf(id))).toBe('added');
      await store.revokeCredential('kept-out', 2);
      // S419
      const hints = [
        person.email,
        'erased-1',
        'user|erased-name',
        `email|${person.email}`,
        'wallet|0xe5a5ed',
      ];
      const otherHints = ['other@people.example', 'email|erased', 'user|erased'];
      const application = {
        ...{ clientId: 'of-erased', name: 'A', organizationId: 'o', redirectUris: [], scopes: [] },
        ...{ idTokenAlgorithm: 'ES256' as const, createdAt: 1 },
      };
      await store.insertApplication({ ...application, createdByUserId: 'erased-1' });
      for (const [index, loginHint] of [...hints, ...otherHints].entries())
        await store.createAuthorization({
          id: `erased-request-${index}`,
          clientId: 'public',
          status: 'pending_admin',
          redirectUri: 'http://127.0.0.1/cb',
          requestedScopes: ['openid'],
          loginHint,
          createdAt: 1,
          requestExpiresAt: 1_000,
          updatedAt: 1,
        });
      await store.recordDirectGrant({
        authorizationId: 'erased-grant',
        clientId: 'public',
        userId: 'erased-1',
        subject: { sector: 'o', hash: 'erased'.padEnd(43, '-') },
        scopes: ['openid'],
        token: { ...GRANT.token, tokenHash: 'erased-token'.padEnd(43, '-') },
      });
      const erase = () => store.erasePerson({ userId: 'erased-1', hashId: hashOf, at: 9 });
      expect(await erase()).toEqual({ credentials: 2, grants: 1 });
      expect(await erase()).toBeUndefined();
      expect(await store.findPerson('email', person.email)).toBeUndefined();
      expect(await store.findAccessToken('erased-token'.padEnd(43, '-'))).toBeUndefined();
      expect(await store.readCredentials('erased-1')).toEqual([]);
      expect(await store.listAccounts('erased-1')).toEqual([]);
      expect(await store.findApplication('of-erased')).toEqual(application);
      const requests = await Promise.all(
        [...hints, ...otherHints].map((_, index) => store.findAuthorization(`erased-request-${index}`)),
      );
      const left = requests.flatMap((request) => request?.loginHint ?? []);
      if (!encrypted) expect(left).toEqual(otherHints);
      await store.getOrCreatePerson({ ...person, id: 'erased-2' });
      const addAgain = (id: string) =>
        store.addCredential('erased-2', credential(id), 10, subject, hashOf(id));
      expect([await addAgain('kept-out'), await addAgain('may-return')]).toEqual(['id_repeated', 'added']);
      const listed = await store.listPeopleById('erased-1', 1_000);
      expect(listed.map(({ id }) => id)).toContain('erased-2');
      const tables = await store.purgeErased();
      if (tables !== undefined) expect(tables).toContain('person');
    });

    // S331, S333
    it('removes ended grants and credentials after their retention, and remembers revoked credentials', async () => {
      await store.getOrCreatePerson({ id: 'kept-1', name: 'kept-name', about: '' });
      const hashOf = (id: string) => id.padEnd(43, '-');
      const credential = (id: string, expiresAt?: number) => ({
        ...{ id, source: 'S', issuedAt: 1, claims: {} },
        ...(expiresAt === undefined ? {} : { expiresAt }),
      });
      for (const [id, expiresAt] of [['ended-1', 100], ['ended-2'], ['lasting', 900]] as const)
        await store.addCredential('kept-1', credential(id, expiresAt), 1, undefined, hashOf(id));
      await store.revokeCredential('ended-2', 100);
      expect(await store.listEndedCredentials(99, 10)).not.toContain('ended-1');
      const ended = await store.listEndedCredentials(100, 100);
      expect(ended).toEqual(expect.arrayContaining(['ended-1', 'ended-2']));
      const hashes = new Map(['ended-1', 'ended-2', 'lasting'].map((id) => [id, hashOf(id)]));
      expect(await store.removeEndedCredentials(hashes, 100, 200)).toBe(2);
      expect((await store.readCredentials('kept-1')).map(({ id }) => id)).toEqual(['lasting']);
      const again = (id: string) => store.addCredential('kept-1', credential(id), 300, undefined, hashOf(id));
      expect([await again('ended-1'), await again('ended-2')]).toEqual(['added', 'id_repeated']);

      const tokenHash = 'ended-token'.padEnd(43, '-');
      const grant = { clientId: 'public', userId: 'kept-1', scopes: ['openid'] };
      for (const id of ['ended-grant', 'active-grant'])
        await store.recordDirectGrant({
          ...grant,
          authorizationId: id,
          subject: { sector: 'o', hash: id.padEnd(43, '-') },
          token: { ...GRANT.token, issuedAt: 1, tokenHash: id === 'ended-grant' ? tokenHash : hashOf(id) },
        });
      await store.revokeAuthorization('ended-grant', 50, 'by_person');
      const swept = await store.sweepGrants(50, 1_000);
      expect(swept).toBeGreaterThan(0);
      expect(await store.findAuthorization('ended-grant')).toBeUndefined();
      expect(await store.findAccessToken(tokenHash)).toBeUndefined();
      expect(await store.findAuthorization('active-grant')).toBeDefined();
    });

    // S326
    it('signs one account in as one person, linked once and by the given identifiers only', async () => {
      const accountHash = (name: string) => name.padEnd(43, '-');
      const signIn = (account: string, name: string, id: string) => ({
        accountHash: accountHash(account),
        issuer: 'https://sso.example',
        linkBy: [] as readonly ('name' | 'email')[],
        person: { id, name, about: '' },
        alternativeName: `sso:${account}`,
        at: 5,
      });
      const first = await Promise.all(
        ['a-1', 'a-2', 'a-3'].map((id) => store.signInWithAccount(signIn('acc-a', 'acc-ada', id))),
      );
      expect(new Set(first.map(({ id }) => id)).size).toBe(1);
      expect((await store.listPeople(1_000)).filter(({ name }) => name.includes('acc-'))).toHaveLength(1);
      const taken = await store.signInWithAccount(signIn('acc-b', 'acc-ada', 'b-1'));
      expect(taken).toMatchObject({ id: 'b-1', name: 'sso:acc-b' });
      // If the alternative name is taken too, the id becomes the name.
      await store.getOrCreatePerson({ id: 'squatter', name: 'sso:acc-c', about: '' });
      expect((await store.signInWithAccount(signIn('acc-c', 'acc-ada', 'c-1'))).name).toBe('c-1');
      const known = await store.getOrCreatePerson({ id: 'd-0', name: 'acc-dora', about: '' });
      const byName = { linkBy: ['name'] as const };
      expect(await store.signInWithAccount({ ...signIn('acc-d', 'acc-dora', 'd-1'), ...byName })).toEqual(
        known,
      );
      expect((await store.signInWithAccount(signIn('acc-d', 'renamed', 'd-2'))).id).toBe('d-0');
      // The person has an account at this issuer, but none at another one.
      const second = { ...signIn('acc-e', 'acc-dora', 'e-1'), ...byName };
      expect((await store.signInWithAccount(second)).id).toBe('e-1');
      const elsewhere = { ...signIn('acc-f', 'acc-dora', 'f-1'), ...byName, issuer: 'https://other.example' };
      expect((await store.signInWithAccount(elsewhere)).id).toBe('d-0');
    });

    it('links an account by an e-mail address, and assigns no address of another person', async () => {
      const email = 'linked@people.example';
      const known = await store.getOrCreatePerson({ id: 'mail-0', name: 'mail-known', about: '', email });
      const signIn = {
        accountHash: 'mail-account'.padEnd(43, '-'),
        issuer: 'https://sso.example',
        linkBy: ['email'] as const,
        person: { id: 'mail-1', name: 'mail-new', about: '', email: 'linked@PEOPLE.example' },
        alternativeName: 'sso:mail',
        at: 5,
      };
      expect(
        await store.signInWithAccount({ ...signIn, linkBy: [], accountHash: 'other'.padEnd(43, '-') }),
      ).toEqual({
        id: 'mail-1',
        name: 'mail-new',
        about: '',
      });
      expect(
        await store.signInWithAccount({ ...signIn, person: { ...signIn.person, id: 'mail-2' } }),
      ).toEqual(known);
    });

    it('ends sessions up to an instant that never decreases, even if the person is recorded again', async () => {
      const person = { id: 'p-out', name: 'u-out', about: '' };
      expect((await store.getOrCreatePerson(person)).signedOutAt).toBeUndefined();
      for (const until of [1, 3, 2]) await store.endSessions('p-out', until);
      expect(await store.findPerson('id', 'p-out')).toEqual({ ...person, signedOutAt: 3 });
      expect((await store.getOrCreatePerson(person)).signedOutAt).toBe(3);
      expect((await store.findPerson('id', 'p1'))?.signedOutAt).toBeUndefined();
    });

    // S127
    it('folds the case of e-mail domains only, for storage and lookup', async () => {
      const person = { id: 'folded', name: 'folded', about: '' };
      const recorded = await store.getOrCreatePerson({ ...person, email: 'Folded@People.Example' });
      expect(recorded.email).toBe('Folded@people.example');
      expect(await store.findPerson('email', 'Folded@PEOPLE.example')).toMatchObject({ id: 'folded' });
      expect(await store.findPerson('email', 'folded@people.example')).toBeUndefined();
    });

    it('finds a person by exact id, name or address', async () => {
      await store.getOrCreatePerson({ id: 'p-found', name: 'Zoë', about: '', email: 'Zoe@people.example' });
      const found = await Promise.all([
        store.findPerson('id', 'p-found'),
        store.findPerson('name', 'Zoë'),
        store.findPerson('email', 'Zoe@people.example'),
      ]);
      expect(found.map((person) => person?.name)).toEqual(['Zoë', 'Zoë', 'Zoë']);
      const named = { id: 'p-hinted', name: 'zoe@people.example', about: '' };
      await store.getOrCreatePerson(named);
      expect(await store.findPeopleByHint('Zoë')).toMatchObject({ byName: { id: 'p-found' } });
      expect(await store.findPeopleByHint('Zoe@PEOPLE.example')).toEqual({ byEmail: found[0] });
      expect(await store.findPeopleByHint('zoe@people.example')).toEqual({ byName: named });
      await store.getOrCreatePerson({ ...named, id: 'p-both', name: 'Zoe@people.example' });
      expect(await store.findPeopleByHint('Zoe@people.example')).toMatchObject({
        byName: { id: 'p-both' },
        byEmail: { id: 'p-found' },
      });
      expect(await store.findPeopleByHint('nobody')).toEqual({});
      const others = [
        store.findPerson('name', 'zoë'),
        store.findPerson('email', 'zoe@people.example'),
        store.findPerson('evmAddress', ''),
        store.findPerson('id', 'Zoë'),
      ];
      expect(await Promise.all(others)).toEqual([undefined, undefined, undefined, undefined]);
    });

    it('keeps one secret per name, which all concurrent callers receive', async () => {
      const secrets = await Promise.all(
        ['x', 'y', 'z'].map((offered) => store.getOrCreateSecret('key', offered)),
      );
      expect(new Set(secrets).size).toBe(1);
      expect(await store.getOrCreateSecret('key', 'later')).toBe(secrets[0]);
      expect(await store.findSecret('key')).toBe(secrets[0]);
      expect(await store.findSecret('unknown')).toBeUndefined();
    });

    // V12
    it('shows acknowledged changes to a process that starts later', async () => {
      const reopened = await opened.reopen();
      expect(await reopened.findAccessToken(GRANT.token.tokenHash)).toMatchObject({
        authorizationId: 'a1',
      });
      expect(await reopened.seedOnce(SEED)).toBe(false);
      await reopened.close();
    });

    it('uses no full scan of growing tables, and every method is tested', async () => {
      capture.stop();
      await fillGrowingTables(opened.database, 'public');
      expect(await findPlanFaults(opened.database, capture.statements(), 'public')).toEqual([]);
      const uncalled = Object.keys(opened.store).filter((name) => !called.has(name));
      // The contract of the audit log calls these methods, or a later test does.
      const calledByOthers = [
        ...['recordAudit', 'listAudit', 'sweepAudit', 'listAuditLines', 'findLastSeal', 'listSeals'],
        ...['addSeal', 'pruneSeals', 'readAuditRetention', 'close', 'encryption'],
      ];
      if (encrypted) calledByOthers.push('narrowAudience');
      expect(uncalled.filter((name) => !calledByOthers.includes(name))).toEqual([]);
    });

    // S201
    it('cannot be used after it was closed', async () => {
      await store.close();
      await expect(store.listPeople()).rejects.toThrow(StoreUnavailable);
    });
  });
}

/** Wraps the store to record the names of called methods. */
function recordCalls(store: Store, called: Set<string>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      called.add(String(name));
      return Reflect.get(target, name) as unknown;
    },
  });
}
