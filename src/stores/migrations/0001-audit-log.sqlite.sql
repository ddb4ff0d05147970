-- Who was granted, shown and refused what: entries are added and never changed, and removed only after the retention period.

CREATE TABLE audit_entry (
  position INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
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

CREATE TRIGGER audit_retention_goes_forward BEFORE UPDATE ON audit_retention WHEN NEW.kept_from < OLD.kept_from BEGIN SELECT RAISE(ABORT, 'what the audit log may forget only grows'); END;
CREATE TRIGGER audit_retention_stays BEFORE DELETE ON audit_retention BEGIN SELECT RAISE(ABORT, 'what the audit log may forget only grows'); END;
CREATE TRIGGER audit_retention_is_one BEFORE INSERT ON audit_retention BEGIN SELECT RAISE(ABORT, 'what the audit log may forget only grows'); END;

CREATE TRIGGER audit_entry_never_changes BEFORE UPDATE ON audit_entry BEGIN SELECT RAISE(ABORT, 'an audit entry never changes'); END;
CREATE TRIGGER audit_entry_is_kept BEFORE DELETE ON audit_entry WHEN OLD.at >= (SELECT kept_from FROM audit_retention) BEGIN SELECT RAISE(ABORT, 'an audit entry is kept until its time is over'); END;
-- SQLite's REPLACE removes a row without firing the trigger above.
CREATE TRIGGER audit_entry_is_not_replaced BEFORE INSERT ON audit_entry WHEN EXISTS (SELECT 1 FROM audit_entry WHERE position = NEW.position) BEGIN SELECT RAISE(ABORT, 'an audit entry never changes'); END;

CREATE TRIGGER audit_seal_never_changes BEFORE UPDATE ON audit_seal BEGIN SELECT RAISE(ABORT, 'an audit seal never changes'); END;
CREATE TRIGGER audit_seal_is_kept BEFORE DELETE ON audit_seal WHEN OLD.last_at >= (SELECT kept_from FROM audit_retention) BEGIN SELECT RAISE(ABORT, 'an audit seal is kept as long as its entries'); END;
-- Of two programs that seal at once the second changes nothing; nor does SQLite's REPLACE, which does not fire the trigger above.
CREATE TRIGGER audit_seal_is_not_replaced BEFORE INSERT ON audit_seal WHEN EXISTS (SELECT 1 FROM audit_seal WHERE number = NEW.number) BEGIN SELECT RAISE(IGNORE); END;
