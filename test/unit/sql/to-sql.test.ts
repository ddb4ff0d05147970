/** SQL statements: bound parameters, rejected constructs and index advice (V14, L5, L8, L10, L16, L18, S422). */
import { DuckDBInstance } from '@duckdb/node-api';
import Libsql from 'libsql';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ClaimSet, compile, QueryError, re2js } from '../../../src/index.js';
import { bind, list, sql, verbatim, write } from '../../../src/sql/fragment.js';
import {
  adviseIndexes,
  type ClaimsLayout,
  type ColumnsLayout,
  DIALECT_NAMES,
  type DocumentsLayout,
  SERVICE_STORE_LAYOUT,
  type SqlLayout,
  SqlTranslationError,
  toCandidateSql,
  toSql,
  toWhere,
} from '../../../src/sql/index.js';

const DOCUMENTS: DocumentsLayout = {
  kind: 'documents',
  people: { table: 'people', id: 'id' },
  claims: 'claims',
};
const COLUMNS: ColumnsLayout = {
  kind: 'columns',
  people: { table: 'census.people', id: 'id' },
  columns: {
    'x.a': { column: 'a', type: 'json' },
    'x.age': { column: 'age', type: 'integer' },
    'x.name': { column: 'name', type: 'text' },
    'x.born': { column: 'born', type: 'date' },
  },
};

const HOSTILE = `x'"; DROP TABLE people; -- $1 ? \\`;

function problemsOf(query: unknown, dialect: (typeof DIALECT_NAMES)[number]): readonly string[] {
  try {
    toSql(query, { dialect, layout: DOCUMENTS, regex: re2js });
    return [];
  } catch (error) {
    if (!(error instanceof SqlTranslationError)) throw error;
    return error.problems.map(({ code, pointer }) => `${code} ${pointer}`);
  }
}

describe.each(DIALECT_NAMES)('the translation to SQL for %s', (dialect) => {
  // V14
  it('binds operands, which are never part of the SQL text', () => {
    const checks = [
      { claim: 'x.a', operator: '==', value: HOSTILE },
      { claim: 'x.a', operator: '!=', value: [HOSTILE] },
      { claim: 'x.a.b', operator: 'in', value: [HOSTILE, 1] },
      { claim: 'x.a', operator: 'notIn', value: [[HOSTILE]] },
      { claim: 'x.a', operator: 'contains', value: HOSTILE },
      { claim: 'x.a', operator: 'startsWith', value: HOSTILE },
      { claim: 'x.a', operator: '==', value: 8_675_309.5 },
    ];
    for (const layout of [DOCUMENTS, COLUMNS, SERVICE_STORE_LAYOUT]) {
      const { text, parameters } = toSql(
        { policy: { anyOf: checks } },
        { dialect, layout, now: 1, among: [HOSTILE] },
      );
      expect(text).not.toMatch(/DROP|8675309/);
      expect(JSON.stringify(parameters)).toContain('DROP');
      const placeholders =
        dialect === 'sqlite' ? text.split('?').length - 1 : new Set(text.match(/\$\d+/g)).size;
      expect(placeholders).toBe(parameters.length);
    }
  });

  // V14
  it('omits ids that no database can store from `among`, since PostgreSQL and DuckDB would reject the list', () => {
    const query = { check: { claim: 'x.a', operator: 'isDefined' } };
    const among = ['ada', 'ada\0', '\ud800', '😀'];
    expect(toSql(query, { dialect, layout: DOCUMENTS, among }).parameters).toEqual(['["ada","😀"]']);
  });

  // V14
  it('validates and quotes names in a layout', () => {
    const query = { check: { claim: 'x.name', operator: 'isDefined' } };
    expect(toSql(query, { dialect, layout: COLUMNS }).text).toContain('"census"."people"');
    for (const id of ['people.id', '1a', '', 'i d']) {
      const layout = { ...COLUMNS, people: { table: 'people', id } };
      expect(() => toSql(query, { dialect, layout })).toThrow(
        `a name in a layout must be 1 to 63 letters, digits or \`_\`, and must not start with a digit; a table name may have one schema prefix, \`schema.table\` (got "${id}")`,
      );
    }
    const columns = { 'x.name': { column: 'people.name', type: 'text' } } as const;
    expect(() => toSql(query, { dialect, layout: { ...COLUMNS, columns } })).toThrow(RangeError);
    for (const table of ['people"', 'a.b.c', '', 'p p', '1a', 'é']) {
      const layout = { ...COLUMNS, people: { table, id: 'id' } };
      expect(() => toSql(query, { dialect, layout })).toThrow(RangeError);
      expect(() =>
        adviseIndexes({ check: { claim: 'x.name', operator: '==', value: '' } }, layout, dialect),
      ).toThrow(RangeError);
    }
  });

  // V14, L5
  it('rejects projections, lone surrogates and U+0000, each with its pointer', () => {
    const half = { claim: 'x.a', operator: '==', value: ['\ud83d'] };
    const nul = { claim: 'x.a', operator: 'startsWith', value: 'a\0' };
    expect(problemsOf({ projections: [{ claim: 'x.a', lens: 'pluck' }] }, dialect)).toEqual([
      'projections /projections',
    ]);
    expect(problemsOf({ policy: { allOf: [half, { not: nul }] } }, dialect)).toEqual([
      'operand /policy/allOf/0/check',
      'operand /policy/allOf/1/policy/not/check',
    ]);
  });

  // L10
  it('requires `now` for a layout of credentials', () => {
    const query = { check: { claim: 'x.a', operator: 'isDefined' } };
    expect(() => toSql(query, { dialect, layout: SERVICE_STORE_LAYOUT })).toThrow(/`now`/);
  });

  // L10
  it('rejects an instant of evaluation that the engine rejects, such as one in microseconds', () => {
    const query = { check: { claim: 'x.a', operator: 'isDefined' } };
    const now = Date.parse('2026-06-01T00:00:00Z') * 1_000;
    expect(() => toSql(query, { dialect, layout: SERVICE_STORE_LAYOUT, now })).toThrow(RangeError);
  });

  // L8
  it('rejects an invalid query as `parse` does', () => {
    expect(() => toSql({ check: {} }, { dialect, layout: DOCUMENTS })).toThrow(QueryError);
  });

  // V14
  it('rejects a query whose statement is too large; `toCandidateSql` selects every person instead', () => {
    const long = Array.from({ length: 60 }, () => ({
      claim: 'x.a.b.c.d.e.f',
      operator: '>',
      value: '2026-01-01',
    }));
    const query = { policy: { allOf: long } };
    expect(problemsOf(query, dialect)).toEqual(['size ']);
    const { text, problems } = toCandidateSql(query, { dialect, layout: DOCUMENTS });
    expect([text, problems.length]).toEqual(['SELECT s."id" AS id FROM "people" AS s WHERE TRUE', 1]);
  });

  // V14
  it('leaves checks that cannot be translated out of the candidate statement, as if they passed', () => {
    const derived = { claim: 'x.derived', operator: '==', value: true };
    const stored = { claim: 'x.stored', operator: '==', value: 'a' };
    const options = { dialect, layout: DOCUMENTS, missingClaims: ['x.derived'] };
    const both = toCandidateSql({ policy: { allOf: [derived, stored] } }, options);
    expect(both.problems).toMatchObject([{ code: 'layout', pointer: '/policy/allOf/0/check' }]);
    expect(both.text).not.toContain('derived');
    expect(both.text).toContain('x.stored');
    const either = toCandidateSql({ policy: { not: { allOf: [derived, stored] } } }, options);
    expect(either.text).toMatch(/WHERE TRUE$/);
    expect(toCandidateSql({ check: stored }, options).problems).toEqual([]);
  });
});

// L18
it.each([
  ['[0-9]+', ['sqlite']],
  ['\\bab\\b', ['sqlite']],
  ['^\\d{4}-\\d{2}$', []],
  ['(?i)ab', []],
  ['(?m)^a', ['sqlite']],
  ['\\x00', ['sqlite', 'postgres']],
  // SQLite reads U+FFFE and U+FFFF as U+FFFD in `GLOB`.
  ['\\x{fffd}', ['sqlite']],
  ['[^\\x{ffff}]', ['sqlite']],
  ['[\\x{fffd}-\\x{ffff}]', []],
  // 64 and 65 patterns of `GLOB`.
  ['^[a-z]{1,64}$', []],
  ['^[a-z]{1,65}$', ['sqlite']],
  ['^a?b?a{0,3}(?:ab?|a){1,2}$', []],
  // DuckDB’s version of RE2 rejects this form of a named group.
  ['(?<name>a)', ['duckdb']],
  ['(?P<name>a)', []],
  ['[\\w](?<year>[0-9]+)', ['duckdb', 'sqlite']],
  ['[^\\]](?<year>[a])', ['duckdb']],
  // Characters, not a group.
  ['[[:alpha:](?<]', []],
  ['\\Q(?<a', []],
  ['\\pL', ['sqlite', 'postgres', 'duckdb']],
  ['(?i)é', ['sqlite', 'postgres', 'duckdb']],
])('the pattern %s is rejected by the dialects that cannot match it exactly: %s', (pattern, rejecting) => {
  const query = { check: { claim: 'x.a', operator: 'matchRegex', value: pattern } };
  const rejected = DIALECT_NAMES.filter((dialect) => problemsOf(query, dialect).length > 0);
  expect(rejected.toSorted()).toEqual(rejecting.toSorted());
});

// L18
it('an invalid pattern is a query error if the option `regex` is given, and otherwise an error of the translation', () => {
  const query = { check: { claim: 'x.a', operator: 'matchRegex', value: '(' } };
  const options = { dialect: 'postgres', layout: DOCUMENTS } as const;
  expect(() => toSql(query, { ...options, regex: re2js })).toThrow(QueryError);
  expect(() => toSql(query, options)).toThrow(/^The pattern is invalid, or depends on Unicode tables/);
});

it('a pattern of optional parts matches in SQLite what it matches in the engine', () => {
  const database = new Libsql(':memory:');
  onTestFinished(() => void database.close());
  const texts = ['', 'a', 'b', 'ab', 'aab', 'abab', 'aaaaaaa', 'aaaaaaaa', 'abcabcab', 'abcabcabc', 'Ab'];
  database.exec('CREATE TABLE people (id TEXT, name TEXT)');
  const insert = database.prepare('INSERT INTO people VALUES (?, ?)');
  for (const text of texts) insert.run(text, text);
  const layout = { ...COLUMNS, people: { table: 'people', id: 'id' } };
  for (const value of ['^[a-z]{1,8}$', '^a{0,7}$', '^a?b?a?b?a?b?$', '^(?:a|ab){0,4}$', 'a(?:|b)a?']) {
    const query = { check: { claim: 'x.name', operator: 'matchRegex', value } };
    const { text, parameters } = toSql(query, { dialect: 'sqlite', layout, regex: re2js });
    const ids = database
      .prepare(text)
      .pluck()
      .all([...parameters]);
    const policy = compile(query, { regex: re2js, catalogue: 'none' });
    const expected = texts.filter((name) => policy.test(ClaimSet.of({ 'x.name': name })));
    expect([value, ids.toSorted()]).toEqual([value, expected.toSorted()]);
  }
});

// L18
it('a pattern is rejected for SQLite if its `GLOB` pattern would be longer than SQLite accepts', () => {
  const letters = Array.from({ length: 245 }, (_, index) => String.fromCharCode(0x4e00 + 2 * index)).join('');
  const withPattern = (times: number) => ({
    check: { claim: 'x.a', operator: 'matchRegex', value: `^[${letters}]{${times}}$` },
  });
  // 245 characters of 3 bytes, and two brackets.
  expect([67, 68].map((times) => problemsOf(withPattern(times), 'sqlite').length)).toEqual([0, 1]);
});

// V14
it('`adviseIndexes` proposes indexes for the values that checks read, without duplicates and only if they are used', () => {
  const policy = {
    policy: {
      allOf: [
        { claim: 'x.age', operator: '>=', value: 18 },
        { claim: 'x.age', operator: '<', value: 65 },
        { claim: 'x.name', operator: '==', value: 'Ada' },
        { claim: 'x.tags', operator: 'contains', value: 'a' },
        { claim: 'x.born', operator: '<', value: '2000-01-01' },
        { claim: 'x.a.b', operator: '==', value: 1 },
      ],
    },
  };
  const statements = (
    layout: Parameters<typeof adviseIndexes>[1],
    dialect: Parameters<typeof adviseIndexes>[2],
  ) => adviseIndexes(policy, layout, dialect).map(({ statement }) => statement);
  expect(statements(DOCUMENTS, 'postgres')).toEqual([
    `CREATE INDEX "people_x_age_value" ON "people" (("claims" -> 'x.age'))`,
    `CREATE INDEX "people_x_name_text" ON "people" (("claims" ->> 'x.name'))`,
    `CREATE INDEX "people_x_tags_elements" ON "people" USING gin (("claims" -> 'x.tags') jsonb_path_ops)`,
    `CREATE INDEX "people_x_born_ordered_text" ON "people" (("claims" ->> 'x.born') COLLATE "C")`,
  ]);
  expect(statements(DOCUMENTS, 'sqlite')[0]).toBe(
    `CREATE INDEX "people_x_age_value" ON "people" (json_extract("claims", '$."x.age"'))`,
  );
  expect(statements(DOCUMENTS, 'duckdb')).toEqual([]);
  expect(statements(COLUMNS, 'duckdb')).toEqual([]);
  expect(statements(SERVICE_STORE_LAYOUT, 'postgres')).toEqual([
    'CREATE INDEX "credential_of_person" ON "credential" ("person_id")',
  ]);
});

/** A layout of documents in another table. */
const documentsIn = (table: string): DocumentsLayout => ({ ...DOCUMENTS, people: { table, id: 'id' } });

// V14
it('`adviseIndexes` proposes statements that SQLite executes for a table with a schema', () => {
  const database = new Libsql(':memory:');
  database.exec('CREATE TABLE people (id TEXT, claims TEXT)');
  const query = { check: { claim: 'x.age', operator: '>=', value: 18 } };
  const advice = adviseIndexes(query, documentsIn('main.people'), 'sqlite');
  expect(advice.map(({ statement }) => statement)).toEqual([
    `CREATE INDEX "main"."people_x_age_value" ON "people" (json_extract("claims", '$."x.age"'))`,
  ]);
  for (const { statement } of advice) database.exec(statement);
  database.close();
});

// V14
it('`adviseIndexes` proposes indexes with different names for similar or long claim paths', () => {
  const long = 'a'.repeat(70);
  const claims = ['a_b.c', 'a.b_c', 'a.B_c', `x.${long}`, `x.${long}b`];
  const query = {
    policy: { allOf: claims.map((claim) => ({ claim, operator: '==', value: 1 })) },
  };
  const names = adviseIndexes(query, documentsIn('people'), 'postgres').map(
    ({ statement }) => /INDEX "([^"]+)"/.exec(statement)?.[1] ?? '',
  );
  expect(names.slice(0, 3)).toEqual(['people_a_b_c_value', 'people_a_b_c_value_2', 'people_a_B_c_value_3']);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(claims.length);
  expect(names.every((name) => name.length <= 63)).toBe(true);
});

// V14
it('`adviseIndexes` proposes one index where several checks use the same expression', () => {
  const layout: ClaimsLayout = {
    kind: 'claims',
    people: { table: 'people', id: 'id' },
    claims: { table: 'claim', person: 'person', path: 'path', value: 'value' },
  };
  const checks = ['x.age', 'x.level'].map((claim) => ({ claim, operator: '==', value: 1 }));
  const advice = adviseIndexes({ policy: { allOf: checks } }, layout, 'sqlite');
  expect(advice.map(({ statement }) => statement)).toEqual([
    'CREATE INDEX "claim_of_person" ON "claim" ("person", "path")',
    `CREATE INDEX "claim_x_age_value" ON "claim" ("path", json_extract("value", '$'))`,
  ]);
});

// V14
it('`adviseIndexes` proposes no index that the statement cannot use: for `true` and null in JSON of SQLite, for prefixes of dates, for members of a JSON claim that have a column, for empty lists, and for operands that the translation rejects', () => {
  const columns: ColumnsLayout = {
    kind: 'columns',
    people: { table: 'people', id: 'id' },
    columns: {
      'x.born': { column: 'born', type: 'date' },
      'x.seen': { column: 'seen', type: 'timestamptz' },
      'x.card': { column: 'card', type: 'json' },
      'x.card.level': { column: 'level', type: 'integer' },
    },
  };
  const advise = (
    layout: SqlLayout,
    dialect: (typeof DIALECT_NAMES)[number],
    claim: string,
    operator: string,
    value: unknown,
  ) =>
    adviseIndexes({ check: { claim, operator, value } }, layout, dialect).map(({ statement }) => statement);
  expect(advise(DOCUMENTS, 'sqlite', 'x.paid', '==', true)).toEqual([]);
  expect(advise(DOCUMENTS, 'sqlite', 'x.paid', '==', null)).toEqual([]);
  expect(advise(DOCUMENTS, 'postgres', 'x.paid', '==', true)).toEqual([
    `CREATE INDEX "people_x_paid_boolean" ON "people" (("claims" ->> 'x.paid'))`,
  ]);
  expect(advise(columns, 'postgres', 'x.born', 'startsWith', '2000-')).toEqual([]);
  expect(advise(columns, 'postgres', 'x.seen', 'startsWith', '2000-')).toEqual([]);
  expect(advise(columns, 'postgres', 'x.born', '<', '2000-01-01')).toHaveLength(1);
  expect(advise(columns, 'sqlite', 'x.born', 'startsWith', '2000-')).toHaveLength(1);
  for (const dialect of DIALECT_NAMES) expect(advise(columns, dialect, 'x.card.level', '==', 1)).toEqual([]);
  const claims: ClaimsLayout = {
    kind: 'claims',
    people: { table: 'people', id: 'id' },
    claims: { table: 'claim', person: 'person', path: 'path', value: 'value' },
  };
  for (const dialect of DIALECT_NAMES) {
    for (const layout of [COLUMNS, DOCUMENTS, claims])
      expect(advise(layout, dialect, 'x.name', 'in', [])).toEqual([]);
    expect(advise(COLUMNS, dialect, 'x.age', '==', null)).toEqual([]);
    expect(advise(COLUMNS, dialect, 'x.name', '>', 1)).toEqual([]);
    expect(advise(COLUMNS, dialect, 'x.age', 'in', ['1'])).toEqual([]);
  }
});

// V14
it('`adviseIndexes` proposes no index for a negated check on the row of a person', () => {
  const name = { claim: 'x.name', operator: '==', value: 'Ada' };
  const not = {
    policy: {
      not: { policy: { anyOf: [name, { policy: { not: { ...name, claim: 'x.age', value: 1 } } }] } },
    },
  };
  for (const dialect of ['postgres', 'sqlite'] as const) {
    const reasons = (layout: SqlLayout) => adviseIndexes(not, layout, dialect).map(({ reason }) => reason);
    for (const layout of [DOCUMENTS, COLUMNS]) expect(reasons(layout)).toEqual(['`x.age` with `==`']);
    expect(reasons(SERVICE_STORE_LAYOUT)).toEqual(['each person’s credentials']);
  }
});

/** Expects that DuckDB selects the same texts by each pattern as the engine. */
async function expectSameMatchesInDuckDb(
  texts: readonly string[],
  patterns: readonly string[],
): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:');
  onTestFinished(() => instance.closeSync());
  const connection = await instance.connect();
  onTestFinished(() => connection.closeSync());
  await connection.run('CREATE TABLE people (id VARCHAR, name VARCHAR)');
  for (const text of texts) await connection.run('INSERT INTO people VALUES ($1, $1)', [text]);
  const layout = { ...COLUMNS, people: { table: 'people', id: 'id' } };
  for (const pattern of patterns) {
    const { text, parameters } = toSql(ofPattern(pattern), { dialect: 'duckdb', layout, regex: re2js });
    const rows = (await connection.runAndReadAll(text, [...parameters] as string[])).getRowsJson();
    const policy = compile(ofPattern(pattern), { regex: re2js, catalogue: 'none' });
    const expected = texts.filter((name) => policy.test(ClaimSet.of({ 'x.name': name })));
    expect([pattern, rows.map(([id]) => id).toSorted()]).toEqual([pattern, expected.toSorted()]);
  }
}

function ofPattern(value: string) {
  return { check: { claim: 'x.name', operator: 'matchRegex', value } };
}

// L18
it('a pattern that matches an empty string by `\\B` is rejected for DuckDB, which would find it inside of a character beyond ASCII', async () => {
  for (const value of ['\\B', 'a*\\B', 'x|(?:\\B|y)z?', '(?:\\B){2}', '\\B+'])
    expect([value, problemsOf(ofPattern(value), 'duckdb')]).toEqual([value, ['pattern /check']]);
  await expectSameMatchesInDuckDb(
    ['aéb', 'é', 'a', 'ab', 'aé', ''],
    ['a\\B', '\\Bb', 'é\\B', '\\B.', '(?:\\B){0}b', '\\Q\\B'],
  );
});

// L18
it('a pattern is translated for DuckDB if it matches an empty string by `\\B` only at the start or the end, or also without `\\B`', async () => {
  await expectSameMatchesInDuckDb(
    ['aéb', 'é', 'a', 'ab', 'aé', '', 'é\n', '\nb'],
    ['^\\B', '\\B$', '(?m:^)\\B', 'a*\\B\\z', '(?:\\B)?', '\\B|', '\\b\\B', '(?:\\B)*$'],
  );
});

// L18
it('a pattern whose `\\Q` is not closed by `\\E` matches in DuckDB what it matches in the engine', async () => {
  await expectSameMatchesInDuckDb(
    ['a.b', 'axb', 'xa.b\\', '\\Qa', 'a', 'a.bc'],
    ['\\Qa.b', '\\Qa.b\\', '\\Qa.b\\E', 'a\\Q', '\\\\Qa', '\\Qa\\E.b\\Qc', '^\\Qa.b\\E$'],
  );
});

// L18
it.each([
  ['sqlite', '*a.[*]*'],
  ['postgres', '(?:a\\u002e\\u002a)'],
] as const)(
  'a pattern whose `\\Q` is not closed by `\\E` is written for %s with escaped characters instead',
  (dialect, expected) => {
    const query = { check: { claim: 'x.a', operator: 'matchRegex', value: '\\Qa.*' } };
    const { parameters } = toSql(query, { dialect, layout: DOCUMENTS, regex: re2js });
    expect(JSON.stringify(parameters)).toContain(JSON.stringify(expected).slice(1, -1));
  },
);

// V14
it('`adviseIndexes` proposes no index for DuckDB on a column of instants, or for several dates, for which DuckDB uses none', async () => {
  const layout: ColumnsLayout = {
    kind: 'columns',
    people: { table: 'people', id: 'id' },
    columns: {
      'x.seen': { column: 'seen', type: 'timestamptz' },
      'x.born': { column: 'born', type: 'date' },
    },
  };
  const instance = await DuckDBInstance.create(':memory:');
  onTestFinished(() => instance.closeSync());
  const connection = await instance.connect();
  onTestFinished(() => connection.closeSync());
  await connection.run(
    "CREATE TABLE people AS SELECT i AS id, TIMESTAMPTZ '1900-01-01 00:00:00+00' + INTERVAL (i) HOUR AS seen, DATE '1900-01-01' + CAST(i AS INTEGER) AS born FROM range(100000) t(i)",
  );
  await connection.run('CREATE INDEX of_seen ON people (seen)');
  await connection.run('CREATE INDEX of_born ON people (born)');
  const adviceAndUse = async (claim: string, operator: string, value: unknown) => {
    const query = { check: { claim, operator, value } };
    const { text, parameters } = toSql(query, { dialect: 'duckdb', layout });
    const plan = await connection.runAndReadAll(`EXPLAIN ANALYZE ${text}`, [...parameters] as string[]);
    return [
      adviseIndexes(query, layout, 'duckdb').length,
      /Type: Index Scan/.test(String(plan.getRowsJson())),
    ];
  };
  const instants = ['1905-01-01T00:00:00.000Z', '1905-01-01T01:00:00.000Z'];
  expect(await adviceAndUse('x.seen', '==', instants[0])).toEqual([0, false]);
  expect(await adviceAndUse('x.seen', 'in', instants)).toEqual([0, false]);
  expect(await adviceAndUse('x.born', 'in', ['1905-01-01', '1905-01-02'])).toEqual([0, false]);
  expect(await adviceAndUse('x.born', 'in', ['1905-01-01'])).toEqual([1, true]);
  expect(await adviceAndUse('x.born', '==', '1905-01-01')).toEqual([1, true]);
});

// V14
it('`adviseIndexes` proposes an index for DuckDB only for a query of one check, for which DuckDB uses it', async () => {
  const byName = { check: { claim: 'x.name', operator: '==', value: 'Ada 5' } } as const;
  const ofAge = { check: { claim: 'x.age', operator: '>=', value: 999_990 } } as const;
  const layout = { ...COLUMNS, people: { table: 'people', id: 'id' } };
  const instance = await DuckDBInstance.create(':memory:');
  onTestFinished(() => instance.closeSync());
  const connection = await instance.connect();
  onTestFinished(() => connection.closeSync());
  await connection.run(
    "CREATE TABLE people AS SELECT i AS id, 'Ada ' || i AS name, i AS age FROM range(1000000) t(i)",
  );
  const usesIndex = async (query: unknown) => {
    for (const { statement } of adviseIndexes(query, layout, 'duckdb')) {
      await connection.run(statement.replace('CREATE INDEX', 'CREATE INDEX IF NOT EXISTS'));
    }
    const { text, parameters } = toSql(query, { dialect: 'duckdb', layout, now: 0 });
    const plan = await connection.runAndReadAll(`EXPLAIN ANALYZE ${text}`, [...parameters]);
    return /Type: Index Scan/.test(String(plan.getRowsJson()));
  };
  const countAdvice = (query: unknown) => adviseIndexes(query, layout, 'duckdb').length;
  const singleChecks = [byName, ofAge, { policy: { anyOf: [{ policy: { allOf: [byName] } }] } }];
  const combined = [
    { policy: { allOf: [byName, ofAge] } },
    { policy: { anyOf: [byName, ofAge] } },
    { policy: { not: byName } },
  ];
  expect(singleChecks.map(countAdvice)).toEqual([1, 1, 1]);
  expect(combined.map(countAdvice)).toEqual([0, 0, 0]);
  for (const query of singleChecks) expect([query, await usesIndex(query)]).toEqual([query, true]);
  // These do not use the indexes, which exist now.
  for (const query of combined) expect([query, await usesIndex(query)]).toEqual([query, false]);
});

// V14
it('a fragment of a statement refers to the fragments in it, and does not copy their parts', () => {
  const operands = list(Array.from({ length: 1000 }, (_, index) => bind(index)));
  const condition = sql`(${verbatim('a')} IN (${operands}))`;
  const statement = sql`SELECT ${condition} WHERE NOT ${condition}`;
  expect(condition.parts.length + statement.parts.length).toBeLessThan(20);
  const { text, parameters } = write(statement, (position) => `$${position}`);
  expect(text).toMatch(
    /^SELECT \(a IN \(\$1, \$2, .*, \$1000\)\) WHERE NOT \(a IN \(\$1001, .*, \$2000\)\)$/,
  );
  expect(parameters.slice(998, 1002)).toEqual([998, 999, 0, 1]);
});

// S422
it('the translation to SQL rejects a check that does not fit the type of its claim in the option `claims`', () => {
  const layout = { ...DOCUMENTS, indexed: [] };
  const query = { policy: { not: { claim: 'x.banned', operator: '==', value: 'true' } } };
  const claims = [{ path: 'x.banned', type: 'boolean' }] as const;
  const withUntyped = JSON.parse('[{"path":"x.other"},{"path":"x.banned","type":"boolean"}]');
  const rejected = 'must be of type boolean, not the string `true`';
  expect(() => toSql(query, { dialect: 'sqlite', layout, claims })).toThrow(rejected);
  expect(() => toSql(query, { dialect: 'sqlite', layout, claims: withUntyped })).toThrow(rejected);
  expect(() => toSql(query, { dialect: 'sqlite', layout, claims })).toThrow(QueryError);
  const columns = {
    kind: 'columns',
    people: { table: 'people', id: 'id' },
    columns: { 'x.banned': { column: 'banned', type: 'boolean' } },
  } as const;
  // The columns have the types of the claims: otherwise, the error would be about the column.
  expect(() => toSql(query, { dialect: 'sqlite', layout: columns, claims })).toThrow(QueryError);
  expect(() => toWhere(String.raw, query, { dialect: 'sqlite', layout: columns, claims })).toThrow(
    QueryError,
  );
});

// L16, V14
it('SQLite finds objects in which the stored JSON writes names with escapes, in `==`, `in` and `contains`', () => {
  const written = [
    String.raw`{"x.a": {"\u00e9": {"k": [1, 2]}, "a\/b": 1.5}}`,
    String.raw`{"x.a": [{"\ud83d\ude00": {"a\u005cb": 3, "\u0026": {"c": null}}}]}`,
    String.raw`{"x.a": {"\u00e9": {"k": [1, 3]}, "a\/b": 1.5}}`,
    String.raw`{"x.a": {"a\\\"b": {"c": 1}}}`,
  ];
  const values = written.map((text) => JSON.parse(text)['x.a'] as never);
  const database = new Libsql(':memory:');
  onTestFinished(() => void database.close());
  database.exec('CREATE TABLE people (id TEXT, claims TEXT)');
  for (const [index, text] of written.entries())
    database.prepare('INSERT INTO people VALUES (?, ?)').run([index, text]);
  const checks = [
    { claim: 'x.a', operator: '==', value: values[0] },
    { claim: 'x.a', operator: '!=', value: values[0] },
    { claim: 'x.a', operator: 'in', value: [values[1], values[2]] },
    { claim: 'x.a', operator: 'contains', value: { '😀': { 'a\\b': 3, '&': { c: null } } } },
  ];
  const selected = checks.map((check) => {
    const { text, parameters } = toSql({ check }, { dialect: 'sqlite', layout: DOCUMENTS });
    return (database.prepare(text).all([...parameters]) as { id: string }[]).map(({ id }) => Number(id));
  });
  const expected = checks.map((check) => {
    const query = compile({ check } as never, { catalogue: 'none' });
    return [...values.keys()].filter((id) => query.test(ClaimSet.of({ 'x.a': values[id] })));
  });
  expect(selected).toEqual(expected);
  expect(selected).toEqual([[0], [1, 2, 3], [1, 2], [1]]);
});
