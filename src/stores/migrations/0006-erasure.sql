-- Version 6: the erasure of people. The hashes of ids of erased, revoked credentials are keyed.

CREATE TABLE erased_credential (
  id_hash TEXT NOT NULL PRIMARY KEY CHECK (length(id_hash) = 43),
  erased_at BIGINT NOT NULL
);
