-- Version 8: rolling upgrades. The oldest schema version of a program that may use the store. Programs of earlier versions do not read it.

ALTER TABLE schema_version ADD COLUMN compatible_from BIGINT;
