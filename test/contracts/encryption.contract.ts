/** Contract of encrypted stores, for every adapter: a copy reveals no encrypted value, values cannot be changed or moved, and keys can be rotated. */
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Credential } from '../../src/engine/index.js';
import {
  type Authorization,
  createAuditChain,
  createAuditSealer,
  createPersonalData,
  type PushedRequest,
  revokeGrants,
  type Store,
  type ValueCipher,
} from '../../src/service/index.js';
import { EncryptionKeyError, SealedValueError } from '../../src/stores/sqlite/index.js';
import { systemDigest } from '../../src/system/node-ports.js';
import { cipherOf, encryptionKey } from '../support/encryption-keys.js';
import { createFixedClock } from '../support/fixed-clock.js';
import { SEALED_INDEXES } from './opening.contract.js';

/** The location of a store, with access to its data. */
export interface StoreLocation {
  open(cipher?: ValueCipher, encryptionRequired?: boolean): Promise<Store>;
  /** Runs a statement directly on the database. */
  runSql(text: string): Promise<unknown>;
  /** Reads rows directly from the database. */
  rows(text: string): Promise<readonly Readonly<Record<string, unknown>>[]>;
  /** Returns all stored data as text. */
  contents(): Promise<string>;
  /** A query for all columns, as `table.column`. */
  readonly listColumns: string;
}

const AT = 1_780_000_000_000;

const INFERENCE_KEY = { organizationId: 'o', userId: 'p1' };

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
  'requested-condition-marker',
  'granted-condition-marker',
  'learned-marker',
  'private-key-marker',
  'kept-secret-marker',
  'answer-marker',
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
  requestedConditions: [{ query: 'q', purpose: 'requested-condition-marker' }],
  grantedConditions: [{ query: 'q', purpose: 'granted-condition-marker' }],
  codeChallenge: 'x'.repeat(43),
  createdAt: AT,
  requestExpiresAt: AT + 1_000,
  updatedAt: AT,
};

const ACCESS_TOKEN_HASH = 'a'.repeat(43);

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

/** Encrypted columns; a value in any single one shows that the store was encrypted. */
const ENCRYPTED_COLUMNS = [
  'credential.claims',
  'person.about',
  'person.email_sealed',
  'person.evm_address_sealed',
  'signing_key.private_jwk',
  'kept_secret.secret',
  'authorization_record.login_hint',
  'authorization_record.state',
  'authorization_record.nonce',
  'authorization_record.requested_details',
  'authorization_record.granted_details',
  'access_token.details',
  'pushed_request.parameters',
  'learned.detail',
  'inference.answers',
] as const;

/** The kind of a column by the page on encryption. */
type Kind = 'encrypted' | 'hashed' | 'clear';

/** All columns that the page on encryption lists, as `table.column` with their kind. */
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

/** Returns a unique marker for a column. */
function marker(column: string): string {
  return `mark-${column.replace(/[._]/g, '-')}-mark`;
}

/** Returns the hash of a marker, as the service hashes secrets for the store. */
function hashed(column: string): string {
  return systemDigest.sha256(marker(column));
}

/** Writes a marker into every text column through the store, except {@link WITHOUT_MARKER}. */
async function writeMarkers(store: Store): Promise<void> {
  const application = {
    clientId: marker('application.client_id'),
    name: marker('application.name'),
    organizationId: marker('application.organization_id'),
    redirectUris: [marker('application.redirect_uris')],
    postLogoutRedirectUris: [marker('application.post_logout_redirect_uris')],
    scopes: [marker('application.scopes')],
    authorizationDetailsTypes: ['claims_condition' as const],
    secretHash: hashed('application.secret_hash'),
    purpose: marker('application.purpose'),
    keys: [{ kty: marker('application.jwks') }],
    idTokenAlgorithm: 'ES256' as const,
    createdAt: AT,
  };
  await store.upsertApplication(application);
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
    requestedConditions: [{ query: 'q', purpose: marker('authorization_record.requested_details') }],
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
  await store.replaceInference(
    { organizationId: marker('inference.id'), userId },
    undefined,
    marker('inference.answers'),
  );
  const codeHash = hashed('authorization_record.code_hash');
  const scopes = [marker('authorization_record.granted_scopes'), marker('access_token.scopes')];
  const subject = {
    sector: marker('authorization_record.subject_sector'),
    hash: hashed('authorization_record.subject_hash'),
  };
  await store.approveAuthorization({
    ...{ authorizationId, userId, subject, scopes, codeHash },
    conditions: [
      {
        query: 'q',
        purpose: `${marker('authorization_record.granted_details')}${marker('access_token.details')}`,
      },
    ],
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
    allowsConditions: true,
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
      userId,
      authorizationId: marker('audit_entry.authorization_id'),
      scopes: [marker('audit_entry.scopes')],
      queryHash: hashed('audit_entry.query_hash'),
      about: marker('audit_entry.about'),
      reason: marker('audit_entry.reason'),
    },
  ]);
  await store.recordLearned([
    {
      entry: hashed('learned.entry'),
      authorizationId,
      detail: marker('learned.detail'),
      ...{ firstAt: AT, lastAt: AT, changes: 0 },
    },
  ]);
  const chain = createAuditChain('key', systemDigest);
  await createAuditSealer({ store, chain, clock: createFixedClock(AT) })();
}

/** Columns whose text comes from the store or from another column. */
const WITHOUT_MARKER = [
  'access_token.authorization_id',
  'access_token.family_id',
  'application.authorization_details_types',
  'application.id_token_algorithm',
  'audit_entry.kind',
  'audit_entry.person_id',
  'audit_seal.gaps',
  'audit_seal.lines',
  'authorization_record.client_id',
  'authorization_record.person_id',
  'authorization_record.status',
  'credential.audit_id',
  'credential.person_id',
  'encryption_key.id',
  'learned.authorization_id',
  'person.audit_id',
  'inference.person_id',
  'pushed_request.client_id',
  'refresh_token.authorization_id',
  'signing_key.algorithm',
];

/**
 * Returns statements that remove the encrypted values of all other columns, and a query for those of this
 * one.
 */
function removeAllBut(column: (typeof ENCRYPTED_COLUMNS)[number]) {
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
    'authorization_record.requested_details': `update authorization_record set requested_details = null`,
    'authorization_record.granted_details': `update authorization_record set granted_details = null`,
    'access_token.details': `update access_token set details = null`,
    'pushed_request.parameters': `delete from pushed_request`,
    'learned.detail': `delete from learned`,
    'inference.answers': `delete from inference`,
  };
  const [table = '', name = ''] = column.split('.');
  return {
    statements: ENCRYPTED_COLUMNS.flatMap((other) => (other === column ? [] : [clear[other] ?? ''])),
    left: `select ${name} as value from ${table} where ${name} is not null`,
  };
}

/**
 * Adds more authorization requests before the others than one statement of the search for encrypted values reads. Their `state`, which clients
 * choose, looks like an encrypted value.
 */
const REQUESTS_WITH_PREFIX = `insert into authorization_record
    (id, client_id, status, redirect_uri, requested_scopes, state, created_at, request_expires_at, updated_at)
  with recursive n (i) as (select 1 union all select i + 1 from n where i < 1001)
  select '0-' || i, 'client', 'pending_admin', 'r', '[]', 'enc:1:one:AAAA', 1, 1, 1 from n`;

/** Creates a grant of a condition, with an access token. */
async function grantCondition(store: Store): Promise<void> {
  const { loginHint: _hint, state: _state, nonce: _nonce, grantedConditions: _granted, ...request } = PENDING;
  await store.createAuthorization({ ...request, id: 'a10' });
  const codeHash = 'h'.repeat(43);
  const conditions = PENDING.grantedConditions ?? [];
  const subject = { sector: 'o', hash: 's' };
  const approval = { authorizationId: 'a10', userId: 'p1', subject, scopes: [], conditions, codeHash };
  await store.approveAuthorization({ ...approval, codeExpiresAt: AT + 500, at: AT });
  await store.redeemCode({
    codeHash,
    clientId: 'client',
    redirectUri: PENDING.redirectUri,
    codeChallenge: PENDING.codeChallenge ?? '',
    at: AT,
    allowsConditions: true,
    accessToken: { tokenHash: ACCESS_TOKEN_HASH, issuedAt: AT, expiresAt: AT + 1_000 },
    refreshToken: { tokenHash: 'f'.repeat(43), familyId: 'f', issuedAt: AT, expiresAt: AT + 1_000 },
  });
}

const LEARNED = {
  ...{ entry: 'e1', authorizationId: 'a1', detail: '{"query":"learned-marker","passed":true}' },
  ...{ firstAt: AT, lastAt: AT, changes: 0 },
};

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
  await grantCondition(store);
  await store.recordLearned([LEARNED]);
  const key = { kid: 'k1', algorithm: 'ES256' as const, privateJwk: '{"d":"private-key-marker"}' };
  await store.addSigningKey({ ...key, publishedAt: AT, signsFrom: AT });
  await store.getOrCreateSecret('secret', 'kept-secret-marker');
  await store.replaceInference(INFERENCE_KEY, undefined, 'answer-marker');
}

/** Asserts that all written values can be read by every method. */
async function expectAllValues(store: Store): Promise<void> {
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
  expect((await store.findAccessToken(ACCESS_TOKEN_HASH))?.grantedConditions).toEqual(
    PENDING.grantedConditions,
  );
  expect(await store.listLearned(['a1'])).toEqual([LEARNED]);
  expect(await store.listSigningKeys()).toMatchObject([{ privateJwk: '{"d":"private-key-marker"}' }]);
  expect(await store.getOrCreateSecret('secret', 'another')).toBe('kept-secret-marker');
  expect(await store.findInference(INFERENCE_KEY)).toEqual({ version: 1, answers: 'answer-marker' });
}

/** Consumes the pushed request, which is possible once. */
function consumePushed(store: Store) {
  return store.consumePushedRequest(PUSHED.tokenHash, PUSHED.clientId, AT);
}

async function encryptAll(store: Store, limit = 2): Promise<number> {
  let count = 0;
  for await (const batch of store.encryption?.encryptAll(limit) ?? []) count += batch;
  return count;
}

/** @param createLocation - Returns the location of an empty store. */
export function describeEncryption(name: string, createLocation: () => Promise<StoreLocation>): void {
  describe(`encryption at rest: a store on ${name}`, () => {
    let location: StoreLocation;

    beforeEach(async () => {
      location = await createLocation();
    });

    const findPlaintext = async () => {
      const contents = await location.contents();
      return SECRETS.filter(
        (secret) => contents.includes(secret) || contents.includes(Buffer.from(secret).toString('latin1')),
      );
    };
    const createFilled = async (cipher?: ValueCipher) => {
      const store = await location.open(cipher);
      await fill(store);
      await store.close();
    };

    // S367
    it('leaves no plaintext during and after use, and returns all values', async () => {
      const store = await location.open(cipherOf('one'));
      await fill(store);
      await expectAllValues(store);
      expect(await findPlaintext()).toEqual([]);
      await store.close();
      expect(await findPlaintext()).toEqual([]);
      const reopened = await location.open(cipherOf('one'));
      await expectAllValues(reopened);
      expect(await consumePushed(reopened)).toEqual(PUSHED.parameters);
      expect(reopened.encryption).toMatchObject({ keyId: 'one', complete: true });
      await reopened.close();
    });

    it('stores all secrets in plaintext without keys, and the search for plaintext finds each of them', async () => {
      await createFilled();
      expect(await findPlaintext()).toEqual(SECRETS);
    });

    it('encrypts equal values differently', async () => {
      const store = await location.open(cipherOf('one'));
      await fill(store);
      await store.addCredential('p2', { ...ADDED, id: 'c4' }, AT);
      const claims = (await location.rows(`select claims from credential where id in ('c3', 'c4')`)).map(
        (row) => String(row['claims']).slice(0, 24),
      );
      expect(new Set(claims).size).toBe(2);
      await store.close();
    });

    it('fails to open without its key, or with another key of the same name, and names the key', async () => {
      await createFilled(cipherOf('one'));
      await expect(location.open()).rejects.toThrow(EncryptionKeyError);
      await expect(location.open()).rejects.toThrow(/under the key `one`/);
      await expect(location.open(cipherOf('two'))).rejects.toThrow(/under the key `one`/);
      await expect(location.open(cipherOf(encryptionKey('one', 'another')))).rejects.toThrow(
        /the given encryption key `one` is not the key that the store's values are encrypted under/,
      );
      const store = await location.open(cipherOf('one'));
      await expectAllValues(store);
      await store.close();
    });

    it.each([
      ['an internal secret', `delete from credential`],
      ['a credential', `delete from kept_secret; delete from signing_key`],
    ])('fails to open without its record of keys if %s is still encrypted', async (_what, statements) => {
      await createFilled(cipherOf('one'));
      for (const statement of statements.split(';')) await location.runSql(statement);
      await location.runSql(`delete from encryption_key`);
      await location.runSql(`update person set about = 'forged-marker'`);
      for (const cipher of [undefined, cipherOf('one'), cipherOf(encryptionKey('one', 'another'))])
        await expect(location.open(cipher)).rejects.toThrow(EncryptionKeyError);
      expect(await location.rows(`select id from encryption_key`)).toEqual([]);
    });

    it.each([
      [
        'another first byte',
        (text: string) => text.replace(/:([A-Za-z0-9_-])(?=[^:]*$)/, (_, one) => `:${otherCharacter(one)}`),
      ],
      ['another middle byte', (text: string) => replaceAt(text, Math.floor((text.length + 8) / 2))],
      ['another last byte', (text: string) => replaceAt(text, text.length - 4)],
      ['a truncated end', (text: string) => text.slice(0, -4)],
      ['an empty ciphertext', () => 'enc:1:one:AAAA'],
      ['a malformed prefix', () => 'enc:1:one'],
      ['another key name', (text: string) => text.replace(':one:', ':two:')],
      ['plaintext instead of ciphertext', () => '{"a.b":"forged-marker"}'],
    ])('rejects a value with %s, without revealing it', async (_what, change) => {
      const store = await location.open(cipherOf('one'));
      await fill(store);
      const [row] = await location.rows(`select claims from credential where id = 'c3'`);
      const changed = change(String(row?.['claims']));
      expect(changed).not.toBe(row?.['claims']);
      await location.runSql(`update credential set claims = '${changed}' where id = 'c3'`);
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

    // S332
    it('erases a person whose claims and granted conditions do not decrypt', async () => {
      const store = await location.open(cipherOf('one'));
      await fill(store);
      await location.runSql(`update credential set claims = 'enc:1:one:AAAA'`);
      await location.runSql(`update authorization_record set granted_details = 'enc:1:one:AAAA'`);
      const context = { store, clock: createFixedClock(AT), digest: systemDigest, credentialKey: 'key' };
      const { erase } = createPersonalData(context);
      expect(await erase('p1')).toMatchObject({ personId: 'p1', credentials: 2 });
      expect(await store.readCredentials('p1')).toEqual([]);
      expect(await store.findPerson('id', 'p1')).toBeUndefined();
      await store.close();
    });

    it.each([
      [`update credential set claims = (select claims from credential where id = 'c1') where id = 'c3'`],
      [`update credential set person_id = 'p2' where id = 'c1'`],
      [`update credential set id = 'c9' where id = 'c3'`],
      [`update credential set source = 'Registry' where id = 'c3'`],
      [`update credential set issued_at = 4 where id = 'c3'`],
      [`update credential set expires_at = 9999999999999 where id = 'c3'`],
    ])('rejects a value that was moved or whose row was changed: %s', async (statement) => {
      const store = await location.open(cipherOf('one'));
      await fill(store);
      await location.runSql(statement);
      await expect(store.readCredentials('p2')).rejects.toThrow(SealedValueError);
      await store.close();
    });

    it('rejects a value that was moved to another column, person or table, and a signing key whose algorithm was changed', async () => {
      const store = await location.open(cipherOf('one'));
      await fill(store);
      await location.runSql(`update person set email_sealed = evm_address_sealed where id = 'p1'`);
      await expect(store.findPerson('id', 'p1')).rejects.toThrow(SealedValueError);
      await location.runSql(
        `update person set about = (select about from person where id = 'p1') where id = 'p2'`,
      );
      await expect(store.findPerson('id', 'p2')).rejects.toThrow(SealedValueError);
      await location.runSql(
        `update kept_secret set secret = (select private_jwk from signing_key where kid = 'k1')`,
      );
      await expect(store.getOrCreateSecret('secret', 'x')).rejects.toThrow(SealedValueError);
      await location.runSql(`update signing_key set algorithm = 'RS256'`);
      await expect(store.listSigningKeys()).rejects.toThrow(SealedValueError);
      await store.close();
    });

    it('fails to find a person by a fingerprint that was moved to another person', async () => {
      const store = await location.open(cipherOf('one'));
      await fill(store);
      const moved = await location.rows(`select email from person where id = 'p1'`);
      await location.runSql(`update person set email = null where id = 'p1'`);
      await location.runSql(`update person set email = '${moved[0]?.['email']}' where id = 'p2'`);
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
      // The address is not decrypted if no grant covers it.
      expect(await store.findActiveGrant('client', selector, [['identity:read']], AT)).toBeUndefined();
      await store.close();
    });

    it('accepts a new key next to the old one: reads with both, writes with the new one, and keeps addresses unique', async () => {
      await createFilled(cipherOf('one'));
      const store = await location.open(cipherOf('two', 'one'));
      await expectAllValues(store);
      expect(store.encryption).toMatchObject({ keyId: 'two', complete: true });
      await store.addCredential('p2', { ...ADDED, id: 'c4' }, AT);
      const [row] = await location.rows(`select claims from credential where id = 'c4'`);
      expect(row?.['claims']).toMatch(/^enc:1:two:/);
      const otherPerson = await store.getOrCreatePerson({
        id: 'p3',
        name: 'thief',
        about: '',
        email: ZOE.email,
      });
      expect(otherPerson).not.toHaveProperty('email');
      await store.close();
      await expect(location.open(cipherOf('one'))).rejects.toThrow(/under the key `two`/);
    });

    it('re-encrypts all values with the new key in batches, after which the old key is not needed', async () => {
      await createFilled(cipherOf('one'));
      const store = await location.open(cipherOf('two', 'one'));
      const total = (await store.encryption?.countUnderOtherKeys()) ?? 0;
      // In this order: credentials; about, wallet and e-mail addresses; texts of requests; key, secret, pushed request, learned, inference; conditions.
      expect(total).toBe(3 + 2 + 1 + 2 + 3 + 1 + 1 + 1 + 1 + 1 + 5);
      expect(await store.encryption?.finish()).toBe(false);
      // The iteration is stopped after the first batch.
      for await (const count of store.encryption?.encryptAll(1) ?? []) {
        expect(count).toBe(1);
        break;
      }
      expect(await store.encryption?.countUnderOtherKeys()).toBe(total - 1);
      await expectAllValues(store);
      expect(await encryptAll(store)).toBe(total - 1);
      expect([await store.encryption?.countUnderOtherKeys(), await store.encryption?.finish()]).toEqual([
        0,
        true,
      ]);
      await expectAllValues(store);
      await store.close();
      expect(await location.contents()).not.toContain('enc:1:one:');
      const withNewKeyOnly = await location.open(cipherOf('two'));
      await expectAllValues(withNewKeyOnly);
      expect(await consumePushed(withNewKeyOnly)).toEqual(PUSHED.parameters);
      await withNewKeyOnly.close();
    });

    it('returns after each batch of a re-encryption, even if all its values have the new key, so that the caller can pause or stop', async () => {
      await createFilled(cipherOf('one'));
      const store = await location.open(cipherOf('one'));
      const counts: number[] = [];
      for await (const count of store.encryption?.encryptAll(1) ?? []) counts.push(count);
      expect(counts.length).toBeGreaterThan(8);
      expect(new Set(counts)).toEqual(new Set([0]));
      await store.close();
    });

    it('encrypts plaintext values for the first time, and rejects plaintext afterwards', async () => {
      await createFilled();
      const store = await location.open(cipherOf('one'));
      expect(store.encryption?.complete).toBe(false);
      await expectAllValues(store);
      expect(await encryptAll(store, 100)).toBeGreaterThan(8);
      await expectAllValues(store);
      expect(await store.encryption?.finish()).toBe(true);
      for (const table of store.encryption?.tablesToRewrite ?? [])
        await location.runSql(`vacuum full ${table}`);
      expect(await findPlaintext()).toEqual([]);
      await store.close();
      expect(await findPlaintext()).toEqual([]);
      const reopened = await location.open(cipherOf('one'));
      expect(reopened.encryption?.complete).toBe(true);
      await expectAllValues(reopened);
      await location.runSql(`update credential set claims = '{}' where id = 'c3'`);
      await expect(reopened.readCredentials('p2')).rejects.toThrow(
        /not encrypted, but the store was encrypted completely/,
      );
      await reopened.close();
    });

    it("keeps a client's string in the form of an encrypted value as plaintext, unless it names the configured key", async () => {
      const clear = await location.open();
      await fill(clear);
      const texts = { a2: 'enc:1:other:AAAA', a3: 'enc:1:one:AAAA' };
      for (const [id, text] of Object.entries(texts))
        await clear.createAuthorization({ ...PENDING, id, loginHint: text, state: text, nonce: text });
      await clear.close();
      const store = await location.open(cipherOf('one'));
      await encryptAll(store);
      expect(await store.encryption?.countUnderOtherKeys()).toBe(0);
      expect(await store.findAuthorization('a1')).toEqual(PENDING);
      expect(await store.findAuthorization('a2')).toMatchObject({
        loginHint: texts.a2,
        state: texts.a2,
        nonce: texts.a2,
      });
      // Only this authorization becomes unusable.
      await expect(store.findAuthorization('a3')).rejects.toThrow(SealedValueError);
      await store.close();
    });

    it('can be opened repeatedly without keys, whatever clients wrote into their requests', async () => {
      const store = await location.open();
      await fill(store);
      const text = 'enc:1:one:AAAA';
      await store.createAuthorization({ ...PENDING, id: 'a2', loginHint: text, state: text, nonce: text });
      await store.close();
      await location.runSql(REQUESTS_WITH_PREFIX);
      await (await location.open()).close();
      const reopened = await location.open(cipherOf('one'));
      expect(reopened.encryption?.complete).toBe(false);
      await reopened.close();
    });

    it('fails to open with a forged plaintext credential before encrypted ones, after its keys were deleted', async () => {
      await createFilled(cipherOf('one'));
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
      for (const statement of statements) await location.runSql(statement);
      for (const cipher of [undefined, cipherOf('one')])
        await expect(location.open(cipher)).rejects.toThrow(/table of encryption keys is empty/);
    });

    // S490
    it.each(ENCRYPTED_COLUMNS)(
      'fails to open without its record of keys if only %s has encrypted values, also without its indexes',
      async (column) => {
        await createFilled(cipherOf('one'));
        const { left, statements } = removeAllBut(column);
        for (const statement of ['delete from encryption_key', ...statements])
          await location.runSql(statement);
        const contents = await location.rows(left);
        expect(String(contents[0]?.['value'])).toMatch(/^enc:1:one:/);
        await expect(location.open(cipherOf('one'))).rejects.toThrow(/table of encryption keys is empty/);
        for (const index of SEALED_INDEXES) await location.runSql(`drop index ${index}`);
        await expect(location.open(cipherOf('one'))).rejects.toThrow(/table of encryption keys is empty/);
      },
    );

    // S490
    it('fails to open without its record of keys if one of many strings in the form of encrypted values decrypts', async () => {
      await createFilled(cipherOf('one'));
      const { statements } = removeAllBut('authorization_record.state');
      for (const statement of ['delete from encryption_key', ...statements, REQUESTS_WITH_PREFIX])
        await location.runSql(statement);
      await expect(location.open(cipherOf('one'))).rejects.toThrow(/table of encryption keys is empty/);
    });

    it('opens with required encryption if it is new or complete, and fails without a key', async () => {
      const store = await location.open(cipherOf('one'), true);
      await fill(store);
      await store.close();
      const reopened = await location.open(cipherOf('two', 'one'), true);
      await expectAllValues(reopened);
      expect(reopened.encryption?.complete).toBe(true);
      await reopened.close();
      await expect(location.open(undefined, true)).rejects.toThrow(
        /encryption is required, but no encryption key/,
      );
    });

    it('fails to open with required encryption while it is unencrypted or partially encrypted', async () => {
      await createFilled();
      await expect(location.open(cipherOf('one'), true)).rejects.toThrow(
        /no record that it was encrypted completely/,
      );
      const store = await location.open(cipherOf('one'));
      const partialProof = await location.rows(`select proof from encryption_key`);
      await expect(location.open(cipherOf('one'), true)).rejects.toThrow(
        /no record that it was encrypted completely/,
      );
      await encryptAll(store);
      expect(await store.encryption?.finish()).toBe(true);
      await store.close();
      const complete = await location.open(cipherOf('one'), true);
      await expectAllValues(complete);
      await complete.close();
      // An earlier, genuine record is restored.
      await location.runSql(`update encryption_key set proof = '${partialProof[0]?.['proof']}'`);
      await expect(location.open(cipherOf('one'), true)).rejects.toThrow(EncryptionKeyError);
    });

    it('fails to open with required encryption if all encrypted values were replaced by plaintext', async () => {
      await createFilled(cipherOf('one'));
      for (const statement of [
        'delete from encryption_key',
        'delete from kept_secret',
        'delete from signing_key',
        'delete from access_token',
        'delete from refresh_token',
        'delete from learned',
        'delete from inference',
        'delete from authorization_record',
        'delete from pushed_request',
        `update credential set claims = '{"a.b":"forged-marker"}'`,
        `update person set about = '', email = null, email_sealed = null, evm_address = null, evm_address_sealed = null`,
      ])
        await location.runSql(statement);
      await expect(location.open(cipherOf('one'), true)).rejects.toThrow(
        /no record that it was encrypted completely/,
      );
    });

    it('rejects a plaintext address without its encrypted form, and does not encrypt it with the next key', async () => {
      await createFilled(cipherOf('one'));
      const store = await location.open(cipherOf('two', 'one'));
      await location.runSql(
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
      [`update pushed_request set parameters = '[["login_hint","forged"]]'`, consumePushed],
      [`update learned set detail = '{}'`, (store) => store.listLearned(['a1'])],
    ])('rejects plaintext in any of its columns: %s', async (statement, read) => {
      const store = await location.open(cipherOf('one'), true);
      await fill(store);
      await location.runSql(statement);
      await expect(read(store)).rejects.toThrow(
        /it is not encrypted, but the store was encrypted completely/,
      );
      await store.close();
    });

    // S330
    it.each([
      `about = 'enc:1:one:damaged'`,
      `email_sealed = 'enc:1:one:damaged'`,
      `email = 'forged@example.org', email_sealed = null`,
    ])('erases a person whose row cannot be decrypted: %s', async (change) => {
      const store = await location.open(cipherOf('one'), true);
      await fill(store);
      await location.runSql(`update person set ${change} where id = 'p1'`);
      await expect(store.findPerson('id', 'p1')).rejects.toThrow(SealedValueError);
      const erase = () => store.erasePerson({ userId: 'p1', hashId: (id) => id, at: AT });
      expect(await erase()).toMatchObject({ grants: 1 });
      expect(await store.findPerson('id', 'p1')).toBeUndefined();
      expect(await erase()).toBeUndefined();
      await store.close();
    });

    // V11, S405
    it("revokes everyone's grants although a row cannot be decrypted", async () => {
      const store = await location.open(cipherOf('one'), true);
      await fill(store);
      await location.runSql(`update person set email_sealed = 'enc:1:one:damaged' where id = 'p1'`);
      await location.runSql(`update authorization_record set granted_details = 'enc:1:one:damaged'`);
      const selection = { clientId: 'client', limit: 10, at: AT };
      await expect(store.listGrants({ ...selection, withConditions: true })).rejects.toThrow(
        SealedValueError,
      );
      expect(await revokeGrants({}, { store, clock: createFixedClock(AT) })).toEqual({
        grants: 1,
        people: 2,
      });
      expect(await store.listGrants(selection)).toMatchObject([{ userId: 'p1', status: 'revoked' }]);
      await store.close();
    });

    it.each(['login_hint', 'state', 'nonce'])(
      'rejects a %s that is plaintext or was moved, and drops it instead of re-encrypting it',
      async (column) => {
        await createFilled(cipherOf('one'));
        const store = await location.open(cipherOf('two', 'one'));
        await store.createAuthorization({ ...PENDING, id: 'a2' });
        await location.runSql(`update authorization_record set ${column} = 'forged' where id = 'a1'`);
        await expect(store.findAuthorization('a1')).rejects.toThrow(SealedValueError);
        await location.runSql(
          `update authorization_record set ${column} = (select ${column} from authorization_record where id = 'a2') where id = 'a1'`,
        );
        await expect(store.findAuthorization('a1')).rejects.toThrow(SealedValueError);
        await location.runSql(`update authorization_record set ${column} = 'forged' where id = 'a1'`);
        await encryptAll(store);
        expect(await store.encryption?.finish()).toBe(true);
        const [row] = await location.rows(
          `select ${column} as value from authorization_record where id = 'a1'`,
        );
        expect(row).toMatchObject({ value: null });
        await store.close();
      },
    );

    // S266
    it('rejects a pushed request that was moved to another client or whose expiry was extended', async () => {
      await createFilled(cipherOf('one'));
      const store = await location.open(cipherOf('one'));
      await store.upsertApplication({
        ...{ clientId: 'thief', name: 'T', organizationId: 't', redirectUris: [], scopes: [] },
        ...{ idTokenAlgorithm: 'ES256', createdAt: AT },
      });
      await location.runSql(`update pushed_request set client_id = 'thief'`);
      await expect(store.consumePushedRequest(PUSHED.tokenHash, 'thief', AT)).rejects.toThrow(
        SealedValueError,
      );
      await store.createPushedRequest(PUSHED);
      await location.runSql(`update pushed_request set expires_at = expires_at + 60000`);
      await expect(store.consumePushedRequest(PUSHED.tokenHash, 'client', AT + 1_000)).rejects.toThrow(
        SealedValueError,
      );
      await store.close();
    });

    it('has exactly the columns that the page on encryption lists', async () => {
      const store = await location.open(cipherOf('one'));
      const columns = (await location.rows(location.listColumns)).map((row) => String(row['name']));
      expect(columns.sort()).toEqual([...DOCUMENTED.keys()].sort());
      await store.close();
    });

    it('stores in plaintext only the columns that the page on encryption lists as plaintext', async () => {
      const store = await location.open(cipherOf('one'));
      await writeMarkers(store);
      for (const state of ['in use', 'closed']) {
        const contents = await location.contents();
        const foundMarkers = [...new Set(contents.match(/mark-[a-z-]+?-mark/g))].sort();
        const texts = await textColumns();
        const plaintextMarkers = texts.filter((column) => !WITHOUT_MARKER.includes(column)).map(marker);
        expect([state, foundMarkers]).toEqual([state, plaintextMarkers.sort()]);
        if (state === 'in use') await store.close();
      }
    });

    it('has encrypted values in each column that the page on encryption lists as encrypted', async () => {
      const store = await location.open(cipherOf('one'));
      await writeMarkers(store);
      for (const column of [...DOCUMENTED.keys()].filter((one) => DOCUMENTED.get(one) === 'encrypted')) {
        const [table, name] = column.split('.');
        const rows = await location.rows(`select ${name} as value from ${table} where ${name} is not null`);
        expect(rows.length, column).toBeGreaterThan(0);
        for (const { value } of rows) expect(value, column).toMatch(/^enc:1:one:/);
      }
      await store.close();
    });

    /** Lists plaintext columns of the page that contain text. */
    const textColumns = async () => {
      const found: string[] = [];
      for (const [column, kind] of DOCUMENTED) {
        const [table, name] = column.split('.');
        const rows = kind === 'clear' ? await location.rows(`select ${name} as value from ${table}`) : [];
        // PostgreSQL's driver returns 64-bit integers as strings.
        if (rows.some(({ value }) => typeof value === 'string' && !/^\d+$/.test(value))) found.push(column);
      }
      return found;
    };

    it('leaves the evaluation of audiences to the engine', async () => {
      const store = await location.open(cipherOf('one'));
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

function otherCharacter(character: string): string {
  return character === 'A' ? 'B' : 'A';
}

function replaceAt(text: string, index: number): string {
  return `${text.slice(0, index)}${otherCharacter(text[index] ?? '')}${text.slice(index + 1)}`;
}
