/** The store over any of its SQL engines: one set of statements, the hot ones compiled once (V12). */
import type { CompiledQuery, Kysely } from 'kysely';
import { type Store, StoreUnavailable } from '../service/ports/store.js';
import type { Schema } from './schema.js';
import * as authorizations from './statements/authorizations.js';
import { redeemCode } from './statements/codes.js';
import { addCredential, listCredentials, revokeCredential } from './statements/credentials.js';
import { listGrants } from './statements/grants.js';
import * as registry from './statements/registry.js';
import { revoke } from './statements/revocations.js';
import { toCredential } from './statements/rows.js';
import { sweep } from './statements/sweeping.js';
import * as tokens from './statements/tokens.js';

/** `serialization_failure` and `deadlock_detected`, as PostgreSQL and those that speak its protocol call them. */
const UNDONE: ReadonlySet<unknown> = new Set(['40001', '40P01']);
const MAX_ATTEMPTS = 10;

/** @param database - Migrated. The store owns it and closes it. */
export function createSqlStore(database: Kysely<Schema>): Store {
  const presentedToken = tokens.compilePresentedToken(database);
  const credentials = registry.compileCredentials(database);
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
    redeemCode: (redemption, issue) => reporting(() => redeemCode(database, redemption, issue)),
    findRefreshToken: (tokenHash) => reporting(() => tokens.findRefreshToken(database, tokenHash)),
    rotateRefreshToken: (rotation) => reporting(() => tokens.rotateRefreshToken(database, rotation)),
    revoke: (revocation) => reporting(() => revoke(database, revocation)),
    recordAccessToken: (id, token) => reporting(() => tokens.recordAccessToken(database, id, token)),
    findPresentedToken: (tokenHash) =>
      reporting(async () => {
        const { rows } = await database.executeQuery(withValue(presentedToken, tokenHash));
        const [row] = rows;
        return row && tokens.toPresentedToken(row);
      }),
    readCredentials: (userId) =>
      reporting(async () => {
        const { rows } = await database.executeQuery(withValue(credentials, userId));
        return rows.map(toCredential);
      }),
    listCredentials: (userId) => reporting(() => listCredentials(database, userId)),
    addCredential: (userId, credential, at) =>
      reporting(() => addCredential(database, userId, credential, at)),
    revokeCredential: (id, at) => reporting(() => revokeCredential(database, id, at)),
    listGrants: (query) => reporting(() => listGrants(database, query)),
    recordDirectGrant: (grant) => reporting(() => registry.recordDirectGrant(database, grant)),
    findApplication: (clientId) => reporting(() => registry.findApplication(database, clientId)),
    listApplications: () => reporting(() => registry.listApplications(database)),
    listUsers: () => reporting(() => registry.listUsers(database)),
    listSigningKeys: () => reporting(() => registry.listSigningKeys(database)),
    addSigningKey: (key) => reporting(() => registry.addSigningKey(database, key)),
    keepSecret: (name, offered) => reporting(() => registry.keepSecret(database, name, offered)),
    seedOnce: (seed) => reporting(() => registry.seedOnce(database, seed)),
    sweep: (before, limit) => reporting(() => sweep(database, before, limit)),
    close: () => database.destroy(),
  };
}

/** A statement that was compiled with a place for one value, with that value in it. */
function withValue<Row>(query: CompiledQuery<Row>, value: string): CompiledQuery<Row> {
  return { ...query, parameters: [value] };
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
