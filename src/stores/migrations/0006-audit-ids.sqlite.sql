-- The pseudonym of a person or credential in the audit log. It is deleted with the row, so that entries can no longer be linked to a person.

ALTER TABLE person ADD COLUMN audit_id TEXT;
ALTER TABLE credential ADD COLUMN audit_id TEXT;
UPDATE person SET audit_id = lower(hex(randomblob(16)));
UPDATE credential SET audit_id = lower(hex(randomblob(16)));
CREATE UNIQUE INDEX person_by_audit_id ON person (audit_id);
CREATE UNIQUE INDEX credential_by_audit_id ON credential (audit_id);
CREATE TRIGGER person_has_audit_id AFTER INSERT ON person WHEN NEW.audit_id IS NULL BEGIN UPDATE person SET audit_id = lower(hex(randomblob(16))) WHERE id = NEW.id; END;
CREATE TRIGGER credential_has_audit_id AFTER INSERT ON credential WHEN NEW.audit_id IS NULL BEGIN UPDATE credential SET audit_id = lower(hex(randomblob(16))) WHERE id = NEW.id; END;
