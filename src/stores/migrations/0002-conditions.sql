-- Version 2: conditions, which are requested and granted as authorization details (RFC 9396). Each list of conditions is a JSON text; NULL for none.

-- The types of authorization details that the application may request, as a JSON array; NULL for none.
ALTER TABLE application ADD COLUMN authorization_details_types TEXT;

ALTER TABLE authorization_record ADD COLUMN requested_details TEXT;
ALTER TABLE authorization_record ADD COLUMN granted_details TEXT;

-- A subset of the granted conditions.
ALTER TABLE access_token ADD COLUMN details TEXT;
