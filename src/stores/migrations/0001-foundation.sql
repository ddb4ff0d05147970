-- People, their credentials, applications, grants and access tokens.
-- Instants are epoch milliseconds; lists and claims are JSON texts; tokens and secrets stand as SHA-256 only.

CREATE TABLE kept_secret (
  name TEXT NOT NULL PRIMARY KEY,
  secret TEXT NOT NULL
);

CREATE TABLE person (
  id TEXT NOT NULL PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  about TEXT NOT NULL
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
  secret_hash TEXT,
  created_at BIGINT NOT NULL,
  revoked_at BIGINT
);

CREATE TABLE authorization_record (
  id TEXT NOT NULL PRIMARY KEY,
  client_id TEXT NOT NULL REFERENCES application (client_id),
  person_id TEXT REFERENCES person (id),
  status TEXT NOT NULL CHECK (status IN ('pending_admin', 'approved', 'denied', 'revoked', 'consumed')),
  requested_scopes TEXT NOT NULL,
  granted_scopes TEXT,
  created_at BIGINT NOT NULL,
  -- Nobody has agreed to anything without being somebody and without it being said to what.
  CHECK (status NOT IN ('approved', 'consumed') OR (person_id IS NOT NULL AND granted_scopes IS NOT NULL))
);

CREATE TABLE access_token (
  token_hash TEXT NOT NULL PRIMARY KEY CHECK (length(token_hash) = 43),
  authorization_id TEXT NOT NULL REFERENCES authorization_record (id),
  issued_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL CHECK (expires_at > issued_at),
  revoked_at BIGINT
);

CREATE INDEX access_token_of_authorization ON access_token (authorization_id);
