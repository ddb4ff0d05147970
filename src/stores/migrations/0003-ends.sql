-- What has ended is found without looking at what has not.

CREATE INDEX access_token_by_end ON access_token (expires_at);

CREATE INDEX refresh_token_by_end ON refresh_token (expires_at);

CREATE INDEX request_by_end ON authorization_record (request_expires_at) WHERE status IN ('pending_admin', 'denied');
