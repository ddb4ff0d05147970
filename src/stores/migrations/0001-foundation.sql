-- People, their credentials, applications, and what people granted to them.
-- Instants are epoch milliseconds; lists and claims are JSON texts; codes, tokens and secrets stand as SHA-256 only.

CREATE TABLE kept_secret (
  name TEXT NOT NULL PRIMARY KEY,
  secret TEXT NOT NULL
);

CREATE TABLE signing_key (
  kid TEXT NOT NULL PRIMARY KEY,
  algorithm TEXT NOT NULL CHECK (algorithm IN ('ES256', 'RS256')),
  private_jwk TEXT NOT NULL,
  published_at BIGINT NOT NULL,
  signs_from BIGINT NOT NULL CHECK (signs_from >= published_at)
);

CREATE TABLE person (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  about TEXT NOT NULL,
  email TEXT UNIQUE,
  evm_address TEXT UNIQUE
);

CREATE TABLE credential (
  id TEXT NOT NULL PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES person (id),
  source TEXT NOT NULL,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT,
  revoked_at BIGINT,
  claims TEXT NOT NULL
);

CREATE INDEX credential_of_person ON credential (person_id);

CREATE TABLE application (
  client_id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL,
  organization_id TEXT NOT NULL,
  redirect_uris TEXT NOT NULL,
  scopes TEXT NOT NULL,
  secret_hash TEXT,
  id_token_algorithm TEXT NOT NULL CHECK (id_token_algorithm IN ('ES256', 'RS256')),
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);

CREATE TABLE authorization_record (
  id TEXT NOT NULL PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES application (client_id),
  person_id TEXT REFERENCES person (id),
  status TEXT NOT NULL CHECK (status IN ('pending_admin', 'approved', 'denied', 'revoked', 'consumed')),
  redirect_uri TEXT NOT NULL,
  requested_scopes TEXT NOT NULL,
  granted_scopes TEXT,
  state TEXT,
  nonce TEXT,
  login_hint TEXT,
  code_challenge TEXT,
  code_hash TEXT UNIQUE CHECK (code_hash IS NULL OR length(code_hash) = 43),
  code_expires_at BIGINT,
  failed_redemptions BIGINT NOT NULL DEFAULT 0,
  browser_hash TEXT,
  palm_verified_at BIGINT,
  created_at BIGINT NOT NULL,
  request_expires_at BIGINT NOT NULL,
  updated_at BIGINT NOT NULL,
  approved_at BIGINT,
  revoked_at BIGINT,
  last_token_issued_at BIGINT,
  -- Nobody has agreed to anything without being somebody and without it being said to what.
  CHECK (status NOT IN ('approved', 'consumed') OR (person_id IS NOT NULL AND granted_scopes IS NOT NULL)),
  -- A code cannot be redeemed by who cannot prove to have asked for it (RFC 7636).
  CHECK (code_hash IS NULL OR (code_challenge IS NOT NULL AND code_expires_at IS NOT NULL))
);

CREATE INDEX authorization_of_application ON authorization_record (client_id, person_id);

CREATE TABLE access_token (
  token_hash TEXT NOT NULL PRIMARY KEY CHECK (length(token_hash) = 43),
  authorization_id TEXT NOT NULL REFERENCES authorization_record (id),
  family_id TEXT,
  scopes TEXT NOT NULL,
  issued_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL CHECK (expires_at > issued_at),
  revoked_at BIGINT
);

CREATE INDEX access_token_of_authorization ON access_token (authorization_id);
CREATE INDEX access_token_of_family ON access_token (family_id);

CREATE TABLE refresh_token (
  token_hash TEXT NOT NULL PRIMARY KEY CHECK (length(token_hash) = 43),
  authorization_id TEXT NOT NULL REFERENCES authorization_record (id),
  family_id TEXT NOT NULL,
  generation BIGINT NOT NULL,
  issued_at BIGINT NOT NULL,
  -- The end of the family, which no rotation moves.
  expires_at BIGINT NOT NULL,
  rotated_at BIGINT,
  revoked_at BIGINT,
  UNIQUE (family_id, generation)
);

CREATE INDEX refresh_token_of_authorization ON refresh_token (authorization_id);
CREATE UNIQUE INDEX one_living_generation ON refresh_token (family_id) WHERE rotated_at IS NULL AND revoked_at IS NULL;
