-- The evidence of results depends on the application that presents the access token.
DROP TRIGGER application_changed;
CREATE TRIGGER application_changed AFTER UPDATE OF organization_id, scopes, authorization_details_types, max_evidence, revoked_at ON application WHEN OLD.organization_id IS NOT NEW.organization_id OR OLD.scopes IS NOT NEW.scopes OR OLD.authorization_details_types IS NOT NEW.authorization_details_types OR OLD.max_evidence IS NOT NEW.max_evidence OR OLD.revoked_at IS NOT NEW.revoked_at BEGIN INSERT INTO recent_change (subject) VALUES ('*'); END;
