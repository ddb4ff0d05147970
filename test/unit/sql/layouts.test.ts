/** Layouts: claims without a column, wrong kinds and types, and dates that are text (L14, L17, V14). */
import Libsql from 'libsql';
import { describe, expect, it } from 'vitest';
import { ClaimSet, compile, type OperatorName } from '../../../src/index.js';
import { adviseIndexes, type ColumnsLayout, toCandidateSql, toSql, toWhere } from '../../../src/sql/index.js';

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
  it('rejects a query on a claim without a column, which would be undefined for everybody', () => {
    const translate = (claim: string) => () => toSql(not(claim), { dialect: 'sqlite', layout: LAYOUT });
    expect(translate('library.blokced')).toThrow(
      'The layout has no column for `library.blokced`. Did you mean `library.blocked`? (at /policy/not/check)',
    );
    expect(translate('member.tier')).toThrow(
      'The layout has no column for `member.tier`. A claim that nobody has must be listed in `undefinedClaims`.',
    );
    expect(translate('library.blocked.since')).toThrow(/no column for `library.blocked.since`/);
    expect(translate('library.card.number')).not.toThrow();
  });

  it('translates a query on a claim that nobody has', () => {
    const layout = { ...LAYOUT, undefinedClaims: ['member.tier'] };
    const { text } = toSql(not('member.tier'), { dialect: 'sqlite', layout });
    expect(text).toMatch(/WHERE TRUE$/);
  });

  // L17
  it('selects nobody by a text in a column of numbers of SQLite, as the engine does', () => {
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

  it('makes everyone a candidate for a check on a claim without a column', () => {
    const { problems, text } = toCandidateSql(not('member.tier'), { dialect: 'sqlite', layout: LAYOUT });
    expect(problems).toMatchObject([{ code: 'layout', pointer: '/policy/not/check' }]);
    expect(text).toMatch(/WHERE TRUE$/);
  });

  // L17
  it('compares a date column of SQLite as the engine compares its text, also if that is no date', () => {
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
