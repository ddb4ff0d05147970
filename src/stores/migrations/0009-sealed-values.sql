-- Version 9: indexes of encrypted values, which are empty in an unencrypted store. When a store is opened, a search by them ends at once. All but the last
-- are ordered by a short column: only their first entry is read.

CREATE INDEX sealed_person ON person (signed_out_at) WHERE substr(about, 1, 6) = 'enc:1:' OR substr(email_sealed, 1, 6) = 'enc:1:' OR substr(evm_address_sealed, 1, 6) = 'enc:1:';
CREATE INDEX sealed_credential ON credential (issued_at) WHERE substr(claims, 1, 6) = 'enc:1:';
CREATE INDEX sealed_pushed_request ON pushed_request (client_id) WHERE substr(parameters, 1, 6) = 'enc:1:';
CREATE INDEX sealed_authorization ON authorization_record (created_at) WHERE substr(requested_details, 1, 6) = 'enc:1:' OR substr(granted_details, 1, 6) = 'enc:1:';
CREATE INDEX sealed_access_token ON access_token (issued_at) WHERE substr(details, 1, 6) = 'enc:1:';
CREATE INDEX sealed_learned ON learned (first_at) WHERE substr(detail, 1, 6) = 'enc:1:';
CREATE INDEX sealed_inference ON inference (version) WHERE substr(answers, 1, 6) = 'enc:1:';
CREATE INDEX sealed_request ON authorization_record (id) WHERE substr(login_hint, 1, 6) = 'enc:1:' OR substr(state, 1, 6) = 'enc:1:' OR substr(nonce, 1, 6) = 'enc:1:';
