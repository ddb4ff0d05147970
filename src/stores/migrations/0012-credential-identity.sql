-- The ids of credentials that were recorded before ids of signed credentials were derived from issuer and signed content: their `jti`, or
-- a hash of their text. Compared at ingestion, so that none of them is recorded again under a derived id.

CREATE TABLE former_credential_id (
  id TEXT NOT NULL PRIMARY KEY
);

INSERT INTO former_credential_id (id) SELECT id FROM credential;

-- To which person the subject of an issuer belongs: `id` is a keyed hash of both, `credential_id` the credential that bound it.

CREATE TABLE credential_subject (
  id TEXT NOT NULL PRIMARY KEY CHECK (length(id) = 43),
  person_id TEXT NOT NULL REFERENCES person (id),
  credential_id TEXT NOT NULL
);
