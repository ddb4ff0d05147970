-- Keyed hash of the person's pairwise identifier, so that a client finds a grant by that identifier among its own grants. The sector says
-- for which organization, and under which key, the hash was derived: another one has to be derived anew.

ALTER TABLE authorization_record ADD COLUMN subject_sector TEXT;

ALTER TABLE authorization_record ADD COLUMN subject_hash TEXT;

CREATE INDEX authorization_by_subject ON authorization_record (client_id, subject_sector, subject_hash) WHERE person_id IS NOT NULL;

-- Grants of an application by their last change, with and without their status; requests that nobody approved are not among them.

DROP INDEX authorization_by_change;

CREATE INDEX grant_by_change ON authorization_record (client_id, updated_at, id) WHERE person_id IS NOT NULL;
CREATE INDEX grant_by_status ON authorization_record (client_id, status, updated_at, id) WHERE person_id IS NOT NULL;

-- Origins of the redirect URIs of each application: pages there may call from a browser.

CREATE TABLE application_origin (
  origin TEXT NOT NULL,
  client_id TEXT NOT NULL REFERENCES application (client_id),
  PRIMARY KEY (origin, client_id)
);

CREATE INDEX origin_of_application ON application_origin (client_id);

INSERT INTO application_origin (origin, client_id)
  SELECT DISTINCT substr(uri, 1, host - 1) || substr(substr(uri, host), 1, min(instr(substr(uri, host) || '/', '/'), instr(substr(uri, host) || char(63), char(63))) - 1), client_id
  FROM (SELECT value AS uri, instr(value, '://') + 3 AS host, client_id FROM application, json_each(redirect_uris))
  WHERE host > 3;
