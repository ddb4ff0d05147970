/** JSON Schemas (2020-12) of responses. Most objects are closed (`additionalProperties: false`), so that tests detect undocumented members. */

/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

type Properties = Readonly<Record<string, Schema>>;

const ANY: Schema = { description: 'Any JSON value.' };
const TIMESTAMP: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}Z$',
  description: 'RFC 3339, UTC, with milliseconds.',
};
const SECONDS: Schema = { type: 'integer', minimum: 0, description: 'In seconds.' };
const EPOCH_SECONDS: Schema = { type: 'integer', minimum: 0, description: 'Seconds since 1970.' };
const FLAG: Schema = { type: 'boolean' };
const URL: Schema = { type: 'string', format: 'uri' };
const ID: Schema = { type: 'string', minLength: 1 };
const TOKEN: Schema = { type: 'string', pattern: '^[A-Za-z0-9._-]+$' };
const SCOPES: Schema = { type: 'array', items: { type: 'string' }, description: 'Scope names.' };
const TEXT: Schema = { type: 'string' };
/** Conditions as granted (RFC 9396 §7). */
const DETAILS: Schema = list(ref('AuthorizationDetail'));
const SUBJECT: Schema = {
  type: 'string',
  description:
    'The pairwise identifier of the person: different for each organization, so that organizations cannot correlate people.',
};
const UPDATED_AT: Schema = {
  ...TIMESTAMP,
  description: 'The start of the day, in UTC, on which the most recent of the returned claims was attested.',
};
const TOKEN_TYPE: Schema = {
  enum: ['Bearer', 'DPoP'],
  description: '`DPoP` if the access token is bound to a key of the client (RFC 9449).',
};
const SENSITIVITY: Schema = { enum: ['low', 'medium', 'high', 'critical'] };

const EVIDENCE_LEVEL: Schema = {
  enum: ['full', 'checks', 'none'],
  description: 'How much evidence a result contains: values, the outcomes of checks, or none.',
};
const INFERENCE_BOUND: Schema = {
  type: 'object',
  required: ['claim'],
  description:
    'How much of the range of a claim must remain possible after results without values: numbers of a total `width` or dates of a total of `years`, from `from` to `to`; or a number of the claim’s `values`.',
  properties: {
    claim: TEXT,
    width: { type: 'number' },
    years: { type: 'number' },
    values: { type: 'integer' },
    from: { type: ['number', 'string'] },
    to: { type: ['number', 'string'] },
  },
  additionalProperties: false,
};
/** The capabilities that are listed in both documents: the metadata of the authorization server and those of the service. */
const CAPABILITIES: Properties = {
  scopes_supported: SCOPES,
  authorization_details_types_supported: list(TEXT),
  response_types_supported: list(TEXT),
  grant_types_supported: list(TEXT),
  code_challenge_methods_supported: list(TEXT),
  token_endpoint_auth_methods_supported: list(TEXT),
  subject_types_supported: list(TEXT),
  id_token_signing_alg_values_supported: list(TEXT),
  claim_types_supported: list(TEXT),
  claims_supported: list(TEXT),
};
const STANDARD_METADATA: Properties = {
  issuer: URL,
  authorization_endpoint: URL,
  pushed_authorization_request_endpoint: URL,
  require_pushed_authorization_requests: FLAG,
  token_endpoint: URL,
  userinfo_endpoint: URL,
  jwks_uri: URL,
  revocation_endpoint: URL,
  end_session_endpoint: URL,
  ...CAPABILITIES,
  revocation_endpoint_auth_methods_supported: list(TEXT),
};

export const RESOURCE_SCHEMAS = {
  AuthorizationContext: object(
    {
      authorization_id: ID,
      client_id: ID,
      user_id: { type: 'string', description: 'Empty until a person has approved.' },
      app_scoped_user_id: { type: 'string', description: 'Empty until a person has approved.' },
      status: { enum: ['pending_admin', 'approved', 'denied', 'revoked', 'consumed'] },
      redirect_uri: TEXT,
      requested_scopes: SCOPES,
      application: ref('ApplicationDetail'),
      scopes: list(ref('ScopeDetail')),
      metadata: object(
        {},
        {
          created_at: TIMESTAMP,
          updated_at: TIMESTAMP,
          approved_at: TIMESTAMP,
          revoked_at: TIMESTAMP,
          last_token_issued_at: TIMESTAMP,
        },
      ),
      policy: object({ requires_palm_verification: FLAG, preset_cache_ttl_seconds: SECONDS }),
    },
    {
      state: TEXT,
      granted_scopes: SCOPES,
      requested_authorization_details: DETAILS,
      authorization_details: DETAILS,
      code_expires_at: TIMESTAMP,
      nonce: TEXT,
    },
  ),
  ApplicationDetail: object(
    {
      client_id: ID,
      name: TEXT,
      organization_id: ID,
      status: { enum: ['active', 'revoked'] },
      redirect_uris: list(TEXT),
    },
    { created_by_user_id: ID, created_at: TIMESTAMP, updated_at: TIMESTAMP, revoked_at: TIMESTAMP },
  ),
  ScopeDetail: object(
    { id: ID, display_name: TEXT },
    {
      description: TEXT,
      category: TEXT,
      implied_scopes: SCOPES,
      max_evidence: EVIDENCE_LEVEL,
      is_default: FLAG,
    },
  ),
  ApprovalResult: object(
    {
      authorization_id: ID,
      status: { const: 'approved' },
      code: TOKEN,
      code_expires_at: TIMESTAMP,
      scopes: SCOPES,
      granted_scopes: SCOPES,
      app_scoped_user_id: SUBJECT,
      organization_id: ID,
      redirect_uri: TEXT,
      client_id: ID,
    },
    { state: TEXT, authorization_details: DETAILS },
  ),
  AuthorizationDetail: object({
    type: { const: 'claims_condition' },
    query: { type: 'object', description: 'A check or a policy, in canonical form.' },
    purpose: { type: 'string', maxLength: 200 },
  }),
  DenialResult: object(
    { authorization_id: ID, status: { const: 'denied' }, redirect_uri: TEXT, client_id: ID },
    { state: TEXT },
  ),
  PushedAuthorizationResult: object({
    request_uri: {
      type: 'string',
      pattern: '^urn:ietf:params:oauth:request_uri:[A-Za-z0-9_-]{43}$',
      description:
        'For the authorization request, together with `client_id`; single use, expires after `expires_in`.',
    },
    expires_in: SECONDS,
  }),
  TokenResult: object(
    {
      access_token: TOKEN,
      token_type: TOKEN_TYPE,
      expires_in: SECONDS,
      granted_scopes: SCOPES,
      authorization_id: ID,
      app_scoped_user_id: SUBJECT,
      issued_at: TIMESTAMP,
    },
    {
      scope: {
        type: 'string',
        description: 'The granted scopes, separated by spaces; absent if none were granted.',
      },
      authorization_details: DETAILS,
      refresh_token: TOKEN,
      refresh_token_expires_in: SECONDS,
      refresh_issued_at: TIMESTAMP,
      id_token: {
        type: 'string',
        description: 'A signed JWT (OpenID Connect Core §2), with the scope `openid`.',
      },
    },
  ),
  UserTokenResult: object({
    access_token: TOKEN,
    token_type: TOKEN_TYPE,
    expires_in: SECONDS,
    issued_at: TIMESTAMP,
    user_id: SUBJECT,
    client_id: ID,
    authorization_id: ID,
    scopes: SCOPES,
  }),
  RevocationResult: object({
    revoked: FLAG,
    revoked_count: { type: 'integer', minimum: 0 },
    details: list(
      object(
        {
          subject: { enum: ['token', 'authorization'] },
          status: { enum: ['revoked', 'not_found', 'invalid'] },
        },
        {
          token_type: { enum: ['access_token', 'refresh_token'] },
          authorization_id: ID,
          client_id: ID,
          user_id: SUBJECT,
          reason: {
            enum: ['requested', 'cascade', 'not_in_force'],
            description:
              '`requested`: named in the request; `cascade`: revoked together with a token; `not_in_force`: unknown, expired, already revoked, or issued to another client.',
          },
        },
      ),
    ),
  }),
  IntrospectionResult: object(
    { active: FLAG },
    {
      scope: TEXT,
      authorization_details: DETAILS,
      client_id: ID,
      sub: SUBJECT,
      iss: URL,
      aud: ID,
      token_type: TOKEN_TYPE,
      iat: EPOCH_SECONDS,
      exp: EPOCH_SECONDS,
      authorization_id: ID,
      cnf: object({
        jkt: { ...ID, description: 'Thumbprint of the key that the token is bound to (RFC 7638).' },
      }),
    },
  ),
  QueryResult: { oneOf: [ref('QueryPredicateResult'), ref('QueryProjectionResult')] },
  QueryPredicateResult: object({
    type: { const: 'predicate' },
    passed: FLAG,
    evaluatedAt: TIMESTAMP,
    evidence: ref('Evidence'),
    expiresAt: TIMESTAMP,
  }),
  QueryProjectionResult: object({
    type: { const: 'projection' },
    data: { type: 'object', additionalProperties: ANY },
    evaluatedAt: TIMESTAMP,
    claimsUsed: list(object({ path: TEXT, value: ANY })),
    expiresAt: TIMESTAMP,
  }),
  Evidence: object({
    claimsUsed: list(object({ path: TEXT, value: ANY, credentialId: ID }, { source: TEXT })),
    checkResults: list(
      object({ claim: TEXT, operator: TEXT, expectedValue: ANY, passed: FLAG }, { actualValue: ANY }),
    ),
  }),
  AudienceLine: {
    description: 'One line per person who satisfies the query, and a summary as the last line.',
    oneOf: [
      object({ app_scoped_user_id: SUBJECT }),
      object({
        evaluated: { type: 'integer', minimum: 0, description: 'People whose grants cover the query.' },
        satisfied: { type: 'integer', minimum: 0 },
        evaluated_at: TIMESTAMP,
      }),
    ],
  },
  PresetList: object({ presets: list(ref('PresetDescriptor')) }),
  PresetDescriptor: object(
    {
      name: ID,
      scope: ID,
      category: TEXT,
      description: TEXT,
      consentText: TEXT,
      type: {
        enum: ['boolean', 'string', 'number', 'integer', 'date', 'datetime', 'array', 'object', 'enum'],
      },
      sensitivity: SENSITIVITY,
      derived: FLAG,
    },
    { parentField: ID },
  ),
  PresetResult: object(
    { preset: ID, value: ANY, status: { const: 'valid' }, expires_at: TIMESTAMP },
    { verified_at: TIMESTAMP, evidence: ref('Evidence') },
  ),
  PresetBatchResult: object({
    results: list(ref('PresetResult')),
    errors: list(
      object({
        preset: TEXT,
        error: object({
          error: { enum: ['preset_not_found', 'insufficient_scope', 'preset_unavailable', 'preset_expired'] },
          error_code: { enum: ['E4044', 'E4003', 'E4004', 'E4010'] },
          error_description: TEXT,
          error_subcode: TEXT,
          context: { type: 'object' },
        }),
      }),
    ),
  }),
  UserInfo: object(
    { sub: SUBJECT, iss: URL, aud: ID, authorization_id: ID, scopes: SCOPES },
    {
      updated_at: UPDATED_AT,
      service_id: TEXT,
      wallet_address: TEXT,
      email: TEXT,
      email_verified: FLAG,
      name: TEXT,
      birthdate: TEXT,
      phone_number: TEXT,
      phone_number_verified: FLAG,
      address: object(
        {},
        { street_address: TEXT, locality: TEXT, region: TEXT, postal_code: TEXT, country: TEXT },
      ),
    },
  ),
  Credential: object(
    {
      id: ID,
      source: TEXT,
      status: { enum: ['pending', 'active', 'expired', 'revoked'] },
      issued_at: TIMESTAMP,
      updated_at: TIMESTAMP,
      claims: { type: 'object', additionalProperties: ANY, description: 'Claim paths and their values.' },
    },
    { expires_at: TIMESTAMP, revoked_at: TIMESTAMP },
  ),
  CredentialPage: page(ref('Credential')),
  Person: object({ id: ID, name: TEXT }, { email: TEXT, wallet: TEXT, signed_out_at: TIMESTAMP }),
  PersonList: object({ people: list(ref('Person')) }, { next: ID }),
  PersonExport: object({
    format: { const: 1 },
    exported_at: TIMESTAMP,
    person: ref('Person'),
    accounts: list(object({ issuer: URL, linked_at: TIMESTAMP })),
    credentials: list(ref('Credential')),
    grants: list(
      object(
        {
          authorization_id: ID,
          client_id: ID,
          application: TEXT,
          organization_id: ID,
          status: TEXT,
          scopes: SCOPES,
          approved_at: TIMESTAMP,
          updated_at: TIMESTAMP,
        },
        { authorization_details: DETAILS, last_token_issued_at: TIMESTAMP },
      ),
    ),
    learned: list(
      object(
        {
          client_id: ID,
          authorization_id: ID,
          first_at: TIMESTAMP,
          last_at: TIMESTAMP,
          changes: { type: 'integer', minimum: 0 },
        },
        {
          query: { ...ANY, description: 'A query that the application learned the outcome of.' },
          passed: FLAG,
          checks: list(FLAG),
          value: { ...TEXT, description: 'A claim whose value was shown.' },
          more: { ...TEXT, description: 'A claim about which more was learned than is recorded.' },
        },
      ),
    ),
    bounded_answers: list(
      object(
        {
          organization_id: ID,
          claim: { ...TEXT, description: 'A claim with an inference bound.' },
          query: { ...ANY, description: 'A check or a policy on this claim, or on claims derived from it.' },
        },
        {
          passed: { ...FLAG, description: 'Absent if only a part of the outcome was disclosed.' },
          evaluated_for: { ...TIMESTAMP, description: 'The day for which derived claims were computed.' },
        },
      ),
    ),
    audit: list(
      object(
        { at: TIMESTAMP, kind: TEXT },
        {
          client_id: ID,
          authorization_id: ID,
          scopes: list(TEXT),
          claims: list(TEXT),
          query_hash: TEXT,
          about: TEXT,
          reason: TEXT,
        },
      ),
    ),
  }),
  ErasureResult: object({
    erased: { const: true },
    id: ID,
    credentials: { type: 'integer', minimum: 0 },
    grants: { type: 'integer', minimum: 0 },
  }),
  Grant: object({
    authorization_id: ID,
    organization_id: ID,
    app_scoped_user_id: SUBJECT,
    status: { enum: ['active', 'revoked'] },
    updated_at: TIMESTAMP,
  }),
  GrantPage: page(ref('Grant')),
  ServiceMetadata: object({
    issuer: URL,
    authorization_endpoint: URL,
    token_endpoint: URL,
    revoke_endpoint: URL,
    revocation_endpoint: URL,
    introspection_endpoint: URL,
    end_session_endpoint: URL,
    userinfo_endpoint: URL,
    hp_configuration_endpoint: URL,
    queries_endpoint: URL,
    presets_endpoint: URL,
    presets_batch_endpoint: URL,
    credentials_endpoint: URL,
    authorizations_endpoint: URL,
    client_user_token_endpoint: URL,
    jwks_uri: URL,
    openapi_uri: URL,
    ...CAPABILITIES,
    evidence_levels_supported: list(EVIDENCE_LEVEL),
    scopes_catalog: list(ref('ScopeDetail')),
    inference_bounds: list(INFERENCE_BOUND),
    presets_available: list(
      object({ name: ID, scope: ID, type: TEXT, description: TEXT, consent_text: TEXT }),
    ),
    rate_limit_default: { type: 'integer', minimum: 1 },
    rate_limit_unit: { const: 'requests_per_minute' },
  }),
  AuthorizationServerMetadata: {
    type: 'object',
    description: 'RFC 8414, OpenID Connect Discovery 1.0 §3.',
    required: Object.keys(STANDARD_METADATA),
    properties: STANDARD_METADATA,
    additionalProperties: ANY,
  },
  KeySet: object({
    keys: list({ type: 'object', required: ['kty', 'kid', 'use', 'alg'], not: { required: ['d'] } }),
  }),
  Health: object(
    { status: { const: 'ok' }, uptime: SECONDS, timestamp: TIMESTAMP },
    { version: TEXT, commit: TEXT },
  ),
  Readiness: object({
    status: { enum: ['ready', 'not_ready'] },
    checks: list(object({ name: TEXT, status: { enum: ['ok', 'failed'] } })),
  }),
  OpenApi: { type: 'object', required: ['openapi', 'info', 'paths', 'components'] },
} as const satisfies Readonly<Record<string, Schema>>;

export type ResourceName = keyof typeof RESOURCE_SCHEMAS;

function ref(name: string): Schema {
  return { $ref: `#/components/schemas/${name}` };
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}

function object(required: Properties, optional: Properties = {}): Schema {
  const names = Object.keys(required);
  return {
    type: 'object',
    ...(names.length === 0 ? {} : { required: names }),
    properties: { ...required, ...optional },
    additionalProperties: false,
  };
}

function page(item: Schema): Schema {
  return object({ items: list(item), has_more: FLAG }, { next_cursor: TEXT, last_modified: TIMESTAMP });
}
