-- When each credential last changed, so that who mirrors them can ask for what is new; and an application's grants in that order.

ALTER TABLE credential ADD COLUMN updated_at BIGINT NOT NULL DEFAULT 0;

UPDATE credential SET updated_at = COALESCE(revoked_at, issued_at);

CREATE INDEX authorization_by_change ON authorization_record (client_id, updated_at, id);
