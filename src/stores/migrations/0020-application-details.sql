-- How an application authenticates; NULL where its keys or its secret say so.

ALTER TABLE application ADD COLUMN auth_method TEXT CHECK (auth_method IN ('none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'));

-- Who registered it, and when it last changed; NULL where that is not known, or nothing has changed since.

ALTER TABLE application ADD COLUMN created_by TEXT;

ALTER TABLE application ADD COLUMN changed_at BIGINT;

UPDATE application SET changed_at = revoked_at;
