-- The pseudonym of a person or credential in the audit log. It is deleted with the row, so that entries no longer lead to anybody.

ALTER TABLE person ADD COLUMN audit_id TEXT UNIQUE DEFAULT replace(gen_random_uuid()::text, '-', '');
ALTER TABLE credential ADD COLUMN audit_id TEXT UNIQUE DEFAULT replace(gen_random_uuid()::text, '-', '');
