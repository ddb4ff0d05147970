/** What the store's port promises, sentence by sentence, for every adapter to run (V11, V12). */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Credential, PolicyItem } from '../../src/engine/index.js';
import {
  type Application,
  type Authorization,
  type DirectGrant,
  type GrantQuery,
  type GrantRecord,
  type GrantSelector,
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

/** A store of an adapter, and the same store as a process that starts later finds it. */
export interface StoreUnderTest {
  readonly store: Store;
  /** The database behind it. */
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

/** By what a client finds the grants of a person, as the service would derive it. */
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
    let under: StoreUnderTest;
    let store: Store;
    let capture: StatementCapture;
    const called = new Set<string>();

    beforeAll(async () => {
      under = await open();
      store = noteCalls(under.store, called);
      capture = under.database.capture();
    });

    it('is filled once: of several who try at once, one is told so', async () => {
      const told = await Promise.all([store.seedOnce(SEED), store.seedOnce(SEED), store.seedOnce(SEED)]);
      expect(told.filter(Boolean)).toHaveLength(1);
      expect(await store.listPeople()).toHaveLength(2);
    });

    it('lists people and applications in code-unit order, and tells names apart by letter case', async () => {
      expect((await store.listPeople()).map(({ name: user }) => user)).toEqual(['Zoe', 'zoe']);
      expect((await store.listPeople(2)).map(({ name: user }) => user)).toEqual(['Zoe', 'zoe']);
      expect(await store.listPeople(1)).toHaveLength(1);
      expect(await store.listApplications()).toEqual([SEED.applications[1], SEED.applications[0]]);
    });

    it('gives back credentials as they were put in, active or not', async () => {
      const read = await store.readCredentials('p1');
      expect([...read].sort((left, right) => (left.id < right.id ? -1 : 1))).toEqual(CREDENTIALS);
      expect(await store.readCredentials('P1')).toEqual([]);
      expect(await store.readCredentials('nobody')).toEqual([]);
    });

    it('lists a person’s credentials by their last change, and revokes each once', async () => {
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

    it('counts people, and lists their ids in an order of its own, page by page and each once', async () => {
      expect(await store.countPeople()).toBe(2);
      const all = await store.listPersonIds(undefined, 5);
      expect([...all].sort()).toEqual(['P1', 'p1']);
      const first = await store.listPersonIds(undefined, 1);
      expect([...first, ...(await store.listPersonIds(first[0], 5))]).toEqual(all);
      expect(await store.listPersonIds(all[1], 5)).toEqual([]);
    });

    // V14
    it.skipIf(encrypted)(
      'narrows people down to those who satisfy a query at an instant, and says where it cannot tell',
      async () => {
        const query: PolicyItem = {
          check: { claim: 'identity.legal_name', operator: '==', value: 'Zoë 🌍' },
        };
        const ask = (more: Partial<Parameters<Store['narrowAudience']>[0]>) =>
          store.narrowAudience({ query, among: ['p1', 'P1', 'nobody'], at: 2_500, derived: [], ...more });
        expect(await ask({})).toEqual({ userIds: ['p1'], exact: true });
        expect(await ask({ at: 999 })).toEqual({ userIds: [], exact: true });
        expect(await ask({ among: ['P1'] })).toEqual({ userIds: [], exact: true });
        expect(await ask({ among: [] })).toEqual({ userIds: [], exact: true });
        const nested: PolicyItem = { check: { claim: 'a.b', operator: '==', value: [{ c: -0.5 }] } };
        expect(await ask({ query: nested })).toEqual({ userIds: ['p1'], exact: true });
        // Revoked from then on.
        expect(await ask({ query: nested, at: 3_000 })).toEqual({ userIds: [], exact: true });
        const unsure = await ask({ derived: ['identity.legal_name'], at: 999 });
        expect([[...unsure.userIds].sort(), unsure.exact]).toEqual([['P1', 'p1'], false]);
      },
    );

    // V3
    it('lists people with grants in force towards an application, each once with the scopes of each grant', async () => {
      const grant = (name: string, scopes: readonly string[]) => ({
        ...GRANT,
        authorizationId: `holder-${name}`,
        scopes,
        token: { ...GRANT.token, tokenHash: name.repeat(43), scopes },
      });
      await store.recordDirectGrant(grant('x', ['kyc:read']));
      await store.recordDirectGrant(grant('y', ['openid', 'kyc:read']));
      const ask = (after?: string) =>
        store.listGrantHolders({
          clientId: 'public',
          sector: 'o1',
          at: 1,
          limit: 5,
          ...(after === undefined ? {} : { after }),
        });
      const [holder, ...others] = await ask();
      expect([holder?.userId, others]).toEqual(['p1', []]);
      const byLength = [...(holder?.grants ?? [])].sort((one, other) => one.length - other.length);
      expect(byLength).toEqual([['kyc:read'], ['openid', 'kyc:read']]);
      expect(await ask(holder?.subjectHash)).toEqual([]);
      for (const name of ['x', 'y']) await store.revokeAuthorization(`holder-${name}`, 2_000_000_000_000);
      expect(await ask()).toEqual([]);
    });

    it('finds a token with its grant by its hash, and nothing by another', async () => {
      await store.recordDirectGrant(GRANT);
      expect(await store.findPresentedToken(GRANT.token.tokenHash)).toEqual({
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
      expect(await store.findPresentedToken('T'.repeat(43))).toBeUndefined();
    });

    // V11
    it('reads credentials as they are now, alone and after a token in the same turn', async () => {
      await store.recordDirectGrant({
        ...GRANT,
        authorizationId: 'a-mark',
        token: { ...GRANT.token, tokenHash: 'M'.repeat(43) },
      });
      const count = async () => (await store.readCredentials('p1')).length;
      expect(await store.findPresentedToken('M'.repeat(43))).toBeDefined();
      const before = await count();
      expect(await count()).toBe(before);
      await store.addCredential('p1', { id: 'later', source: 's', issuedAt: 0, claims: { 'a.b': 1 } }, 1);
      expect(await count()).toBe(before + 1);
      expect(await store.findPresentedToken('M'.repeat(43))).toBeDefined();
      expect(await count()).toBe(before + 1);
    });

    // V18
    it('binds a subject to the person of its first credential, and to one of several at once', async () => {
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
    it('binds no subject by a credential whose id was taken', async () => {
      const subject = 'free'.padEnd(43, '_');
      const credential = { id: 'c1', source: 's', issuedAt: 0, claims: {} };
      expect(await store.addCredential('p1', credential, 1, subject)).toBe('id_repeated');
      expect(await store.addCredential('P1', { ...credential, id: 'free-1' }, 1, subject)).toBe('added');
    });

    // V11
    it('counts a token of a revoked application as revoked', async () => {
      const grant = {
        ...GRANT,
        authorizationId: 'a2',
        clientId: 'Public',
        token: { ...GRANT.token, tokenHash: 'u'.repeat(43) },
      };
      await store.recordDirectGrant(grant);
      expect(await store.findPresentedToken(grant.token.tokenHash)).toMatchObject({
        revoked: true,
        organizationId: 'o2',
      });
    });

    // S185
    it('records a grant whole or not at all', async () => {
      const clashing = { ...GRANT, authorizationId: 'a3' };
      await expect(store.recordDirectGrant(clashing)).rejects.toThrow(StoreUnavailable);
      // Had the authorization stayed behind, its id would be taken.
      await store.recordDirectGrant({ ...clashing, token: { ...GRANT.token, tokenHash: 'v'.repeat(43) } });
    });

    describe('authorizations, codes and tokens', () => {
      const at = GRANT.token.issuedAt;
      let count = 0;

      /** A text of 43 characters that no other test has. */
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

      const pushed = (name: string, expiresAt = at + 60_000) => ({
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
      it('gives the parameters of a pushed request to one of several uses at once', async () => {
        count += 1;
        const request = pushed('once');
        await store.createPushedRequest(request);
        const uses = await Promise.all(
          Array.from({ length: 5 }, () => store.consumePushedRequest(request.tokenHash, 'public', at)),
        );
        expect(uses.filter((one) => one !== undefined)).toEqual([request.parameters]);
        expect(await store.consumePushedRequest(request.tokenHash, 'public', at)).toBeUndefined();
      });

      // S263, S264
      it('keeps a pushed request until its own client uses it, to the millisecond before it expires', async () => {
        count += 1;
        const [used, expired] = [pushed('used', at + 2), pushed('expired', at + 1)];
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
      const redeeming = (authorization: Authorization, name: string) => ({
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

      async function consumed(): Promise<Authorization> {
        const authorization = pending();
        await store.createAuthorization(authorization);
        await store.approveAuthorization(approval(authorization));
        await store.redeemCode(redeeming(authorization, 'first'));
        return authorization;
      }

      it('an authorization is given back as it was put in; no other id finds it', async () => {
        const authorization = pending();
        await store.createAuthorization(authorization);
        expect(await store.findAuthorization(authorization.id)).toEqual(authorization);
        expect(await store.findAuthorization(authorization.id.toUpperCase())).toBeUndefined();
      });

      // V3, V4
      it('of approvals and denials at once exactly one wins, and the others are told the state', async () => {
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

      it('one that is not there is neither approved, denied nor revoked', async () => {
        const authorization = pending();
        expect(await store.approveAuthorization(approval(authorization))).toBeUndefined();
        expect(await store.denyAuthorization(authorization.id, at)).toBeUndefined();
        expect(await store.revokeAuthorization(authorization.id, at)).toBeUndefined();
      });

      // V3
      it('a request whose lifetime is over counts as denied, at the millisecond', async () => {
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
      it('palm verification is recorded with its person while the request is pending, and for it alone', async () => {
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
      it('clears palm verifications of other people at a browser, for its pending requests alone', async () => {
        const [mine, theirs, approved, elsewhere] = [
          pending({ browserHash: 'b1' }),
          pending({ browserHash: 'b1' }),
          pending({ browserHash: 'b1' }),
          pending({ browserHash: 'b2' }),
        ];
        for (const one of [mine, theirs, approved, elsewhere]) await store.createAuthorization(one);
        await store.getOrCreatePerson({ id: 'p2', name: 'u-palm', about: '' });
        await store.recordPalmVerification(mine.id, 'p1', at);
        for (const { id } of [theirs, approved, elsewhere]) await store.recordPalmVerification(id, 'p2', at);
        await store.approveAuthorization(approval(approved));
        await store.clearPalmVerifications('b1', 'p1');
        const verified = async ({ id }: Authorization) => {
          const { palmVerifiedAt, palmVerifiedPersonId } = (await store.findAuthorization(id)) ?? {};
          return [palmVerifiedAt, palmVerifiedPersonId];
        };
        expect(await Promise.all([mine, theirs, approved, elsewhere].map(verified))).toEqual([
          [at, 'p1'],
          [undefined, undefined],
          [at, 'p2'],
          [at, 'p2'],
        ]);
      });

      it('keeps what a request asks of the sign-in', async () => {
        const requested = { prompt: 'login consent', maxAgeSeconds: 0, authenticatedAfter: at };
        const authorization = pending(requested);
        await store.createAuthorization(authorization);
        expect(await store.findAuthorization(authorization.id)).toMatchObject(requested);
      });

      // V8
      it('of redemptions at once exactly one wins; the next right one revokes what came of it', async () => {
        const authorization = pending();
        await store.createAuthorization(authorization);
        await store.approveAuthorization(approval(authorization));
        const redeem = (name: string) => store.redeemCode(redeeming(authorization, name));
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

      it('records an access token with the granted scopes that the application may have', async () => {
        const authorization = pending();
        await store.createAuthorization(authorization);
        await store.approveAuthorization({ ...approval(authorization), scopes: ['openid', 'kyc:read'] });
        const redeemed = await store.redeemCode({
          ...redeeming(authorization, 'allowed'),
          allowedScopes: ['kyc:read', 'other'],
        });
        expect(redeemed?.scopes).toEqual(['kyc:read']);
        expect(redeemed?.authorization.grantedScopes).toEqual(['openid', 'kyc:read']);
        expect((await store.findPresentedToken(hash('allowed-a')))?.grantedScopes).toEqual(['kyc:read']);
      });

      // D15, S82
      it('a redemption that is wrong in anything changes nothing but for the fifth', async () => {
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
          expect(await store.redeemCode({ ...redeeming(authorization, 'w'), ...change })).toBeUndefined();
        }
        expect((await store.findAuthorization(authorization.id))?.status).toBe('approved');
        for (let more = 0; more < 2; more += 1) {
          await store.redeemCode({ ...redeeming(authorization, 'w'), redirectUri: 'x' });
        }
        expect((await store.findAuthorization(authorization.id))?.status).toBe('revoked');
      });

      // V3, V8
      it('a code is good until its lifetime is over, and then its authorization is revoked', async () => {
        const authorization = pending();
        await store.createAuthorization(authorization);
        await store.approveAuthorization(approval(authorization));
        expect(await store.redeemCode({ ...redeeming(authorization, 'late'), at: at + 500 })).toBeUndefined();
        expect((await store.findAuthorization(authorization.id))?.status).toBe('revoked');
      });

      // V9
      it('of rotations at once exactly one wins; a token that was rotated revokes its authorization', async () => {
        const authorization = await consumed();
        const rotate = (to: string) => store.rotateRefreshToken(rotation('first-r', to));
        expect((await Promise.all(['x', 'y'].map(rotate))).filter(Boolean)).toHaveLength(1);
        expect((await store.findAuthorization(authorization.id))?.status).toBe('revoked');
      });

      // V9
      it('a rotation by another client, or after the family has ended, changes nothing', async () => {
        const authorization = await consumed();
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
      it('a code that is bound to a key is redeemed with that key alone, and ends its grant when that comes again', async () => {
        const dpopJkt = hash('key');
        const authorization = pending({ dpopJkt });
        await store.createAuthorization(authorization);
        await store.approveAuthorization(approval(authorization));
        const redeem = (jkt: string | undefined, name: string) =>
          store.redeemCode({ ...redeeming(authorization, name), ...(jkt && { jkt }) });
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
      it('tokens keep the key that they are bound to; a rotation keeps it, or binds what was not bound', async () => {
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
        expect(await store.findPresentedToken(accessToken.tokenHash)).toMatchObject({ jkt });
        expect(await boundTo('free-r')).toBeUndefined();
        await store.rotateRefreshToken(rotation('free-r', 'free-2'));
        expect(await boundTo('free-2')).toBeUndefined();
        expect(await store.findPresentedToken(hash('free-2-access'))).not.toHaveProperty('jkt');
        const next = rotation('free-2', 'bound-3');
        const issued = { ...next.accessToken, jkt: otherJkt };
        await store.rotateRefreshToken({ ...next, accessToken: issued, nextJkt: jkt });
        expect(await boundTo('bound-3')).toBe(jkt);
        expect(await store.findPresentedToken(hash('bound-3-access'))).toMatchObject({ jkt: otherJkt });
        await store.rotateRefreshToken(rotation('bound-3', 'bound-4'));
        expect(await boundTo('bound-4')).toBe(jkt);
      });

      // S109, S113
      it('many are revoked together, each told; another client’s are none', async () => {
        const authorization = await consumed();
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
        expect(await store.findPresentedToken(hash('first-a'))).toMatchObject({ revoked: true });
      });

      // S113
      it('what one subject of a revocation ends, another of the same is told to have ended too; each once', async () => {
        const authorization = await consumed();
        const tokenHashes = [hash('first-r'), hash('first-a')];
        const revocation = { tokenHashes, clientId: 'public', cascade: true, at };
        const named = { ...revocation, authorizationId: authorization.id };
        const told = async (what: typeof revocation) => {
          const { tokens, authorizations } = await store.revokeTokens(what);
          return [tokens.map((one) => one?.tokenType), authorizations.map((one) => one.authorizationId)];
        };
        expect(await told(named)).toEqual([['refresh_token', 'access_token'], [authorization.id]]);
        expect(await told(named)).toEqual([[undefined, undefined], []]);
      });

      it('issues further tokens under a grant while it is active', async () => {
        const authorization = await consumed();
        const token = { tokenHash: hash('more'), scopes: ['openid'], issuedAt: at, expiresAt: at + 100 };
        expect(await store.recordAccessToken(authorization.id, token)).toBe(true);
        await store.revokeAuthorization(authorization.id, at);
        expect(await store.recordAccessToken(authorization.id, { ...token, tokenHash: hash('late') })).toBe(
          false,
        );
        expect(await store.findPresentedToken(hash('late'))).toBeUndefined();
      });

      describe('a client’s own grants, by the person whom it names', () => {
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

        /** A grant of that person to an application, redeemed or not. */
        async function grantedBy(
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
          if (redeemed) await store.redeemCode({ ...redeeming(authorization, 'named'), clientId });
          return authorization.id;
        }

        const find = (clientId = 'public', now = at, coverage: readonly (readonly string[])[] = []) =>
          Promise.all(selectors.map((selector) => store.findActiveGrant(clientId, selector, coverage, now)));
        const endAll = async () => {
          for (const clientId of ['public', 'Public'])
            await store.withdrawGrants({ userId: person.id, clientId, until: at, at });
        };

        it('are found by pairwise id, name, e-mail and wallet, the one approved last first', async () => {
          await grantedBy({ at: at - 2 });
          const latest = await grantedBy({ redeemed: false });
          await grantedBy({ at: at - 1 });
          const grant = { authorizationId: latest, userId: person.id, scopes: ['openid'] };
          expect(await find()).toEqual(Array(4).fill(grant));
          await endAll();
        });

        it('are found where they cover what is required, the one approved last of those', async () => {
          const earlier = await grantedBy({ at: at - 1 });
          const narrow = pending();
          const granted = { ...approval(narrow), userId: person.id, subject: subjectOf('named'), at };
          await store.createAuthorization(narrow);
          await store.approveAuthorization({ ...granted, scopes: ['kyc:read'] });
          await store.redeemCode(redeeming(narrow, 'narrow'));
          const ids = async (...coverage: (readonly string[])[]) => [
            ...new Set((await find('public', at, coverage)).map((grant) => grant?.authorizationId)),
          ];
          expect(await ids()).toEqual([narrow.id]);
          expect(await ids(['openid', 'kyc:read'])).toEqual([narrow.id]);
          expect(await ids(['openid'])).toEqual([earlier]);
          expect(await ids(['openid'], ['kyc:read'])).toEqual([undefined]);
          expect(await ids([])).toEqual([undefined]);
          await endAll();
        });

        // V3
        it('end with a code that expires unredeemed, and an earlier redeemed grant is found again', async () => {
          const redeemed = await grantedBy({ at: at - 2 });
          const brokenOff = await grantedBy({ redeemed: false });
          const codeExpiresAt = at + 500;
          const ids = async (now: number) => [
            ...new Set((await find('public', now)).map((grant) => grant?.authorizationId)),
          ];
          expect(await ids(codeExpiresAt - 1)).toEqual([brokenOff]);
          expect(await ids(codeExpiresAt)).toEqual([redeemed]);
          const record = (name: string, issuedAt: number) =>
            store.recordAccessToken(brokenOff, {
              tokenHash: hash(name),
              scopes: ['openid'],
              issuedAt,
              expiresAt: issuedAt + 9_000,
            });
          expect(await record('in-time', codeExpiresAt - 1)).toBe(true);
          expect(await record('too-late', codeExpiresAt)).toBe(false);
          expect(await store.findPresentedToken(hash('too-late'))).toBeUndefined();
          expect(await store.findPresentedToken(hash('in-time'))).toMatchObject({
            authorization: { status: 'approved', codeExpiresAt },
          });
          const given = { tokenHashes: [hash('in-time')], clientId: 'public', cascade: false };
          expect(await store.revokeTokens({ ...given, at: codeExpiresAt })).toMatchObject({
            tokens: [undefined],
          });
          await endAll();
          expect(await ids(codeExpiresAt)).toEqual([undefined]);
        });

        it('are not found once they have ended, and neither are another client’s', async () => {
          await grantedBy();
          await endAll();
          expect(await find()).toEqual(Array(4).fill(undefined));
          await grantedBy({ clientId: 'Public' });
          expect(await find()).toEqual(Array(4).fill(undefined));
          expect((await find('Public')).filter((grant) => grant !== undefined)).toHaveLength(3);
          await endAll();
        });

        it('are not found by what nobody is named by, nor for another sector', async () => {
          await grantedBy();
          const others: readonly GrantSelector[] = [
            { by: 'subject', subject: subjectOf('nobody') },
            { by: 'subject', subject: { ...subjectOf('named'), sector: 'o2' } },
            { by: 'name', value: 'named' },
            { by: 'email', value: 'Named@people.example' },
            { by: 'evmAddress', value: '' },
          ];
          for (const other of others)
            expect(await store.findActiveGrant('public', other, [], at)).toBeUndefined();
          await endAll();
        });

        // S122
        it('take the same statement for a person without a grant as for nobody', async () => {
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

        it('are indexed anew for another sector, a few at a time and each once', async () => {
          const grants = [await grantedBy(), await grantedBy()];
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
          await endAll();
        });

        it('are listed page by page in the order of their change, all or those in one status', async () => {
          const clientId = 'lister';
          await store.recordApplication({ ...SEED.applications[0], clientId } as Application);
          const kinds = ['consumed', 'revoked', 'approved', 'expired', 'revoked', 'consumed'] as const;
          const now = at + 10;
          const created: { readonly id: string; readonly status: string }[] = [];
          for (const [index, kind] of kinds.entries()) {
            const authorization = { ...pending(), clientId };
            await store.createAuthorization(authorization);
            const times = { at: at + index, codeExpiresAt: kind === 'expired' ? now : now + 1 };
            await store.approveAuthorization({ ...approval(authorization), ...times, userId: 'P1' });
            if (kind === 'consumed')
              await store.redeemCode({ ...redeeming(authorization, 'listed'), ...times, clientId });
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
          expect(await pagesOf({})).toEqual(created);
          expect(await pagesOf({ userId: 'nobody' })).toEqual([]);
          for (const status of ['active', 'revoked'] as const) {
            const expected = created.filter((grant) => grant.status === status);
            expect(await pagesOf({ status })).toEqual(expected);
            expect(await pagesOf({ status, userId: 'P1' })).toEqual(expected);
            expect(await pagesOf({ status, updatedSince: at + 2 })).toEqual(
              expected.filter(({ id }) => created.findIndex((grant) => grant.id === id) >= 2),
            );
          }
          const [first] = await store.listGrants({ clientId, limit: 1, at: now });
          expect(first?.scopes).toEqual(['openid']);
        });
      });

      describe('a person’s own grants', () => {
        const holding = { userId: 'P1', clientId: 'public' };
        const withdrawal = { ...holding, until: at + 60, at: at + 1 };

        /** Agreed to by a person to whom no other test looks, and redeemed unless it is said otherwise. */
        async function held(redeemed = true): Promise<Authorization> {
          await store.withdrawGrants({ ...withdrawal, until: at });
          const authorization = pending();
          await store.createAuthorization(authorization);
          await store.approveAuthorization({
            ...approval(authorization),
            userId: 'P1',
            subject: subjectOf('P1'),
          });
          if (redeemed) await store.redeemCode(redeeming(authorization, 'own'));
          return authorization;
        }
        const isGood = async () => (await store.findPresentedToken(hash('own-a')))?.revoked === false;

        it('are listed, the latest first, with their applications', async () => {
          const { id } = await held();
          const latest = (await store.listPersonGrants('P1', 50, at)).find(
            (grant) => grant.authorizationId === id,
          );
          expect(latest).toEqual({
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

        // V3, V11
        it('end at once, with every token, and come back while that can be taken back', async () => {
          const { id } = await held();
          expect(await store.withdrawGrants(withdrawal)).toBe(1);
          expect(await isGood()).toBe(false);
          const ended = (await store.listPersonGrants('P1', 50, at)).find(
            (grant) => grant.authorizationId === id,
          );
          expect(ended).toMatchObject({ status: 'revoked', withdrawnUntil: at + 60 });
          expect(await store.rotateRefreshToken(rotation('own-r', 'own-2'))).toBe(false);
          expect(await store.restoreGrants(holding, at + 59)).toBe(1);
          expect(await isGood()).toBe(true);
          expect(await store.restoreGrants(holding, at + 59)).toBe(0);
        });

        it('stay ended once the time is over', async () => {
          await held();
          await store.withdrawGrants(withdrawal);
          expect(await store.restoreGrants(holding, at + 60)).toBe(0);
          expect(await isGood()).toBe(false);
        });

        // V9
        it('stay ended where somebody else ended them meanwhile: the client, or whoever copied a token', async () => {
          const { id } = await held();
          await store.withdrawGrants(withdrawal);
          expect(await store.revokeAuthorization(id, at + 2)).toEqual({ done: true });
          expect(await store.restoreGrants(holding, at + 3)).toBe(0);

          await held();
          await store.rotateRefreshToken(rotation('own-r', 'own-2'));
          await store.withdrawGrants(withdrawal);
          await store.rotateRefreshToken(rotation('own-r', 'own-3'));
          expect(await store.restoreGrants(holding, at + 3)).toBe(0);

          const replayed = await held();
          await store.withdrawGrants(withdrawal);
          await store.redeemCode(redeeming(replayed, 'copied'));
          expect(await store.restoreGrants(holding, at + 3)).toBe(0);
        });

        it('never bring back a code that was on its way, nor what was agreed to before something else was', async () => {
          const onItsWay = await held(false);
          expect(await store.withdrawGrants(withdrawal)).toBe(1);
          expect(await store.restoreGrants(holding, at + 2)).toBe(0);
          expect(await store.redeemCode(redeeming(onItsWay, 'own'))).toBeUndefined();

          await held();
          await store.withdrawGrants(withdrawal);
          const again = pending();
          await store.createAuthorization(again);
          await store.approveAuthorization({ ...approval(again), userId: 'P1', subject: subjectOf('P1') });
          expect(await store.restoreGrants(holding, at + 2)).toBe(0);
        });

        it('come back although a later approval was broken off, once its code has expired', async () => {
          await held();
          const until = at + 10_000;
          await store.withdrawGrants({ ...withdrawal, until });
          const brokenOff = pending();
          await store.createAuthorization(brokenOff);
          await store.approveAuthorization({
            ...approval(brokenOff),
            userId: 'P1',
            subject: subjectOf('P1'),
          });
          expect(await store.restoreGrants(holding, at + 499)).toBe(0);
          expect(await store.restoreGrants(holding, at + 500)).toBe(1);
          await store.withdrawGrants(withdrawal);
        });

        it('of another person or application are left alone', async () => {
          await held();
          expect(await store.withdrawGrants({ ...withdrawal, userId: 'nobody' })).toBe(0);
          expect(await store.withdrawGrants({ ...withdrawal, clientId: 'Public' })).toBe(0);
          await store.withdrawGrants(withdrawal);
          expect(await store.restoreGrants({ ...holding, userId: 'nobody' }, at + 2)).toBe(0);
          expect(await isGood()).toBe(false);
        });
      });

      describe('sweeping', () => {
        /** Long before everything that the other tests keep. */
        const past = 1_000;

        const direct = (name: string, expiresAt: number) => ({
          ...GRANT,
          authorizationId: hash(name),
          token: { ...GRANT.token, tokenHash: hash(name), issuedAt: past, expiresAt },
        });

        it('removes tokens that have ended, to the millisecond, a few at a time, and their grants stay', async () => {
          count += 1;
          for (const name of ['e', 'f', 'g']) await store.recordDirectGrant(direct(name, past + 10));
          await store.recordDirectGrant(direct('later', past + 11));
          expect(await store.sweep(past + 9, 2)).toBe(0);
          expect([await store.sweep(past + 10, 2), await store.sweep(past + 10, 2)]).toEqual([2, 1]);
          expect(await store.sweep(past + 10, 2)).toBe(0);
          expect(await store.findPresentedToken(hash('e'))).toBeUndefined();
          expect(await store.findPresentedToken(hash('later'))).toBeDefined();
          expect((await store.findAuthorization(hash('e')))?.status).toBe('consumed');
          expect(await store.sweep(past + 11, 2)).toBe(1);
        });

        it('removes pushed requests that have expired, to the millisecond, a few at a time', async () => {
          count += 1;
          for (const name of ['h', 'i', 'j']) await store.createPushedRequest(pushed(name, past + 10));
          await store.createPushedRequest(pushed('later', past + 11));
          expect(await store.sweepTransient(past + 9, 2)).toBe(0);
          expect([
            await store.sweepTransient(past + 10, 2),
            await store.sweepTransient(past + 10, 2),
            await store.sweepTransient(past + 10, 2),
          ]).toEqual([2, 1, 0]);
          expect(await store.consumePushedRequest(hash('h'), 'public', past)).toBeUndefined();
          expect(await store.consumePushedRequest(hash('later'), 'public', past)).toBeDefined();
        });

        it('removes requests that nobody agreed to in time, and no other', async () => {
          const request = () => ({ ...pending(), requestExpiresAt: past });
          const [open, denied, agreed, later] = [request(), request(), request(), request()] as const;
          await store.createAuthorization(open);
          await store.createAuthorization(denied);
          await store.createAuthorization(agreed);
          await store.createAuthorization({ ...later, requestExpiresAt: past + 1 });
          await store.denyAuthorization(denied.id, past - 1);
          await store.approveAuthorization({ ...approval(agreed), codeHash: hash('agreed'), at: past - 1 });
          expect(await store.sweepTransient(past, 10)).toBe(2);
          const found = await Promise.all(
            [open, denied, agreed, later].map(({ id }) => store.findAuthorization(id)),
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
        it('leaves what can be replayed: a used code and a rotated token still end their grant', async () => {
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
          expect(await store.sweep(past + 1, 10)).toBe(1);
          expect(await store.redeemCode(redeeming(byCode, 'again'))).toBeUndefined();
          expect((await store.findAuthorization(byCode.id))?.status).toBe('revoked');

          const byToken = await consumed();
          const first = { ...rotation('first-r', 'second'), at: at + 1 };
          await store.rotateRefreshToken({
            ...first,
            accessToken: { ...first.accessToken, issuedAt: past, expiresAt: past + 1 },
          });
          expect(await store.sweep(past + 1, 10)).toBe(1);
          expect(await store.rotateRefreshToken(rotation('first-r', 'third'))).toBe(false);
          expect((await store.findAuthorization(byToken.id))?.status).toBe('revoked');
        });

        it('removes a family when it has ended, every generation', async () => {
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
          expect(await store.sweep(past + 20, 10)).toBe(2);
          expect(await store.findRefreshToken(hash('ended-r'))).toBeUndefined();
          expect(await store.findRefreshToken(hash('ended-2'))).toBeUndefined();
        });
      });

      // V10
      it('signing keys are given back in the order in which they were published', async () => {
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
      ['a hash that is none', { token: { ...GRANT.token, tokenHash: 'short' } }],
      [
        'a token that ends before it begins',
        { token: { ...GRANT.token, tokenHash: 'x'.repeat(43), expiresAt: GRANT.token.issuedAt } },
      ],
      ['a person who is not there', { userId: 'nobody' }],
      ['an application that is not there', { clientId: 'nobody' }],
    ])('refuses %s by its own rules', async (_what, change) => {
      const grant = {
        ...GRANT,
        authorizationId: 'a9',
        token: { ...GRANT.token, tokenHash: 'w'.repeat(43) },
        ...change,
      };
      await expect(store.recordDirectGrant(grant)).rejects.toThrow(StoreUnavailable);
    });

    // D2, S35, S36
    it.each(['a\0b', '\ud800'])('refuses %j, which it would give back as another text', async (text) => {
      await expect(store.getOrCreateSecret(text, 'x')).rejects.toThrow(StoreUnavailable);
    });

    // S190
    it('adds up what callers ask for, whoever counts it, until their buckets are empty', async () => {
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
    it('reserves as many uses as fit into a bucket, of any number at once, and lets go of what is given back', async () => {
      const use = { id: 'guesses', ms: 1_000 };
      const reserve = (now: number) => store.reserveUsage(use, 3_000, now);
      const together = await Promise.all(Array.from({ length: 20 }, () => reserve(50_000)));
      expect(together.filter(({ reserved }) => reserved)).toHaveLength(3);
      expect(await reserve(50_999)).toEqual({ reserved: false, emptyAt: 53_000 });
      expect(await reserve(51_000)).toEqual({ reserved: true, emptyAt: 54_000 });
      expect(await store.addUsage([{ ...use, ms: -1_000 }], 51_000)).toEqual(new Map([['guesses', 53_000]]));
      expect(await reserve(51_000)).toEqual({ reserved: true, emptyAt: 54_000 });
      expect(await reserve(54_500)).toEqual({ reserved: true, emptyAt: 55_500 });
      // A clock that was ahead leaves a full bucket behind, not a fuller one.
      expect(await reserve(50_000)).toEqual({ reserved: false, emptyAt: 55_500 });
      expect(await store.addUsage([{ id: 'never used', ms: -1_000 }], 54_500)).toEqual(
        new Map([['never used', 53_500]]),
      );
    });

    // S190
    it('takes an assertion once, of several at once as well', async () => {
      const uses = await Promise.all(Array.from({ length: 5 }, () => store.consumeAssertion('once', 1_000)));
      expect(uses.filter(Boolean)).toHaveLength(1);
      expect(await store.consumeAssertion('another', 1_000)).toBe(true);
      expect(await store.sweepTransient(999, 10)).toBe(0);
      expect(await store.sweepTransient(1_000, 10)).toBe(2);
    });

    // V2
    it('records an application, and changes what is known of it; what was revoked stays so', async () => {
      const application = {
        clientId: 'new',
        name: 'New',
        organizationId: 'o9',
        redirectUris: ['https://new.example/cb'],
        scopes: ['openid'],
        idTokenAlgorithm: 'ES256' as const,
        createdAt: 50,
      };
      await store.recordApplication(application);
      expect(await store.findApplication('new')).toEqual(application);
      await store.recordApplication({ ...application, name: 'Newer', createdAt: 60, revokedAt: 60 });
      const revoked = { ...application, name: 'Newer', revokedAt: 60 };
      expect(await store.findApplication('new')).toEqual(revoked);
      await store.recordApplication({ ...application, name: 'Newer', createdAt: 70 });
      expect(await store.findApplication('new')).toEqual(revoked);
    });

    it('knows the origins of redirect URIs while their application is in force and has them', async () => {
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
      await store.registerApplication(application);
      expect(await known()).toEqual(['https://a.example', 'https://b.example:8443']);
      await store.recordApplication({ ...application, redirectUris: ['https://c.example'] });
      expect(await known()).toEqual(['https://c.example']);
      await store.recordApplication({ ...application, revokedAt: 60 });
      expect(await known()).toEqual([]);
      expect(await store.isRegisteredOrigin('http://127.0.0.1')).toBe(true);
    });

    it('keeps how an application authenticates and who registered it, and tells when it last changed', async () => {
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
        createdByUserId: 'operator-7',
        idTokenAlgorithm: 'ES256' as const,
        createdAt: 50,
        updatedAt: 50,
      };
      await store.recordApplication(application);
      expect(await store.findApplication('detailed')).toEqual(application);
      await store.recordApplication({ ...application, createdAt: 60, updatedAt: 60 });
      expect(await store.findApplication('detailed')).toEqual(application);
      const {
        tokenEndpointAuthMethod: _method,
        requirePushedAuthorizationRequests: _pushed,
        dpopBoundAccessTokens: _bound,
        ...changed
      } = application;
      await store.recordApplication({ ...changed, createdAt: 70, updatedAt: 70 });
      expect(await store.findApplication('detailed')).toEqual({ ...changed, updatedAt: 70 });
      await store.recordApplication({ ...changed, createdAt: 80, updatedAt: 80, revokedAt: 80 });
      expect(await store.findApplication('detailed')).toEqual({ ...changed, updatedAt: 80, revokedAt: 80 });
      await store.recordApplication({ ...changed, createdAt: 90, updatedAt: 90, revokedAt: 90 });
      expect(await store.findApplication('detailed')).toEqual({ ...changed, updatedAt: 80, revokedAt: 80 });
    });

    // V2
    it('registers an application once under an id, of several at once and after it was revoked', async () => {
      const application = {
        clientId: 'once',
        name: 'Once',
        organizationId: 'o10',
        redirectUris: ['https://once.example/cb'],
        scopes: ['openid'],
        idTokenAlgorithm: 'ES256' as const,
        createdAt: 50,
      };
      const offers = ['a', 'b', 'c'].map((secretHash) => ({ ...application, secretHash }));
      const taken = await Promise.all(offers.map((offer) => store.registerApplication(offer)));
      expect(taken.filter(Boolean)).toHaveLength(1);
      expect(await store.findApplication('once')).toEqual(offers[taken.indexOf(true)]);
      await store.recordApplication({ ...application, revokedAt: 60 });
      expect(await store.registerApplication({ ...application, createdAt: 70 })).toBe(false);
      expect(await store.findApplication('once')).toEqual({ ...application, revokedAt: 60 });
    });

    // V2
    it('records a person once under a name; what is another’s stays theirs', async () => {
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

    it('ends sessions up to an instant, which never moves back; recording the person again keeps it', async () => {
      const person = { id: 'p-out', name: 'u-out', about: '' };
      expect((await store.getOrCreatePerson(person)).signedOutAt).toBeUndefined();
      for (const until of [1, 3, 2]) await store.endSessions('p-out', until);
      expect(await store.findPerson('id', 'p-out')).toEqual({ ...person, signedOutAt: 3 });
      expect((await store.getOrCreatePerson(person)).signedOutAt).toBe(3);
      expect((await store.findPerson('id', 'p1'))?.signedOutAt).toBeUndefined();
    });

    // S127
    it('folds the case of an e-mail domain, and of nothing else, when it stores and looks up a person', async () => {
      const person = { id: 'folded', name: 'folded', about: '' };
      const recorded = await store.getOrCreatePerson({ ...person, email: 'Folded@People.Example' });
      expect(recorded.email).toBe('Folded@people.example');
      expect(await store.findPerson('email', 'Folded@PEOPLE.example')).toMatchObject({ id: 'folded' });
      expect(await store.findPerson('email', 'folded@people.example')).toBeUndefined();
    });

    it('finds a person by id, name or address, letter by letter', async () => {
      await store.getOrCreatePerson({ id: 'p-found', name: 'Zoë', about: '', email: 'Zoe@people.example' });
      const found = await Promise.all([
        store.findPerson('id', 'p-found'),
        store.findPerson('name', 'Zoë'),
        store.findPerson('email', 'Zoe@people.example'),
      ]);
      expect(found.map((user) => user?.name)).toEqual(['Zoë', 'Zoë', 'Zoë']);
      const others = [
        store.findPerson('name', 'zoë'),
        store.findPerson('email', 'zoe@people.example'),
        store.findPerson('evmAddress', ''),
        store.findPerson('id', 'Zoë'),
      ];
      expect(await Promise.all(others)).toEqual([undefined, undefined, undefined, undefined]);
    });

    it('keeps one secret under a name: of several offered at once, all get the same', async () => {
      const kept = await Promise.all(
        ['x', 'y', 'z'].map((offered) => store.getOrCreateSecret('key', offered)),
      );
      expect(new Set(kept).size).toBe(1);
      expect(await store.getOrCreateSecret('key', 'later')).toBe(kept[0]);
    });

    // V12
    it('shows what it acknowledged to a process that starts later', async () => {
      const later = await under.reopen();
      expect(await later.findPresentedToken(GRANT.token.tokenHash)).toMatchObject({ authorizationId: 'a1' });
      expect(await later.seedOnce(SEED)).toBe(false);
      await later.close();
    });

    it('reads no table from end to end that grows with people, requests or time, and no other test leaves a method out', async () => {
      capture.stop();
      await fillGrowingTables(under.database, 'public');
      await under.database.run('ANALYZE');
      expect(await findPlanFaults(under.database, capture.statements())).toEqual([]);
      const uncalled = Object.keys(under.store).filter((name) => !called.has(name));
      // The contracts of the audit log and of its seals call the others; `close` follows.
      const elsewhere = [
        ...['recordAudit', 'listAudit', 'sweepAudit', 'listAuditLines', 'findLastSeal', 'listSeals'],
        ...['addSeal', 'pruneSeals', 'readAuditRetention', 'close', 'encryption'],
      ];
      if (encrypted) elsewhere.push('narrowAudience');
      expect(uncalled.filter((name) => !elsewhere.includes(name))).toEqual([]);
    });

    // S201
    it('is not used after it was closed', async () => {
      await store.close();
      await expect(store.listPeople()).rejects.toThrow(StoreUnavailable);
    });
  });
}

/** The store, noting the names of the methods that are called. */
function noteCalls(store: Store, called: Set<string>): Store {
  return new Proxy(store, {
    get: (target, name) => {
      called.add(String(name));
      return Reflect.get(target, name) as unknown;
    },
  });
}
