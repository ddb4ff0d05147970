-- What instances count together: how full each caller's bucket is, and which assertions were used. Both stand as keyed hashes only.

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

-- Public keys of applications that authenticate by signing (RFC 7523), as a JSON array.

ALTER TABLE application ADD COLUMN jwks TEXT;
