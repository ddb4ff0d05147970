-- The pseudonym of a person or credential in the audit log. It is deleted with the row, so that entries can no longer be linked to a person.

ALTER TABLE person ADD COLUMN audit_id TEXT UNIQUE DEFAULT replace(gen_random_uuid()::text, '-', '');
ALTER TABLE credential ADD COLUMN audit_id TEXT UNIQUE DEFAULT replace(gen_random_uuid()::text, '-', '');
