-- Version 4: accounts of people at OpenID Connect providers. `account_hash` is a keyed hash of the issuer and its `sub`.

CREATE TABLE linked_account (
  account_hash TEXT NOT NULL PRIMARY KEY CHECK (length(account_hash) = 43),
  issuer TEXT NOT NULL,
  person_id TEXT NOT NULL REFERENCES person (id),
  linked_at BIGINT NOT NULL,
  UNIQUE (person_id, issuer)
);
