/** What the store's port promises, sentence by sentence, for every adapter to run (V11, V12). */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Credential } from '../../src/engine/index.js';
import { type DirectGrant, type Seed, type Store, StoreUnavailable } from '../../src/service/index.js';

/** A store of an adapter, and the same store as a process that starts later finds it. */
export interface StoreUnderTest {
  readonly store: Store;
  /** Opens what is stored once more, beside the first. */
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
    { user: { id: 'p1', name: 'zoe', about: 'one' }, credentials: CREDENTIALS },
    { user: { id: 'P1', name: 'Zoe', about: 'two' }, credentials: [] },
  ],
};

const GRANT: DirectGrant = {
  authorizationId: 'a1',
  clientId: 'public',
  userId: 'p1',
  scopes: ['kyc:read', 'openid'],
  token: {
    tokenHash: 't'.repeat(43),
    scopes: ['kyc:read', 'openid'],
    issuedAt: 1_780_000_000_000,
    expiresAt: 1_780_000_003_600,
  },
};

/** @param open - Opens an empty store. */
export function describeStore(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`the store port on ${name}`, () => {
    let under: StoreUnderTest;
    let store: Store;

    beforeAll(async () => {
      under = await open();
      store = under.store;
    });

    it('is filled once: of several who try at once, one is told so', async () => {
      const told = await Promise.all([store.seedOnce(SEED), store.seedOnce(SEED), store.seedOnce(SEED)]);
      expect(told.filter(Boolean)).toHaveLength(1);
      expect(await store.listUsers()).toHaveLength(2);
    });

    it('lists people and applications in code-unit order, and tells names apart by letter case', async () => {
      expect((await store.listUsers()).map(({ name: user }) => user)).toEqual(['Zoe', 'zoe']);
      expect(await store.listApplications()).toEqual([SEED.applications[1], SEED.applications[0]]);
    });

    it('gives back credentials as they were put in, active or not', async () => {
      const read = await store.readCredentials('p1');
      expect([...read].sort((left, right) => (left.id < right.id ? -1 : 1))).toEqual(CREDENTIALS);
      expect(await store.readCredentials('P1')).toEqual([]);
      expect(await store.readCredentials('nobody')).toEqual([]);
    });

    it('finds a token with its grant by its hash, and nothing by another', async () => {
      await store.recordDirectGrant(GRANT);
      expect(await store.findPresentedToken(GRANT.token.tokenHash)).toEqual({
        issuedAt: GRANT.token.issuedAt,
        expiresAt: GRANT.token.expiresAt,
        revoked: false,
        authorizationId: 'a1',
        userId: 'p1',
        clientId: 'public',
        organizationId: 'o1',
        grantedScopes: GRANT.scopes,
      });
      expect(await store.findPresentedToken('T'.repeat(43))).toBeUndefined();
    });

    it('counts a token of a revoked application as revoked (V11)', async () => {
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

    it('records a grant whole or not at all (S185)', async () => {
      const clashing = { ...GRANT, authorizationId: 'a3' };
      await expect(store.recordDirectGrant(clashing)).rejects.toThrow(StoreUnavailable);
      // Had the authorization stayed behind, its id would be taken.
      await store.recordDirectGrant({ ...clashing, token: { ...GRANT.token, tokenHash: 'v'.repeat(43) } });
    });

    it.each([
      ['a hash that is none', { token: { ...GRANT.token, tokenHash: 'short' } }],
      [
        'a token that ends before it begins',
        { token: { ...GRANT.token, tokenHash: 'x'.repeat(43), expiresAt: GRANT.token.issuedAt } },
      ],
      ['a person who is not there', { userId: 'nobody' }],
      ['an application that is not there', { clientId: 'nobody' }],
    ])('refuses %s by its own rules (S187)', async (_what, change) => {
      const grant = {
        ...GRANT,
        authorizationId: 'a9',
        token: { ...GRANT.token, tokenHash: 'w'.repeat(43) },
        ...change,
      };
      await expect(store.recordDirectGrant(grant)).rejects.toThrow(StoreUnavailable);
    });

    it.each(['a\0b', '\ud800'])(
      'refuses %j, which it would give back as another text (D2, S35, S36)',
      async (text) => {
        await expect(store.keepSecret(text, 'x')).rejects.toThrow(StoreUnavailable);
      },
    );

    it('keeps one secret under a name: of several offered at once, all get the same', async () => {
      const kept = await Promise.all(['x', 'y', 'z'].map((offered) => store.keepSecret('key', offered)));
      expect(new Set(kept).size).toBe(1);
      expect(await store.keepSecret('key', 'later')).toBe(kept[0]);
    });

    it('shows what it acknowledged to a process that starts later (V12)', async () => {
      const later = await under.reopen();
      expect(await later.findPresentedToken(GRANT.token.tokenHash)).toMatchObject({ authorizationId: 'a1' });
      expect(await later.seedOnce(SEED)).toBe(false);
      await later.close();
    });

    it('is not used after it was closed (S201)', async () => {
      await store.close();
      await expect(store.listUsers()).rejects.toThrow(StoreUnavailable);
    });
  });
}
