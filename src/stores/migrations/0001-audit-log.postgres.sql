-- The audit log. Entries are only added, and deleted only after the retention period (see audit_retention).

CREATE TABLE audit_entry (
  position BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at BIGINT NOT NULL,
  kind TEXT NOT NULL,
  client_id TEXT,
  person_id TEXT,
  authorization_id TEXT,
  scopes TEXT,
  claims TEXT,
  query_hash TEXT,
  about TEXT,
  reason TEXT
);

CREATE INDEX audit_by_time ON audit_entry (at, position);
CREATE INDEX audit_of_person ON audit_entry (person_id, at) WHERE person_id IS NOT NULL;

CREATE FUNCTION reject_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END $$;

CREATE TRIGGER audit_retention_must_not_decrease BEFORE UPDATE ON audit_retention FOR EACH ROW WHEN (NEW.kept_from < OLD.kept_from) EXECUTE FUNCTION reject_audit_change('audit_retention must keep its row, and its kept_from must not decrease');
CREATE TRIGGER audit_retention_must_stay BEFORE INSERT OR DELETE OR TRUNCATE ON audit_retention FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_change('audit_retention must keep its row, and its kept_from must not decrease');

CREATE FUNCTION reject_early_entry_deletion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD.at >= (SELECT kept_from FROM audit_retention) THEN RAISE EXCEPTION 'audit entries from kept_from on must not be deleted' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN OLD; END $$;

CREATE TRIGGER audit_entry_must_not_change BEFORE UPDATE OR TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_change('audit entries must not be changed');
CREATE TRIGGER audit_entry_must_be_kept BEFORE DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION reject_early_entry_deletion();

CREATE FUNCTION reject_early_seal_deletion() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD.last_at >= (SELECT kept_from FROM audit_retention) THEN RAISE EXCEPTION 'audit seals of entries from kept_from on must not be deleted' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN OLD; END $$;

CREATE TRIGGER audit_seal_must_not_change BEFORE UPDATE OR TRUNCATE ON audit_seal FOR EACH STATEMENT EXECUTE FUNCTION reject_audit_change('audit seals must not be changed');
CREATE TRIGGER audit_seal_must_be_kept BEFORE DELETE ON audit_seal FOR EACH ROW EXECUTE FUNCTION reject_early_seal_deletion();
