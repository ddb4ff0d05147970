-- How full each caller's bucket is, for instances that count together. Callers stand as keyed hashes only.

CREATE TABLE rate_limit (
  id TEXT NOT NULL PRIMARY KEY,
  empty_at BIGINT NOT NULL
);

CREATE INDEX rate_limit_by_end ON rate_limit (empty_at);
