/** Compatibility of migrations with older programs: a program runs on a newer schema if all migrations that it does not know are additive. */
import { describe, expect, it } from 'vitest';
import { concurrently, MIGRATIONS, type Migration, statementsOf } from '../../../src/stores/migrate.js';

const DIALECTS = ['sqlite', 'postgres'] as const;

/** The first schema version whose stores record the versions that they are compatible with. */
const RECORDED_SINCE = 8;

/** Returns the statements that an older program could notice: by a rejected write, a changed read, or a row that it does not delete. */
function findBreaking({
  sqlite,
  postgres,
  postgresIndexes = [],
}: Pick<Migration, (typeof DIALECTS)[number] | 'postgresIndexes'>) {
  const statements = [...sqlite, ...postgres].flatMap(statementsOf);
  return [...statements, ...postgresIndexes.map(({ statement }) => statement)].filter(
    (statement) => !isAdditive(statement),
  );
}

function isAdditive(statement: string): boolean {
  if (/^CREATE INDEX /i.test(statement)) return true;
  // Required so that an erasure by an older program also reaches the rows of tables that it does not know.
  const deletesWithParent = [...statement.matchAll(/\bREFERENCES\s+\w+\s*(?:\([^)]*\))?([^,]*)/gi)].every(
    ([, rest = '']) => /ON DELETE (?:CASCADE|SET NULL)/i.test(rest),
  );
  if (/^CREATE TABLE /i.test(statement)) return deletesWithParent;
  const column = /^ALTER TABLE \w+ ADD COLUMN ([\s\S]+)$/i.exec(statement)?.[1];
  if (column === undefined) return false;
  return (
    deletesWithParent &&
    !/\bUNIQUE\b/i.test(column) &&
    (!/\bNOT NULL\b/i.test(column) || /\bDEFAULT\b/i.test(column))
  );
}

describe('migrations', () => {
  it('name the indexes that PostgreSQL builds concurrently, unique or not', () => {
    const indexes = concurrently(
      'CREATE INDEX one ON person (about);\nCREATE UNIQUE INDEX two ON person (name);',
    );
    expect(indexes).toEqual([
      { name: 'one', statement: 'CREATE INDEX CONCURRENTLY one ON person (about)' },
      { name: 'two', statement: 'CREATE UNIQUE INDEX CONCURRENTLY two ON person (name)' },
    ]);
  });

  // S391
  it('state a compatible version that is not after their own, and not before that of an earlier migration', () => {
    let previous = 1;
    for (const [index, { compatibleFrom }] of MIGRATIONS.entries()) {
      expect(compatibleFrom).toBeGreaterThanOrEqual(previous);
      expect(compatibleFrom).toBeLessThanOrEqual(index + 1);
      previous = compatibleFrom;
    }
  });

  // S391
  it('are additive where they keep the store compatible with older programs', () => {
    for (const [index, migration] of MIGRATIONS.entries())
      if (migration.compatibleFrom <= index) expect(findBreaking(migration)).toEqual([]);
  });

  // S391
  it('are compatible only with programs that read the recorded `compatibleFrom`', () => {
    for (const [index, { compatibleFrom }] of MIGRATIONS.entries())
      expect(compatibleFrom).toBeGreaterThanOrEqual(Math.min(index + 1, RECORDED_SINCE));
  });

  // S391
  it.each([
    'ALTER TABLE person ADD COLUMN pronouns TEXT;',
    "ALTER TABLE person ADD COLUMN state TEXT NOT NULL DEFAULT 'new';",
    'CREATE INDEX person_by_state ON person (state);',
    'CREATE TABLE badge (id TEXT PRIMARY KEY, person_id TEXT NOT NULL REFERENCES person (id) ON DELETE CASCADE);',
  ])('are additive: %s', (statement) => {
    expect(findBreaking({ sqlite: [statement], postgres: [statement] })).toEqual([]);
  });

  // S391
  it.each([
    'ALTER TABLE person ADD COLUMN state TEXT NOT NULL;',
    'ALTER TABLE person ADD COLUMN badge TEXT UNIQUE;',
    'ALTER TABLE person ADD COLUMN parent TEXT REFERENCES person (id);',
    'ALTER TABLE person ADD COLUMN parent TEXT REFERENCES person;',
    'ALTER TABLE person DROP COLUMN about;',
    'ALTER TABLE person RENAME COLUMN about TO metadata;',
    'CREATE UNIQUE INDEX one_name ON person (name);',
    'CREATE TABLE badge (id TEXT PRIMARY KEY, person_id TEXT NOT NULL REFERENCES person (id));',
    'UPDATE person SET about = NULL;',
    'DELETE FROM person;',
    'DROP INDEX subject_of_person;',
    'CREATE TRIGGER named AFTER INSERT ON person BEGIN DELETE FROM credential; END;',
  ])('are not additive: %s', (statement) => {
    expect(findBreaking({ sqlite: [statement], postgres: [] })).toHaveLength(1);
    expect(findBreaking({ sqlite: [], postgres: [statement] })).toHaveLength(1);
  });

  // S391
  it('are not additive with a unique index that PostgreSQL builds afterwards', () => {
    const postgresIndexes = [{ name: 'x', statement: 'CREATE UNIQUE INDEX CONCURRENTLY x ON person (name)' }];
    expect(findBreaking({ sqlite: [], postgres: [], postgresIndexes })).toHaveLength(1);
  });
});
