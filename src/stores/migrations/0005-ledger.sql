-- Version 5: the ledger of what applications have learned. `entry` is a keyed hash of the grant and of what was learned; `detail` is a JSON text.

CREATE TABLE learned (
  entry TEXT NOT NULL PRIMARY KEY,
  authorization_id TEXT NOT NULL REFERENCES authorization_record (id),
  detail TEXT NOT NULL,
  first_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  -- How often this outcome replaced another one of the same query.
  changes BIGINT NOT NULL
);

CREATE INDEX learned_of_authorization ON learned (authorization_id);
CREATE INDEX learned_by_end ON learned (last_at);
