/** Associated data of encrypted columns: the table, the column, and the values of the row to which each encrypted value is bound. */
import type { Schema } from '../schema.js';
import type { AssociatedData } from './sealing.js';

/** Binds claims to all immutable columns of the credential. */
export function ofClaims({
  id,
  person_id: personId,
  source,
  issued_at: issuedAt,
  expires_at: expiresAt,
}: Pick<Schema['credential'], 'id' | 'person_id' | 'source' | 'issued_at' | 'expires_at'>): AssociatedData {
  return { table: 'credential', column: 'claims', row: [id, personId, source, issuedAt, expiresAt] };
}

export function ofPerson(
  column: 'about' | 'email_sealed' | 'evm_address_sealed',
  id: string,
): AssociatedData {
  return { table: 'person', column, row: [id] };
}

/** Encrypted columns of an authorization request. */
export type RequestColumn = 'login_hint' | 'state' | 'nonce';

export function ofRequest(column: RequestColumn, authorizationId: string): AssociatedData {
  return { table: 'authorization_record', column, row: [authorizationId] };
}

/** Encrypted columns of conditions. */
export type DetailsColumn = 'requested_details' | 'granted_details';

/**
 * Binds conditions to their request or grant. An access token has a copy of the conditions of its grant, also bound to the grant, so that a statement can copy
 * the ciphertext.
 */
export function ofDetails(column: DetailsColumn, authorizationId: string): AssociatedData {
  return { table: 'authorization_record', column, row: [authorizationId] };
}

/** Binds the detail of a ledger record to its entry and grant. */
export function ofLearned({
  entry,
  authorization_id: authorizationId,
}: Pick<Schema['learned'], 'entry' | 'authorization_id'>): AssociatedData {
  return { table: 'learned', column: 'detail', row: [entry, authorizationId] };
}

/** Binds answers to the organization, the person and the version. */
export function ofInference({ id, version }: Pick<Schema['inference'], 'id' | 'version'>): AssociatedData {
  return { table: 'inference', column: 'answers', row: [id, version] };
}

/** Binds the parameters to the token, client and expiry of the pushed request. */
export function ofPushedRequest({
  token_hash: tokenHash,
  client_id: clientId,
  expires_at: expiresAt,
}: Pick<Schema['pushed_request'], 'token_hash' | 'client_id' | 'expires_at'>): AssociatedData {
  return { table: 'pushed_request', column: 'parameters', row: [tokenHash, clientId, expiresAt] };
}

export function ofSigningKey({
  kid,
  algorithm,
}: Pick<Schema['signing_key'], 'kid' | 'algorithm'>): AssociatedData {
  return { table: 'signing_key', column: 'private_jwk', row: [kid, algorithm] };
}

export function ofKeptSecret(name: string): AssociatedData {
  return { table: 'kept_secret', column: 'secret', row: [name] };
}
