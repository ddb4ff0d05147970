/** Every sentence that a refused query can be answered with: each says what would be right (L8). */
import { describe, expect, it } from 'vitest';
import { compile as compileWithout } from '../../../src/engine/index.js';
import { ClaimSet, compile, createScopeCatalogue, parseCredentials } from '../../../src/index.js';
import { refusalOf } from '../../support/refusal.js';

const c = (check: unknown) => ({ check });

const SENTENCES: readonly [what: string, query: unknown, sentences: readonly string[]][] = [
  [
    'a query that is no object',
    [],
    ['A query is an object that may have `check`, `policy` or `projections`.'],
  ],
  ['a query without a form', {}, ['A query has exactly one of `check`, `policy` or `projections`.']],
  [
    'a query with two forms',
    { check: {}, policy: {} },
    ['A query has exactly one of `check`, `policy` or `projections`.'],
  ],
  ['a check that is no object', c(1), ['A check is an object that may have `claim`, `operator` or `value`.']],
  ['a check without its members', c({}), ['A check also needs `claim`.', 'A check also needs `operator`.']],
  [
    'an unknown member that is near a right one',
    c({ claim: 'a.b', operatr: 'isDefined' }),
    ['`operatr` is no member of a check; `operator` would be one.'],
  ],
  [
    'an unknown member that is near none',
    c({ claim: 'a.b', operator: 'isDefined', because: 1 }),
    ['`because` is no member of a check; it may have `claim`, `operator` or `value`.'],
  ],
  [
    'a claim that is no string',
    c({ claim: 1, operator: 'isDefined' }),
    [
      '`claim` is a string: a claim path is two or more names joined by dots, each a letter and then letters, digits or `_`.',
    ],
  ],
  [
    'a claim path with an empty segment',
    c({ claim: 'a..b', operator: 'isDefined' }),
    ['`a..b` is no claim path; `a.b` would be one.'],
  ],
  [
    'a claim path with blanks',
    c({ claim: ' a . b ', operator: 'isDefined' }),
    ['` a . b ` is no claim path; `a.b` would be one.'],
  ],
  [
    'a claim path of one segment',
    c({ claim: 'a', operator: 'isDefined' }),
    [
      '`a` is no claim path; a claim path is two or more names joined by dots, each a letter and then letters, digits or `_`.',
    ],
  ],
  [
    'a long claim path',
    c({ claim: `a.${'b'.repeat(300)}`, operator: 'isDefined' }),
    ['A claim path has at most 256 code units, not 302.'],
  ],
  [
    'a claim path of many segments',
    c({ claim: 'a.b.c.d.e.f.g.h.i', operator: 'isDefined' }),
    ['A claim path has at most 8 segments, not 9.'],
  ],
  [
    'an operator that is near a right one',
    c({ claim: 'a.b', operator: 'startWith', value: 'x' }),
    ['`startWith` is no operator; `startsWith` would be.'],
  ],
  [
    'an operator of another language',
    c({ claim: 'a.b', operator: 'gte', value: 1 }),
    ['`gte` is no operator; `>=` would be.'],
  ],
  [
    'an operator that is near none',
    c({ claim: 'a.b', operator: '~', value: 1 }),
    [
      '`~` is no operator; `==`, `!=`, `>`, `>=`, `<`, `<=`, `in`, `notIn`, `contains`, `startsWith`, `matchRegex` or `isDefined` would be.',
    ],
  ],
  [
    'an operator that is no string',
    c({ claim: 'a.b', operator: null, value: 1 }),
    [
      '`operator` is `==`, `!=`, `>`, `>=`, `<`, `<=`, `in`, `notIn`, `contains`, `startsWith`, `matchRegex` or `isDefined`.',
    ],
  ],
  [
    'isDefined with an operand',
    c({ claim: 'a.b', operator: 'isDefined', value: 1 }),
    ['`isDefined` takes no `value`; leave it out.'],
  ],
  [
    'an operand that is no string',
    c({ claim: 'a.b', operator: 'startsWith', value: null }),
    ['`startsWith` takes a string, not null.'],
  ],
  [
    'an operand that is no array',
    c({ claim: 'a.b', operator: 'in', value: {} }),
    ['`in` takes an array, not an object.'],
  ],
  [
    'an operand that is no number',
    c({ claim: 'a.b', operator: '<', value: [1] }),
    ['`<` takes a number, or an RFC 3339 date or date-time such as `2026-01-31`, not an array.'],
  ],
  [
    'an operand that is no date',
    c({ claim: 'a.b', operator: '<', value: '2026-02-30' }),
    ['`<` takes a number, or an RFC 3339 date or date-time such as `2026-01-31`: `2026-02-30`.'],
  ],
  [
    'an operand that is not finite',
    c({ claim: 'a.b', operator: '==', value: Number.POSITIVE_INFINITY }),
    ['An operand is a finite number, not Infinity.'],
  ],
  [
    'an operand that is no JSON',
    c({ claim: 'a.b', operator: '==', value: 1n }),
    ['An operand is a JSON value, not a bigint.'],
  ],
  [
    'an operand that is an instance',
    c({ claim: 'a.b', operator: '==', value: new Date(0) }),
    ['An operand is a JSON value, not an instance of a class.'],
  ],
  [
    'a pattern that is no string',
    c({ claim: 'a.b', operator: 'matchRegex', value: 1 }),
    ['`matchRegex` takes a string, an RE2 pattern, not a number.'],
  ],
  [
    'a pattern that is broken',
    c({ claim: 'a.b', operator: 'matchRegex', value: '(a' }),
    ['`matchRegex` takes an RE2 pattern, without look-around and back-references: missing closing ).'],
  ],
  [
    'a pattern that is long',
    c({ claim: 'a.b', operator: 'matchRegex', value: 'a'.repeat(513) }),
    ['A pattern has at most 512 code units, not 513.'],
  ],
  [
    'a pattern that is large',
    c({ claim: 'a.b', operator: 'matchRegex', value: 'a{300}' }),
    ['A pattern compiles to at most 256 instructions, not 302.'],
  ],
  [
    'a deep operand',
    c({ claim: 'a.b', operator: '==', value: JSON.parse('['.repeat(17) + ']'.repeat(17)) }),
    ['An operand nests at most 16 deep, not 17.'],
  ],
  [
    'a wide operand',
    c({ claim: 'a.b', operator: 'in', value: Array(1001).fill(1) }),
    ['An operand has at most 1000 entries in all, not 1001.'],
  ],
  [
    'a long string',
    c({ claim: 'a.b', operator: '==', value: 'x'.repeat(4097) }),
    ['A string in an operand has at most 4096 code units, not 4097.'],
  ],
  [
    'a policy that is no object',
    { policy: 'x' },
    ['A policy is an object that may have `allOf`, `anyOf` or `not`.'],
  ],
  ['a policy without a form', { policy: {} }, ['A policy has exactly one of `allOf`, `anyOf` or `not`.']],
  [
    'a policy with two forms',
    { policy: { allOf: [], anyOf: [] } },
    ['A policy has exactly one of `allOf`, `anyOf` or `not`.'],
  ],
  ['items that are no array', { policy: { anyOf: {} } }, ['`anyOf` is an array of one or more items.']],
  ['no items', { policy: { anyOf: [] } }, ['`anyOf` has one item or more.']],
  [
    'not with several items',
    { policy: { not: [1, 2] } },
    ['`not` takes one item, not 2; `anyOf` or `allOf` inside of it joins several.'],
  ],
  [
    'an item that is no object',
    { policy: { not: null } },
    [
      'An item is an object that may have `check`, `policy`, `claim`, `operator`, `value`, `allOf`, `anyOf` or `not`.',
    ],
  ],
  [
    'an item without a form',
    { policy: { not: {} } },
    ['An item is exactly one of `{"check": …}`, `{"policy": …}`, a bare check and a bare policy.'],
  ],
  [
    'an item with two forms',
    { policy: { not: { check: {}, allOf: [] } } },
    ['An item is exactly one of `{"check": …}`, `{"policy": …}`, a bare check and a bare policy.'],
  ],
  [
    'projections that are no array',
    { projections: {} },
    ['`projections` is an array of one or more projections.'],
  ],
  ['no projections', { projections: [] }, ['`projections` has one projection or more.']],
  [
    'a projection that is no object',
    { projections: [1] },
    ['A projection is an object that may have `claim`, `lens`, `fields` or `index`.'],
  ],
  [
    'a projection without its members',
    { projections: [{}] },
    ['A projection also needs `claim`.', 'A projection also needs `lens`.'],
  ],
  [
    'a lens that is near a right one',
    { projections: [{ claim: 'a.b', lens: 'pik' }] },
    ['`pik` is no lens; `pick` would be.'],
  ],
  [
    'a lens that is near none',
    { projections: [{ claim: 'a.b', lens: 'select' }] },
    ['`select` is no lens; `pluck`, `pick` or `at` would be.'],
  ],
  [
    'a lens that is no string',
    { projections: [{ claim: 'a.b', lens: 1 }] },
    ['`lens` is `pluck`, `pick` or `at`.'],
  ],
  [
    'a parameter of another lens',
    { projections: [{ claim: 'a.b', lens: 'pluck', fields: ['x'] }] },
    ['`pluck` takes no `fields`; leave it out.'],
  ],
  [
    'fields that are no array',
    { projections: [{ claim: 'a.b', lens: 'pick', fields: {} }] },
    ['`fields` is an array of one or more distinct strings.'],
  ],
  [
    'a field that is no string',
    { projections: [{ claim: 'a.b', lens: 'pick', fields: [1] }] },
    ['A field is a string: the name of a member.'],
  ],
  [
    'a field twice',
    { projections: [{ claim: 'a.b', lens: 'pick', fields: ['x', 'x'] }] },
    ['`fields` are distinct; `x` stands in it before.'],
  ],
  [
    'a long field',
    { projections: [{ claim: 'a.b', lens: 'pick', fields: ['x'.repeat(4097)] }] },
    ['A field has at most 4096 code units, not 4097.'],
  ],
  [
    'many fields',
    {
      projections: [{ claim: 'a.b', lens: 'pick', fields: Array.from({ length: 1001 }, (_, i) => `f${i}`) }],
    },
    ['`fields` has at most 1000 entries, not 1001.'],
  ],
  [
    'an index that is no integer',
    { projections: [{ claim: 'a.b', lens: 'at', index: 0.5 }] },
    ['`index` is a whole number; a negative one counts from the end.'],
  ],
  [
    'a claim twice',
    {
      projections: [
        { claim: 'a.b', lens: 'pluck' },
        { claim: 'a.b', lens: 'pluck' },
      ],
    },
    ['`data` is keyed by claim, so each stands once; this is the second projection of `a.b`.'],
  ],
];

describe('what is said of', () => {
  // L8
  it.each(SENTENCES)('%s', (_what, query, sentences) => {
    expect(refusalOf(query).problems.map(({ message }) => message)).toEqual(sentences);
  });
});

describe('of two names that are near, the nearer one', () => {
  it('is taken', () => {
    const { problems } = refusalOf({ policy: { alnyof: [{ claim: 'a.b', operator: 'isDefined' }] } });
    expect(problems.map(({ message }) => message)).toEqual([
      '`alnyof` is no member of a policy; `anyOf` would be one.',
    ]);
  });
});

describe('the error as a whole', () => {
  it('says the first problem, its place, and how many more there are', () => {
    expect(refusalOf([]).message).toBe(
      'A query is an object that may have `check`, `policy` or `projections`.',
    );
    expect(refusalOf({ policy: { anyOf: [] } }).message).toBe(
      '`anyOf` has one item or more. (at /policy/anyOf)',
    );
    expect(refusalOf(c({})).message).toBe(
      'A check also needs `claim`. (at /check) There are 1 more problems.',
    );
    expect(refusalOf(c({})).missing).toEqual([]);
  });

  // L20
  it('names every claim that is not covered', () => {
    const query = { policy: { allOf: ['a.b', 'a.c'].map((claim) => ({ claim, operator: 'isDefined' })) } };
    const compiled = compile(query, { catalogue: createScopeCatalogue([{ name: 's', covers: ['a'] }]) });
    try {
      compiled.assertCovered([]);
    } catch (error) {
      expect(error).toMatchObject({
        message: 'The granted scopes do not cover `a.b`, `a.c`.',
        problems: [],
        problemCount: 0,
        missing: [
          { claim: 'a.b', scopes: ['s'] },
          { claim: 'a.c', scopes: ['s'] },
        ],
      });
      return;
    }
    throw new Error('the query should have been refused');
  });

  // L7
  it.each([
    [{ depth: 0 }, 'the limit `depth` is a whole number of 1 or more: 0'],
    [{ depth: 257 }, 'the limits `depth` and `operandDepth` are at most 256'],
    [{ operandDepth: 257 }, 'the limits `depth` and `operandDepth` are at most 256'],
  ])('says what limits %j would be right', (limits, sentence) => {
    expect(() => compile({}, { limits })).toThrow(new RangeError(sentence));
  });

  it('takes limits up to the deepest', () => {
    const query = c({ claim: 'a.b', operator: 'isDefined' });
    expect(compile(query, { limits: { depth: 256, operandDepth: 256 } }).query).toEqual(query);
  });
});

describe('what is said of a query that is too large', () => {
  const CHECK = { claim: 'a.b', operator: 'isDefined' };
  const pattern = (index: number) => ({
    claim: 'a.b',
    operator: 'matchRegex',
    value: String(index).padStart(300, 'x'),
  });
  let deep: unknown = CHECK;
  for (let level = 0; level < 17; level += 1) deep = { not: deep };

  // L7, L8
  it.each([
    [{ policy: deep }, 'Policies nest at most 16 deep, not 17.'],
    [{ policy: { anyOf: Array(257).fill(CHECK) } }, 'A query has at most 256 checks.'],
    [
      { projections: Array.from({ length: 65 }, (_, index) => ({ claim: `a.b${index}`, lens: 'pluck' })) },
      'A query has at most 64 projections, not 65.',
    ],
    [
      { policy: { anyOf: Array.from({ length: 7 }, (_, index) => pattern(index)) } },
      'The patterns of a query have at most 2048 code units in all, not 2100.',
    ],
    [
      { check: { claim: 'a.b', operator: 'matchRegex', value: '\\pL'.repeat(40) } },
      'The patterns of a query compile in at most 3500 steps in all, not 10456.',
    ],
    [
      {
        check: {
          ...CHECK,
          ...Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`m${index}`, 1])),
        },
      },
      'A check has at most 32 members, not 33.',
    ],
  ])('%#: %s', (query, sentence) => {
    expect(refusalOf(query).problems.map(({ message }) => message)).toEqual([sentence]);
  });

  // S156
  it('by what it would match', () => {
    const claims = ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims: { 'a.b': 'xx' } }], 1);
    const costly = compile(
      { check: { claim: 'a.b', operator: 'matchRegex', value: 'x' } },
      { limits: { matchCost: 1 } },
    );
    const sentence =
      'Matching these patterns on these claims may take at most 1 steps; fewer or shorter patterns would do. (at /check)';
    expect(() => costly.test(claims)).toThrow(
      expect.objectContaining({ name: 'QueryError', message: sentence }),
    );
  });
});

describe('what is said of a mistake in the program', () => {
  const query = { check: { claim: 'a.b', operator: 'isDefined' } };
  const claims = ClaimSet.at([], 1);
  const projecting = compile({ projections: [{ claim: 'a.b', lens: 'pluck' }] });

  it.each([
    [
      () => compileWithout({ check: { claim: 'a.b', operator: 'matchRegex', value: 'x' } }),
      '`matchRegex` needs a regular-expression engine; hand one in as `regex`',
    ],
    [() => projecting.test(claims), 'projections neither pass nor fail; `evaluate` answers them'],
    [
      () =>
        compile(query, { catalogue: createScopeCatalogue([{ name: 's', covers: ['a'] }]) }).evaluate(claims, {
          now: 2,
          scopes: ['s'],
        }),
      'the claims are indexed for 1, not for 2; index them for that instant',
    ],
    [
      () => compile(query, { resultLifetimeSeconds: 0 }),
      'the result lifetime is a whole number of seconds, 1 or more: 0',
    ],
    [
      () => ClaimSet.at([], 0.5),
      'an instant is a whole number of milliseconds in the years 0000 to 9999: 0.5',
    ],
  ])('%#: %s', (mistake, sentence) => {
    expect(mistake).toThrow(sentence);
  });
});

describe('what is said of credentials', () => {
  const VALID = { id: 'c', source: 's', issuedAt: '2026-01-01', claims: {} };

  it.each([
    [{}, 'Credentials are an array of objects.'],
    [[1], 'A credential is an object. (at /0)'],
    [
      [{ ...VALID, x: 1 }],
      'A credential has `id`, `source`, `issuedAt`, `expiresAt`, `revokedAt` and `claims` only. (at /0/x)',
    ],
    [[{ ...VALID, id: undefined }], 'A credential needs `id`. (at /0)'],
    [[{ ...VALID, source: '' }], '`source` is a string that is not empty. (at /0/source)'],
    [[{ ...VALID, issuedAt: undefined }], 'A credential needs `issuedAt`. (at /0)'],
    [
      [{ ...VALID, issuedAt: 0 }],
      '`issuedAt` is an RFC 3339 date-time such as `2026-01-31T09:00:00Z`. (at /0/issuedAt)',
    ],
    [[{ ...VALID, claims: [] }], '`claims` is an object of claim paths and their values. (at /0/claims)'],
    [
      [{ ...VALID, claims: { age: 1 } }],
      'A claim path is two or more names joined by dots: `identity.age`. (at /0/claims/age)',
    ],
    [
      [{ ...VALID, claims: { 'a.b': [1, Number.NaN] } }],
      'A claim is a JSON value with finite numbers, nested at most 16 deep. (at /0/claims/a.b)',
    ],
    [
      [{ ...VALID, claims: { 'a.b': { x: 1, y: Number.NaN } } }],
      'A claim is a JSON value with finite numbers, nested at most 16 deep. (at /0/claims/a.b)',
    ],
    [[VALID, VALID], 'Each credential has an `id` of its own. (at /1/id)'],
    [
      [{ ...VALID, source: 1 }, 7],
      '`source` is a string that is not empty. (at /0/source) A credential is an object. (at /1)',
    ],
  ])('%j', (json, sentence) => {
    expect(() => parseCredentials(json)).toThrow(
      expect.objectContaining({ name: 'CredentialError', message: sentence }),
    );
  });
});

// S153
describe('the edges of what is repeated', () => {
  const unknown = (name: string) =>
    refusalOf({ check: { claim: 'a.b', operator: 'isDefined', [name]: 1 } }).problems[0];

  it('a name of 256 code units stands in the pointer, a longer one does not', () => {
    expect([unknown('x'.repeat(256))?.pointer, unknown('x'.repeat(257))?.pointer]).toEqual([
      `/check/${'x'.repeat(256)}`,
      '/check',
    ]);
  });

  it('64 code units are quoted, a longer text is cut', () => {
    expect(unknown('x'.repeat(64))?.message).toContain(`\`${'x'.repeat(64)}\` is no member`);
    expect(unknown('x'.repeat(65))?.message).toContain(`\`${'x'.repeat(64)}…\` is no member`);
  });

  it('names of 32 code units are compared with ours, longer ones are not', () => {
    const operator = (name: string) =>
      refusalOf(c({ claim: 'a.b', operator: name, value: 1 })).problems[0]?.message;
    expect(operator(`contains${' '.repeat(24)}`)).toContain('; `contains` would be.');
    expect(operator(`contains${' '.repeat(25)}`)).not.toContain('; `contains` would be.');
  });

  it.each([
    ['i', 'in'],
    ['im', 'in'],
    ['inn', 'in'],
    ['contain', 'contains'],
    ['contians', 'contains'],
    ['CONTAINS', 'contains'],
    ['conta', undefined],
    ['startswith', 'startsWith'],
    ['matchRegexp', 'matchRegex'],
    ['on', 'in'],
    ['> ', '>'],
    ['==>', undefined],
  ])('%s is near %s', (name, right) => {
    const message = refusalOf(c({ claim: 'a.b', operator: name, value: 1 })).problems[0]?.message ?? '';
    expect(/; `([^`]*)` would be\.$/.exec(message)?.[1]).toBe(right);
  });
});
