/** Rows to records and back: the only place where column names and the domain's names meet. */
import type { Credential } from '../engine/index.js';
import type { Application } from '../service/index.js';
import type { Schema } from './schema.js';

/** A credential as a row of the store. */
export function toCredentialRow(credential: Credential, personId: string): Schema['credential'] {
  return {
    id: credential.id,
    person_id: personId,
    source: credential.source,
    issued_at: credential.issuedAt,
    expires_at: credential.expiresAt ?? null,
    revoked_at: credential.revokedAt ?? null,
    claims: JSON.stringify(credential.claims),
  };
}

/** A row as a credential. */
export function toCredential(row: Omit<Schema['credential'], 'person_id'>): Credential {
  return {
    id: row.id,
    source: row.source,
    issuedAt: row.issued_at,
    ...(row.expires_at === null ? {} : { expiresAt: row.expires_at }),
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
    claims: JSON.parse(row.claims) as Credential['claims'],
  };
}

/** An application as a row of the store. */
export function toApplicationRow(application: Application): Schema['application'] {
  return {
    client_id: application.clientId,
    name: application.name,
    organization_id: application.organizationId,
    redirect_uris: JSON.stringify(application.redirectUris),
    secret_hash: application.secretHash ?? null,
    created_at: application.createdAt,
    revoked_at: application.revokedAt ?? null,
  };
}

/** A row as an application. */
export function toApplication(row: Schema['application']): Application {
  return {
    clientId: row.client_id,
    name: row.name,
    organizationId: row.organization_id,
    redirectUris: toTexts(row.redirect_uris),
    ...(row.secret_hash === null ? {} : { secretHash: row.secret_hash }),
    createdAt: row.created_at,
    ...(row.revoked_at === null ? {} : { revokedAt: row.revoked_at }),
  };
}

/** A list of texts as a column holds it; we wrote it, so it is one. */
export function toTexts(column: string): readonly string[] {
  return JSON.parse(column) as readonly string[];
}
