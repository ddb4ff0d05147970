-- Seals over the audit log: each names the entries that it covers by position, instant and hash, and chains to the seal before it.

CREATE TABLE audit_seal (
  number INTEGER NOT NULL PRIMARY KEY,
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

CREATE TRIGGER audit_seal_never_changes BEFORE UPDATE ON audit_seal BEGIN SELECT RAISE(ABORT, 'an audit seal never changes'); END;
CREATE TRIGGER audit_seal_is_kept BEFORE DELETE ON audit_seal WHEN OLD.last_at >= (SELECT kept_from FROM audit_retention) BEGIN SELECT RAISE(ABORT, 'an audit seal is kept as long as its entries'); END;
-- Of two programs that seal at once the second changes nothing; SQLite's REPLACE, which the trigger above does not see, neither.
CREATE TRIGGER audit_seal_is_not_replaced BEFORE INSERT ON audit_seal WHEN EXISTS (SELECT 1 FROM audit_seal WHERE number = NEW.number) BEGIN SELECT RAISE(IGNORE); END;
