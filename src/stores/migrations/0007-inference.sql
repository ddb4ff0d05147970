-- Version 7: inference bounds.

-- Answers about claims with an inference bound, per organization and person; the id names both. The version increases with each change.
CREATE TABLE inference (
  id TEXT NOT NULL PRIMARY KEY,
  person_id TEXT NOT NULL REFERENCES person (id),
  version BIGINT NOT NULL,
  answers TEXT NOT NULL
);

CREATE INDEX inference_of_person ON inference (person_id);
