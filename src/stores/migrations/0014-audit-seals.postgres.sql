-- Seals over the audit log: each names the entries that it covers by position, instant and hash, and chains to the seal before it.

CREATE TABLE audit_seal (
  number BIGINT NOT NULL PRIMARY KEY,
  position BIGINT NOT NULL,
  entries BIGINT NOT NULL,
  sealed_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  gaps TEXT NOT NULL,
  lines TEXT NOT NULL,
  hash TEXT NOT NULL,
  mac TEXT NOT NULL
);

-- What proves that retention, and nothing else, removed entries and seals: a MAC over `kept_from`, and the last seal that was removed.

ALTER TABLE audit_retention ADD COLUMN kept_from_mac TEXT;

ALTER TABLE audit_retention ADD COLUMN start_number BIGINT NOT NULL DEFAULT 0;

ALTER TABLE audit_retention ADD COLUMN chain_start TEXT;

CREATE FUNCTION keep_audit_seal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD.last_at >= (SELECT kept_from FROM audit_retention) THEN RAISE EXCEPTION 'an audit seal is kept as long as its entries' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN OLD; END $$;

CREATE TRIGGER audit_seal_never_changes BEFORE UPDATE OR TRUNCATE ON audit_seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit('an audit seal never changes');
CREATE TRIGGER audit_seal_is_kept BEFORE DELETE ON audit_seal FOR EACH ROW EXECUTE FUNCTION keep_audit_seal();
