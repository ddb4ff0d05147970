/** The store over any of its SQL engines: one set of statements, the hot ones compiled once (V12). */
import type { Kysely } from 'kysely';
import type { ValueCipher } from '../service/ports/ports.js';
import { type Store, StoreUnavailable } from '../service/ports/store/store.js';
import type { StoreDialect } from './migrate.js';
import { createReadMemory } from './read-memory.js';
import { type RowReader, readThrough } from './row-reader.js';
import type { Schema } from './schema.js';
import { createEncryption } from './sealing/reseal.js';
import { SealedValueError, type Sealing } from './sealing/sealing.js';
import * as audiences from './statements/audiences.js';
import * as seals from './statements/audit-seals.js';
import { addEntries, listEntries, prepareAuditing, sweepEntries } from './statements/auditing.js';
import * as authorizations from './statements/authorizations.js';
import { prepareRedemption } from './statements/codes.js';
import { addCredential, listCredentials, revokeCredential } from './statements/credentials.js';
import { findActiveGrant, indexGrants, listUnindexedGrants } from './statements/grant-index.js';
import { listGrants } from './statements/grants.js';
import { compileIssuing } from './statements/issuing.js';
import { consumePushedRequest, createPushedRequest } from './statements/pushed-requests.js';
import { endSessions, recordApplication, recordPerson, registerApplication } from './statements/recording.js';
import * as registry from './statements/registry.js';
import { revoke } from './statements/revocations.js';
import { prepareRotation } from './statements/rotation.js';
import { addUse, reserveUse, useAssertion } from './statements/shared-counts.js';
import { sweep, sweepTransient } from './statements/sweeping.js';
import * as tokens from './statements/tokens.js';
import { listPersonGrants, restoreGrants, withdrawGrants } from './statements/withdrawals.js';

/** `serialization_failure` and `deadlock_detected`, as PostgreSQL and those that speak its protocol call them. */
const UNDONE: ReadonlySet<unknown> = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 10;

/** What may be chosen about a store, whatever its engine. */
export interface StoreOptions {
  /** Whether what changes grants, tokens, applications, credentials and keys is told in the audit log; not where absent. */
  readonly audit?: boolean;
  /** Encrypts what is kept of people, and the store's own keys; where absent they stand in clear. */
  readonly cipher?: ValueCipher;
  /**
   * Whether everything in the store must be encrypted: a store that is not is refused, whatever it says of itself, and so is one without
   * a cipher. False where absent: then the store's own record says whether values in clear are refused.
   */
  readonly encryptionRequired?: boolean;
}

/** The same, once its keys are known to be the store's. */
export interface SqlStoreOptions extends Pick<StoreOptions, 'audit'> {
  readonly sealing: Sealing | undefined;
}

/**
 * @param database - Migrated. The store owns it and closes it.
 * @param reader - What every query's two reads go through. The store owns it, too.
 */
export function createSqlStore(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  { audit = false, sealing }: SqlStoreOptions,
  reader: RowReader = readThrough(database),
): Store {
  const issuing = compileIssuing(database);
  const auditing = prepareAuditing(database, audit, dialect);
  const redeemCode = prepareRedemption(database, issuing, auditing, sealing);
  const rotateRefreshToken = prepareRotation(database, issuing, auditing);
  const recordAccessToken = tokens.prepareRecording(database, issuing, auditing);
  const { findPresentedToken, readCredentials } = prepareReads(database, reader, sealing);
  return {
    createAuthorization: (authorization) =>
      reporting(() => authorizations.createAuthorization(database, authorization, sealing)),
    findAuthorization: (id) => reporting(() => authorizations.findAuthorization(database, id, sealing)),
    createPushedRequest: (request) => reporting(() => createPushedRequest(database, request, sealing)),
    consumePushedRequest: (tokenHash, clientId, at) =>
      reporting(() => consumePushedRequest(database, tokenHash, clientId, at, sealing)),
    approve: (approval) => reporting(() => authorizations.approve(database, approval, auditing)),
    deny: (id, at) => reporting(() => authorizations.deny(database, id, at, auditing)),
    recordPalmVerification: (id, userId, at) =>
      reporting(() => authorizations.recordPalmVerification(database, id, userId, at)),
    clearPalmVerifications: (browserHash, userId) =>
      reporting(() => authorizations.clearPalmVerifications(database, browserHash, userId)),
    revokeAuthorization: (id, at, reason) =>
      reporting(() =>
        database
          .transaction()
          .execute((transaction) =>
            authorizations.revokeAuthorization(transaction, id, at, auditing, reason),
          ),
      ),
    redeemCode: (redemption, issue) => reporting(() => redeemCode(redemption, issue)),
    findRefreshToken: (tokenHash) => reporting(() => tokens.findRefreshToken(database, tokenHash, sealing)),
    rotateRefreshToken: (rotation) => reporting(() => rotateRefreshToken(rotation)),
    revoke: (revocation) => reporting(() => revoke(database, revocation, auditing)),
    recordAccessToken: (id, token) => reporting(() => recordAccessToken(id, token)),
    findPresentedToken: (tokenHash) => reporting(() => findPresentedToken(tokenHash)),
    readCredentials: (userId, asked) => reporting(() => readCredentials(userId, asked)),
    listCredentials: (userId) => reporting(() => listCredentials(database, userId, sealing)),
    addCredential: (userId, credential, at, subject) =>
      reporting(() => addCredential(database, { userId, credential, at, subject }, auditing, sealing)),
    revokeCredential: (id, at) => reporting(() => revokeCredential(database, id, at, auditing, sealing)),
    listGrants: (query) => reporting(() => listGrants(database, query)),
    findActiveGrant: (...search) => reporting(() => findActiveGrant(database, search, sealing)),
    listUnindexedGrants: (clientId, sector, limit) =>
      reporting(() => listUnindexedGrants(database, clientId, sector, limit)),
    indexGrants: (grants) => reporting(() => indexGrants(database, dialect, grants)),
    listGrantHolders: (query) => reporting(() => audiences.listGrantHolders(database, query)),
    countUsers: () => reporting(() => audiences.countUsers(database)),
    listUserIds: (after, limit) => reporting(() => audiences.listUserIds(database, after, limit)),
    narrowAudience: (question) =>
      reporting(() => audiences.narrowAudience(database, dialect, question, sealing)),
    listPersonGrants: (userId, limit, at) => reporting(() => listPersonGrants(database, userId, limit, at)),
    withdrawGrants: (withdrawal) => reporting(() => withdrawGrants(database, withdrawal, auditing)),
    restoreGrants: (holding, at) => reporting(() => restoreGrants(database, holding, at, auditing)),
    recordDirectGrant: (grant) => reporting(() => registry.recordDirectGrant(database, grant, auditing)),
    recordApplication: (application) => reporting(() => recordApplication(database, application, auditing)),
    registerApplication: (application) =>
      reporting(() => registerApplication(database, application, auditing)),
    recordPerson: (user) => reporting(() => recordPerson(database, user, sealing)),
    endSessions: (userId, until) => reporting(() => endSessions(database, userId, until)),
    findApplication: (clientId) => reporting(() => registry.findApplication(database, clientId)),
    isRegisteredOrigin: (origin) => reporting(() => registry.isRegisteredOrigin(database, origin)),
    listApplications: () => reporting(() => registry.listApplications(database)),
    findUser: (by, value) => reporting(() => registry.findUser(database, by, value, sealing)),
    listUsers: (limit) => reporting(() => registry.listUsers(database, sealing, limit)),
    listSigningKeys: () => reporting(() => registry.listSigningKeys(database, sealing)),
    addSigningKey: (key) => reporting(() => registry.addSigningKey(database, key, auditing, sealing)),
    keepSecret: (name, offered) => reporting(() => registry.keepSecret(database, name, offered, sealing)),
    seedOnce: (seed) => reporting(() => registry.seedOnce(database, seed, sealing)),
    addUse: (uses, now) => reporting(() => addUse(database, uses, now)),
    reserveUse: (use, capacityMs, now) => reporting(() => reserveUse(database, use, capacityMs, now)),
    useAssertion: (id, expiresAt) => reporting(() => useAssertion(database, id, expiresAt)),
    sweep: (before, limit) => reporting(() => sweep(database, before, limit)),
    sweepTransient: (before, limit) => reporting(() => sweepTransient(database, before, limit)),
    recordAudit: (entries) => reporting(() => addEntries(database, dialect, entries)),
    listAudit: (query) => reporting(() => listEntries(database, query)),
    sweepAudit: (before, limit, mac) => reporting(() => sweepEntries(database, before, limit, mac)),
    listAuditLines: (ranges, limit) => reporting(() => seals.listAuditLines(database, ranges, limit)),
    findLastSeal: () => reporting(() => seals.findLastSeal(database)),
    listSeals: (after, limit) => reporting(() => seals.listSeals(database, after, limit)),
    addSeal: (seal) => reporting(() => seals.addSeal(database, seal)),
    pruneSeals: (upTo, start) => reporting(() => seals.pruneSeals(database, upTo, start)),
    readAuditRetention: () => reporting(() => seals.readAuditRetention(database)),
    ...(sealing === undefined ? {} : { encryption: createEncryption(database, dialect, sealing) }),
    close: async () => {
      reader.close?.();
      await database.destroy();
    },
  };
}

/** Every query's two reads: as they are, or with a memory where the engine says how long that is right. */
function prepareReads(
  database: Kysely<Schema>,
  reader: RowReader,
  sealing: Sealing | undefined,
): Pick<Store, 'findPresentedToken' | 'readCredentials'> {
  const findToken = tokens.preparePresentedToken(database, reader);
  const findCredentials = registry.prepareCredentials(database, reader, sealing);
  if (reader.freshness === undefined) {
    return {
      findPresentedToken: async (tokenHash) => (await findToken(tokenHash)).value,
      readCredentials: async (userId) => (await findCredentials(userId)).value,
    };
  }
  const memory = createReadMemory(reader.freshness);
  const findRememberedToken = memory.remember(findToken);
  return {
    findPresentedToken: async (tokenHash) => {
      const asked = memory.ask();
      const token = await findRememberedToken(tokenHash, asked);
      return token && { ...token, asked };
    },
    readCredentials: memory.remember(findCredentials),
  };
}

/** Every failure of an engine is one of the store: what it says may hold what must not be shown (S27). */
async function reporting<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (cause) {
      // The engine did what it was asked: what it gave is not what was written.
      if (cause instanceof SealedValueError) throw cause;
      if (attempt === MAX_ATTEMPTS || !wasUndone(cause)) throw new StoreUnavailable(cause);
    }
  }
}

/** Whether the engine undid the whole transaction because of another: the one failure after which nothing is in doubt (S191). */
function wasUndone(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && UNDONE.has(cause.code);
}
