/** Checks that queries are accepted at each limit and rejected beyond it, without stack overflow (L7). */
import { describe, expect, it } from 'vitest';
import { ClaimSet, type JsonValue, QueryError } from '../../../src/index.js';
import { compile } from '../../support/with-re2js.js';

const CHECK = { claim: 'a.b', operator: 'isDefined' };
const check = (value: unknown, operator = '==') => ({ check: { claim: 'a.b', operator, value } });

function claims(value: JsonValue): ClaimSet {
  return ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims: { 'a.b': value } }], 1);
}

/** Nested `not` policies, built without recursion. */
function policies(depth: number): unknown {
  let item: unknown = CHECK;
  for (let level = 0; level < depth; level += 1) item = { not: item };
  return { policy: item };
}

function arrays(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

const many = <Value>(count: number, make: (index: number) => Value) =>
  Array.from({ length: count }, (_, index) => make(index));

/** The limit, a query at the limit, one beyond it, and the problem code. */
const PAIRS: readonly [limit: string, at: unknown, beyond: unknown, code: string][] = [
  ['16 nested policies', policies(16), policies(17), 'limit_depth'],
  [
    '256 checks',
    { policy: { anyOf: many(256, () => CHECK) } },
    { policy: { anyOf: many(257, () => CHECK) } },
    'limit_checks',
  ],
  [
    '64 projections',
    { projections: many(64, (index) => ({ claim: `a.b${index}`, lens: 'pluck' })) },
    { projections: many(65, (index) => ({ claim: `a.b${index}`, lens: 'pluck' })) },
    'limit_projections',
  ],
  [
    '1,000 entries',
    check(
      many(1_000, (index) => index),
      'in',
    ),
    check(
      many(1_001, (index) => index),
      'in',
    ),
    'limit_list_entries',
  ],
  [
    '1,000 entries in nested lists',
    check(many(500, () => [1])),
    check(many(501, () => [1])),
    'limit_list_entries',
  ],
  [
    '1,000 members',
    check(Object.fromEntries(many(1_000, (index) => [`m${index}`, 1]))),
    check(Object.fromEntries(many(1_001, (index) => [`m${index}`, 1]))),
    'limit_list_entries',
  ],
  ['16 nested lists', check(arrays(16)), check(arrays(17)), 'limit_operand_depth'],
  ['4,096 code units', check('é'.repeat(4_096)), check('é'.repeat(4_097)), 'limit_string'],
  ['4,096 code units of emoji', check('😀'.repeat(2_048)), check(`${'😀'.repeat(2_048)}x`), 'limit_string'],
  [
    '4,096 code units of a member',
    check({ ['m'.repeat(4_096)]: 1 }),
    check({ ['m'.repeat(4_097)]: 1 }),
    'limit_string',
  ],
  [
    '512 code units of a pattern',
    check(`[${'x'.repeat(510)}]`, 'matchRegex'),
    check(`[${'x'.repeat(511)}]`, 'matchRegex'),
    'limit_pattern',
  ],
  [
    '8 path segments',
    { check: { ...CHECK, claim: 'a.b.c.d.e.f.g.h' } },
    { check: { ...CHECK, claim: 'a.b.c.d.e.f.g.h.i' } },
    'limit_path_segments',
  ],
  [
    '256 code units of a path',
    { check: { ...CHECK, claim: `a.${'b'.repeat(254)}` } },
    { check: { ...CHECK, claim: `a.${'b'.repeat(255)}` } },
    'limit_path_length',
  ],
];

function errorOf(query: unknown): QueryError | undefined {
  try {
    compile(query);
    return undefined;
  } catch (error) {
    if (error instanceof QueryError) return error;
    throw error;
  }
}

/** Returns the code of the error, and the codes of its problems, each once. */
function codesOf(query: unknown): readonly string[] {
  const error = errorOf(query);
  return error === undefined ? [] : [error.code, ...new Set(error.problems.map(({ code }) => code))];
}

describe('the limit of', () => {
  // L7, S149, S150, S151, S152
  it.each(PAIRS)('%s accepts a query at the limit, and rejects one beyond it', (_limit, at, beyond, code) => {
    expect([codesOf(at), codesOf(beyond)]).toEqual([[], ['query_too_large', code]]);
  });
});

describe('a hostile query', () => {
  // S149
  it.each([1_000, 30_000, 1_000_000])(
    'of %d levels is rejected with the same problem as one of seventeen',
    (depth) => {
      expect(codesOf(policies(depth))).toEqual(['query_too_large', 'limit_depth']);
      expect(codesOf(check(arrays(depth)))).toEqual(['query_too_large', 'limit_operand_depth']);
    },
  );

  // S150, S153
  it('of a million parts is rejected without reporting each', () => {
    const query = { policy: { allOf: many(1_000_000, () => 1) } };
    expect(errorOf(query)).toMatchObject({ code: 'invalid_query', problemCount: 1_000 });
    expect(errorOf(query)?.problems).toHaveLength(50);
    expect(
      codesOf(
        check(
          many(1_000_000, () => 1),
          'in',
        ),
      ),
    ).toEqual(['query_too_large', 'limit_list_entries']);
    expect(codesOf({ projections: many(1_000_000, () => 1) })).toEqual([
      'query_too_large',
      'limit_projections',
    ]);
  });

  // S157
  it.each([
    ['(a+)+$', false],
    ['(a|a)*$', true],
    ['(.*a){20}$', false],
    ['(a*)*b', false],
    ['(a|aa)+$', false],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', false],
  ])(
    'with the pattern %s, which takes backtracking engines hours, is evaluated within the time limit of a test',
    (pattern, passed) => {
      expect(compile(check(pattern, 'matchRegex')).test(claims(`${'a'.repeat(4_095)}!`))).toBe(passed);
    },
  );

  // S162
  it.each([
    [{ check: CHECK, policy: { not: CHECK } }, ['form_ambiguous']],
    [{ check: CHECK, policy: {}, projections: [] }, ['form_ambiguous', 'form_missing', 'list_empty']],
    [{}, ['form_missing']],
    [{ policy: { allOf: [], anyOf: [] } }, ['form_ambiguous', 'list_empty']],
    [{ policy: { anyOf: [] } }, ['list_empty']],
    [{ projections: [] }, ['list_empty']],
    [{ policy: { not: [] } }, ['not_arity']],
    [{ policy: { not: [CHECK, CHECK] } }, ['not_arity']],
  ])('of the malformed form %j is rejected', (query, codes) => {
    expect(codesOf(query)).toEqual(['invalid_query', ...codes]);
  });

  // L6, S163
  it.each(['remark', 'constructor', 'toString', '__proto__'])(
    'with the unknown member %s anywhere is rejected',
    (name) => {
      const extra = JSON.parse(`{${JSON.stringify(name)}:1}`) as object;
      const withExtra = (object: object) =>
        Object.defineProperties({ ...object }, Object.getOwnPropertyDescriptors(extra));
      const queries = [
        withExtra({ check: CHECK }),
        { check: withExtra(CHECK) },
        { policy: withExtra({ not: CHECK }) },
        { policy: { not: withExtra({ check: CHECK }) } },
        { projections: [withExtra({ claim: 'a.b', lens: 'pluck' })] },
      ];
      for (const query of queries) expect(codesOf(query)).toEqual(['invalid_query', 'member_unknown']);
    },
  );
});

describe('strings are compared by code unit', () => {
  // L16, S165
  it.each([
    ['é', 'e\u0301'],
    ['a', 'A'],
    ['ß', 'ss'],
    ['ı', 'i'],
    ['K', '\u212a'],
    ['a', 'a\u200b'],
    ['a', '\u202ea'],
    ['\ud800', '\ufffd'],
  ])('%j does not equal %j', (left, right) => {
    expect(compile(check(left)).test(claims(right))).toBe(false);
    expect(compile(check([left], 'in')).test(claims(right))).toBe(false);
    expect(compile(check(left)).test(claims(left))).toBe(true);
  });
});
