/** Contract of encrypted stores, for every adapter: a copy reveals nothing, values cannot be changed or moved, and keys can be rotated. */
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Credential } from '../../src/engine/index.js';
import {
  type Authorization,
  createAuditChain,
  createAuditSealer,
  type PushedRequest,
  type Store,
  type ValueCipher,
} from '../../src/service/index.js';
import { EncryptionKeyError, SealedValueError } from '../../src/stores/sqlite/index.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { cipherOf, encryptionKey } from '../support/encryption-keys.js';
import { createFixedClock } from '../support/fixed-clock.js';

/** Where a store is. */
export interface StorePlace {
  open(cipher?: ValueCipher, encryptionRequired?: boolean): Promise<Store>;
  /** Runs a statement directly on the database. */
  runSql(text: string): Promise<unknown>;
  /** Reads rows directly from the database. */
  rows(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Everything that is kept, as text. */
  contents(): Promise<string>;
  /** A query for every column that there is, as `table.column`. */
  readonly listColumns: string;
}

const AT = 1_780_000_000_000;

/** Marks values that must be encrypted. */
const SECRETS = [
  'legal-name-marker',
  'Zoë-marker',
  'phone-marker',
  'added-marker',
  'about-marker',
  'zoe-marker@example.org',
  '0x00000000000000000000000000000000000a11ce',
  'bo-marker@example.org',
  'hint-marker@example.org',
  'state-marker',
  'nonce-marker',
  'pushed-hint-marker@example.org',
  'private-key-marker',
  'kept-secret-marker',
];

const CREDENTIALS: readonly Credential[] = [
  {
    id: 'c1',
    source: 's',
    issuedAt: 1,
    claims: { 'a.b': 'legal-name-marker', 'a.c': ['Zoë-marker 🌍', null] },
  },
  { id: 'c2', source: 's', issuedAt: 2, expiresAt: AT, claims: { 'a.d': { deep: 'phone-marker' } } },
];

const ADDED: Credential = { id: 'c3', source: 's', issuedAt: 3, claims: { 'a.b': 'added-marker' } };

const ZOE = {
  id: 'p1',
  name: 'zoe',
  about: 'about-marker',
  email: 'zoe-marker@example.org',
  evmAddress: '0x00000000000000000000000000000000000a11ce',
};

const BO = { id: 'p2', name: 'bo', about: '', email: 'bo-marker@example.org' };

const PENDING: Authorization = {
  id: 'a1',
  clientId: 'client',
  status: 'pending_admin',
  redirectUri: 'r',
  requestedScopes: ['openid'],
  loginHint: 'hint-marker@example.org',
  state: 'state-marker',
  nonce: 'nonce-marker',
  codeChallenge: 'x'.repeat(43),
  createdAt: AT,
  requestExpiresAt: AT + 1_000,
  updatedAt: AT,
};

const PUSHED: PushedRequest = {
  tokenHash: 'p'.repeat(43),
  clientId: 'client',
  parameters: new Map([
    ['client_id', 'client'],
    ['login_hint', 'pushed-hint-marker@example.org'],
  ]),
  expiresAt: AT + 1_000,
};

const PAGE = readFileSync(new URL('../../docs/guides/encryption.md', import.meta.url), 'utf8');

/** Columns of which one alone shows that the store was encrypted. */
const SEALED_ALONE = [
  'credential.claims',
  'person.about',
  'person.email_sealed',
  'person.evm_address_sealed',
  'signing_key.private_jwk',
  'kept_secret.secret',
  'authorization_record.login_hint',
  'authorization_record.state',
  'authorization_record.nonce',
  'pushed_request.parameters',
] as const;

/** What the page on encryption says of a column. */
type Kind = 'encrypted' | 'hashed' | 'clear';

/** Every column, as the page on encryption lists it: `table.column` with its kind. */
const DOCUMENTED: ReadonlyMap<string, Kind> = new Map(
  [...PAGE.matchAll(/^\| `(\w+)` \|(.*)\|(.*)\|(.*)\|$/gm)].flatMap(([, table, ...cells]) =>
    (['encrypted', 'hashed', 'clear'] as const).flatMap((kind, index) =>
      [...(cells[index] ?? '').matchAll(/`(\w+)`/g)].map(([, column]): readonly [string, Kind] => [
        `${table}.${column}`,
        kind,
      ]),
    ),
  ),
);

/** A text that is written into one column alone, and can be found again. */
function marker(column: string): string {
  return `mark-${column.replace(/[._]/g, '-')}-mark`;
}

/** What a service hands to the store in place of a secret text. */
function hashed(column: string): string {
  return systemDigest.sha256(marker(column));
}

/** Writes a marker into every column that takes a text, through the store alone. */
async function mark(store: Store): Promise<void> {
  const application = {
    clientId: marker('application.client_id'),
    name: marker('application.name'),
    organizationId: marker('application.organization_id'),
    redirectUris: [marker('application.redirect_uris')],
    postLogoutRedirectUris: [marker('application.post_logout_redirect_uris')],
    scopes: [marker('application.scopes')],
    secretHash: hashed('application.secret_hash'),
    purpose: marker('application.purpose'),
    keys: [{ kty: marker('application.jwks') }],
    idTokenAlgorithm: 'ES256' as const,
    createdAt: AT,
  };
  await store.recordApplication(application);
  const { clientId } = application;
  const { id: userId } = await store.getOrCreatePerson({
    id: marker('person.id'),
    name: marker('person.name'),
    about: marker('person.about'),
    email: marker('person.email'),
    evmAddress: marker('person.evm_address'),
  });
  const claims = { [marker('audit_entry.claims')]: marker('credential.claims') };
  const credential = {
    id: marker('credential.id'),
    source: marker('credential.source'),
    issuedAt: 1,
    claims,
  };
  await store.addCredential(userId, credential, AT);
  const authorizationId = marker('authorization_record.id');
  await store.createAuthorization({
    id: authorizationId,
    clientId,
    status: 'pending_admin',
    redirectUri: marker('authorization_record.redirect_uri'),
    requestedScopes: [marker('authorization_record.requested_scopes')],
    state: marker('authorization_record.state'),
    nonce: marker('authorization_record.nonce'),
    loginHint: marker('authorization_record.login_hint'),
    codeChallenge: hashed('authorization_record.code_challenge'),
    browserHash: hashed('authorization_record.browser_hash'),
    createdAt: AT,
    requestExpiresAt: AT + 1_000,
    updatedAt: AT,
  });
  await store.createPushedRequest({
    tokenHash: hashed('pushed_request.token_hash'),
    clientId,
    parameters: new Map([['login_hint', marker('pushed_request.parameters')]]),
    expiresAt: AT + 1_000,
  });
  const codeHash = hashed('authorization_record.code_hash');
  const scopes = [marker('authorization_record.granted_scopes'), marker('access_token.scopes')];
  const subject = {
    sector: marker('authorization_record.subject_sector'),
    hash: hashed('authorization_record.subject_hash'),
  };
  await store.approveAuthorization({
    ...{ authorizationId, userId, subject, scopes, codeHash },
    codeExpiresAt: AT + 500,
    at: AT,
  });
  const redemption = {
    codeHash,
    clientId,
    redirectUri: marker('authorization_record.redirect_uri'),
    codeChallenge: hashed('authorization_record.code_challenge'),
    at: AT,
  };
  await store.redeemCode({
    ...redemption,
    allowedScopes: [marker('access_token.scopes')],
    accessToken: {
      tokenHash: hashed('access_token.token_hash'),
      issuedAt: AT,
      expiresAt: AT + 100,
    },
    refreshToken: {
      tokenHash: hashed('refresh_token.token_hash'),
      familyId: marker('refresh_token.family_id'),
      issuedAt: AT,
      expiresAt: AT + 1_000,
    },
  });
  await store.addSigningKey({
    kid: marker('signing_key.kid'),
    algorithm: 'ES256',
    privateJwk: marker('signing_key.private_jwk'),
    publishedAt: AT,
    signsFrom: AT,
  });
  await store.getOrCreateSecret(marker('kept_secret.name'), marker('kept_secret.secret'));
  await store.consumeAssertion(hashed('used_assertion.id'), AT);
  await store.addUsage([{ id: hashed('rate_limit.id'), ms: 5 }], AT);
  await store.recordAudit([
    {
      at: AT,
      kind: 'query_answered',
      clientId: marker('audit_entry.client_id'),
      userId: marker('audit_entry.person_id'),
      authorizationId: marker('audit_entry.authorization_id'),
      scopes: [marker('audit_entry.scopes')],
      queryHash: hashed('audit_entry.query_hash'),
      about: marker('audit_entry.about'),
      reason: marker('audit_entry.reason'),
    },
  ]);
  const chain = createAuditChain('key', systemDigest);
  await createAuditSealer({ store, chain, clock: createFixedClock(AT) })();
}

/** Columns of a text that is the store's own, or another column's. */
const WITHOUT_MARKER = [
  'access_token.authorization_id',
  'access_token.family_id',
  'application.id_token_algorithm',
  'audit_entry.kind',
  'audit_seal.gaps',
  'audit_seal.lines',
  'authorization_record.client_id',
  'authorization_record.person_id',
  'authorization_record.status',
  'credential.person_id',
  'encryption_key.id',
  'pushed_request.client_id',
  'refresh_token.authorization_id',
  'signing_key.algorithm',
];

/** Statements that remove every sealed value but those of one column, and a query for one of these. */
function leaveOnly(column: (typeof SEALED_ALONE)[number]) {
  const clear: Readonly<Record<string, string>> = {
    'credential.claims': `update credential set claims = '{}'`,
    'person.about': `update person set about = ''`,
    'person.email_sealed': `update person set email = null, email_sealed = null`,
    'person.evm_address_sealed': `update person set evm_address = null, evm_address_sealed = null`,
    'signing_key.private_jwk': `delete from signing_key`,
    'kept_secret.secret': `delete from kept_secret`,
    'authorization_record.login_hint': `update authorization_record set login_hint = null`,
    'authorization_record.state': `update authorization_record set state = null`,
    'authorization_record.nonce': `update authorization_record set nonce = null`,
    'pushed_request.parameters': `delete from pushed_request`,
  };
  const [table = '', name = ''] = column.split('.');
  return {
    statements: SEALED_ALONE.flatMap((other) => (other === column ? [] : [clear[other] ?? ''])),
    left: `select ${name} as value from ${table} where ${name} is not null`,
  };
}

async function fill(store: Store): Promise<void> {
  const application = { name: 'C', organizationId: 'o', redirectUris: [], scopes: ['openid'] };
  await store.seedOnce({
    applications: [{ ...application, clientId: 'client', idTokenAlgorithm: 'ES256', createdAt: AT }],
    people: [{ person: ZOE, credentials: CREDENTIALS }],
  });
  await store.getOrCreatePerson(BO);
  await store.addCredential('p2', ADDED, AT);
  await store.createAuthorization(PENDING);
  await store.createPushedRequest(PUSHED);
  const key = { kid: 'k1', algorithm: 'ES256' as const, privateJwk: '{"d":"private-key-marker"}' };
  await store.addSigningKey({ ...key, publishedAt: AT, signsFrom: AT });
  await store.getOrCreateSecret('secret', 'kept-secret-marker');
}

/** Everything that was put in, read in every way that there is. */
async function expectWhole(store: Store): Promise<void> {
  const read = await store.readCredentials('p1');
  expect([...read].sort((one, other) => (one.id < other.id ? -1 : 1))).toEqual(CREDENTIALS);
  expect(await store.listCredentials('p2')).toEqual([{ credential: ADDED, userId: 'p2', updatedAt: AT }]);
  expect(await store.listPeople()).toEqual([BO, ZOE]);
  for (const [column, value] of [
    ['id', ZOE.id],
    ['name', ZOE.name],
    ['email', ZOE.email],
    ['evmAddress', ZOE.evmAddress],
  ] as const) {
    expect(await store.findPerson(column, value)).toEqual(ZOE);
  }
  expect(await store.findPerson('email', 'Zoe-marker@example.org')).toBeUndefined();
  expect(await store.findAuthorization('a1')).toEqual(PENDING);
  expect(await store.listSigningKeys()).toMatchObject([{ privateJwk: '{"d":"private-key-marker"}' }]);
  expect(await store.getOrCreateSecret('secret', 'another')).toBe('kept-secret-marker');
}

/** Uses the pushed request, which can be done once. */
function usePushed(store: Store) {
  return store.consumePushedRequest(PUSHED.tokenHash, PUSHED.clientId, AT);
}

async function encryptAll(store: Store, limit = 2): Promise<number> {
  let count = 0;
  for await (const some of store.encryption?.encryptAll(limit) ?? []) count += some;
  return count;
}

/** @param place - Of an empty store. */
export function describeEncryption(name: string, newPlace: () => Promise<StorePlace>): void {
  describe(`encryption at rest on ${name}`, () => {
    let place: StorePlace;

    beforeEach(async () => {
      place = await newPlace();
    });

    const found = async () => {
      const contents = await place.contents();
      return SECRETS.filter(
        (secret) => contents.includes(secret) || contents.includes(Buffer.from(secret).toString('latin1')),
      );
    };
    const filled = async (cipher?: ValueCipher) => {
      const store = await place.open(cipher);
      await fill(store);
      await store.close();
    };

    it('leaves nothing in clear, while the store is used and after, and gives everything back', async () => {
      const store = await place.open(cipherOf('one'));
      await fill(store);
      await expectWhole(store);
      expect(await found()).toEqual([]);
      await store.close();
      expect(await found()).toEqual([]);
      const again = await place.open(cipherOf('one'));
      await expectWhole(again);
      expect(await usePushed(again)).toEqual(PUSHED.parameters);
      expect(again.encryption).toMatchObject({ keyId: 'one', complete: true });
      await again.close();
    });

    it('without keys leaves everything in clear: what the search above would find', async () => {
      await filled();
      expect(await found()).toEqual(SECRETS);
    });

    it('writes no value twice in the same way', async () => {
      const store = await place.open(cipherOf('one'));
      await fill(store);
      await store.addCredential('p2', { ...ADDED, id: 'c4' }, AT);
      const claims = (await place.rows(`select claims from credential where id in ('c3', 'c4')`)).map((row) =>
        String(row['claims']).slice(0, 24),
      );
      expect(new Set(claims).size).toBe(2);
      await store.close();
    });

    it('is not opened without its key, or with another of the same name, and says which', async () => {
      await filled(cipherOf('one'));
      await expect(place.open()).rejects.toThrow(EncryptionKeyError);
      await expect(place.open()).rejects.toThrow(/under the key `one`/);
      await expect(place.open(cipherOf('two'))).rejects.toThrow(/under the key `one`/);
      await expect(place.open(cipherOf(encryptionKey('one', 'another')))).rejects.toThrow(
        /the given encryption key `one` is not the key that its values are encrypted under/,
      );
      const store = await place.open(cipherOf('one'));
      await expectWhole(store);
      await store.close();
    });

    it.each([
      ['its own keys', `delete from credential`],
      ['a credential', `delete from kept_secret; delete from signing_key`],
    ])('is not opened at all when it no longer knows its keys, as %s show', async (_what, statements) => {
      await filled(cipherOf('one'));
      for (const statement of statements.split(';')) await place.runSql(statement);
      await place.runSql(`delete from encryption_key`);
      await place.runSql(`update person set about = 'forged-marker'`);
      for (const cipher of [undefined, cipherOf('one'), cipherOf(encryptionKey('one', 'another'))])
        await expect(place.open(cipher)).rejects.toThrow(EncryptionKeyError);
      expect(await place.rows(`select id from encryption_key`)).toEqual([]);
    });

    it.each([
      [
        'its first byte',
        (text: string) => text.replace(/:([A-Za-z0-9_-])(?=[^:]*$)/, (_, one) => `:${other(one)}`),
      ],
      ['its middle', (text: string) => replaceAt(text, Math.floor((text.length + 8) / 2))],
      ['its last byte', (text: string) => replaceAt(text, text.length - 4)],
      ['its end cut off', (text: string) => text.slice(0, -4)],
      ['nothing but its mark', () => 'enc:1:one:AAAA'],
      ['a form that is none', () => 'enc:1:one'],
      ['another key’s name', (text: string) => text.replace(':one:', ':two:')],
      ['its text in clear', () => '{"a.b":"forged-marker"}'],
    ])('refuses a value with %s changed, without showing it', async (_what, change) => {
      const store = await place.open(cipherOf('one'));
      await fill(store);
      const [row] = await place.rows(`select claims from credential where id = 'c3'`);
      const changed = change(String(row?.['claims']));
      expect(changed).not.toBe(row?.['claims']);
      await place.runSql(`update credential set claims = '${changed}' where id = 'c3'`);
      for (const read of [store.readCredentials, store.listCredentials]) {
        const error: unknown = await read('p2').catch((cause: unknown) => cause);
        expect(error).toBeInstanceOf(SealedValueError);
        expect(error).toMatchObject({
          code: 'SEALED_VALUE',
          message: /^a value of the table credential, column claims/,
        });
        expect(String(error)).not.toMatch(/marker/);
      }
      expect(await store.readCredentials('p1')).toHaveLength(2);
      await store.close();
    });

    it.each([
      [`update credential set claims = (select claims from credential where id = 'c1') where id = 'c3'`],
      [`update credential set person_id = 'p2' where id = 'c1'`],
      [`update credential set id = 'c9' where id = 'c3'`],
      [`update credential set source = 'Registry' where id = 'c3'`],
      [`update credential set issued_at = 4 where id = 'c3'`],
      [`update credential set expires_at = 9999999999999 where id = 'c3'`],
    ])('refuses a value that was moved, or whose row was changed: %s', async (statement) => {
      const store = await place.open(cipherOf('one'));
      await fill(store);
      await place.runSql(statement);
      await expect(store.readCredentials('p2')).rejects.toThrow(SealedValueError);
      await store.close();
    });

    it('refuses what was moved to another column, table or person', async () => {
      const store = await place.open(cipherOf('one'));
      await fill(store);
      await place.runSql(`update person set email_sealed = evm_address_sealed where id = 'p1'`);
      await expect(store.findPerson('id', 'p1')).rejects.toThrow(SealedValueError);
      await place.runSql(`update person set email_sealed = about where id = 'p2'`);
      await expect(store.findPerson('id', 'p2')).rejects.toThrow(SealedValueError);
      await place.runSql(
        `update kept_secret set secret = (select private_jwk from signing_key where kid = 'k1')`,
      );
      await expect(store.getOrCreateSecret('secret', 'x')).rejects.toThrow(SealedValueError);
      await place.runSql(`update signing_key set algorithm = 'RS256'`);
      await expect(store.listSigningKeys()).rejects.toThrow(SealedValueError);
      await store.close();
    });

    it('finds nobody by a fingerprint that was moved to another person', async () => {
      const store = await place.open(cipherOf('one'));
      await fill(store);
      const moved = await place.rows(`select email from person where id = 'p1'`);
      await place.runSql(`update person set email = null where id = 'p1'`);
      await place.runSql(`update person set email = '${moved[0]?.['email']}' where id = 'p2'`);
      const error: unknown = await store.findPerson('email', ZOE.email).catch((cause: unknown) => cause);
      expect(error).toBeInstanceOf(SealedValueError);
      expect(String(error)).not.toMatch(/marker/);
      const token = { tokenHash: 't'.repeat(43), scopes: [], issuedAt: AT, expiresAt: AT + 1 };
      const grant = { authorizationId: 'a2', clientId: 'client', userId: 'p2', scopes: ['openid'], token };
      await store.recordDirectGrant({ ...grant, subject: { sector: 's', hash: 'h' } });
      const selector = { by: 'email', value: ZOE.email } as const;
      await expect(store.findActiveGrant('client', selector, [['openid']], AT)).rejects.toThrow(
        SealedValueError,
      );
      // The address is not decrypted where no grant covers it.
      expect(await store.findActiveGrant('client', selector, [['identity:read']], AT)).toBeUndefined();
      await store.close();
    });

    it('takes a new key beside the old: both read, the new one writes, and addresses stay one person’s', async () => {
      await filled(cipherOf('one'));
      const store = await place.open(cipherOf('two', 'one'));
      await expectWhole(store);
      expect(store.encryption).toMatchObject({ keyId: 'two', complete: true });
      await store.addCredential('p2', { ...ADDED, id: 'c4' }, AT);
      const [row] = await place.rows(`select claims from credential where id = 'c4'`);
      expect(row?.['claims']).toMatch(/^enc:1:two:/);
      const thief = await store.getOrCreatePerson({ id: 'p3', name: 'thief', about: '', email: ZOE.email });
      expect(thief).not.toHaveProperty('email');
      await store.close();
      await expect(place.open(cipherOf('one'))).rejects.toThrow(/under the key `two`/);
    });

    it('brings everything under the new key, a few at a time, and then needs the old one no more', async () => {
      await filled(cipherOf('one'));
      const store = await place.open(cipherOf('two', 'one'));
      const total = (await store.encryption?.countUnderOtherKeys()) ?? 0;
      expect(total).toBe(3 + 2 + 1 + 2 + 3 + 1 + 1 + 1);
      expect(await store.encryption?.finish()).toBe(false);
      // Stopped in the midst.
      for await (const count of store.encryption?.encryptAll(1) ?? []) {
        expect(count).toBe(1);
        break;
      }
      expect(await store.encryption?.countUnderOtherKeys()).toBe(total - 1);
      await expectWhole(store);
      expect(await encryptAll(store)).toBe(total - 1);
      expect([await store.encryption?.countUnderOtherKeys(), await store.encryption?.finish()]).toEqual([
        0,
        true,
      ]);
      await expectWhole(store);
      await store.close();
      expect(await place.contents()).not.toContain('enc:1:one:');
      const alone = await place.open(cipherOf('two'));
      await expectWhole(alone);
      expect(await usePushed(alone)).toEqual(PUSHED.parameters);
      await alone.close();
    });

    it('encrypts for the first time what stood in clear, and refuses what is put in clear afterwards', async () => {
      await filled();
      const store = await place.open(cipherOf('one'));
      expect(store.encryption?.complete).toBe(false);
      await expectWhole(store);
      expect(await encryptAll(store, 100)).toBeGreaterThan(8);
      await expectWhole(store);
      expect(await store.encryption?.finish()).toBe(true);
      if (store.encryption?.tablesToVacuum !== undefined)
        for (const table of store.encryption.tablesToVacuum.split(', '))
          await place.runSql(`vacuum full ${table}`);
      expect(await found()).toEqual([]);
      await store.close();
      expect(await found()).toEqual([]);
      const again = await place.open(cipherOf('one'));
      expect(again.encryption?.complete).toBe(true);
      await expectWhole(again);
      await place.runSql(`update credential set claims = '{}' where id = 'c3'`);
      await expect(again.readCredentials('p2')).rejects.toThrow(
        /not encrypted, but the store was encrypted completely/,
      );
      await again.close();
    });

    it('takes for a text what a client wrote in the form of an encrypted value while all was clear, unless it names the key', async () => {
      const clear = await place.open();
      await fill(clear);
      const texts = { a2: 'enc:1:other:AAAA', a3: 'enc:1:one:AAAA' };
      for (const [id, text] of Object.entries(texts))
        await clear.createAuthorization({ ...PENDING, id, loginHint: text, state: text, nonce: text });
      await clear.close();
      const store = await place.open(cipherOf('one'));
      await encryptAll(store);
      expect(await store.encryption?.countUnderOtherKeys()).toBe(0);
      expect(await store.findAuthorization('a1')).toEqual(PENDING);
      expect(await store.findAuthorization('a2')).toMatchObject({
        loginHint: texts.a2,
        state: texts.a2,
        nonce: texts.a2,
      });
      // Their own authorization, and nothing else, is of no use.
      await expect(store.findAuthorization('a3')).rejects.toThrow(SealedValueError);
      await store.close();
    });

    it('is opened in clear again and again, whatever clients wrote into their requests', async () => {
      const store = await place.open();
      await fill(store);
      const text = 'enc:1:one:AAAA';
      await store.createAuthorization({ ...PENDING, id: 'a2', loginHint: text, state: text, nonce: text });
      await store.close();
      await (await place.open()).close();
      const again = await place.open(cipherOf('one'));
      expect(again.encryption?.complete).toBe(false);
      await again.close();
    });

    it('is not opened with a forged credential in clear before the sealed ones, once its keys are deleted', async () => {
      await filled(cipherOf('one'));
      const statements = [
        'delete from encryption_key',
        'delete from kept_secret',
        'delete from signing_key',
        'create table kept_aside as select * from credential',
        'delete from credential',
        `insert into credential (id, person_id, source, issued_at, claims, updated_at) values ('forged', 'p1', 'Registry', 1, '{"a.b":"XX"}', 1)`,
        'insert into credential select * from kept_aside',
        'drop table kept_aside',
      ];
      for (const statement of statements) await place.runSql(statement);
      for (const cipher of [undefined, cipherOf('one')])
        await expect(place.open(cipher)).rejects.toThrow(/table of encryption keys is empty/);
    });

    it.each(SEALED_ALONE)(
      'is not opened without its record of keys while only %s is left of what was sealed',
      async (column) => {
        await filled(cipherOf('one'));
        const { left, statements } = leaveOnly(column);
        for (const statement of ['delete from encryption_key', ...statements]) await place.runSql(statement);
        const contents = await place.rows(left);
        expect(String(contents[0]?.['value'])).toMatch(/^enc:1:one:/);
        await expect(place.open(cipherOf('one'))).rejects.toThrow(/table of encryption keys is empty/);
      },
    );

    it('that must be encrypted is opened when it is new or complete, and refused without a key', async () => {
      const store = await place.open(cipherOf('one'), true);
      await fill(store);
      await store.close();
      const again = await place.open(cipherOf('two', 'one'), true);
      await expectWhole(again);
      expect(again.encryption?.complete).toBe(true);
      await again.close();
      await expect(place.open(undefined, true)).rejects.toThrow(
        /encryption is required, but no encryption key/,
      );
    });

    it('that must be encrypted is refused while it is in clear or encrypted in part, and opened once it is complete', async () => {
      await filled();
      await expect(place.open(cipherOf('one'), true)).rejects.toThrow(/never encrypted completely/);
      const store = await place.open(cipherOf('one'));
      const partly = await place.rows(`select proof from encryption_key`);
      await expect(place.open(cipherOf('one'), true)).rejects.toThrow(/never encrypted completely/);
      await encryptAll(store);
      expect(await store.encryption?.finish()).toBe(true);
      await store.close();
      const complete = await place.open(cipherOf('one'), true);
      await expectWhole(complete);
      await complete.close();
      // The genuine record of an earlier time, put back.
      await place.runSql(`update encryption_key set proof = '${partly[0]?.['proof']}'`);
      await expect(place.open(cipherOf('one'), true)).rejects.toThrow(EncryptionKeyError);
    });

    it('that must be encrypted is refused when all sealed values were replaced by forged ones in clear', async () => {
      await filled(cipherOf('one'));
      for (const statement of [
        'delete from encryption_key',
        'delete from kept_secret',
        'delete from signing_key',
        'delete from authorization_record',
        'delete from pushed_request',
        `update credential set claims = '{"a.b":"forged-marker"}'`,
        `update person set about = '', email = null, email_sealed = null, evm_address = null, evm_address_sealed = null`,
      ])
        await place.runSql(statement);
      await expect(place.open(cipherOf('one'), true)).rejects.toThrow(/never encrypted completely/);
    });

    it('refuses an address that was put in clear without its sealed form, and does not seal it under the next key', async () => {
      await filled(cipherOf('one'));
      const store = await place.open(cipherOf('two', 'one'));
      await place.runSql(
        `update person set email = 'forged@example.org', email_sealed = null where id = 'p1'`,
      );
      const clear = /table person, column email, cannot be read: it is not encrypted/;
      await expect(store.findPerson('id', 'p1')).rejects.toThrow(clear);
      await expect(store.listPeople()).rejects.toThrow(clear);
      expect(await store.findPerson('email', 'forged@example.org')).toBeUndefined();
      await expect(encryptAll(store)).rejects.toThrow(clear);
      await store.close();
    });

    it.each<[string, (store: Store) => Promise<unknown>]>([
      [`update credential set claims = '{"a.b":"forged"}'`, (store) => store.readCredentials('p1')],
      [`update person set about = 'forged'`, (store) => store.findPerson('id', 'p1')],
      [`update person set email_sealed = 'forged@example.org'`, (store) => store.findPerson('id', 'p1')],
      [
        `update person set evm_address = 'forged', evm_address_sealed = null where id = 'p1'`,
        (store) => store.listPeople(),
      ],
      [`update signing_key set private_jwk = '{"d":"forged"}'`, (store) => store.listSigningKeys()],
      [`update kept_secret set secret = 'forged'`, (store) => store.getOrCreateSecret('secret', 'x')],
      [
        `insert into kept_secret (name, secret) values ('new', 'forged')`,
        (store) => store.getOrCreateSecret('new', 'x'),
      ],
      [`update authorization_record set state = 'forged'`, (store) => store.findAuthorization('a1')],
      [`update authorization_record set nonce = 'forged'`, (store) => store.findAuthorization('a1')],
      [`update pushed_request set parameters = '[["login_hint","forged"]]'`, usePushed],
    ])('refuses what was put in clear into any of its columns: %s', async (statement, read) => {
      const store = await place.open(cipherOf('one'), true);
      await fill(store);
      await place.runSql(statement);
      await expect(read(store)).rejects.toThrow(
        /it is not encrypted, but the store was encrypted completely/,
      );
      await store.close();
    });

    it.each(['login_hint', 'state', 'nonce'])(
      'refuses a %s in clear or of another request, and drops it when the key changes instead of sealing it',
      async (column) => {
        await filled(cipherOf('one'));
        const store = await place.open(cipherOf('two', 'one'));
        await store.createAuthorization({ ...PENDING, id: 'a2' });
        await place.runSql(`update authorization_record set ${column} = 'forged' where id = 'a1'`);
        await expect(store.findAuthorization('a1')).rejects.toThrow(SealedValueError);
        await place.runSql(
          `update authorization_record set ${column} = (select ${column} from authorization_record where id = 'a2') where id = 'a1'`,
        );
        await expect(store.findAuthorization('a1')).rejects.toThrow(SealedValueError);
        await place.runSql(`update authorization_record set ${column} = 'forged' where id = 'a1'`);
        await encryptAll(store);
        expect(await store.encryption?.finish()).toBe(true);
        const [row] = await place.rows(`select ${column} as value from authorization_record where id = 'a1'`);
        expect(row).toMatchObject({ value: null });
        await store.close();
      },
    );

    // S266
    it('refuses a pushed request that was given to another client or a longer life', async () => {
      await filled(cipherOf('one'));
      const store = await place.open(cipherOf('one'));
      await store.recordApplication({
        ...{ clientId: 'thief', name: 'T', organizationId: 't', redirectUris: [], scopes: [] },
        ...{ idTokenAlgorithm: 'ES256', createdAt: AT },
      });
      await place.runSql(`update pushed_request set client_id = 'thief'`);
      await expect(store.consumePushedRequest(PUSHED.tokenHash, 'thief', AT)).rejects.toThrow(
        SealedValueError,
      );
      await store.createPushedRequest(PUSHED);
      await place.runSql(`update pushed_request set expires_at = expires_at + 60000`);
      await expect(store.consumePushedRequest(PUSHED.tokenHash, 'client', AT + 1_000)).rejects.toThrow(
        SealedValueError,
      );
      await store.close();
    });

    it('has the columns that the page on encryption lists, and no other', async () => {
      const store = await place.open(cipherOf('one'));
      const columns = (await place.rows(place.listColumns)).map((row) => String(row['name']));
      expect(columns.sort()).toEqual([...DOCUMENTED.keys()].sort());
      await store.close();
    });

    it('keeps in clear what the page on encryption says, and nothing else, wherever its engine writes', async () => {
      const store = await place.open(cipherOf('one'));
      await mark(store);
      for (const when of ['in use', 'closed']) {
        const contents = await place.contents();
        const seen = [...new Set(contents.match(/mark-[a-z-]+?-mark/g))].sort();
        const texts = await textColumns();
        const inClear = texts.filter((column) => !WITHOUT_MARKER.includes(column)).map(marker);
        expect([when, seen]).toEqual([when, inClear.sort()]);
        if (when === 'in use') await store.close();
      }
    });

    it('has a value with the mark of its key in each column that the page on encryption calls encrypted', async () => {
      const store = await place.open(cipherOf('one'));
      await mark(store);
      for (const column of [...DOCUMENTED.keys()].filter((one) => DOCUMENTED.get(one) === 'encrypted')) {
        const [table, name] = column.split('.');
        const rows = await place.rows(`select ${name} as value from ${table} where ${name} is not null`);
        expect(rows.length, column).toBeGreaterThan(0);
        for (const { value } of rows) expect(value, column).toMatch(/^enc:1:one:/);
      }
      await store.close();
    });

    /** Columns that the page calls clear and that hold a text. */
    const textColumns = async () => {
      const found: string[] = [];
      for (const [column, kind] of DOCUMENTED) {
        const [table, name] = column.split('.');
        const rows = kind === 'clear' ? await place.rows(`select ${name} as value from ${table}`) : [];
        // PostgreSQL's driver gives numbers of 64 bits as texts.
        if (rows.some(({ value }) => typeof value === 'string' && !/^\d+$/.test(value))) found.push(column);
      }
      return found;
    };

    it('lets the engine decide of everybody who is an audience', async () => {
      const store = await place.open(cipherOf('one'));
      await fill(store);
      const query = { check: { claim: 'a.b', operator: '==', value: 'added-marker' } } as const;
      const among = ['p1', 'p2', 'nobody'];
      const { userIds, exact } = await store.narrowAudience({ query, among, at: AT, derived: [] });
      expect([[...userIds].sort(), exact]).toEqual([['p1', 'p2'], false]);
      expect(await store.narrowAudience({ query, among: [], at: AT, derived: [] })).toEqual({
        userIds: [],
        exact: false,
      });
      await store.close();
    });
  });
}

function other(character: string): string {
  return character === 'A' ? 'B' : 'A';
}

function replaceAt(text: string, index: number): string {
  return `${text.slice(0, index)}${other(text[index] ?? '')}${text.slice(index + 1)}`;
}
