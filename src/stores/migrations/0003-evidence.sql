-- Version 3: levels of evidence, and what the pages show.

-- The most evidence that results for the application contain; NULL for full.
ALTER TABLE application ADD COLUMN max_evidence TEXT CHECK (max_evidence IN ('full', 'checks', 'none'));
