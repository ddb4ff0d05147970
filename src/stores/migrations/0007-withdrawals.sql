-- What an application says that it asks for, in the person's words.

ALTER TABLE application ADD COLUMN purpose TEXT;

-- When the person who agreed had shown who they are; the instant of the approval where that is absent.

ALTER TABLE authorization_record ADD COLUMN authenticated_at BIGINT;

-- Until when a person may take back that they ended a grant; nobody else's end can be taken back.

ALTER TABLE authorization_record ADD COLUMN withdrawn_until BIGINT;

CREATE INDEX authorization_of_person ON authorization_record (person_id, approved_at);
