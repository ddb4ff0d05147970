-- The changes that read caches of all processes must notice: the last 1,000, each with its subject. Triggers record the changes of every writer.
-- PostgreSQL has no read cache.

CREATE TABLE recent_change (
  number INTEGER NOT NULL PRIMARY KEY,
  subject TEXT NOT NULL
);

CREATE TRIGGER recent_change_is_limited AFTER INSERT ON recent_change BEGIN DELETE FROM recent_change WHERE number <= NEW.number - 1000; END;

-- An access token is read together with its authorization and its application.
CREATE TRIGGER access_token_changed AFTER UPDATE ON access_token BEGIN INSERT INTO recent_change (subject) VALUES ('authorization:' || OLD.authorization_id); END;
CREATE TRIGGER access_token_deleted AFTER DELETE ON access_token BEGIN INSERT INTO recent_change (subject) VALUES ('authorization:' || OLD.authorization_id); END;
CREATE TRIGGER authorization_changed AFTER UPDATE OF status, code_expires_at, person_id, client_id ON authorization_record WHEN OLD.status IS NOT NEW.status OR OLD.code_expires_at IS NOT NEW.code_expires_at OR OLD.person_id IS NOT NEW.person_id OR OLD.client_id IS NOT NEW.client_id BEGIN INSERT INTO recent_change (subject) VALUES ('authorization:' || OLD.id); END;
-- Changes of applications are rare, so they concern all cached values.
CREATE TRIGGER application_changed AFTER UPDATE OF organization_id, scopes, revoked_at ON application WHEN OLD.organization_id IS NOT NEW.organization_id OR OLD.scopes IS NOT NEW.scopes OR OLD.revoked_at IS NOT NEW.revoked_at BEGIN INSERT INTO recent_change (subject) VALUES ('*'); END;

CREATE TRIGGER credential_added AFTER INSERT ON credential BEGIN INSERT INTO recent_change (subject) VALUES ('person:' || NEW.person_id); END;
-- Encrypting claims, or encrypting them with another key, does not change them.
CREATE TRIGGER credential_changed AFTER UPDATE ON credential WHEN NEW.claims NOT LIKE 'enc:1:%' OR OLD.id IS NOT NEW.id OR OLD.person_id IS NOT NEW.person_id OR OLD.source IS NOT NEW.source OR OLD.issued_at IS NOT NEW.issued_at OR OLD.expires_at IS NOT NEW.expires_at OR OLD.revoked_at IS NOT NEW.revoked_at BEGIN INSERT INTO recent_change (subject) SELECT 'person:' || OLD.person_id UNION SELECT 'person:' || NEW.person_id; END;
CREATE TRIGGER credential_deleted AFTER DELETE ON credential BEGIN INSERT INTO recent_change (subject) VALUES ('person:' || OLD.person_id); END;
