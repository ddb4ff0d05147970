/** Layouts: claims without a column, wrong kinds and types, and dates that are text (L14, L17, V14). */
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { CLAIM_TYPES, type ClaimType } from '../../../src/engine/index.js';
import { ClaimSet, compile, type JsonValue, type OperatorName } from '../../../src/index.js';
import {
  adviseIndexes,
  type ColumnsLayout,
  DIALECT_NAMES,
  SqlTranslationError,
  toCandidateSql,
  toSql,
  toWhere,
} from '../../../src/sql/index.js';

const LAYOUT: ColumnsLayout = {
  kind: 'columns',
  people: { table: 'readers', id: 'id' },
  columns: {
    'library.blocked': { column: 'blocked', type: 'boolean' },
    'library.joined': { column: 'joined', type: 'date' },
    'library.card': { column: 'card', type: 'json' },
  },
};
const not = (claim: string) => ({ policy: { not: { claim, operator: '==', value: true } } });

describe('a layout of columns', () => {
  // L14
  it('rejects a query on a claim without a column, which would be undefined for every person', () => {
    const translate = (claim: string) => () => toSql(not(claim), { dialect: 'sqlite', layout: LAYOUT });
    expect(translate('library.blokced')).toThrow(
      'The layout has no column for `library.blokced`. Did you mean `library.blocked`? (at /policy/not/check)',
    );
    expect(translate('member.tier')).toThrow(
      'The layout has no column for `member.tier`. A claim that no person has must be listed in `undefinedClaims`.',
    );
    expect(translate('library.blocked.since')).toThrow(/no column for `library.blocked.since`/);
    expect(translate('library.card.number')).not.toThrow();
  });

  it('translates a query on a claim that no person has', () => {
    const layout = { ...LAYOUT, undefinedClaims: ['member.tier'] };
    const { text } = toSql(not('member.tier'), { dialect: 'sqlite', layout });
    expect(text).toMatch(/WHERE TRUE$/);
  });

  // L17
  it('selects no person by an order check on text that a number column of SQLite contains, as the engine does', () => {
    const database = new Libsql(':memory:');
    database.exec(`CREATE TABLE readers (id TEXT, age INTEGER, fees REAL);
      INSERT INTO readers VALUES ('eva', 34, 0.5), ('blank', '', ''), ('text', 'n/a', 'n/a'), ('bytes', x'00', x'00'), ('none', NULL, NULL)`);
    const layout: ColumnsLayout = {
      ...LAYOUT,
      columns: {
        'reader.age': { column: 'age', type: 'integer' },
        'reader.fees': { column: 'fees', type: 'number' },
      },
    };
    const select = (claim: string, operator: OperatorName, value: number): unknown => {
      const { text, parameters } = toSql(
        { check: { claim, operator, value } },
        { dialect: 'sqlite', layout },
      );
      return database.prepare(text).all([...parameters]);
    };
    for (const operator of ['>', '>='] as const) {
      expect(select('reader.age', operator, 18)).toEqual([{ id: 'eva' }]);
      expect(select('reader.age', operator, -1e300)).toEqual([{ id: 'eva' }]);
      expect(select('reader.fees', operator, 0.25)).toEqual([{ id: 'eva' }]);
    }
    for (const operator of ['<', '<='] as const) {
      expect(select('reader.age', operator, 1e300)).toEqual([{ id: 'eva' }]);
      expect(select('reader.fees', operator, 1)).toEqual([{ id: 'eva' }]);
    }
    database.close();
  });

  // L17
  it.each(['TEXT', '', 'BLOB', 'INTEGER', 'REAL'])(
    'compares the values of a SQLite column declared `%s` as the engine does',
    (declared) => {
      const database = new Libsql(':memory:');
      database.exec(`CREATE TABLE readers (id INTEGER, n ${declared});
      INSERT INTO readers VALUES (0, 10), (1, '10'), (2, '1e1'), (3, 1), (4, '1'), (5, 'true'), (6, 'abc')`);
      const stored = database.prepare('SELECT id, n FROM readers').all() as { id: number; n: JsonValue }[];
      const checks: readonly [ColumnsLayout['columns'][string]['type'], OperatorName, JsonValue][] = [
        ['integer', '==', 10],
        ['integer', '!=', 10],
        ['integer', 'in', [1, 10]],
        ['integer', 'notIn', [1, 10]],
        ['number', '==', 10],
        ['number', 'in', [10, 0.5]],
        ['boolean', '==', true],
        ['boolean', 'in', [true, false]],
      ];
      for (const [type, operator, value] of checks) {
        const layout: ColumnsLayout = { ...LAYOUT, columns: { 'reader.n': { column: 'n', type } } };
        const check = { claim: 'reader.n', operator, value };
        for (const query of [{ check }, { policy: { not: check } }]) {
          const { text, parameters } = toSql(query, { dialect: 'sqlite', layout });
          const rows = database.prepare(text).all([...parameters]) as { id: number }[];
          const { test } = compile(query);
          const claimOf = (n: JsonValue) => (type === 'boolean' && n === 1 ? true : n);
          const expected = stored.filter(({ n }) => test(ClaimSet.of({ 'reader.n': claimOf(n) })));
          expect(rows.map(({ id }) => id).sort(), JSON.stringify([declared, type, query])).toEqual(
            expected.map(({ id }) => id),
          );
        }
      }
      database.close();
    },
  );

  it('makes everyone a candidate for a check on a claim without a column', () => {
    const { problems, text } = toCandidateSql(not('member.tier'), { dialect: 'sqlite', layout: LAYOUT });
    expect(problems).toMatchObject([{ code: 'layout', pointer: '/policy/not/check' }]);
    expect(text).toMatch(/WHERE TRUE$/);
  });

  // L17
  it('compares a date column of SQLite as the engine compares its text, even if the text is not a date', () => {
    const texts = ['2020-02-29', '2021-02-29', '2020-02-29T10:00:00Z', '20', '', '0000-01-01', 'soon', null];
    const file = new Libsql(':memory:');
    file.exec('CREATE TABLE readers (id TEXT, joined TEXT)');
    texts.forEach((text, index) => {
      file.prepare('INSERT INTO readers VALUES (?, ?)').run([String(index), text]);
    });
    const checks: readonly [OperatorName, string][] = [
      ['<', '2024-01-01'],
      ['>=', '0000-01-01'],
      ['>', '2020-02-29T09:00:00Z'],
      ['==', '2020-02-29'],
      ['==', 'soon'],
      ['!=', 'soon'],
      ['startsWith', '2021'],
    ];
    for (const [operator, value] of checks) {
      const query = { check: { claim: 'library.joined', operator, value } };
      const { text, parameters } = toSql(query, { dialect: 'sqlite', layout: LAYOUT });
      const found = (file.prepare(text).all([...parameters]) as { id: string }[]).map(({ id }) => Number(id));
      const policy = compile(query);
      const expected = texts.flatMap((joined, index) =>
        policy.test(ClaimSet.of(joined === null ? {} : { 'library.joined': joined })) ? [index] : [],
      );
      expect(found, `${operator} ${value}`).toEqual(expected);
    }
    file.close();
  });
});

/** One column of each type. */
const TYPED: ColumnsLayout = {
  kind: 'columns',
  people: { table: 'readers', id: 'id' },
  columns: {
    'reader.banned': { column: 'banned', type: 'boolean' },
    'reader.visits': { column: 'visits', type: 'integer' },
    'reader.fees': { column: 'fees', type: 'number' },
    'reader.name': { column: 'name', type: 'text' },
    'reader.born': { column: 'born', type: 'date' },
    'reader.signed': { column: 'signed', type: 'timestamptz' },
    'reader.card': { column: 'card', type: 'json' },
    'reader.card.lost': { column: 'lost', type: 'boolean' },
  },
};

const bindAll = (texts: TemplateStringsArray) => texts.join('?');

describe('a check that no value of its column passes', () => {
  // S423, S425
  it.each<[string, OperatorName, JsonValue, string]>([
    [
      'banned',
      '==',
      'true',
      'must be of type boolean, not the string `true`. The column `banned` is of type boolean.',
    ],
    ['banned', '!=', 1, 'must be of type boolean, not 1.'],
    ['banned', '==', null, 'must be of type boolean, not null.'],
    ['banned', 'in', [true, 'no'], 'must be of type boolean, not the string `no`.'],
    ['banned', '>=', 1, '`>=` passes on no value of `reader.banned`, which is of type boolean. Use `==`'],
    [
      'visits',
      '==',
      '5',
      'must be of type integer, not the string `5`. The column `visits` is of type integer.',
    ],
    ['visits', 'notIn', [1, 1.5], 'must be of type integer, not 1.5.'],
    ['visits', '>', '2026-01-31', 'must be of type integer, not the string `2026-01-31`.'],
    ['visits', 'matchRegex', '^1', '`matchRegex` passes on no value of `reader.visits`'],
    [
      'visits',
      '==',
      2 ** 53,
      'is out of range. The column `visits` is of type integer, with values from -9007199254740991 to 9007199254740991.',
    ],
    ['visits', '>', 2 ** 53 - 1, 'is out of range.'],
    ['visits', '<=', -(2 ** 53), 'is out of range.'],
    ['fees', '==', '0.5', 'must be of type number, not the string `0.5`.'],
    [
      'fees',
      '>',
      Number.MAX_VALUE,
      'is out of range. The column `fees` is of type number, with values from -1.79',
    ],
    ['fees', 'contains', 1, '`contains` passes on no value of `reader.fees`'],
    ['name', '==', 5, 'must be of type string, not 5. The column `name` is of type text.'],
    ['name', '<', 5, 'must be of type string, not 5.'],
    ['name', 'contains', 'Ada', 'Use `startsWith` or `matchRegex`. The column `name` is of type text.'],
    ['born', '==', 20_260_131, 'not 20260131. The column `born` is of type date.'],
  ])('is rejected on every database: %s %s %j', (name, operator, value, message) => {
    const check = { claim: `reader.${name}`, operator, value };
    for (const policy of [check, { not: check }])
      for (const dialect of DIALECT_NAMES) {
        const options = { dialect, layout: TYPED } as const;
        for (const translate of [
          () => toSql({ policy: { allOf: [policy] } }, options),
          () => toWhere(bindAll, { policy: { allOf: [policy] } }, options),
        ]) {
          expect(translate).toThrow(SqlTranslationError);
          expect(translate).toThrow(message);
        }
      }
  });

  // S423, S425
  it.each<[string, OperatorName, JsonValue, string]>([
    ['born', '==', '31.01.2026', 'must be of type date, such as `2026-01-31`, not the string `31.01.2026`.'],
    ['born', '!=', '2026-01-31T00:00:00Z', 'must be of type date'],
    ['born', 'startsWith', 'Jan', 'must be the beginning of a value that is of type date'],
    [
      'born',
      'startsWith',
      '0000',
      'must be the beginning of a value. The column `born` is of type date, with values from `0001-01-01` to `9999-12-31`.',
    ],
    ['born', '==', '0000-05-05', 'is out of range.'],
    ['born', '>', '9999-12-31', 'is out of range.'],
    ['born', '<', '0001-01-01', 'is out of range.'],
    [
      'signed',
      '==',
      '2026-01-31',
      'must be of type datetime, such as `2026-01-31T09:30:00Z` (RFC 3339), not the string `2026-01-31`.',
    ],
    [
      'signed',
      'startsWith',
      '2026-01-31 ',
      'must be the beginning of a value. The column `signed` is of type timestamptz, with values from `0001-01-01T00:00:00.000Z` to `9999-12-31T23:59:59.999Z`.',
    ],
    // Claims of such a column have milliseconds.
    ['signed', 'startsWith', '2026-01-31T09:30:00Z', 'must be the beginning of a value.'],
    ['signed', '<', '0001-01-01', 'is out of range.'],
    ['signed', '>', 5, 'must be of type datetime'],
  ])('is rejected where the database has dates and instants: %s %s %j', (name, operator, value, message) => {
    const query = { policy: { not: { claim: `reader.${name}`, operator, value } } };
    for (const dialect of ['postgres', 'duckdb'] as const)
      expect(() => toSql(query, { dialect, layout: TYPED })).toThrow(message);
  });

  it('makes everyone a candidate', () => {
    const query = { policy: { not: { claim: 'reader.banned', operator: '==', value: 'true' } } };
    const { problems, text } = toCandidateSql(query, { dialect: 'sqlite', layout: TYPED });
    expect(problems).toMatchObject([{ code: 'operand', pointer: '/policy/not/check' }]);
    expect(text).toMatch(/WHERE TRUE$/);
  });

  // S423
  it.each<[string, OperatorName, JsonValue]>([
    ['banned', '!=', false],
    ['visits', '<', 17.5],
    ['visits', '<', 1e300],
    ['fees', '==', 5],
    ['name', '>', '2026-01-31'],
    ['name', '==', ''],
    ['born', 'startsWith', '2026-04-3'],
    ['born', 'startsWith', ''],
    ['born', '>=', '2026-01-31T09:30:00+02:00'],
    ['signed', '<', '2026-01-31'],
    ['signed', 'startsWith', '2026-04-3'],
    ['signed', 'startsWith', '2026-01-31T1'],
    ['signed', '==', '2026-01-31T09:30:00.000Z'],
    ['card', '==', { number: 1 }],
    ['card', 'contains', 1],
    // A member of a JSON column may have any value, even if it has a typed column as well.
    ['card.lost', '==', 'true'],
  ])(
    'does not include a check that some value passes, which is translated: %s %s %j',
    (name, operator, value) => {
      const query = { check: { claim: `reader.${name}`, operator, value } };
      for (const dialect of ['postgres', 'duckdb'] as const)
        expect(toSql(query, { dialect, layout: TYPED }).text).toContain('WHERE');
    },
  );
});

describe('a column whose type contradicts the claim', () => {
  const isDefined = (name: string, type: ClaimType) => () =>
    toSql(
      { check: { claim: `reader.${name}`, operator: 'isDefined' } },
      { dialect: 'postgres', layout: TYPED, claims: [{ path: `reader.${name}`, type }] },
    );

  // S424
  it('is rejected, with both types', () => {
    expect(isDefined('banned', 'string')).toThrow(
      "The column `banned` of `reader.banned` is of type boolean, which has no value of type string, the claim's type in `claims`. (at /check)",
    );
    expect(isDefined('banned', 'string')).toThrow(SqlTranslationError);
  });

  // S424
  it('is one that has no value of the claim’s type', () => {
    const columns = ['banned', 'visits', 'fees', 'name', 'born', 'signed', 'card'];
    const compatible = CLAIM_TYPES.map((type) => [
      type,
      columns.filter((name) => {
        try {
          return isDefined(name, type)().text !== '';
        } catch {
          return false;
        }
      }),
    ]);
    expect(Object.fromEntries(compatible)).toEqual({
      boolean: ['banned', 'card'],
      string: ['name', 'born', 'signed', 'card'],
      enum: ['name', 'born', 'signed', 'card'],
      number: ['visits', 'fees', 'card'],
      integer: ['visits', 'fees', 'card'],
      date: ['name', 'born', 'card'],
      datetime: ['name', 'signed', 'card'],
      array: ['card'],
      object: ['card'],
    });
  });
});

// V14
it('the translation to SQL rejects an unknown `select`, and an `among` that is not a list of strings', () => {
  const query = { check: { claim: 'library.blocked', operator: '==', value: true } };
  const translate = (options: object) => () =>
    toSql(query, { dialect: 'sqlite', layout: LAYOUT, ...options } as never);
  expect(translate({ select: 'counts' })).toThrow(
    '`select` must be one of `people` or `count` (got `counts`). Did you mean `count`?',
  );
  expect(translate({ among: 'ada' })).toThrow(/^`among` must be/);
  expect(translate({ among: [1] })).toThrow(TypeError);
});

// V14
it.each<[string, unknown, string]>([
  ['dialect', { dialect: 'sqlit', layout: LAYOUT }, '(got `sqlit`). Did you mean `sqlite`?'],
  ['kind', { dialect: 'sqlite', layout: { ...LAYOUT, kind: 'colums' } }, 'Did you mean `columns`?'],
  ['kind of a layout without one', { dialect: 'sqlite', layout: {} }, '(got undefined)'],
  ['layout', { dialect: 'sqlite' }, '`layout` must be an object (got undefined)'],
  [
    'type of a column',
    { dialect: 'sqlite', layout: { ...LAYOUT, columns: { 'a.b': { column: 'b', type: 'bool' } } } },
    '`type` of the column of `a.b` must be one of `integer`, `number`, `text`, `boolean`, `date`, `timestamptz` or `json` (got `bool`).',
  ],
])('the translation to SQL rejects an unknown %s by name', (_, options, message) => {
  const query = { check: { claim: 'a.b', operator: '==', value: 1 } };
  const { dialect, layout } = options as { dialect: never; layout: never };
  expect(() => toSql(query, options as never)).toThrow(message);
  expect(() => toWhere(() => '', query, options as never)).toThrow(message);
  expect(() => adviseIndexes(query, layout, dialect)).toThrow(message);
});

// S458
it('a layout that lacks a member, or has an unknown one, is rejected by the name of the member', () => {
  const people = { table: 'm', id: 'id' };
  const column = { column: 'v', type: 'boolean' };
  const wrong: readonly (readonly [unknown, string])[] = [
    [
      { ...LAYOUT, people: { table: 'm', key: 'id' } },
      '`people` of the layout has no member `key`. Its members are `table` and `id`.',
    ],
    [{ ...LAYOUT, people: { table: 'm' } }, '`id` of `people` of the layout must be a name (got undefined)'],
    [
      { ...LAYOUT, people: { ...people, alias: 'x' } },
      '`people` of the layout has no member `alias`. Its members are `table` and `id`.',
    ],
    [
      { kind: 'columns', people, columns: { 'a.b': { name: 'v', type: 'boolean' } } },
      'the column of `a.b` has no member `name`. Its members are `column` and `type`.',
    ],
    [
      { kind: 'columns', people, columns: { 'a.b': { ...column, required: true } } },
      'the column of `a.b` has no member `required`. Its members are `column` and `type`.',
    ],
    [{ kind: 'documents', people, claim: 'c' }, 'the layout has no member `claim`. Did you mean `claims`?'],
    [{ kind: 'documents', people }, '`claims` of the layout must be a name (got undefined)'],
    [{ kind: 'claims', people }, '`claims` of the layout must be an object (got undefined)'],
    [
      { kind: 'claims', people, claims: { table: 't', person: 'p', path: 'q' } },
      '`value` of `claims` of the layout must be a name (got undefined)',
    ],
    [
      { kind: 'credentials', people, credentials: { table: 't' } },
      '`person` of `credentials` of the layout must be a name (got undefined)',
    ],
  ];
  const query = not('a.b');
  for (const [layout, message] of wrong) {
    const options = { dialect: 'sqlite', layout, now: 5 } as never;
    const tag = (texts: TemplateStringsArray) => texts;
    expect(() => toSql(query, options)).toThrow(new TypeError(message));
    expect(() => toCandidateSql(query, options)).toThrow(new TypeError(message));
    expect(() => toWhere(tag, query, options)).toThrow(new TypeError(message));
    expect(() => adviseIndexes(query, layout as never, 'sqlite')).toThrow(new TypeError(message));
  }
});

// S460
it('an error reports a column for a misspelled claim, and does not suggest that claim, if `claims` lists the claim of the query', () => {
  const claims = [{ path: 'gym.visits', type: 'integer' }] as const;
  const layout: ColumnsLayout = {
    ...LAYOUT,
    columns: { 'gym.vists': { column: 'visits', type: 'integer' } },
  };
  const query = { check: { claim: 'gym.visits', operator: '==', value: 1 } };
  expect(() => toSql(query, { dialect: 'sqlite', layout, claims })).toThrow(
    'The layout has no column for `gym.visits`. There is one for `gym.vists`, which is not among the `claims`.',
  );
});
