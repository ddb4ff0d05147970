-- Whose palm was verified. A verification that names nobody, from before this version, counts for nobody.

ALTER TABLE authorization_record ADD COLUMN palm_verified_person_id TEXT REFERENCES person (id);

CREATE INDEX palm_verified_at_browser ON authorization_record (browser_hash) WHERE status = 'pending_admin' AND palm_verified_person_id IS NOT NULL;

-- What the client asked of the person's sign-in (OpenID Connect Core 3.1.2.1), and the instant after which the person must have signed in.

ALTER TABLE authorization_record ADD COLUMN prompt TEXT;

ALTER TABLE authorization_record ADD COLUMN max_age_seconds BIGINT;

ALTER TABLE authorization_record ADD COLUMN authenticated_after BIGINT;

-- NULL now means that the instant of the sign-in is unknown; it used to mean the instant of the approval.

UPDATE authorization_record SET authenticated_at = approved_at WHERE authenticated_at IS NULL AND approved_at IS NOT NULL;

-- Sessions that began at this instant or before it have ended.

ALTER TABLE person ADD COLUMN signed_out_at BIGINT;
