/** The store over SQL databases: shared statements, compiled once if they are frequent (V12). */
import type { Kysely } from 'kysely';
import type { ValueCipher } from '../service/ports/ports.js';
import { type Store, StoreUnavailable } from '../service/ports/store/store.js';
import type { StoreObserver, StoreOperation } from '../service/ports/store/store-observer.js';
import type { Dialect } from '../sql/dialects/dialect.js';
import type { StoreDialect } from './migrate.js';
import { createRowReader, type RowReader, withoutCache } from './read-cache.js';
import type { Schema } from './schema.js';
import { createEncryption } from './sealing/encryption.js';
import { SealedValueError, type Sealing } from './sealing/sealing.js';
import * as accounts from './statements/accounts.js';
import * as applications from './statements/applications.js';
import * as audiences from './statements/audiences.js';
import * as auditLog from './statements/auditing.js';
import * as authorizations from './statements/authorizations.js';
import { prepareRedemption } from './statements/codes.js';
import type { CombinedStatements } from './statements/combined.js';
import * as credentials from './statements/credentials.js';
import * as erasure from './statements/erasure.js';
import * as grants from './statements/grants.js';
import * as inference from './statements/inference.js';
import * as keys from './statements/keys.js';
import * as ledger from './statements/ledger.js';
import * as people from './statements/people.js';
import { revokeTokens } from './statements/revocations.js';
import { seedOnce } from './statements/seed.js';
import * as tokens from './statements/tokens.js';
import * as transient from './statements/transient.js';
import * as withdrawals from './statements/withdrawals.js';

/**
 * SQLSTATE of `serialization_failure`, of `deadlock_detected`, and of `unique_violation`: a concurrent transaction may have committed a value after
 * this one had found it absent.
 */
const ROLLED_BACK: ReadonlySet<unknown> = new Set(['40001', '40P01', '23505']);
const MAX_ATTEMPTS = 10;

/** Options of a store on any database. */
export interface StoreOptions {
  /** Whether changes of grants, tokens, applications, credentials and keys are recorded in the audit log. Default: false. */
  readonly audit?: boolean;
  /** Encrypts personal data and the store's keys. Default: no encryption. */
  readonly cipher?: ValueCipher;
  /**
   * Whether every value must be encrypted, which requires a cipher and a completely encrypted store. Default: the store's own
   * record determines whether plaintext values are rejected.
   */
  readonly encryptionRequired?: boolean;
  /** Observes the operations of the store, for metrics. */
  readonly observer?: StoreObserver;
}

/** Options after the encryption keys are verified. */
export interface SqlStoreOptions extends Pick<StoreOptions, 'audit' | 'observer'> {
  readonly sealing: Sealing;
  /** SQL dialect for audiences. */
  readonly audienceDialect: Dialect;
  /** On PostgreSQL: statements that each replace a transaction. */
  readonly combined?: CombinedStatements;
}

/**
 * Creates a store.
 *
 * @param database - Migrated. Owned and closed by the store.
 * @param reader - Runs the two reads that every query needs. Owned and closed by the store.
 * @param flush - Resolves once every commit so far is durable. Default: commits are durable.
 */
export function createSqlStore(
  database: Kysely<Schema>,
  dialect: StoreDialect,
  { audit = false, observer = UNOBSERVED, sealing, audienceDialect, combined }: SqlStoreOptions,
  reader: RowReader = createRowReader(database),
  flush: () => Promise<void> = async () => undefined,
): Store {
  const issuing = tokens.compileIssuing(database);
  const auditing = auditLog.prepareAuditing(database, audit, dialect);
  const { memoize = withoutCache } = reader;
  const findToken = tokens.preparePresentedToken(database, reader, sealing);
  const readCredentials = credentials.prepareCredentials(database, reader, sealing);
  // Observed below the cache: a cached read takes less time than observing it.
  const hotReads: Pick<Store, 'findAccessToken' | 'readCredentials'> = {
    findAccessToken: memoize(
      (tokenHash) => observer.observe('findAccessToken', () => findToken(tokenHash)),
      'check',
    ),
    readCredentials: memoize(
      (userId) => observer.observe('readCredentials', () => readCredentials(userId)),
      'recall',
    ),
  };
  const methods: Omit<Store, 'encryption' | 'close' | keyof typeof hotReads> = {
    ...authorizations.prepareAuthorizations(database, sealing),
    createPushedRequest: (request) => transient.createPushedRequest(database, request, sealing),
    consumePushedRequest: (tokenHash, clientId, at) =>
      transient.consumePushedRequest(database, tokenHash, clientId, at, sealing),
    approveAuthorization: authorizations.prepareApproval(database, { auditing, combined, sealing }),
    denyAuthorization: (id, at) => authorizations.denyAuthorization(database, id, at, auditing),
    recordPalmVerification: (id, userId, at) =>
      authorizations.recordPalmVerification(database, id, userId, at),
    clearPalmVerifications: (browserHash, userId) =>
      authorizations.clearPalmVerifications(database, browserHash, userId),
    revokeAuthorization: (id, at, reason) =>
      database
        .transaction()
        .execute((transaction) => authorizations.revokeAuthorization(transaction, id, at, auditing, reason)),
    redeemCode: prepareRedemption(database, issuing, auditing, sealing, combined),
    findRefreshToken: tokens.prepareRefreshToken(database, sealing),
    rotateRefreshToken: tokens.prepareRotation(database, issuing, auditing, sealing, combined),
    revokeTokens: (revocation) => revokeTokens(database, revocation, auditing, combined),
    recordAccessToken: tokens.prepareRecording(database, issuing, auditing, combined),
    readCredentialsOf: (userIds) => credentials.readCredentialsOf(database, dialect, userIds, sealing),
    listCredentials: (userId) => credentials.listCredentials(database, userId, sealing),
    addCredential: (userId, credential, at, subject, idHash) =>
      credentials.addCredential(database, { userId, credential, at, subject, idHash }, auditing, sealing),
    revokeCredential: (id, at) => credentials.revokeCredential(database, id, at, auditing, sealing),
    listGrants: (query) => grants.listGrants(database, query, sealing),
    findActiveGrant: (...search) => grants.findActiveGrant(database, search, sealing),
    listUnindexedGrants: (clientId, sector, limit) =>
      grants.listUnindexedGrants(database, clientId, sector, limit),
    indexGrants: (entries) => grants.indexGrants(database, dialect, entries),
    listGrantHolders: (query) => audiences.listGrantHolders(database, query),
    estimatePeople: () => audiences.estimatePeople(database, dialect),
    listPersonIds: (after, limit) => audiences.listPersonIds(database, after, limit),
    narrowAudience: (query) => audiences.narrowAudience(database, audienceDialect, query, sealing),
    findInference: (key) => inference.findInference(database, key, sealing),
    listInference: (userId) => inference.listInference(database, userId, sealing),
    replaceInference: (key, version, answers) =>
      inference.replaceInference(database, key, version, answers, sealing),
    listPersonGrants: (userId, limit, at) =>
      grants.listPersonGrants(database, { userId, limit, at }, sealing),
    withdrawGrants: (withdrawal) => withdrawals.withdrawGrants(database, withdrawal, auditing),
    restoreGrants: (key, at) => withdrawals.restoreGrants(database, key, at, auditing),
    recordDirectGrant: (grant) => grants.recordDirectGrant(database, grant, auditing),
    upsertApplication: (application) =>
      applications.upsertApplication(database, dialect, application, auditing),
    insertApplication: (application) => applications.insertApplication(database, application, auditing),
    updateApplication: (clientId, changes) =>
      applications.updateApplication(database, clientId, changes, auditing),
    getOrCreatePerson: (person) => people.getOrCreatePerson(database, dialect, person, sealing),
    signInWithAccount: (signIn) => accounts.signInWithAccount(database, dialect, signIn, sealing),
    listPeopleById: (after, limit) => erasure.listPeopleById(database, after, limit, sealing),
    listAccounts: (userId) => erasure.listAccounts(database, userId),
    erasePerson: (person) => erasure.erasePerson(database, dialect, person, auditing),
    sweepGrants: (before, limit) => erasure.sweepGrants(database, before, limit),
    listEndedCredentials: (before, limit) => erasure.listEndedCredentials(database, before, limit),
    removeEndedCredentials: (idHashes, before, at) =>
      erasure.removeEndedCredentials(database, idHashes, before, at),
    purgeErased: () => erasure.purgeErased(database, dialect),
    endSessions: (userId, until) => people.endSessions(database, userId, until),
    findApplication: applications.prepareApplication(database),
    isRegisteredOrigin: (origin) => applications.isRegisteredOrigin(database, origin),
    listApplications: () => applications.listApplications(database),
    findPerson: (by, value) => people.findPerson(database, by, value, sealing),
    findPeopleByHint: (hint) => people.findPeopleByHint(database, hint, sealing),
    listPeople: (limit) => people.listPeople(database, sealing, limit),
    listSigningKeys: () => keys.listSigningKeys(database, sealing),
    addSigningKey: (key) => keys.addSigningKey(database, key, auditing, sealing),
    findSecret: (name) => keys.findSecret(database, name, sealing),
    getOrCreateSecret: (name, offered) => keys.getOrCreateSecret(database, name, offered, sealing),
    seedOnce: (seed) => seedOnce(database, seed, sealing),
    addUsage: (uses, now) => transient.addUsage(database, uses, now),
    reserveUsage: (use, capacityMs, now) => transient.reserveUsage(database, use, capacityMs, now),
    consumeAssertion: (id, expiresAt) => transient.consumeAssertion(database, id, expiresAt),
    sweepTokens: (before, limit) => transient.sweepTokens(database, before, limit),
    sweepTransient: (before, limit) => transient.sweepTransient(database, before, limit),
    recordLearned: (records) => ledger.recordLearned(database, dialect, records, sealing),
    listLearned: (authorizationIds) => ledger.listLearned(database, authorizationIds, sealing),
    deleteLearned: (selector) => ledger.deleteLearned(database, selector),
    sweepLearned: (before, limit) => ledger.sweepLearned(database, before, limit),
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
    ...withStoreErrors(hotReads),
    ...withStoreErrors(methods, { flush, observer }),
    ...(sealing.keyId === undefined
      ? {}
      : { encryption: createEncryption(database, dialect, sealing, sealing.keyId, flush) }),
    close: async () => {
      reader.close?.();
      await database.destroy();
    },
  };
}

type Method = (...args: never[]) => Promise<unknown>;

/** Runs operations without observing them. */
const UNOBSERVED: StoreObserver = { observe: (_operation, run) => run(), watchReadCache: () => undefined };

interface Wrapping {
  /** Delays each result until the commits before it are durable: those of the method, and those that it may have read. */
  readonly flush?: () => Promise<void>;
  readonly observer?: StoreObserver;
}

/** Wraps each method with {@link mapErrors}, and observes it. */
function withStoreErrors<Methods extends { [Name in keyof Methods]: Method }>(
  methods: Methods,
  { flush, observer = UNOBSERVED }: Wrapping = {},
): Methods {
  const wrapped = Object.entries<Method>(methods).map(([name, method]) => {
    const run = async (args: never[]) => {
      const result = await mapErrors(() => method(...args));
      if (flush !== undefined) await mapErrors(flush);
      return result;
    };
    // The methods are those of a store.
    const operation = name as StoreOperation;
    return [name, (...args: never[]) => observer.observe(operation, () => run(args))];
  });
  // The wrapped methods keep their names and types.
  return Object.fromEntries(wrapped) as Methods;
}

/** Retries transactions that were rolled back, and converts database errors to `StoreUnavailable`, since their messages may contain data (S27). */
async function mapErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (cause) {
      // A stored value cannot be decrypted: not a failure of the database.
      if (cause instanceof SealedValueError) throw cause;
      if (attempt === MAX_ATTEMPTS || !wasRolledBack(cause)) throw new StoreUnavailable(cause);
    }
  }
}

/** Whether the database rolled back the transaction because of a conflict, so that a retry is safe (S191). */
function wasRolledBack(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && ROLLED_BACK.has(cause.code);
}
