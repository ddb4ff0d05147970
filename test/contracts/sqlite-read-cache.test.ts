/** The read cache of the SQLite store: it returns what a store without a cache returns, after the commits of any process (V11, S148). */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import Libsql from 'libsql';
import { afterAll, describe, expect, it } from 'vitest';
import type { Application } from '../../src/service/index.js';
import type { Store } from '../../src/service/ports/store/store.js';
import { openSqliteStore } from '../../src/stores/sqlite/open-sqlite-store.js';

const folder = mkdtempSync(join(tmpdir(), 'proviso-read-cache-'));
const PEOPLE = ['p0', 'p1', 'p2'];
const GRANTS = ['g0', 'g1', 'g2', 'g3'];
const AT = 1_000;
const RUNS = 20;
/** More changes than the table `recent_change` keeps. */
const MANY_CHANGES = 1_100;

let files = 0;

afterAll(() => rmSync(folder, { recursive: true }));

const APPLICATION: Application = {
  clientId: 'client',
  name: 'C',
  organizationId: 'o',
  redirectUris: [],
  scopes: ['openid', 'kyc:read'],
  idTokenAlgorithm: 'ES256',
  createdAt: AT,
};

/** Two stores with a cache and one without, on the same file, as separate processes have them. */
async function openStores() {
  files += 1;
  const path = join(folder, `store-${files}.sqlite`);
  const plain = await openSqliteStore(path, { readCacheBytes: 0 });
  await plain.seedOnce({
    applications: [APPLICATION],
    people: PEOPLE.map((id) => ({ person: { id, name: id, about: '' }, credentials: [] })),
  });
  for (const [index, id] of GRANTS.entries()) await grant(plain, id, PEOPLE[index % 2] ?? '');
  const cached = [await openSqliteStore(path), await openSqliteStore(path, { audit: true })] as const;
  const file = new Libsql(path);
  const close = async () => {
    file.close();
    await Promise.all([plain, ...cached].map((store) => store.close()));
  };
  return { plain, cached, run: (text: string) => void file.exec(text), close };
}

function tokenOf(grantId: string, number = 0): string {
  return `token-${grantId}-${number}`.padEnd(43, '_');
}

function newToken(grantId: string, number = 0) {
  return { tokenHash: tokenOf(grantId, number), scopes: ['openid'], issuedAt: AT, expiresAt: AT + 10 };
}

async function grant(store: Store, id: string, userId: string): Promise<void> {
  await store.recordDirectGrant({
    authorizationId: id,
    clientId: 'client',
    userId,
    subject: { sector: 'o', hash: `${userId}-at-o` },
    scopes: ['openid'],
    token: newToken(id),
  });
}

type Write = (store: Store, run: (text: string) => void) => Promise<unknown> | undefined;

let credentials = 0;

const person = fc.constantFrom(...PEOPLE);
const grantId = fc.constantFrom(...GRANTS);
const writes: fc.Arbitrary<Write> = fc.oneof(
  person.map((id): Write => {
    return (store) => {
      credentials += 1;
      return store.addCredential(
        id,
        { id: `c${credentials}`, source: 's', issuedAt: 0, claims: { 'a.b': credentials } },
        AT,
      );
    };
  }),
  fc.constant<Write>((store) => store.revokeCredential(`c${credentials}`, AT)),
  grantId.map(
    (id): Write =>
      (store) =>
        store.revokeAuthorization(id, AT, 'by_person'),
  ),
  grantId.map((id): Write => {
    return (store) => store.revokeTokens({ tokenHashes: [tokenOf(id)], cascade: false, at: AT });
  }),
  fc.tuple(grantId, fc.constantFrom(1, 2)).map(([id, number]): Write => {
    return (store) => store.recordAccessToken(id, newToken(id, number)).catch(() => undefined);
  }),
  fc.constantFrom(['openid'], ['openid', 'kyc:read'], ['kyc:read']).map((scopes): Write => {
    return (store) => store.upsertApplication({ ...APPLICATION, scopes });
  }),
  fc.constant<Write>((store) => store.upsertApplication({ ...APPLICATION, revokedAt: AT })),
  fc.constant<Write>((store) => store.sweepTokens(AT + 10, 2)),
  fc.constant<Write>((store) => store.recordAudit([{ at: AT, kind: 'query_answered' }])),
  grantId.map((id): Write => {
    return (_store, run) => {
      run(`update access_token set expires_at = expires_at + 1 where authorization_id = '${id}'`);
      return undefined;
    };
  }),
  fc.constant<Write>((_store, run) => {
    run(`update credential set person_id = 'p2' where person_id = 'p1'`);
    return undefined;
  }),
  fc.constant<Write>((_store, run) => {
    run('begin; delete from credential; rollback');
    return undefined;
  }),
  fc.constant<Write>((_store, run) => {
    run('delete from recent_change');
    return undefined;
  }),
);

async function readAll(store: Store): Promise<unknown> {
  const hashes = GRANTS.flatMap((id) => [0, 1, 2].map((number) => tokenOf(id, number)));
  const tokens = await Promise.all(hashes.map((hash) => store.findAccessToken(hash)));
  const people = await Promise.all(PEOPLE.map((id) => store.readCredentials(id)));
  return { tokens, people };
}

describe('the read cache of a SQLite store', () => {
  // V11, S110, S148
  it('returns what a store without a cache returns, after each random write by any of three stores', async () => {
    const property = fc.asyncProperty(
      fc.array(fc.tuple(writes, fc.constantFrom(0, 1, 2)), { minLength: 5, maxLength: 25 }),
      async (steps) => {
        const { plain, cached, run, close } = await openStores();
        for (const [write, writer] of steps) {
          await write([plain, ...cached][writer] ?? plain, run);
          const expected = await readAll(plain);
          for (const store of cached) expect(await readAll(store)).toEqual(expected);
        }
        await close();
      },
    );
    await fc.assert(property, { seed: 28, numRuns: RUNS });
  });

  it('keeps the credentials of a person and the tokens of a grant while others change', async () => {
    const { plain, cached, close } = await openStores();
    const [store, other] = cached;
    const read = async () => [await store.findAccessToken(tokenOf('g0')), await store.readCredentials('p0')];
    // From the first change, the cache learns where the record of changes starts.
    await plain.addCredential('p1', { id: 'k0', source: 's', issuedAt: 0, claims: {} }, AT);
    const before = await read();
    await other.addCredential('p1', { id: 'k1', source: 's', issuedAt: 0, claims: {} }, AT);
    await store.revokeAuthorization('g1', AT);
    await store.recordAccessToken('g0', newToken('g0', 1));
    await store.recordAudit([{ at: AT, kind: 'query_answered' }]);
    const after = await read();
    expect(after.map((value, index) => value === before[index])).toEqual([true, true]);
    await other.addCredential('p0', { id: 'k2', source: 's', issuedAt: 0, claims: {} }, AT);
    await other.revokeAuthorization('g0', AT);
    expect(await read()).toMatchObject([{ revoked: true }, [{ id: 'k2' }]]);
    await close();
  });

  it('keeps its values while no change was ever recorded, and notices the first one', async () => {
    const { plain, cached, run, close } = await openStores();
    const [store, other] = cached;
    run('delete from recent_change');
    const read = async () => [await store.findAccessToken(tokenOf('g0')), await store.readCredentials('p0')];
    const before = await read();
    await other.recordAudit([{ at: AT, kind: 'query_answered' }]);
    const after = await read();
    expect(after.map((value, index) => value === before[index])).toEqual([true, true]);
    await plain.addCredential('p0', { id: 'k0', source: 's', issuedAt: 0, claims: {} }, AT);
    expect(await store.readCredentials('p0')).toMatchObject([{ id: 'k0' }]);
    await close();
  });

  it('is emptied if more changes were committed than the store keeps records of', async () => {
    const { plain, cached, run, close } = await openStores();
    const [store] = cached;
    await plain.addCredential('p0', { id: 'k0', source: 's', issuedAt: 0, claims: {} }, AT);
    expect(await store.readCredentials('p0')).toMatchObject([{ id: 'k0' }]);
    await plain.revokeCredential('k0', AT);
    run(`with recursive n (i) as (select 1 union all select i + 1 from n where i < ${MANY_CHANGES})
      insert into credential (id, person_id, source, issued_at, claims, updated_at)
      select 'm' || i, 'p1', 's', 0, '{}', 0 from n`);
    expect(await store.readCredentials('p0')).toMatchObject([{ id: 'k0', revokedAt: AT }]);
    await close();
  });
});
