-- Under which keys values are encrypted, with what proves that a key of that name is the one.

CREATE TABLE encryption_key (
  id TEXT NOT NULL PRIMARY KEY,
  proof TEXT NOT NULL
);

-- Addresses by which people are found: where values are encrypted, a keyed fingerprint stands in their own columns, and they stand here.

ALTER TABLE person ADD COLUMN email_sealed TEXT;

ALTER TABLE person ADD COLUMN evm_address_sealed TEXT;
