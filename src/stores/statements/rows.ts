/** Converts domain objects to rows, and rows to domain objects. */

import type { Credential } from '../../engine/index.js';
import type {
  Application,
  Authorization,
  AuthorizationDetailsType,
  Condition,
  Person,
  SigningKey,
} from '../../service/index.js';
import type { SubjectIndex } from '../../service/ports/store/grant-store.js';
import type { CredentialRecord } from '../../service/ports/store/registry-store.js';
import type { PublicJwk } from '../../service/ports/verifiers.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Schema } from '../schema.js';
import * as associatedData from '../sealing/associated-data.js';
import { plaintextError, type Sealing } from '../sealing/sealing.js';

/** Converts a credential to a row. */
export function toCredentialRow(
  credential: Credential,
  personId: string,
  updatedAt: number,
  sealing: Sealing,
): Schema['credential'] {
  const row = {
    id: credential.id,
    person_id: personId,
    source: credential.source,
    issued_at: credential.issuedAt,
    expires_at: credential.expiresAt ?? null,
    revoked_at: credential.revokedAt ?? null,
    claims: JSON.stringify(credential.claims),
    updated_at: updatedAt,
  };
  return { ...row, claims: sealing.seal(row.claims, associatedData.ofClaims(row)) };
}

/** Converts a row to a credential. */
export function toCredential(row: Omit<Schema['credential'], 'updated_at'>, sealing: Sealing): Credential {
  return omitUndefined({
    id: row.id,
    source: row.source,
    issuedAt: row.issued_at,
    expiresAt: row.expires_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    claims: JSON.parse(sealing.open(row.claims, associatedData.ofClaims(row))) as Credential['claims'],
  });
}

/** Converts a row to a credential with its person and its last change. */
export function toCredentialRecord(row: Schema['credential'], sealing: Sealing): CredentialRecord {
  return { credential: toCredential(row, sealing), userId: row.person_id, updatedAt: row.updated_at };
}

/** Converts a person to a row. */
export function toPersonRow(
  { id, name, about, email, evmAddress, signedOutAt }: Person,
  sealing: Sealing,
): Schema['person'] {
  return {
    id,
    name,
    about: sealing.seal(about, associatedData.ofPerson('about', id)),
    ...toAddressColumns('email', email, id, sealing),
    ...toAddressColumns('evm_address', evmAddress, id, sealing),
    signed_out_at: signedOutAt ?? null,
  };
}

/** Converts a row to a person. */
export function toPerson(row: Schema['person'], sealing: Sealing): Person {
  const { id, name, about } = row;
  return omitUndefined({
    id,
    name,
    about: sealing.open(about, associatedData.ofPerson('about', id)),
    email: openAddress(row, 'email', sealing) ?? undefined,
    evmAddress: openAddress(row, 'evm_address', sealing) ?? undefined,
    signedOutAt: row.signed_out_at ?? undefined,
  });
}

/** Columns of addresses by which people are found. */
export type AddressColumn = 'email' | 'evm_address';

/**
 * Returns an address of a person, decrypted if necessary; null if the person has none.
 *
 * @throws {SealedValueError} If it does not decrypt, or is plaintext in a completely encrypted store.
 */
export function openAddress<Column extends AddressColumn>(
  row: Pick<Schema['person'], 'id' | Column | `${Column}_sealed`>,
  column: Column,
  sealing: Sealing,
): string | null {
  // TypeScript does not resolve an indexed access by a template literal of a type parameter.
  const sealed = row[`${column}_sealed`] as string | null;
  if (sealed !== null) return sealing.open(sealed, associatedData.ofPerson(`${column}_sealed`, row.id));
  if (sealing.complete && row[column] !== null) throw plaintextError({ table: 'person', column });
  return row[column];
}

/** Encodes an address: as plaintext, or as a fingerprint and an encrypted value. */
export function toAddressColumns<Column extends AddressColumn>(
  column: Column,
  value: string | undefined,
  personId: string,
  sealing: Sealing,
): Record<Column | `${Column}_sealed`, string | null> {
  const address = value === undefined ? null : normalizeAddress(column, value);
  const sealedColumn = `${column}_sealed` as const;
  const [fingerprint] = address === null ? [] : sealing.fingerprints(address, { table: 'person', column });
  const columns =
    address === null || fingerprint === undefined
      ? { [column]: address, [sealedColumn]: null }
      : {
          [column]: fingerprint,
          [sealedColumn]: sealing.seal(address, associatedData.ofPerson(sealedColumn, personId)),
        };
  return columns as Record<Column | `${Column}_sealed`, string | null>;
}

/**
 * Normalizes an address for storage, fingerprints and look-ups: changes only the ASCII letters of an e-mail domain, to lower case. Any other change
 * could make the addresses of two people equal (S127).
 */
export function normalizeAddress(column: AddressColumn, address: string): string {
  if (column === 'evm_address') return address;
  const at = address.lastIndexOf('@');
  if (at < 0) return address;
  return address.slice(0, at) + address.slice(at).replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Returns every form in which an address may be stored: as plaintext, or as a fingerprint by one of the keys. */
export function addressesToFind(column: AddressColumn, value: string, sealing: Sealing): readonly string[] {
  const address = normalizeAddress(column, value);
  const fingerprints = sealing.fingerprints(address, { table: 'person', column });
  return sealing.complete ? fingerprints : [address, ...fingerprints];
}

/** Converts an application to a row. */
export function toApplicationRow(application: Application): Schema['application'] {
  return {
    client_id: application.clientId,
    name: application.name,
    organization_id: application.organizationId,
    redirect_uris: JSON.stringify(application.redirectUris),
    post_logout_redirect_uris: JSON.stringify(application.postLogoutRedirectUris) ?? null,
    scopes: JSON.stringify(application.scopes),
    secret_hash: application.secretHash ?? null,
    id_token_algorithm: application.idTokenAlgorithm,
    created_at: application.createdAt,
    revoked_at: application.revokedAt ?? null,
    purpose: application.purpose ?? null,
    organization_name: application.organizationName ?? null,
    logo_uri: application.logoUri ?? null,
    policy_uri: application.policyUri ?? null,
    tos_uri: application.tosUri ?? null,
    jwks: application.keys === undefined ? null : JSON.stringify(application.keys),
    auth_method: application.tokenEndpointAuthMethod ?? null,
    dpop_bound: application.dpopBoundAccessTokens === true ? 1 : 0,
    created_by: application.createdByUserId ?? null,
    changed_at: application.updatedAt ?? null,
    require_pushed: application.requirePushedAuthorizationRequests === true ? 1 : 0,
    authorization_details_types: JSON.stringify(application.authorizationDetailsTypes) ?? null,
    max_evidence: application.maxEvidence ?? null,
  };
}

/** Converts a row to an application. */
export function toApplication(row: Schema['application']): Application {
  return omitUndefined({
    clientId: row.client_id,
    name: row.name,
    organizationId: row.organization_id,
    redirectUris: parseStringList(row.redirect_uris),
    postLogoutRedirectUris: parseOptionalStringList(row.post_logout_redirect_uris),
    scopes: parseStringList(row.scopes),
    secretHash: row.secret_hash ?? undefined,
    idTokenAlgorithm: row.id_token_algorithm,
    createdAt: row.created_at,
    revokedAt: row.revoked_at ?? undefined,
    purpose: row.purpose ?? undefined,
    organizationName: row.organization_name ?? undefined,
    logoUri: row.logo_uri ?? undefined,
    policyUri: row.policy_uri ?? undefined,
    tosUri: row.tos_uri ?? undefined,
    keys: row.jwks === null ? undefined : (JSON.parse(row.jwks) as readonly PublicJwk[]),
    tokenEndpointAuthMethod: row.auth_method ?? undefined,
    dpopBoundAccessTokens: row.dpop_bound === 1 ? true : undefined,
    createdByUserId: row.created_by ?? undefined,
    updatedAt: row.changed_at ?? undefined,
    requirePushedAuthorizationRequests: row.require_pushed === 1 ? true : undefined,
    authorizationDetailsTypes: parseDetailsTypes(row.authorization_details_types),
    maxEvidence: row.max_evidence ?? undefined,
  });
}

/** All columns of an application. */
export const APPLICATION_COLUMNS = [
  'client_id',
  'name',
  'organization_id',
  'redirect_uris',
  'post_logout_redirect_uris',
  'scopes',
  'secret_hash',
  'id_token_algorithm',
  'created_at',
  'revoked_at',
  'purpose',
  'organization_name',
  'logo_uri',
  'policy_uri',
  'tos_uri',
  'jwks',
  'auth_method',
  'dpop_bound',
  'created_by',
  'changed_at',
  'require_pushed',
  'authorization_details_types',
  'max_evidence',
] as const satisfies readonly (keyof Schema['application'])[];

/** Converts an authorization to a row. */
export function toAuthorizationRow(
  authorization: Authorization,
  sealing: Sealing,
): Schema['authorization_record'] {
  const sealed = (column: associatedData.RequestColumn, text: string | undefined) =>
    text === undefined ? null : sealing.seal(text, associatedData.ofRequest(column, authorization.id));
  return {
    id: authorization.id,
    client_id: authorization.clientId,
    person_id: authorization.userId ?? null,
    status: authorization.status,
    redirect_uri: authorization.redirectUri,
    response_mode: authorization.responseMode ?? null,
    requested_scopes: JSON.stringify(authorization.requestedScopes),
    granted_scopes:
      authorization.grantedScopes === undefined ? null : JSON.stringify(authorization.grantedScopes),
    state: sealed('state', authorization.state),
    nonce: sealed('nonce', authorization.nonce),
    login_hint: sealed('login_hint', authorization.loginHint),
    code_challenge: authorization.codeChallenge ?? null,
    code_hash: null,
    code_expires_at: null,
    dpop_jkt: authorization.dpopJkt ?? null,
    failed_redemptions: 0,
    browser_hash: authorization.browserHash ?? null,
    palm_verified_at: authorization.palmVerifiedAt ?? null,
    palm_verified_person_id: authorization.palmVerifiedPersonId ?? null,
    prompt: authorization.prompt ?? null,
    ui_locales: authorization.uiLocales ?? null,
    max_age_seconds: authorization.maxAgeSeconds ?? null,
    authenticated_after: authorization.authenticatedAfter ?? null,
    created_at: authorization.createdAt,
    request_expires_at: authorization.requestExpiresAt,
    updated_at: authorization.updatedAt,
    approved_at: authorization.approvedAt ?? null,
    revoked_at: authorization.revokedAt ?? null,
    last_token_issued_at: authorization.lastTokenIssuedAt ?? null,
    withdrawn_until: null,
    authenticated_at: authorization.authenticatedAt ?? null,
    subject_sector: null,
    subject_hash: null,
    requested_details: sealDetails(
      authorization.requestedConditions,
      'requested_details',
      authorization.id,
      sealing,
    ),
    granted_details: sealDetails(
      authorization.grantedConditions,
      'granted_details',
      authorization.id,
      sealing,
    ),
  };
}

/** Converts the subject index of a grant to columns. */
export function toSubjectColumns({
  sector,
  hash,
}: SubjectIndex): Pick<Schema['authorization_record'], 'subject_sector' | 'subject_hash'> {
  return { subject_sector: sector, subject_hash: hash };
}

/** Columns of an authorization. Listed by name, since statements with `*` are not prepared on PostgreSQL. */
export const AUTHORIZATION_COLUMNS = [
  'id',
  'client_id',
  'person_id',
  'status',
  'redirect_uri',
  'response_mode',
  'requested_scopes',
  'granted_scopes',
  'state',
  'nonce',
  'login_hint',
  'code_challenge',
  'code_expires_at',
  'dpop_jkt',
  'browser_hash',
  'palm_verified_at',
  'palm_verified_person_id',
  'prompt',
  'ui_locales',
  'max_age_seconds',
  'authenticated_after',
  'created_at',
  'request_expires_at',
  'updated_at',
  'approved_at',
  'revoked_at',
  'last_token_issued_at',
  'authenticated_at',
  'requested_details',
  'granted_details',
] as const;

/** Converts a row to an authorization, without the hash of its code (D4). */
export function toAuthorization(
  row: Pick<Schema['authorization_record'], (typeof AUTHORIZATION_COLUMNS)[number]>,
  sealing: Sealing,
): Authorization {
  const opened = (column: associatedData.RequestColumn) => {
    const text = row[column];
    return text === null ? undefined : sealing.open(text, associatedData.ofRequest(column, row.id));
  };
  return omitUndefined({
    id: row.id,
    clientId: row.client_id,
    userId: row.person_id ?? undefined,
    status: row.status,
    redirectUri: row.redirect_uri,
    responseMode: row.response_mode ?? undefined,
    requestedScopes: parseStringList(row.requested_scopes),
    grantedScopes: parseOptionalStringList(row.granted_scopes),
    requestedConditions: openDetails(row.requested_details, 'requested_details', row.id, sealing),
    grantedConditions: openDetails(row.granted_details, 'granted_details', row.id, sealing),
    state: opened('state'),
    nonce: opened('nonce'),
    loginHint: opened('login_hint'),
    codeChallenge: row.code_challenge ?? undefined,
    codeExpiresAt: row.code_expires_at ?? undefined,
    dpopJkt: row.dpop_jkt ?? undefined,
    browserHash: row.browser_hash ?? undefined,
    palmVerifiedAt: row.palm_verified_at ?? undefined,
    palmVerifiedPersonId: row.palm_verified_person_id ?? undefined,
    prompt: row.prompt ?? undefined,
    uiLocales: row.ui_locales ?? undefined,
    maxAgeSeconds: row.max_age_seconds ?? undefined,
    authenticatedAfter: row.authenticated_after ?? undefined,
    createdAt: row.created_at,
    requestExpiresAt: row.request_expires_at,
    updatedAt: row.updated_at,
    approvedAt: row.approved_at ?? undefined,
    revokedAt: row.revoked_at ?? undefined,
    lastTokenIssuedAt: row.last_token_issued_at ?? undefined,
    authenticatedAt: row.authenticated_at ?? undefined,
  });
}

/** Encodes conditions; null if there are none. @param id - The id of their authorization. */
export function sealDetails(
  conditions: readonly Condition[] | undefined,
  column: associatedData.DetailsColumn,
  id: string,
  sealing: Sealing,
): string | null {
  if (conditions === undefined || conditions.length === 0) return null;
  return sealing.seal(JSON.stringify(conditions), associatedData.ofDetails(column, id));
}

/** Decodes conditions; `undefined` for NULL. */
export function openDetails(
  details: string | null,
  column: associatedData.DetailsColumn,
  id: string,
  sealing: Sealing,
): readonly Condition[] | undefined {
  if (details === null) return undefined;
  return JSON.parse(sealing.open(details, associatedData.ofDetails(column, id))) as readonly Condition[];
}

/** Converts a signing key to a row. */
export function toSigningKeyRow(key: SigningKey, sealing: Sealing): Schema['signing_key'] {
  const data = associatedData.ofSigningKey({ kid: key.kid, algorithm: key.algorithm });
  return {
    kid: key.kid,
    algorithm: key.algorithm,
    private_jwk: sealing.seal(key.privateJwk, data),
    published_at: key.publishedAt,
    signs_from: key.signsFrom,
  };
}

/** Converts a row to a signing key. */
export function toSigningKey(row: Schema['signing_key'], sealing: Sealing): SigningKey {
  return {
    kid: row.kid,
    algorithm: row.algorithm,
    privateJwk: sealing.open(row.private_jwk, associatedData.ofSigningKey(row)),
    publishedAt: row.published_at,
    signsFrom: row.signs_from,
  };
}

/** Parses the types of authorization details of an application; `undefined` for NULL. */
export function parseDetailsTypes(column: string | null): readonly AuthorizationDetailsType[] | undefined {
  return column === null ? undefined : (JSON.parse(column) as readonly AuthorizationDetailsType[]);
}

/** Parses a list of strings from a column. */
export function parseStringList(column: string): readonly string[] {
  return JSON.parse(column) as readonly string[];
}

/** Parses a list of strings; `undefined` for NULL. */
export function parseOptionalStringList(column: string | null): readonly string[] | undefined {
  return column === null ? undefined : parseStringList(column);
}

/** Compares strings in code-unit order, since database collations differ. */
export function byCodeUnits(left: string, right: string): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
