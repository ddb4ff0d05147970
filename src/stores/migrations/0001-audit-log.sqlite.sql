-- The audit log. Entries are only added, and deleted only after the retention period (see audit_retention).

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

CREATE TRIGGER audit_retention_must_not_decrease BEFORE UPDATE ON audit_retention WHEN NEW.kept_from < OLD.kept_from BEGIN SELECT RAISE(ABORT, 'audit_retention must keep its row, and its kept_from must not decrease'); END;
CREATE TRIGGER audit_retention_must_stay BEFORE DELETE ON audit_retention BEGIN SELECT RAISE(ABORT, 'audit_retention must keep its row, and its kept_from must not decrease'); END;
CREATE TRIGGER audit_retention_must_have_one_row BEFORE INSERT ON audit_retention BEGIN SELECT RAISE(ABORT, 'audit_retention must keep its row, and its kept_from must not decrease'); END;

CREATE TRIGGER audit_entry_must_not_change BEFORE UPDATE ON audit_entry BEGIN SELECT RAISE(ABORT, 'audit entries must not be changed'); END;
CREATE TRIGGER audit_entry_must_be_kept BEFORE DELETE ON audit_entry WHEN OLD.at >= (SELECT kept_from FROM audit_retention) BEGIN SELECT RAISE(ABORT, 'audit entries from kept_from on must not be deleted'); END;
-- SQLite's REPLACE removes a row without firing the trigger above.
CREATE TRIGGER audit_entry_must_not_be_replaced BEFORE INSERT ON audit_entry WHEN EXISTS (SELECT 1 FROM audit_entry WHERE position = NEW.position) BEGIN SELECT RAISE(ABORT, 'audit entries must not be changed'); END;

CREATE TRIGGER audit_seal_must_not_change BEFORE UPDATE ON audit_seal BEGIN SELECT RAISE(ABORT, 'audit seals must not be changed'); END;
CREATE TRIGGER audit_seal_must_be_kept BEFORE DELETE ON audit_seal WHEN OLD.last_at >= (SELECT kept_from FROM audit_retention) BEGIN SELECT RAISE(ABORT, 'audit seals of entries from kept_from on must not be deleted'); END;
-- If two programs add the same seal, the second insert is ignored. So is SQLite's REPLACE, which does not fire the trigger above.
CREATE TRIGGER audit_seal_must_not_be_replaced BEFORE INSERT ON audit_seal WHEN EXISTS (SELECT 1 FROM audit_seal WHERE number = NEW.number) BEGIN SELECT RAISE(IGNORE); END;
