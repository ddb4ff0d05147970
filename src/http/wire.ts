/** Converts domain objects to response bodies, with the names of the wire format. */

import { formatInstant } from '../engine/index.js';
import {
  type Application,
  type Authorization,
  type Condition,
  type CredentialView,
  credentialStatusAt,
  type IssuedTokens,
  type Page,
  type Person,
  type PersonalData,
  type PresetResult,
  type Service,
  type ServiceCatalogue,
  toAuthorizationDetails,
} from '../service/index.js';
import { MS_PER_SECOND } from '../util/time.js';

type Body = Readonly<Record<string, unknown>>;

/** Formats an instant as RFC 3339; `undefined` stays `undefined`, which JSON omits. */
export function toTimestamp(at: number | undefined): string | undefined {
  return at === undefined ? undefined : formatInstant(at);
}

/** Converts an instant to whole seconds since 1970, as in JWTs and RFC 7662. */
export function toEpochSeconds(at: number): number {
  return Math.floor(at / MS_PER_SECOND);
}

/** Converts an application, without its secret and its scopes. */
export function toApplicationBody(application: Application): Body {
  return {
    client_id: application.clientId,
    name: application.name,
    organization_id: application.organizationId,
    status: application.revokedAt === undefined ? 'active' : 'revoked',
    redirect_uris: application.redirectUris,
    created_by_user_id: application.createdByUserId,
    created_at: toTimestamp(application.createdAt),
    updated_at: toTimestamp(application.updatedAt ?? application.createdAt),
    revoked_at: toTimestamp(application.revokedAt),
  };
}

/** Converts a scope, with its description if the catalogue has one. */
export function toScopeBody(id: string, catalogue: ServiceCatalogue): Body {
  const scope = catalogue.findScope(id);
  return {
    id,
    display_name: scope?.displayName ?? id,
    description: scope?.description,
    category: scope?.category,
    implied_scopes: scope?.implies,
    max_evidence: scope?.maxEvidence,
    // No scope is granted without being requested.
    is_default: false,
  };
}

/** Formats scopes as the value of `scope`. Returns `undefined` for no scopes, since the value must not be empty (RFC 6749 §3.3). */
export function toScopeText(scopes: readonly string[]): string | undefined {
  return scopes.length === 0 ? undefined : scopes.join(' ');
}

/** Converts the granted conditions of a request; `undefined` if it requested none (RFC 9396 §7). */
export function toDetailsBody(
  conditions: readonly Condition[],
  { requestedConditions }: Pick<Authorization, 'requestedConditions'>,
): readonly Body[] | undefined {
  return requestedConditions === undefined ? undefined : conditions.map(toAuthorizationDetails);
}

/** Converts the result of a preset. */
export function toPresetBody({ preset, value, expiresAt, verifiedAt, evidence }: PresetResult): Body {
  return { preset, value, status: 'valid', expires_at: expiresAt, verified_at: verifiedAt, evidence };
}

/** Converts a credential. */
export function toCredentialBody({ credential, status, updatedAt }: CredentialView): Body {
  return {
    id: credential.id,
    source: credential.source,
    status,
    issued_at: toTimestamp(credential.issuedAt),
    expires_at: toTimestamp(credential.expiresAt),
    revoked_at: toTimestamp(credential.revokedAt),
    updated_at: toTimestamp(updatedAt),
    claims: credential.claims,
  };
}

/** Converts the personal data of a person to the export format (`docs/reference/person-export.schema.json`). */
export function toPersonalDataBody({
  exportedAt,
  person,
  accounts,
  credentials,
  grants,
  learned,
  boundedAnswers,
  audit,
}: PersonalData): Body {
  return {
    format: 1,
    exported_at: toTimestamp(exportedAt),
    person: toPersonBody(person),
    accounts: accounts.map(({ issuer, linkedAt }) => ({ issuer, linked_at: toTimestamp(linkedAt) })),
    credentials: credentials.map(({ credential, updatedAt }) =>
      toCredentialBody({ credential, status: credentialStatusAt(credential, exportedAt), updatedAt }),
    ),
    grants: grants.map((grant) => ({
      authorization_id: grant.authorizationId,
      client_id: grant.application.clientId,
      application: grant.application.name,
      organization_id: grant.application.organizationId,
      status: grant.status,
      scopes: grant.scopes,
      authorization_details: grant.conditions?.map(toAuthorizationDetails),
      approved_at: toTimestamp(grant.approvedAt),
      updated_at: toTimestamp(grant.updatedAt),
      last_token_issued_at: toTimestamp(grant.lastTokenIssuedAt),
    })),
    learned: learned.map(({ clientId, authorizationId, fact, firstAt, lastAt, changes }) => ({
      client_id: clientId,
      authorization_id: authorizationId,
      query: 'query' in fact ? (JSON.parse(fact.query) as unknown) : undefined,
      passed: 'query' in fact ? fact.passed : undefined,
      checks: 'query' in fact ? fact.checks : undefined,
      value: 'value' in fact ? fact.value : undefined,
      more: 'moreAbout' in fact ? fact.moreAbout : undefined,
      first_at: toTimestamp(firstAt),
      last_at: toTimestamp(lastAt),
      changes,
    })),
    bounded_answers: boundedAnswers.map(({ organizationId, claim, item, passed, at }) => ({
      organization_id: organizationId,
      claim,
      query: item,
      passed,
      evaluated_for: at === 0 ? undefined : toTimestamp(at),
    })),
    audit: audit.map((entry) => ({
      at: toTimestamp(entry.at),
      kind: entry.kind,
      client_id: entry.clientId,
      authorization_id: entry.authorizationId,
      scopes: entry.scopes,
      claims: entry.claims,
      query_hash: entry.queryHash,
      about: entry.about,
      reason: entry.reason,
    })),
  };
}

/** Converts a person, for the administrator and for that person only. */
export function toPersonBody(person: Person): Body {
  return {
    id: person.id,
    name: person.name,
    email: person.email,
    wallet: person.evmAddress,
    signed_out_at: toTimestamp(person.signedOutAt),
  };
}

/** Converts a page of a list. */
export function toPageBody<Item>(page: Page<Item>, toBody: (item: Item) => Body): Body {
  return {
    items: page.items.map(toBody),
    has_more: page.nextCursor !== undefined,
    next_cursor: page.nextCursor,
    last_modified: toTimestamp(page.lastModified),
  };
}

/** Converts tokens to the response of the token endpoint (RFC 6749 §5.1, S78). */
export function toTokenBody(tokens: IssuedTokens, service: Service): Body {
  const { authorization, application, issuedAt } = tokens;
  return {
    access_token: tokens.accessToken,
    token_type: tokens.tokenType,
    expires_in: tokens.expiresInSeconds,
    scope: toScopeText(tokens.scopes),
    granted_scopes: tokens.scopes,
    authorization_details: toDetailsBody(tokens.conditions, authorization),
    authorization_id: authorization.id,
    app_scoped_user_id: service.people.subjectOf(application.organizationId, authorization.userId ?? ''),
    issued_at: toTimestamp(issuedAt),
    refresh_token: tokens.refreshToken,
    refresh_token_expires_in: tokens.refreshTokenExpiresInSeconds,
    refresh_issued_at: tokens.refreshToken === undefined ? undefined : toTimestamp(issuedAt),
    id_token: tokens.idToken,
  };
}
