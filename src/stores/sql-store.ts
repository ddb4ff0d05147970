/** The store over any of its SQL engines: one set of statements, the hot ones compiled once (V12). */
import type { Kysely } from 'kysely';
import type { ValueCipher } from '../service/ports/ports.js';
import { type Store, StoreUnavailable } from '../service/ports/store/store.js';
import type { Dialect } from '../sql/dialects/dialect.js';
import type { StoreDialect } from './migrate.js';
import { createReadCache, createRowReader, type RowReader, withoutCache } from './read-cache.js';
import type { Schema } from './schema.js';
import { createEncryption } from './sealing/encryption.js';
import { SealedValueError, type Sealing } from './sealing/sealing.js';
import * as auditLog from './statements/auditing.js';
import * as authorizations from './statements/authorizations.js';
import { prepareRedemption } from './statements/codes.js';
import * as credentials from './statements/credentials.js';
import * as grants from './statements/grants.js';
import * as registry from './statements/registry.js';
import { revokeTokens } from './statements/revocations.js';
import * as tokens from './statements/tokens.js';
import * as transient from './statements/transient.js';

/** `serialization_failure` and `deadlock_detected`, as PostgreSQL and those that speak its protocol call them. */
const ROLLED_BACK: ReadonlySet<unknown> = new Set(['40001', '40P01']);
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
  readonly sealing: Sealing;
  /** Translates the queries of audiences. */
  readonly queries: Dialect;
}

/**
 * @param database - Migrated. The store owns it and closes it.
 * @param reader - What every query's two reads go through. The store owns it, too.
 */
export function createSqlStore(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  { audit = false, sealing, queries }: SqlStoreOptions,
  reader: RowReader = createRowReader(database),
): Store {
  const issuing = tokens.compileIssuing(database);
  const auditing = auditLog.prepareAuditing(database, audit, dialect);
  const memoize = reader.revision === undefined ? withoutCache : createReadCache(reader.revision);
  const methods: Omit<Store, 'encryption' | 'close'> = {
    createAuthorization: (authorization) =>
      authorizations.createAuthorization(database, authorization, sealing),
    findAuthorization: (id) => authorizations.findAuthorization(database, id, sealing),
    createPushedRequest: (request) => transient.createPushedRequest(database, request, sealing),
    consumePushedRequest: (tokenHash, clientId, at) =>
      transient.consumePushedRequest(database, tokenHash, clientId, at, sealing),
    approveAuthorization: (approval) => authorizations.approveAuthorization(database, approval, auditing),
    denyAuthorization: (id, at) => authorizations.denyAuthorization(database, id, at, auditing),
    recordPalmVerification: (id, userId, at) =>
      authorizations.recordPalmVerification(database, id, userId, at),
    clearPalmVerifications: (browserHash, userId) =>
      authorizations.clearPalmVerifications(database, browserHash, userId),
    revokeAuthorization: (id, at, reason) =>
      database
        .transaction()
        .execute((transaction) => authorizations.revokeAuthorization(transaction, id, at, auditing, reason)),
    redeemCode: prepareRedemption(database, issuing, auditing, sealing),
    findRefreshToken: (tokenHash) => tokens.findRefreshToken(database, tokenHash, sealing),
    rotateRefreshToken: tokens.prepareRotation(database, issuing, auditing),
    revokeTokens: (revocation) => revokeTokens(database, revocation, auditing),
    recordAccessToken: tokens.prepareRecording(database, issuing, auditing),
    findPresentedToken: memoize(tokens.preparePresentedToken(database, reader), 'check'),
    readCredentials: memoize(registry.prepareCredentials(database, reader, sealing), 'recall'),
    listCredentials: (userId) => credentials.listCredentials(database, userId, sealing),
    addCredential: (userId, credential, at, subject) =>
      credentials.addCredential(database, { userId, credential, at, subject }, auditing, sealing),
    revokeCredential: (id, at) => credentials.revokeCredential(database, id, at, auditing, sealing),
    listGrants: (query) => grants.listGrants(database, query),
    findActiveGrant: (...search) => grants.findActiveGrant(database, search, sealing),
    listUnindexedGrants: (clientId, sector, limit) =>
      grants.listUnindexedGrants(database, clientId, sector, limit),
    indexGrants: (indexed) => grants.indexGrants(database, dialect, indexed),
    listGrantHolders: (query) => grants.listGrantHolders(database, query),
    countPeople: () => grants.countPeople(database),
    listPersonIds: (after, limit) => grants.listPersonIds(database, after, limit),
    narrowAudience: (question) => grants.narrowAudience(database, queries, question, sealing),
    listPersonGrants: (userId, limit, at) => grants.listPersonGrants(database, userId, limit, at),
    withdrawGrants: (withdrawal) => grants.withdrawGrants(database, withdrawal, auditing),
    restoreGrants: (holding, at) => grants.restoreGrants(database, holding, at, auditing),
    recordDirectGrant: (grant) => registry.recordDirectGrant(database, grant, auditing),
    recordApplication: (application) => registry.recordApplication(database, application, auditing),
    registerApplication: (application) => registry.registerApplication(database, application, auditing),
    getOrCreatePerson: (user) => registry.getOrCreatePerson(database, user, sealing),
    endSessions: (userId, until) => registry.endSessions(database, userId, until),
    findApplication: (clientId) => registry.findApplication(database, clientId),
    isRegisteredOrigin: (origin) => registry.isRegisteredOrigin(database, origin),
    listApplications: () => registry.listApplications(database),
    findPerson: (by, value) => registry.findPerson(database, by, value, sealing),
    listPeople: (limit) => registry.listPeople(database, sealing, limit),
    listSigningKeys: () => registry.listSigningKeys(database, sealing),
    addSigningKey: (key) => registry.addSigningKey(database, key, auditing, sealing),
    getOrCreateSecret: (name, offered) => registry.getOrCreateSecret(database, name, offered, sealing),
    seedOnce: (seed) => registry.seedOnce(database, seed, sealing),
    addUsage: (uses, now) => transient.addUsage(database, uses, now),
    reserveUsage: (use, capacityMs, now) => transient.reserveUsage(database, use, capacityMs, now),
    consumeAssertion: (id, expiresAt) => transient.consumeAssertion(database, id, expiresAt),
    sweep: (before, limit) => transient.sweep(database, before, limit),
    sweepTransient: (before, limit) => transient.sweepTransient(database, before, limit),
    recordAudit: (entries) => auditLog.addEntries(database, dialect, entries),
    listAudit: (query) => auditLog.listEntries(database, query),
    sweepAudit: (before, limit, mac) => auditLog.sweepEntries(database, before, limit, mac),
    listAuditLines: (ranges, limit) => auditLog.listAuditLines(database, ranges, limit),
    findLastSeal: () => auditLog.findLastSeal(database),
    listSeals: (after, limit) => auditLog.listSeals(database, after, limit),
    addSeal: (seal) => auditLog.addSeal(database, seal),
    pruneSeals: (upTo, start) => auditLog.pruneSeals(database, upTo, start),
    readAuditRetention: () => auditLog.readAuditRetention(database),
  };
  return {
    ...withStoreErrors(methods),
    ...(sealing.keyId === undefined
      ? {}
      : { encryption: createEncryption(database, dialect, sealing, sealing.keyId) }),
    close: async () => {
      reader.close?.();
      await database.destroy();
    },
  };
}

type Method = (...args: never[]) => Promise<unknown>;

/** Wraps each method: see {@link mapErrors}. */
function withStoreErrors<Methods extends { [Name in keyof Methods]: Method }>(methods: Methods): Methods {
  const wrapped = Object.entries<Method>(methods).map(([name, method]) => [
    name,
    (...args: never[]) => mapErrors(() => method(...args)),
  ]);
  // Each member has its name and its type still.
  return Object.fromEntries(wrapped) as Methods;
}

/** Reports every failure of an engine as one of the store: its message may contain what must not be shown (S27). */
async function mapErrors<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (cause) {
      // The engine did what it was asked: what it gave is not what was written.
      if (cause instanceof SealedValueError) throw cause;
      if (attempt === MAX_ATTEMPTS || !wasRolledBack(cause)) throw new StoreUnavailable(cause);
    }
  }
}

/** Whether the engine undid the whole transaction because of another: the one failure after which nothing is in doubt (S191). */
function wasRolledBack(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && ROLLED_BACK.has(cause.code);
}
