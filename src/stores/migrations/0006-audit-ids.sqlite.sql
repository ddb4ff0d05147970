-- The pseudonym of a person or credential in the audit log. It is deleted with the row, so that entries can no longer be linked to a person.

ALTER TABLE person ADD COLUMN audit_id TEXT;
ALTER TABLE credential ADD COLUMN audit_id TEXT;
UPDATE person SET audit_id = lower(hex(randomblob(16)));
UPDATE credential SET audit_id = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX person_by_audit_id ON person (audit_id);
CREATE UNIQUE INDEX credential_by_audit_id ON credential (audit_id);
-- An erasure finds the rows that refer to a person.
CREATE INDEX subject_of_person ON credential_subject (person_id);
CREATE INDEX palm_of_person ON authorization_record (palm_verified_person_id) WHERE palm_verified_person_id IS NOT NULL;
CREATE INDEX request_by_hint ON authorization_record (login_hint) WHERE login_hint IS NOT NULL;
-- Retention finds what has ended.
CREATE INDEX grant_by_end ON authorization_record (updated_at) WHERE status IN ('approved', 'revoked') AND person_id IS NOT NULL;
CREATE INDEX credential_by_expiry ON credential (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX credential_by_revocation ON credential (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE TRIGGER person_has_audit_id AFTER INSERT ON person WHEN NEW.audit_id IS NULL BEGIN UPDATE person SET audit_id = lower(hex(randomblob(16))) WHERE id = NEW.id; END;
CREATE TRIGGER credential_has_audit_id AFTER INSERT ON credential WHEN NEW.audit_id IS NULL BEGIN UPDATE credential SET audit_id = lower(hex(randomblob(16))) WHERE id = NEW.id; END;
