-- Version 1: every table. Instants are epoch milliseconds; lists and claims are JSON texts; codes, tokens and secrets are stored as SHA-256
-- hashes only. The audit log differs by database engine: see the file of each engine.

CREATE TABLE kept_secret (
  name TEXT NOT NULL PRIMARY KEY,
  secret TEXT NOT NULL
);

-- Encryption keys by id. The proof detects a wrong key with the same id.

CREATE TABLE encryption_key (
  id TEXT NOT NULL PRIMARY KEY,
  proof TEXT NOT NULL
);

CREATE TABLE signing_key (
  kid TEXT NOT NULL PRIMARY KEY,
  algorithm TEXT NOT NULL CHECK (algorithm IN ('ES256', 'RS256')),
  private_jwk TEXT NOT NULL,
  published_at BIGINT NOT NULL,
  signs_from BIGINT NOT NULL CHECK (signs_from >= published_at)
);

-- With encryption, `email` and `evm_address` contain keyed hashes, and the columns `*_sealed` the encrypted addresses.

CREATE TABLE person (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  about TEXT NOT NULL,
  email TEXT UNIQUE,
  evm_address TEXT UNIQUE,
  email_sealed TEXT,
  evm_address_sealed TEXT,
  -- Sessions that started at this instant or earlier have ended.
  signed_out_at BIGINT
);

CREATE TABLE credential (
  id TEXT NOT NULL PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES person (id),
  source TEXT NOT NULL,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  claims TEXT NOT NULL,
  updated_at BIGINT NOT NULL
);

CREATE INDEX credential_of_person ON credential (person_id);

-- The person of each issuer's subject. `id` is a keyed hash of issuer and subject; `credential_id` is the credential that bound the subject.

CREATE TABLE credential_subject (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 43),
  person_id TEXT NOT NULL REFERENCES person (id),
  credential_id TEXT NOT NULL
);

CREATE TABLE application (
  client_id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  -- Redirect URIs after a sign-out, as a JSON array; NULL for none.
  post_logout_redirect_uris TEXT,
  scopes TEXT NOT NULL,
  secret_hash TEXT,
  id_token_algorithm TEXT NOT NULL CHECK (id_token_algorithm IN ('ES256', 'RS256')),
  created_at BIGINT NOT NULL,
  revoked_at BIGINT,
  -- Public keys of an application that authenticates by signing (RFC 7523), as a JSON array.
  jwks TEXT,
  -- Shown on the consent page.
  purpose TEXT,
  -- The registered authentication method; NULL if it is derived from the keys and the secret.
  auth_method TEXT CHECK (auth_method IN ('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt')),
  -- 1 if its access tokens must be bound by a DPoP proof (RFC 9449).
  dpop_bound BIGINT NOT NULL DEFAULT 0 CHECK (dpop_bound IN (0, 1)),
  -- Who registered it; NULL if unknown.
  created_by TEXT,
  -- The last change; NULL before the first change.
  changed_at BIGINT,
  -- 1 if the application must push its authorization requests (RFC 9126).
  require_pushed BIGINT NOT NULL DEFAULT 0 CHECK (require_pushed IN (0, 1))
);

-- Origins of the redirect URIs of each application: pages of these origins may call the service from a browser.

CREATE TABLE application_origin (
  origin TEXT NOT NULL,
  client_id TEXT NOT NULL REFERENCES application (client_id),
  PRIMARY KEY (origin, client_id)
);

CREATE INDEX origin_of_application ON application_origin (client_id);

-- A request for authorization, and the grant that it becomes.

CREATE TABLE authorization_record (
  id TEXT NOT NULL PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES application (client_id),
  person_id TEXT REFERENCES person (id),
  status TEXT NOT NULL CHECK (status IN ('pending_admin', 'approved', 'denied', 'revoked', 'consumed')),
  redirect_uri TEXT NOT NULL,
  -- NULL for the default, query.
  response_mode TEXT CHECK (response_mode IN ('form_post')),
  requested_scopes TEXT NOT NULL,
  granted_scopes TEXT,
  state TEXT,
  nonce TEXT,
  login_hint TEXT,
  -- Requirements on the person's sign-in (OpenID Connect Core 3.1.2.1), and the instant after which the person must have signed in.
  prompt TEXT,
  max_age_seconds BIGINT,
  authenticated_after BIGINT,
  -- When the person who approved had signed in; NULL if unknown.
  authenticated_at BIGINT,
  code_challenge TEXT,
  code_hash TEXT UNIQUE CHECK (code_hash IS NULL OR length(code_hash) = 43),
  code_expires_at BIGINT,
  -- Thumbprint of the key that the code is bound to; NULL for an unbound code.
  dpop_jkt TEXT,
  failed_redemptions BIGINT NOT NULL DEFAULT 0,
  browser_hash TEXT,
  palm_verified_at BIGINT,
  palm_verified_person_id TEXT REFERENCES person (id),
  created_at BIGINT NOT NULL,
  request_expires_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  approved_at BIGINT,
  revoked_at BIGINT,
  -- Until when the person may undo the withdrawal of the grant; NULL if the grant was not withdrawn by the person.
  withdrawn_until BIGINT,
  last_token_issued_at BIGINT,
  -- Keyed hash of the person's pairwise identifier. The sector identifies the organization and the key; if
  -- either changes, the hash is derived again.
  subject_sector TEXT,
  subject_hash TEXT,
  -- A grant has a person and scopes.
  CHECK (status NOT IN ('approved', 'consumed') OR (person_id IS NOT NULL AND granted_scopes IS NOT NULL)),
  -- A code is redeemed only with the proof of its challenge (RFC 7636).
  CHECK (code_hash IS NULL OR (code_challenge IS NOT NULL AND code_expires_at IS NOT NULL))
);

CREATE INDEX authorization_of_application ON authorization_record (client_id, person_id);
CREATE INDEX authorization_of_person ON authorization_record (person_id, approved_at);
CREATE INDEX authorization_by_subject ON authorization_record (client_id, subject_sector, subject_hash) WHERE person_id IS NOT NULL;
CREATE INDEX palm_verified_at_browser ON authorization_record (browser_hash) WHERE status = 'pending_admin' AND palm_verified_person_id IS NOT NULL;

-- Grants of an application by last change, with and without a status. Requests without approval are excluded.

CREATE INDEX grant_by_change ON authorization_record (client_id, updated_at, id) WHERE person_id IS NOT NULL;
CREATE INDEX grant_by_status ON authorization_record (client_id, status, updated_at, id) WHERE person_id IS NOT NULL;

-- Finds expired requests without reading the others.

CREATE INDEX request_by_end ON authorization_record (request_expires_at) WHERE status IN ('pending_admin', 'denied');

-- Pushed authorization requests (RFC 9126), until they are used. The parameters are a JSON array of names and values.

CREATE TABLE pushed_request (
  token_hash TEXT NOT NULL PRIMARY KEY CHECK (length(token_hash) = 43),
  client_id TEXT NOT NULL REFERENCES application (client_id),
  parameters TEXT NOT NULL,
  expires_at BIGINT NOT NULL
);

CREATE INDEX pushed_request_by_end ON pushed_request (expires_at);

CREATE TABLE access_token (
  token_hash TEXT NOT NULL PRIMARY KEY CHECK (length(token_hash) = 43),
  authorization_id TEXT NOT NULL REFERENCES authorization_record (id),
  family_id TEXT,
  scopes TEXT NOT NULL,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL CHECK (expires_at > issued_at),
  revoked_at BIGINT,
  -- Thumbprint of the key that the token is bound to; NULL for a bearer token.
  jkt TEXT
);

CREATE INDEX access_token_of_authorization ON access_token (authorization_id);
CREATE INDEX access_token_of_family ON access_token (family_id);
CREATE INDEX access_token_by_end ON access_token (expires_at);

CREATE TABLE refresh_token (
  token_hash TEXT NOT NULL PRIMARY KEY CHECK (length(token_hash) = 43),
  authorization_id TEXT NOT NULL REFERENCES authorization_record (id),
  family_id TEXT NOT NULL,
  generation BIGINT NOT NULL,
  issued_at BIGINT NOT NULL,
  -- The end of the family, which rotation does not change.
  expires_at BIGINT NOT NULL,
  rotated_at BIGINT,
  revoked_at BIGINT,
  -- Thumbprint of the key that the token is bound to; NULL for an unbound token.
  jkt TEXT,
  UNIQUE (family_id, generation)
);

CREATE INDEX refresh_token_of_authorization ON refresh_token (authorization_id);
CREATE INDEX refresh_token_by_end ON refresh_token (expires_at);
CREATE UNIQUE INDEX one_active_generation ON refresh_token (family_id) WHERE rotated_at IS NULL AND revoked_at IS NULL;

-- State shared by all instances: rate-limit buckets and used assertions. Both ids are keyed hashes.

CREATE TABLE rate_limit (
  id TEXT NOT NULL PRIMARY KEY,
  empty_at BIGINT NOT NULL
);

CREATE INDEX rate_limit_by_end ON rate_limit (empty_at);

CREATE TABLE used_assertion (
  id TEXT NOT NULL PRIMARY KEY,
  expires_at BIGINT NOT NULL
);

CREATE INDEX used_assertion_by_end ON used_assertion (expires_at);

-- Seals over the audit log. Each lists its entries by position, instant and hash, and is chained to the seal before it.

CREATE TABLE audit_seal (
  number BIGINT NOT NULL PRIMARY KEY,
  position BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  sealed_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  gaps TEXT NOT NULL,
  lines TEXT NOT NULL,
  hash TEXT NOT NULL,
  mac TEXT NOT NULL
);

-- One row. Entries before `kept_from`, which only increases, may be deleted. A MAC over `kept_from` and the last deleted seal prove that
-- entries and seals were deleted by retention.

CREATE TABLE audit_retention (
  kept_from BIGINT NOT NULL,
  kept_from_mac TEXT,
  start_number BIGINT NOT NULL DEFAULT 0,
  chain_start TEXT
);

INSERT INTO audit_retention (kept_from) VALUES (0);
