-- `state` and `nonce` of requests are sealed where values are encrypted. Older rows hold them in clear, and a store that was encrypted
-- completely refuses that: they are removed. A request that is pending during this migration has to be made again.

UPDATE authorization_record SET state = NULL, nonce = NULL WHERE (state IS NOT NULL OR nonce IS NOT NULL) AND EXISTS (SELECT 1 FROM encryption_key);
