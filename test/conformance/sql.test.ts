/**
 * Checks that the engine and databases select the same people: some runs of `npm run check -- conformance-sql`, and edge cases of dates and
 * patterns (V14).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ClaimSet,
  type JsonValue,
  type PolicyInput,
  type PolicyItemInput,
  parseInstant,
  re2js,
} from '../../src/index.js';
import { boundsOf } from '../../src/sql/double-bounds.js';
import {
  type ColumnsLayout,
  type ColumnType,
  type DocumentsLayout,
  SqlTranslationError,
  toSql,
} from '../../src/sql/index.js';
import { createDatabase, type EmptyDatabase } from '../support/postgres-for-tests.js';
import { compile } from '../support/with-re2js.js';
import { checkSql } from './sql/check-sql.js';
import { type CheckedDatabase, openDuckdb, openPostgres, openSqlite } from './sql/databases.js';
import { load } from './sql/tables.js';

const SEED = 20_261_121;
const RUNS = 160;

const LAYOUT: DocumentsLayout = {
  kind: 'documents',
  people: { table: 'document', id: 'id' },
  claims: 'claims',
};

const DAYS = [
  '2026-06-01',
  '2026-02-28',
  '2024-02-29',
  '2023-02-29',
  '1900-02-29',
  '2000-02-29',
  '2026-04-31',
  '2026-12-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-32',
  '0000-01-01',
  '0000-02-29',
  '9999-12-31',
  '2016-12-31',
  '2026-06-30',
  '1970-01-01',
];
const TIMES = [
  '00:00:00',
  '23:59:59',
  '23:59:60',
  '12:30:00',
  '18:29:60',
  '05:59:60',
  '24:00:00',
  '00:60:00',
  '22:59:60',
  '00:00:61',
];
const FRACTIONS = ['', '.5', '.123', '.9999', '.12', '.', '.1234567890123456789'];
const OFFSETS = [
  'Z',
  'z',
  '+00:00',
  '-00:00',
  '+02:00',
  '-05:30',
  '+23:59',
  '-23:59',
  '+24:00',
  '+00:60',
  '',
  '+0200',
];
const MALFORMED = [
  '',
  '2026-6-1',
  ' 2026-06-01',
  '2026-06-01\n',
  '2026-06-01 00:00:00Z',
  '2026-06-01t00:00:00Z',
  '２０２６-06-01',
  '+02026-06-01',
  '2026-06-01T',
  'T',
  'Z',
  '2026-06-01T00:00:00.5.5Z',
  '2026-06-01T00:00:00ZZ',
  '2026-06-01T00:00:00+02:00Z',
];

const ORDERINGS = ['>', '>=', '<', '<='] as const;

const PATTERNS = [
  '',
  'a',
  '^a',
  'a$',
  '^a$',
  '^a+$',
  '^a*$',
  'a?b',
  '^(?:ab|c)d$',
  '[^a]',
  '^[^a]$',
  '.',
  '^.$',
  '^..$',
  '(?s)^.$',
  '(?s)^a.*b$',
  '^a.*b$',
  '\\d',
  '\\D',
  '\\w+',
  '\\W',
  '\\s',
  '\\S',
  '^\\d{4}-\\d{2}$',
  '\\bab\\b',
  '\\Bb',
  '[a-c]',
  '^[]a]',
  '[a\\]^-]',
  '^[\\^]$',
  '[-a]',
  '[a-]',
  '[*?]',
  'a|b$',
  '(a|b)*c',
  '^(a+)+$',
  '(?i)AB',
  '\\.',
  '\\*',
  '\\[',
  '^[\\w.]+@[\\w]+\\.com$',
  'é',
  '😀',
  '[à-ü]',
  '^[^é]$',
  '\\n',
  '^$',
  '()',
  '^(a?){3}$',
  'a{2,3}',
  '[\\d_]',
  '\\x41',
  'a{,2}',
  '$a',
  '^*',
];
const TEXTS = [
  '',
  'a',
  'b',
  'ab',
  'ba',
  'abd',
  'cd',
  'aaa',
  'AB',
  'a\nb',
  '\n',
  'a b',
  'é',
  'éa',
  '😀',
  'x😀y',
  '2026-06',
  '12',
  '_',
  '-',
  ']',
  '^',
  '*',
  '?',
  '[',
  '.',
  'a.b',
  'ada@example.com',
  'x ab x',
  'éab',
  'abé',
  'K',
  '\u212a',
  'ß',
  '\t',
  '\v',
  '\u00a0',
  '٣',
  'a*',
  'a[b',
  '18',
  'true',
  'null',
  '[]',
  '{}',
  'aa',
  'ccc',
  'abc',
];

let postgres: EmptyDatabase;
let databases: readonly CheckedDatabase[] = [];

beforeAll(async () => {
  postgres = await createDatabase();
  // One by one, so that those that were opened are closed if another cannot be opened.
  for (const open of [openSqlite, () => openPostgres(postgres.url), openDuckdb])
    databases = [...databases, await open()];
});

afterAll(async () => {
  for (const database of databases) await database.close();
  await postgres.remove();
});

/** Loads people with one claim each. */
async function loadValues(values: readonly JsonValue[]): Promise<void> {
  const people = values.map((value, index) => ({
    id: String(index),
    credentials: [{ id: 'c', source: '', issuedAt: 0, claims: { 'x.a': JSON.stringify(value) } }],
  }));
  for (const database of databases) await load(database, { now: 0, layout: LAYOUT, queries: [], people });
}

/** Returns the values that a check selects, on each database that supports it. */
async function selected(check: JsonValue, values: readonly JsonValue[]) {
  const found: Record<string, readonly JsonValue[]> = {};
  for (const database of databases) {
    try {
      const ids = await database.select(toSql({ check }, { dialect: database.dialect, layout: LAYOUT }));
      found[database.dialect] = ids
        .map(Number)
        .toSorted((left, right) => left - right)
        .map((id) => values[id] as JsonValue);
    } catch (error) {
      if (!(error instanceof SqlTranslationError)) throw error;
    }
  }
  return found;
}

// L9–L19, V14
it('random policies select the same people in every layout, on every database', async () => {
  const report = await checkSql(databases, { runs: RUNS, seed: SEED });
  expect(report.counterexample).toBeUndefined();
  for (const { translated, rejected, selected: people } of Object.values(report.databases)) {
    expect(translated + rejected).toBe(report.runs);
    expect(translated).toBeGreaterThan(RUNS * 0.85);
    expect(people).toBeGreaterThan(0);
  }
});

// V14
it('a database that omits a person is detected, and the counterexample contains only that person', async () => {
  const [sqlite] = databases as readonly [CheckedDatabase];
  const faulty: CheckedDatabase = {
    ...sqlite,
    select: async (statement) => (await sqlite.select(statement)).slice(1),
  };
  const { counterexample } = await checkSql([faulty], { runs: RUNS, seed: SEED });
  expect(counterexample).toMatchObject({ dialect: 'sqlite', found: [] });
  expect(counterexample?.expected).toHaveLength(1);
  expect(counterexample?.batch.people).toHaveLength(1);
});

// S174, L16, L18
it('hostile strings are compared literally, and never interpreted as SQL, pattern or path', async () => {
  const hostile = [
    '%',
    '_',
    'a%b',
    'a_b',
    '\\',
    '\\%',
    "'",
    "''",
    '"',
    '`',
    "' OR '1'='1",
    "'; DROP TABLE document; --",
    '/* */ --',
    '$1',
    '?',
    ':name',
    '*',
    '[a-z]',
    '{}',
    '$.a',
    '$."a"',
    '#>',
    'null',
    '\n--',
    '\u2028',
    '\ud83d\ude00%',
  ];
  const values: readonly JsonValue[] = [
    ...hostile,
    ...hostile.map((text) => `${text}x`),
    ...hostile.map((text) => [text]),
  ];
  await loadValues(values);
  for (const text of [...hostile, 'a\0b']) {
    const checks = [
      { operator: '==', value: text },
      { operator: '!=', value: text },
      { operator: 'in', value: [text, 1] },
      { operator: 'notIn', value: [text] },
      { operator: 'startsWith', value: text },
      { operator: 'contains', value: text },
    ];
    for (const check of checks) {
      const query = compile({ check: { claim: 'x.a', ...check } });
      const expected = values.filter((value) =>
        query.test(ClaimSet.at([{ id: 'c', source: '', issuedAt: 0, claims: { 'x.a': value } }], 0)),
      );
      const found = await selected({ claim: 'x.a', ...check }, values);
      // A string with U+0000 is rejected, since databases cannot store it.
      expect(Object.keys(found)).toHaveLength(text.includes('\0') ? 0 : databases.length);
      for (const [dialect, people] of Object.entries(found)) {
        expect(people, `${dialect}: ${JSON.stringify(check)}`).toEqual(expected);
      }
    }
  }
});

describe('dates and date-times', () => {
  const texts = [
    ...DAYS,
    ...MALFORMED,
    ...DAYS.flatMap((day) =>
      TIMES.flatMap((time) =>
        FRACTIONS.flatMap((fraction) => OFFSETS.map((offset) => `${day}T${time}${fraction}${offset}`)),
      ),
    ),
  ];
  const values: readonly JsonValue[] = [
    ...texts,
    20_260_601,
    true,
    null,
    ['2026-06-01'],
    { a: '2026-06-01' },
  ];

  // L17
  it('are recognized and compared as by the engine', async () => {
    await loadValues(values);
    const instants = values.map((value) => (typeof value === 'string' ? parseInstant(value) : undefined));
    const operands = [
      '2026-06-01',
      '2026-05-31T23:59:59.123Z',
      '0000-01-01',
      '0000-01-01T00:00:00+23:59',
      '9999-12-31',
      '9999-12-31T23:59:60Z',
      '9999-12-31T23:59:59-23:59',
      '2016-12-31T23:59:60Z',
      '2024-02-29T12:30:00-05:30',
    ];
    for (const operand of operands) {
      const bound = parseInstant(operand) as number;
      for (const operator of ORDERINGS) {
        const expected = values.filter((_, index) => {
          const instant = instants[index];
          if (instant === undefined) return false;
          if (operator === '>') return instant > bound;
          if (operator === '>=') return instant >= bound;
          return operator === '<' ? instant < bound : instant <= bound;
        });
        const found = await selected({ claim: 'x.a', operator, value: operand }, values);
        for (const dialect of ['sqlite', 'postgres', 'duckdb']) {
          expect([operator, operand, dialect, difference(found[dialect] ?? [], expected)]).toEqual([
            operator,
            operand,
            dialect,
            [],
          ]);
        }
      }
    }
  }, 120_000);

  // L17
  it('include exactly the days of the calendar, in years of each kind', async () => {
    const years = ['0000', '0001', '1900', '2000', '2023', '2024', '9999'];
    const pairs = (count: number) =>
      Array.from({ length: count }, (_, number) => String(number).padStart(2, '0'));
    const days = years.flatMap((year) =>
      pairs(14).flatMap((month) => pairs(33).map((day) => `${year}-${month}-${day}`)),
    );
    // Strings that resemble dates: other digits, hyphens, signs or letters, or characters too many or too few.
    const malformed = [
      '２０24-06-01',
      '--24-06-01',
      '-024-06-01',
      '+024-06-01',
      ' 024-06-01',
      '2024\n-06-01',
      '12024-06-01',
      '024-06-01',
      '-06-01',
      '2024-06-01 ',
      '2024--06-01',
      '20a4-02-29',
    ];
    const all = [...days, ...malformed];
    await loadValues(all);
    const valid = all.filter((text) => parseInstant(text) !== undefined);
    expect(valid).toHaveLength(years.length * 365 + ['0000', '2000', '2024'].length);
    for (const check of [
      { claim: 'x.a', operator: '>=', value: '0000-01-01' },
      { claim: 'x.a', operator: '<=', value: '9999-12-31' },
    ]) {
      const found = await selected(check, all);
      for (const dialect of ['sqlite', 'postgres', 'duckdb']) {
        expect([check.operator, dialect, difference(found[dialect] ?? [], valid)]).toEqual([
          check.operator,
          dialect,
          [],
        ]);
      }
    }
  }, 120_000);
});

describe('numbers', () => {
  const doubles = [
    7.297217944625634,
    -3.706991903991657e-101,
    0,
    -0,
    5e-324,
    -5e-324,
    1e-310,
    2.2250738585072014e-308,
    0.1,
    1,
    -1,
    18,
    1e21,
    2 ** 53,
    2 ** 53 + 2,
    -(2 ** 53),
    2 ** 63,
    2 ** 64,
    2 ** 64 + 4096,
    4398386664533.785,
    1e300,
    Number.MAX_VALUE,
    -Number.MAX_VALUE,
  ];
  const numerals = [...new Set(doubles.flatMap(numeralsOf))].filter((one) => Number.isFinite(Number(one)));

  // L16
  it('are compared as doubles, however many digits they have', async () => {
    await loadNumerals(numerals);
    for (const value of doubles) {
      for (const operator of ['==', '!=', 'in', ...ORDERINGS] as const) {
        const check = { claim: 'x.a', operator, value: operator === 'in' ? [value, 'a'] : value };
        const expected = numerals.filter((one) => passes(check, JSON.parse(one)));
        for (const layout of [LAYOUT, INDEXED]) {
          const found = await selectedNumerals(check, numerals, layout);
          for (const dialect of ['sqlite', 'postgres', 'duckdb']) {
            const wrong = difference(found[dialect] ?? [], expected);
            expect([check, dialect, wrong]).toEqual([check, dialect, []]);
          }
        }
      }
    }
  }, 120_000);

  // L16
  it('inside arrays and objects are equal to the same doubles', async () => {
    const nested = numerals.flatMap((one) => [`[${one}]`, `{"a": [1, {"b c.d": ${one}}], "e": "1"}`]);
    await loadNumerals(nested);
    const list = doubles.slice(0, 12);
    for (const value of doubles) {
      for (const check of [
        { claim: 'x.a', operator: 'contains', value },
        { claim: 'x.a', operator: '==', value: [value] },
        { claim: 'x.a', operator: 'in', value: [{ e: '1', a: [1, { 'b c.d': value }] }, value] },
      ]) {
        const expected = nested.filter((one) => passes(check, JSON.parse(one)));
        expect(expected).not.toEqual([]);
        const found = await selectedNumerals(check, nested, LAYOUT);
        for (const dialect of ['sqlite', 'postgres', 'duckdb']) {
          const wrong = difference(found[dialect] ?? [], expected);
          expect([check, dialect, wrong]).toEqual([check, dialect, []]);
        }
      }
    }
    const inList = { claim: 'x.a', operator: 'notIn', value: list.map((value) => [value]) };
    const expected = nested.filter((one) => passes(inList, JSON.parse(one)));
    const found = await selectedNumerals(inList, nested, LAYOUT);
    for (const dialect of ['sqlite', 'postgres', 'duckdb'])
      expect([dialect, difference(found[dialect] ?? [], expected)]).toEqual([dialect, []]);
  }, 120_000);
});

/** Returns numerals that are read as a double or as an adjacent one: with 17 digits, and on and next to the midpoints between adjacent doubles. */
function numeralsOf(double: number): readonly string[] {
  const { low, high } = boundsOf(double);
  const halves = [low, high].flatMap((half) => [half, half.includes('.') ? `${half}01` : `${half}.01`]);
  const integer = Number.isInteger(double) && Math.abs(double) < 1e21 ? [`${double}.0`, `${double}e0`] : [];
  const zeros = `${String(double).replace(/e.*/, '')}${Number.isInteger(double) ? '.' : ''}${'0'.repeat(30)}`;
  return [
    JSON.stringify(double),
    double.toPrecision(17),
    double.toExponential(),
    double.toExponential(20).toUpperCase(),
    ...halves,
    ...integer,
    ...(String(double).includes('e') ? [] : [zeros]),
  ];
}

const INDEXED: DocumentsLayout = { ...LAYOUT, indexed: ['x.a'] };

/** Loads people with one claim each, as JSON text. */
async function loadNumerals(texts: readonly string[]): Promise<void> {
  const people = texts.map((text, index) => ({
    id: String(index),
    credentials: [{ id: 'c', source: '', issuedAt: 0, claims: { 'x.a': text } }],
  }));
  for (const database of databases) await load(database, { now: 0, layout: LAYOUT, queries: [], people });
}

async function selectedNumerals(check: JsonValue, texts: readonly string[], layout: DocumentsLayout) {
  const found: Record<string, readonly JsonValue[]> = {};
  for (const database of databases) {
    const ids = await database.select(toSql({ check }, { dialect: database.dialect, layout }));
    found[database.dialect] = ids.map((id) => texts[Number(id)] as string);
  }
  return found;
}

function passes(check: JsonValue, value: JsonValue): boolean {
  const credential = { id: 'c', source: '', issuedAt: 0, claims: { 'x.a': value } };
  return compile({ check }).test(ClaimSet.at([credential], 0));
}

/** Returns the first five elements that only one of the lists has. */
function difference(found: readonly JsonValue[], expected: readonly JsonValue[]): readonly JsonValue[] {
  const [one, other] = [new Set(found), new Set(expected)];
  return [
    ...found.filter((value) => !other.has(value)),
    ...expected.filter((value) => !one.has(value)),
  ].slice(0, 5);
}

// L7, L19
it('a policy of maximum depth selects the same people as the engine', async () => {
  const values: readonly JsonValue[] = [
    '2026-06-01',
    '2026-06-01T00:00:00.5Z',
    '2025-01-01',
    [{ a: [1, { b: 2 }] }],
    7,
  ];
  await loadValues(values);
  const leaf = (value: string): PolicyItemInput => ({ claim: 'x.a', operator: '>=', value });
  const other: PolicyItemInput = { claim: 'x.a', operator: 'contains', value: { a: [1, { b: 2 }] } };
  let policy: PolicyInput = { allOf: [leaf('2026-06-01'), { not: other }] };
  // The `not` is the innermost of sixteen nested policies.
  for (let depth = 3; depth <= 16; depth += 1) {
    policy = depth % 2 === 0 ? { allOf: [policy, leaf('2025-06-01')] } : { anyOf: [policy, other] };
  }
  const query = { policy };
  const compiled = compile(query);
  const expected = values.filter((value) =>
    compiled.test(ClaimSet.at([{ id: 'c', source: '', issuedAt: 0, claims: { 'x.a': value } }], 0)),
  );
  for (const database of databases) {
    const ids = await database.select(toSql(query, { dialect: database.dialect, layout: LAYOUT }));
    expect([database.dialect, ids.map((id) => values[Number(id)])]).toEqual([database.dialect, expected]);
  }
});

// L18
it('translated patterns match the same strings as in the engine', async () => {
  await loadValues(TEXTS);
  const translated: Record<string, number> = { sqlite: 0, postgres: 0, duckdb: 0 };
  for (const pattern of PATTERNS) {
    const compiled = re2js.compile(pattern);
    if (!compiled.accepted) continue;
    const expected = TEXTS.filter((text) => compiled.pattern.test(text));
    const found = await selected({ claim: 'x.a', operator: 'matchRegex', value: pattern }, TEXTS);
    for (const [dialect, matched] of Object.entries(found)) {
      translated[dialect] = (translated[dialect] ?? 0) + 1;
      expect([pattern, dialect, matched]).toEqual([pattern, dialect, expected]);
    }
  }
  expect(translated['duckdb']).toBeGreaterThan(50);
  expect(translated['postgres']).toBeGreaterThan(40);
  expect(translated['sqlite']).toBeGreaterThan(25);
});

// L16, L18
it('`startsWith` compares bytes, without wildcards', async () => {
  const values: readonly JsonValue[] = [
    ...TEXTS,
    18,
    1,
    -1,
    true,
    null,
    [],
    {},
    'a%',
    'a_',
    '\uffff',
    '\u{10ffff}',
    '\u{10ffff}a',
    '\ud7ffa',
    '\ue000',
  ];
  await loadValues(values);
  for (const prefix of [
    '',
    'a',
    '1',
    '-',
    't',
    'tr',
    '[',
    '{',
    'n',
    'é',
    '😀',
    'a%',
    'a_',
    '%',
    '\u{10ffff}',
    '\ud7ff',
    '\uffff',
    'A',
  ]) {
    const expected = values.filter((value) => typeof value === 'string' && value.startsWith(prefix));
    const found = await selected({ claim: 'x.a', operator: 'startsWith', value: prefix }, values);
    expect(found).toEqual({ sqlite: expected, postgres: expected, duckdb: expected });
  }
});

describe('columns of instants', () => {
  const INSTANTS = [
    '2026-01-01T06:00:00Z',
    '2026-01-01T12:00:00Z',
    '2026-01-01T12:00:00.000999Z',
    '2026-01-01T12:00:00.001Z',
    '2026-01-01T18:00:00Z',
    '2025-12-31T23:30:00Z',
    '2026-01-01T00:00:00Z',
    '1969-12-31T23:59:59.999999Z',
    '0001-01-01T00:00:00Z',
    '9999-12-31T23:59:59.999999Z',
  ];
  const OPERANDS = [
    '2026-01-01T12:00:00Z',
    '2026-01-01T12:00:00.000Z',
    '2026-01-01T14:00:00.0009+02:00',
    '2026-01-01',
    '1969-12-31T23:59:59.999Z',
    '0000-06-01',
    '0001-01-01',
    '9999-12-31T23:59:60Z',
    '9999-12-31T23:59:59.999Z',
    'soon',
  ];
  const layoutOf = (type: ColumnType): ColumnsLayout => ({
    kind: 'columns',
    people: { table: 'signer', id: 'id' },
    columns: { 'x.signed': { column: 'signed', type } },
  });
  const create = async (database: CheckedDatabase, type: string) => {
    await database.run('DROP TABLE IF EXISTS signer');
    await database.run(`CREATE TABLE signer (id text, signed ${type})`);
    for (const at of INSTANTS)
      await database.run(`INSERT INTO signer VALUES ('${at}', CAST('${at}' AS ${type}))`);
    await database.run(`INSERT INTO signer VALUES ('unsigned', NULL)`);
  };
  const checkOf = (operator: string, value: JsonValue) => ({ claim: 'x.signed', operator, value });
  const checks = OPERANDS.flatMap((operand) => [
    ...[...(operand === 'soon' ? [] : ORDERINGS), '==', '!=', 'startsWith'].map((operator) =>
      checkOf(operator, operand),
    ),
    checkOf('in', [operand, 'soon', 1]),
    checkOf('in', [operand, '1969-12-31T23:59:59.999Z']),
    checkOf('notIn', [operand]),
    checkOf('startsWith', operand.slice(0, 7)),
    checkOf('matchRegex', `^${operand.slice(0, 12)}`),
    checkOf('isDefined', true),
  ]).map(({ value, ...check }) => (check.operator === 'isDefined' ? check : { ...check, value }));

  // L17, V14
  it('select the people that the engine selects by RFC 3339 strings, whatever the time zone of the session', async () => {
    const [, ...others] = databases;
    for (const database of others) {
      await create(database, 'timestamptz');
      for (const zone of ['UTC', 'America/Sao_Paulo']) {
        await database.run(`SET timezone = '${zone}'`);
        let [otherFormat, unfitting] = [0, 0];
        for (const check of checks) {
          for (const query of [{ check }, { policy: { not: check } }]) {
            const compiled = compile(query, { regex: re2js });
            const passing = (at: string) => {
              const claims = at === 'unsigned' ? {} : { 'x.signed': new Date(at).toISOString() };
              return compiled.test(ClaimSet.of(claims));
            };
            try {
              const statement = toSql(query, {
                dialect: database.dialect,
                layout: layoutOf('timestamptz'),
                regex: re2js,
              });
              const found = await database.select(statement);
              const expected = [...INSTANTS, 'unsigned'].filter(passing);
              expect([database.dialect, zone, query, found.toSorted()]).toEqual([
                database.dialect,
                zone,
                query,
                expected.toSorted(),
              ]);
            } catch (error) {
              if (!(error instanceof SqlTranslationError)) throw error;
              const isOtherFormat = error.message.includes(
                'equals only strings in UTC with milliseconds, such as `2026-01-31T09:30:00.000Z`',
              );
              if (isOtherFormat) otherFormat += 1;
              else {
                expect(error.message).toMatch(
                  /is out of range|that is of type datetime|must be of type datetime|must be the beginning of a value/,
                );
                unfitting += 1;
              }
            }
          }
        }
        // 16: `==`, `!=`, `in` and `notIn`, each also negated, with two operands in another format than the strings of the column.
        // 86: checks with an operand that equals no value of the column, or that no value passes.
        expect([otherFormat, unfitting]).toEqual([16, 86]);
      }
      await database.run(`SET timezone = 'UTC'`);
    }
  });

  // L17, V14
  it('are rejected by the database, like columns of dates, if their declared type is not their actual one', async () => {
    const [, ...others] = databases;
    const pairs = [
      ['date', 'timestamptz'],
      ['date', 'timestamp'],
      ['timestamptz', 'date'],
      ['timestamptz', 'timestamp'],
      ['timestamptz', 'text'],
      ['date', 'text'],
    ] as const;
    for (const database of others) {
      for (const [declared, actual] of pairs) {
        await create(database, actual);
        for (const check of [
          checkOf('>=', '2026-01-01'),
          checkOf('==', declared === 'date' ? '2026-01-01' : '2026-01-01T12:00:00.000Z'),
          checkOf('startsWith', '2026'),
        ]) {
          const statement = toSql({ check }, { dialect: database.dialect, layout: layoutOf(declared) });
          await expect(
            database.select(statement),
            `${database.dialect} ${declared} ${actual}`,
          ).rejects.toThrow();
        }
      }
    }
  });

  // V14
  it('are rejected on SQLite, which has no such type', () => {
    const query = { check: checkOf('>=', '2026-01-01') };
    expect(() => toSql(query, { dialect: 'sqlite', layout: layoutOf('timestamptz') })).toThrow(
      'SQLite has no columns of type `timestamptz`. RFC 3339 texts, such as `2026-01-31T09:30:00.000Z`, must be declared as `text`.',
    );
  });
});
