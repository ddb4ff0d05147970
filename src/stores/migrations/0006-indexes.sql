-- Indexes of version 6.

-- An erasure finds the rows that refer to a person.
CREATE INDEX subject_of_person ON credential_subject (person_id);
CREATE INDEX palm_of_person ON authorization_record (palm_verified_person_id) WHERE palm_verified_person_id IS NOT NULL;
CREATE INDEX request_by_hint ON authorization_record (login_hint) WHERE login_hint IS NOT NULL;
-- Retention finds what has ended.
CREATE INDEX grant_by_end ON authorization_record (updated_at) WHERE status IN ('approved', 'revoked') AND person_id IS NOT NULL;
CREATE INDEX credential_by_expiry ON credential (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX credential_by_revocation ON credential (revoked_at) WHERE revoked_at IS NOT NULL;
