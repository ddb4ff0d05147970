/** The store over any of its SQL engines: one set of statements, the hot ones compiled once (V12). */
import type { Kysely } from 'kysely';
import { type Store, StoreUnavailable } from '../service/ports/store.js';
import type { DialectName } from '../sql/index.js';
import { createReadMemory } from './read-memory.js';
import { type RowReader, readThrough } from './row-reader.js';
import type { Schema } from './schema.js';
import * as audiences from './statements/audiences.js';
import * as authorizations from './statements/authorizations.js';
import { prepareRedemption } from './statements/codes.js';
import { addCredential, listCredentials, revokeCredential } from './statements/credentials.js';
import { listGrants } from './statements/grants.js';
import { compileIssuing } from './statements/issuing.js';
import { recordApplication, recordPerson } from './statements/recording.js';
import * as registry from './statements/registry.js';
import { revoke } from './statements/revocations.js';
import { prepareRotation } from './statements/rotation.js';
import { addUse, useAssertion } from './statements/shared-counts.js';
import { sweep } from './statements/sweeping.js';
import * as tokens from './statements/tokens.js';
import { listPersonGrants, restoreGrants, withdrawGrants } from './statements/withdrawals.js';

/** `serialization_failure` and `deadlock_detected`, as PostgreSQL and those that speak its protocol call them. */
const UNDONE: ReadonlySet<unknown> = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 10;

/**
 * @param database - Migrated. The store owns it and closes it.
 * @param reader - What every query's two reads go through. The store owns it, too.
 */
export function createSqlStore(
  database: Kysely<Schema>,
  dialect: DialectName,
  reader: RowReader = readThrough(database),
): Store {
  const issuing = compileIssuing(database);
  const redeemCode = prepareRedemption(database, issuing);
  const rotateRefreshToken = prepareRotation(database, issuing);
  const recordAccessToken = tokens.prepareRecording(database, issuing);
  const { findPresentedToken, readCredentials } = prepareReads(database, reader);
  return {
    createAuthorization: (authorization) =>
      reporting(() => authorizations.createAuthorization(database, authorization)),
    findAuthorization: (id) => reporting(() => authorizations.findAuthorization(database, id)),
    approve: (approval) => reporting(() => authorizations.approve(database, approval)),
    deny: (id, at) => reporting(() => authorizations.deny(database, id, at)),
    recordPalmVerification: (id, at) =>
      reporting(() => authorizations.recordPalmVerification(database, id, at)),
    revokeAuthorization: (id, at) => reporting(() => authorizations.revokeAuthorization(database, id, at)),
    findLivingGrant: (clientId, userId) =>
      reporting(() => authorizations.findLivingGrant(database, clientId, userId)),
    redeemCode: (redemption, issue) => reporting(() => redeemCode(redemption, issue)),
    findRefreshToken: (tokenHash) => reporting(() => tokens.findRefreshToken(database, tokenHash)),
    rotateRefreshToken: (rotation) => reporting(() => rotateRefreshToken(rotation)),
    revoke: (revocation) => reporting(() => revoke(database, revocation)),
    recordAccessToken: (id, token) => reporting(() => recordAccessToken(id, token)),
    findPresentedToken: (tokenHash) => reporting(() => findPresentedToken(tokenHash)),
    readCredentials: (userId, asked) => reporting(() => readCredentials(userId, asked)),
    listCredentials: (userId) => reporting(() => listCredentials(database, userId)),
    addCredential: (userId, credential, at) =>
      reporting(() => addCredential(database, userId, credential, at)),
    revokeCredential: (id, at) => reporting(() => revokeCredential(database, id, at)),
    listGrants: (query) => reporting(() => listGrants(database, query)),
    listGrantHolders: (query) => reporting(() => audiences.listGrantHolders(database, query)),
    countUsers: () => reporting(() => audiences.countUsers(database)),
    listUserIds: (after, limit) => reporting(() => audiences.listUserIds(database, after, limit)),
    narrowAudience: (question) => reporting(() => audiences.narrowAudience(database, dialect, question)),
    listPersonGrants: (userId, limit, at) => reporting(() => listPersonGrants(database, userId, limit, at)),
    withdrawGrants: (withdrawal) => reporting(() => withdrawGrants(database, withdrawal)),
    restoreGrants: (holding, at) => reporting(() => restoreGrants(database, holding, at)),
    recordDirectGrant: (grant) => reporting(() => registry.recordDirectGrant(database, grant)),
    recordApplication: (application) => reporting(() => recordApplication(database, application)),
    recordPerson: (user) => reporting(() => recordPerson(database, user)),
    findApplication: (clientId) => reporting(() => registry.findApplication(database, clientId)),
    listApplications: () => reporting(() => registry.listApplications(database)),
    findUser: (by, value) => reporting(() => registry.findUser(database, by, value)),
    listUsers: () => reporting(() => registry.listUsers(database)),
    listSigningKeys: () => reporting(() => registry.listSigningKeys(database)),
    addSigningKey: (key) => reporting(() => registry.addSigningKey(database, key)),
    keepSecret: (name, offered) => reporting(() => registry.keepSecret(database, name, offered)),
    seedOnce: (seed) => reporting(() => registry.seedOnce(database, seed)),
    addUse: (uses, now) => reporting(() => addUse(database, uses, now)),
    useAssertion: (id, expiresAt) => reporting(() => useAssertion(database, id, expiresAt)),
    sweep: (before, limit) => reporting(() => sweep(database, before, limit)),
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
): Pick<Store, 'findPresentedToken' | 'readCredentials'> {
  const findToken = tokens.preparePresentedToken(database, reader);
  const findCredentials = registry.prepareCredentials(database, reader);
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
      if (attempt === MAX_ATTEMPTS || !wasUndone(cause)) throw new StoreUnavailable(cause);
    }
  }
}

/** Whether the engine undid the whole transaction because of another: the one failure after which nothing is in doubt (S191). */
function wasUndone(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && UNDONE.has(cause.code);
}
