-- What the pages show.

-- The languages that the request prefers, as BCP 47 tags separated by spaces (OpenID Connect Core 3.1.2.1); NULL for none.
ALTER TABLE authorization_record ADD COLUMN ui_locales TEXT;

-- The logo is a data URL.
ALTER TABLE application ADD COLUMN organization_name TEXT;
ALTER TABLE application ADD COLUMN logo_uri TEXT;
ALTER TABLE application ADD COLUMN policy_uri TEXT;
ALTER TABLE application ADD COLUMN tos_uri TEXT;
