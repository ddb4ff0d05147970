-- Who was granted, shown and refused what: entries are added and never changed, and removed only after the retention period.

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

CREATE FUNCTION refuse_change_of_audit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION '%', TG_ARGV[0] USING ERRCODE = 'integrity_constraint_violation'; END $$;

CREATE TRIGGER audit_retention_goes_forward BEFORE UPDATE ON audit_retention FOR EACH ROW WHEN (NEW.kept_from < OLD.kept_from) EXECUTE FUNCTION refuse_change_of_audit('what the audit log may forget only grows');
CREATE TRIGGER audit_retention_stays BEFORE INSERT OR DELETE OR TRUNCATE ON audit_retention FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit('what the audit log may forget only grows');

CREATE FUNCTION keep_audit_entry() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD.at >= (SELECT kept_from FROM audit_retention) THEN RAISE EXCEPTION 'an audit entry is kept until its time is over' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN OLD; END $$;

CREATE TRIGGER audit_entry_never_changes BEFORE UPDATE OR TRUNCATE ON audit_entry FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit('an audit entry never changes');
CREATE TRIGGER audit_entry_is_kept BEFORE DELETE ON audit_entry FOR EACH ROW EXECUTE FUNCTION keep_audit_entry();

CREATE FUNCTION keep_audit_seal() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN IF OLD.last_at >= (SELECT kept_from FROM audit_retention) THEN RAISE EXCEPTION 'an audit seal is kept as long as its entries' USING ERRCODE = 'integrity_constraint_violation'; END IF; RETURN OLD; END $$;

CREATE TRIGGER audit_seal_never_changes BEFORE UPDATE OR TRUNCATE ON audit_seal FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_audit('an audit seal never changes');
CREATE TRIGGER audit_seal_is_kept BEFORE DELETE ON audit_seal FOR EACH ROW EXECUTE FUNCTION keep_audit_seal();
