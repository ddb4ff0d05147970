/** The messages for invalid queries and credentials, and for misuse of the API: each names the fault and the requirement (L8). */
import { describe, expect, it } from 'vitest';
import { p } from '../../../src/builder/index.js';
import { fromJsonLogic } from '../../../src/convert/index.js';
import { compile as compileWithoutRegex } from '../../../src/engine/index.js';
import { ClaimSet, createScopeCatalogue, parseCredentials, safeParse } from '../../../src/index.js';
import { queryErrorOf } from '../../support/query-error.js';
import { compile } from '../../support/with-re2js.js';

const CHECK = { claim: 'a.b', operator: 'isDefined' };

const ofCheck = (check: unknown) => ({ check });

const MESSAGES: readonly [fault: string, query: unknown, messages: readonly string[]][] = [
  [
    'a query that is not an object',
    [],
    ['A query must be an object, not an array. It may have `check`, `policy` or `projections`.'],
  ],
  [
    'a query that is an instance of a class',
    new Date(0),
    ['A query must be an object, not an instance of Date. It may have `check`, `policy` or `projections`.'],
  ],
  [
    'a query that is undefined',
    undefined,
    ['A query must be an object, not undefined. It may have `check`, `policy` or `projections`.'],
  ],
  [
    'a query without a form',
    {},
    ['A query must have exactly one of `check`, `policy` or `projections`; it has none of them.'],
  ],
  [
    'a query with two forms',
    { check: CHECK, policy: { not: { check: CHECK } } },
    ['A query must have exactly one of `check`, `policy` or `projections`; it has `check` and `policy`.'],
  ],
  [
    'a check that is not an object',
    ofCheck(1),
    ['A check must be an object, not 1. It may have `claim`, `operator` or `value`.'],
  ],
  [
    'a check without its members',
    ofCheck({}),
    [
      'A check must have the member `claim`; it is missing.',
      'A check must have the member `operator`; it is missing.',
    ],
  ],
  [
    'an unknown member that resembles a valid one',
    ofCheck({ claim: 'a.b', operatr: 'isDefined' }),
    ['Unknown member `operatr` of a check. Did you mean `operator`?'],
  ],
  [
    'an unknown member that resembles none',
    ofCheck({ claim: 'a.b', operator: 'isDefined', because: 1 }),
    ['Unknown member `because` of a check. Allowed members: `claim`, `operator` or `value`.'],
  ],
  [
    'a claim that is not a string',
    ofCheck({ claim: 1, operator: 'isDefined' }),
    [
      '`claim` must be a string (two or more names joined by dots, each a letter followed by letters, digits or `_`), not 1.',
    ],
  ],
  [
    'a claim path with an empty segment',
    ofCheck({ claim: 'a..b', operator: 'isDefined' }),
    ['`a..b` is not a valid claim path. Did you mean `a.b`?'],
  ],
  [
    'a claim path with blanks',
    ofCheck({ claim: ' a . b ', operator: 'isDefined' }),
    ['` a . b ` is not a valid claim path. Did you mean `a.b`?'],
  ],
  [
    'a claim path of one segment',
    ofCheck({ claim: 'a', operator: 'isDefined' }),
    [
      '`a` is not a valid claim path. It must be two or more names joined by dots, each a letter followed by letters, digits or `_`.',
    ],
  ],
  [
    'a long claim path',
    ofCheck({ claim: `a.${'b'.repeat(300)}`, operator: 'isDefined' }),
    ['A claim path must have at most 256 code units, not 302.'],
  ],
  [
    'a claim path of many segments',
    ofCheck({ claim: 'a.b.c.d.e.f.g.h.i', operator: 'isDefined' }),
    ['A claim path must have at most 8 segments, not 9.'],
  ],
  [
    'an operator that resembles a valid one',
    ofCheck({ claim: 'a.b', operator: 'startWith', value: 'x' }),
    ['Unknown operator `startWith`. Did you mean `startsWith`?'],
  ],
  [
    'an operator of another language',
    ofCheck({ claim: 'a.b', operator: 'gte', value: 1 }),
    ['Unknown operator `gte`. Did you mean `>=`?'],
  ],
  [
    'an operator that resembles none',
    ofCheck({ claim: 'a.b', operator: '~', value: 1 }),
    [
      'Unknown operator `~`. It must be one of `==`, `!=`, `>`, `>=`, `<`, `<=`, `in`, `notIn`, `contains`, `startsWith`, `matchRegex` or `isDefined`.',
    ],
  ],
  [
    'an operator that is not a string',
    ofCheck({ claim: 'a.b', operator: null, value: 1 }),
    [
      '`operator` must be one of `==`, `!=`, `>`, `>=`, `<`, `<=`, `in`, `notIn`, `contains`, `startsWith`, `matchRegex` or `isDefined`, not null.',
    ],
  ],
  [
    '`isDefined` with an operand',
    ofCheck({ claim: 'a.b', operator: 'isDefined', value: 1 }),
    ['`isDefined` must not have a `value`; remove it.'],
  ],
  [
    'an operand that is not a string',
    ofCheck({ claim: 'a.b', operator: 'startsWith', value: null }),
    ['The `value` of `startsWith` must be a string, not null.'],
  ],
  [
    'an operand that is not an array',
    ofCheck({ claim: 'a.b', operator: 'in', value: {} }),
    ['The `value` of `in` must be an array, not an object.'],
  ],
  [
    'an operand that is not a number',
    ofCheck({ claim: 'a.b', operator: '<', value: [1] }),
    [
      'The `value` of `<` must be a number, or an RFC 3339 date or date-time such as `2026-01-31`, not an array.',
    ],
  ],
  [
    'an operand that is not a date',
    ofCheck({ claim: 'a.b', operator: '<', value: '2026-02-30' }),
    [
      'The `value` of `<` must be a number, or an RFC 3339 date or date-time such as `2026-01-31`, not the string `2026-02-30`.',
    ],
  ],
  [
    'an operand that is not finite',
    ofCheck({ claim: 'a.b', operator: '==', value: Number.POSITIVE_INFINITY }),
    ['An operand must be a finite number, not Infinity.'],
  ],
  [
    'an operand that is not JSON',
    ofCheck({ claim: 'a.b', operator: '==', value: 1n }),
    ['An operand must be a JSON value, not a bigint.'],
  ],
  [
    'an operand that is an instance of a class',
    ofCheck({ claim: 'a.b', operator: '==', value: new Date(0) }),
    ['An operand must be a JSON value, not an instance of Date.'],
  ],
  [
    'an operand that is a promise',
    ofCheck({ claim: 'a.b', operator: '==', value: Promise.resolve(1) }),
    ['An operand must be a JSON value, not an instance of Promise.'],
  ],
  [
    'an operand that is a regular expression',
    ofCheck({ claim: 'a.b', operator: 'matchRegex', value: /a/ }),
    ['The `value` of `matchRegex` must be an RE2 pattern, not an instance of RegExp.'],
  ],
  [
    'a pattern that is not a string',
    ofCheck({ claim: 'a.b', operator: 'matchRegex', value: 1 }),
    ['The `value` of `matchRegex` must be an RE2 pattern, not 1.'],
  ],
  [
    'an invalid pattern',
    ofCheck({ claim: 'a.b', operator: 'matchRegex', value: '(a' }),
    [
      'The `value` of `matchRegex` is not a valid RE2 pattern: missing closing ). RE2 has no look-around or back-references.',
    ],
  ],
  [
    'a pattern that is long',
    ofCheck({ claim: 'a.b', operator: 'matchRegex', value: 'a'.repeat(513) }),
    ['A pattern must have at most 512 code units, not 513.'],
  ],
  [
    'a pattern that is large',
    ofCheck({ claim: 'a.b', operator: 'matchRegex', value: 'a{300}' }),
    ['A pattern, with its repetitions expanded, must have at most 256 parts, not 302.'],
  ],
  [
    'a deep operand',
    ofCheck({ claim: 'a.b', operator: '==', value: JSON.parse('['.repeat(17) + ']'.repeat(17)) }),
    ['An operand must nest at most 16 deep, not 17.'],
  ],
  [
    'a wide operand',
    ofCheck({ claim: 'a.b', operator: 'in', value: Array(1001).fill(1) }),
    ['An operand must have at most 1000 entries in total, not 1001.'],
  ],
  [
    'a long string',
    ofCheck({ claim: 'a.b', operator: '==', value: 'x'.repeat(4097) }),
    ['A string in an operand must have at most 4096 code units, not 4097.'],
  ],
  [
    'a policy that is not an object',
    { policy: 'x' },
    ['A policy must be an object, not a string. It may have `allOf`, `anyOf` or `not`.'],
  ],
  [
    'a policy without a form',
    { policy: {} },
    ['A policy must have exactly one of `allOf`, `anyOf` or `not`; it has none of them.'],
  ],
  [
    'a policy with two forms',
    { policy: { allOf: [CHECK], anyOf: [CHECK] } },
    ['A policy must have exactly one of `allOf`, `anyOf` or `not`; it has `allOf` and `anyOf`.'],
  ],
  [
    'items that are not an array',
    { policy: { anyOf: {} } },
    ['`anyOf` must be an array of one or more items, not an object.'],
  ],
  [
    'an empty list of items',
    { policy: { anyOf: [] } },
    ['`anyOf` must have at least one item; it is empty.'],
  ],
  [
    '`not` with several items',
    { policy: { not: [CHECK, CHECK] } },
    ['`not` must have exactly one item, not 2; combine several with `anyOf` or `allOf`.'],
  ],
  [
    'an item that is not an object',
    { policy: { not: null } },
    [
      'An item must be an object, not null. It may have `check`, `policy`, `claim`, `operator`, `value`, `allOf`, `anyOf` or `not`.',
    ],
  ],
  [
    'an item without a form',
    { policy: { not: {} } },
    [
      'An item must be exactly one of `{"check": …}`, `{"policy": …}`, a bare check or a bare policy; it has none of their members.',
    ],
  ],
  [
    'an item with two forms',
    { policy: { not: { check: CHECK, allOf: [CHECK] } } },
    [
      'An item must be exactly one of `{"check": …}`, `{"policy": …}`, a bare check or a bare policy; it combines several of them.',
    ],
  ],
  [
    'projections that are not an array',
    { projections: {} },
    ['`projections` must be an array of one or more projections, not an object.'],
  ],
  [
    'an empty list of projections',
    { projections: [] },
    ['`projections` must have at least one projection; it is empty.'],
  ],
  [
    'a projection that is not an object',
    { projections: [1] },
    ['A projection must be an object, not 1. It may have `claim`, `lens`, `fields` or `index`.'],
  ],
  [
    'a projection without its members',
    { projections: [{}] },
    [
      'A projection must have the member `claim`; it is missing.',
      'A projection must have the member `lens`; it is missing.',
    ],
  ],
  [
    'a lens that resembles a valid one',
    { projections: [{ claim: 'a.b', lens: 'pik' }] },
    ['Unknown lens `pik`. Did you mean `pick`?'],
  ],
  [
    'a lens that resembles none',
    { projections: [{ claim: 'a.b', lens: 'select' }] },
    ['Unknown lens `select`. It must be one of `pluck`, `pick` or `at`.'],
  ],
  [
    'a lens that is not a string',
    { projections: [{ claim: 'a.b', lens: 1 }] },
    ['`lens` must be one of `pluck`, `pick` or `at`, not 1.'],
  ],
  [
    'a parameter of another lens',
    { projections: [{ claim: 'a.b', lens: 'pluck', fields: ['x'] }] },
    ['The lens `pluck` must not have `fields`; remove it.'],
  ],
  [
    'fields that are not an array',
    { projections: [{ claim: 'a.b', lens: 'pick', fields: {} }] },
    ['`fields` must be an array of one or more distinct strings.'],
  ],
  [
    'a field that is not a string',
    { projections: [{ claim: 'a.b', lens: 'pick', fields: [1] }] },
    ['An entry of `fields` must be a string.'],
  ],
  [
    'a field twice',
    { projections: [{ claim: 'a.b', lens: 'pick', fields: ['x', 'x'] }] },
    ['Duplicate entry `x` of `fields`.'],
  ],
  [
    'a long field',
    { projections: [{ claim: 'a.b', lens: 'pick', fields: ['x'.repeat(4097)] }] },
    ['An entry of `fields` must have at most 4096 code units, not 4097.'],
  ],
  [
    'many fields',
    {
      projections: [{ claim: 'a.b', lens: 'pick', fields: Array.from({ length: 1001 }, (_, i) => `f${i}`) }],
    },
    ['`fields` must have at most 1000 entries, not 1001.'],
  ],
  [
    'an index that is not an integer',
    { projections: [{ claim: 'a.b', lens: 'at', index: 0.5 }] },
    ['`index` must be a whole number; a negative one counts from the end.'],
  ],
  [
    'a claim twice',
    {
      projections: [
        { claim: 'a.b', lens: 'pluck' },
        { claim: 'a.b', lens: 'pluck' },
      ],
    },
    ['Duplicate projection of `a.b`.'],
  ],
];

describe('the message for', () => {
  // L8, S462
  it.each(MESSAGES)('%s names the requirement', (_fault, query, expected) => {
    expect(queryErrorOf(query).problems.map(({ message }) => message)).toEqual(expected);
  });
});

describe('the suggestion for a misspelled name', () => {
  it('is the most similar name', () => {
    const { problems } = queryErrorOf({ policy: { alnyof: [{ claim: 'a.b', operator: 'isDefined' }] } });
    expect(problems.map(({ message }) => message)).toEqual([
      'Unknown member `alnyof` of a policy. Did you mean `anyOf`?',
    ]);
  });
});

describe('the error of a query', () => {
  it('has the first problem, its pointer, and the number of further ones', () => {
    expect(queryErrorOf([]).message).toBe(
      'A query must be an object, not an array. It may have `check`, `policy` or `projections`.',
    );
    expect(queryErrorOf({ policy: { anyOf: [] } }).message).toBe(
      '`anyOf` must have at least one item; it is empty. (at /policy/anyOf)',
    );
    expect(queryErrorOf(ofCheck({})).message).toBe(
      'A check must have the member `claim`; it is missing. (at /check) (and 1 more)',
    );
    expect(queryErrorOf(ofCheck({})).missing).toEqual([]);
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
    throw new Error('the query must be rejected');
  });

  // L1, S485
  it.each([
    ['a bare check', { claim: 'a.b', operator: 'isDefined' }, 'Wrap the check: `{"check": …}`. (at /claim)'],
    ['a bare policy', { allOf: [] }, 'Wrap the policy: `{"policy": …}`. (at /allOf)'],
    ['a request', { query: ofCheck({}) }, 'Pass the value of `query`'],
    [
      'a condition of the builder',
      p.claim('identity.age').gte(18),
      'or `.query` of a condition of the builder.',
    ],
    [
      'a conversion',
      fromJsonLogic(
        { '!!': { var: 'age' } },
        { claims: { age: { claim: 'identity.age', type: 'integer' } } },
      ),
      'Pass the member `value` of a conversion, or of `safeParse`. (at /ok)',
    ],
    ['the result of a safe call', safeParse(ofCheck(CHECK)), 'Pass the member `value` of a conversion'],
  ])('says how to make %s a query', (_, value, hint) => {
    expect(queryErrorOf(value).message).toContain(hint);
  });

  // L20
  it('suggests a similar claim in place of a claim that no scope covers', () => {
    const query = ofCheck({ claim: 'kyc.is_hihg_risk', operator: 'isDefined' });
    expect(() => compile(query).assertCovered(['kyc:read'])).toThrow(
      'The granted scopes do not cover `kyc.is_hihg_risk`. No scope of the catalogue covers `kyc.is_hihg_risk`. Did you mean `kyc.is_high_risk`?',
    );
  });
});

describe('the compilation of a query', () => {
  // L7
  it.each([
    [{ depth: 0 }, 'limit `depth` must be a whole number of 1 or more (got 0)'],
    [{ depth: 257 }, '`depth` and `operandDepth` must be at most 256'],
    [{ operandDepth: 257 }, '`depth` and `operandDepth` must be at most 256'],
  ])('rejects the limits %j', (limits, expected) => {
    expect(() => compile({}, { limits })).toThrow(new RangeError(expected));
  });

  it('accepts depth limits up to the maximum', () => {
    const query = ofCheck({ claim: 'a.b', operator: 'isDefined' });
    expect(compile(query, { limits: { depth: 256, operandDepth: 256 } }).query).toEqual(query);
  });
});

describe('the message for a query that is too large', () => {
  const pattern = (index: number) => ({
    claim: 'a.b',
    operator: 'matchRegex',
    value: String(index).padStart(250, 'x'),
  });
  let deep: unknown = CHECK;
  for (let level = 0; level < 17; level += 1) deep = { not: deep };

  // L7, L8
  it.each([
    ['policies that nest too deep', { policy: deep }, 'Policies must nest at most 16 deep, not 17.'],
    [
      'too many checks',
      { policy: { anyOf: Array(257).fill(CHECK) } },
      'A query must have at most 256 checks.',
    ],
    [
      'too many projections',
      { projections: Array.from({ length: 65 }, (_, index) => ({ claim: `a.b${index}`, lens: 'pluck' })) },
      'A query must have at most 64 projections, not 65.',
    ],
    [
      'too many patterns',
      { policy: { anyOf: Array.from({ length: 7 }, (_, index) => pattern(index)) } },
      'The patterns of a query must compile in at most 3500 steps in total, not 3626.',
    ],
    [
      'a pattern with many character classes',
      { check: { claim: 'a.b', operator: 'matchRegex', value: '\\pL'.repeat(40) } },
      'The patterns of a query must compile in at most 3500 steps in total, not 10418.',
    ],
    [
      'too many members',
      {
        check: {
          ...CHECK,
          ...Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`m${index}`, 1])),
        },
      },
      'A check must have at most 32 members, not 33.',
    ],
  ])('names the limit for %s', (_title, query, expected) => {
    expect(queryErrorOf(query).problems.map(({ message }) => message)).toEqual([expected]);
  });

  // S156
  it('names the cost of matching', () => {
    const claims = ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims: { 'a.b': 'xx' } }], 1);
    const costly = compile(
      { check: { claim: 'a.b', operator: 'matchRegex', value: 'x' } },
      { limits: { matchCost: 1 } },
    );
    const expected =
      'Matching these patterns on these claims must take at most 1 steps; use fewer or shorter patterns. (at /check)';
    expect(() => costly.test(claims)).toThrow(
      expect.objectContaining({ name: 'QueryError', message: expected }),
    );
  });
});

describe('the message for misuse of the API', () => {
  const query = { check: { claim: 'a.b', operator: 'isDefined' } };
  const claims = ClaimSet.at([], 1);
  const projecting = compile({ projections: [{ claim: 'a.b', lens: 'pluck' }] });

  it.each([
    [
      'a pattern without an engine',
      () => compileWithoutRegex({ check: { claim: 'a.b', operator: 'matchRegex', value: 'x' } }),
      "`matchRegex` requires a regular-expression engine: import { re2js } from 'proviso', and pass it as the option `regex`",
    ],
    [
      'a test of projections',
      () => projecting.test(claims as never),
      '`test` and `check` require a check or a policy; use `evaluate` for projections',
    ],
    [
      'an instant that is not that of the claim set',
      () =>
        compile(query, { catalogue: createScopeCatalogue([{ name: 's', covers: ['a'] }]) }).evaluate(claims, {
          now: 2,
          scopes: ['s'],
        }),
      '`now` must be the instant of the claim set, 1 (got 2)',
    ],
    [
      'a result lifetime of 0',
      () => compile(query, { resultLifetimeSeconds: 0 }),
      '`resultLifetimeSeconds` must be a whole number of 1 or more (got 0)',
    ],
    [
      'an instant with a fraction of a millisecond',
      () => ClaimSet.at([], 0.5),
      '`now` must be a whole number of milliseconds in the years 0000 to 9999 (got 0.5)',
    ],
  ])('names what is required for %s', (_title, misuse, expected) => {
    expect(misuse).toThrow(expected);
  });
});

describe('the message for invalid credentials', () => {
  const VALID = { id: 'c', source: 's', issuedAt: '2026-01-01', claims: {} };

  it.each([
    [{}, 'Credentials must be an array of objects with `id`, `source`, `issuedAt` and `claims`.'],
    [[1], 'A credential must be an object. (at /0)'],
    [
      [{ ...VALID, x: 1 }],
      'Unknown member of a credential. Allowed members: `id`, `source`, `issuedAt`, `expiresAt`, `revokedAt` and `claims`. (at /0/x)',
    ],
    [[{ ...VALID, id: undefined }], 'A credential must have the member `id`; it is missing. (at /0)'],
    [[{ ...VALID, source: '' }], '`source` must be a string that is not empty. (at /0/source)'],
    [
      [{ ...VALID, issuedAt: undefined }],
      'A credential must have the member `issuedAt`; it is missing. (at /0)',
    ],
    [
      [{ ...VALID, issuedAt: 0 }],
      '`issuedAt` must be an RFC 3339 date or date-time such as `2026-01-31T09:00:00Z`, in the years 0000 to 9999 UTC. (at /0/issuedAt)',
    ],
    [
      [{ ...VALID, claims: [] }],
      '`claims` must be an object of claim paths and their values. (at /0/claims)',
    ],
    [
      [{ ...VALID, claims: { age: 1 } }],
      'A claim path must be two or more names joined by dots, such as `identity.age`. (at /0/claims/age)',
    ],
    [
      [{ ...VALID, claims: { 'a.b': [1, Number.NaN] } }],
      'A claim must be a JSON value with finite numbers, nested at most 16 deep. (at /0/claims/a.b)',
    ],
    [
      [{ ...VALID, claims: { 'a.b': { x: 1, y: Number.NaN } } }],
      'A claim must be a JSON value with finite numbers, nested at most 16 deep. (at /0/claims/a.b)',
    ],
    [[VALID, VALID], 'Duplicate `id`; the `id` of each credential must be unique. (at /1/id)'],
    [
      [{ ...VALID, source: 1 }, 7],
      '`source` must be a string that is not empty. (at /0/source) A credential must be an object. (at /1)',
    ],
  ])('%j names the requirement', (json, expected) => {
    expect(() => parseCredentials(json)).toThrow(
      expect.objectContaining({ name: 'CredentialError', message: expected }),
    );
  });
});

// S153
describe('messages', () => {
  const unknown = (name: string) =>
    queryErrorOf({ check: { claim: 'a.b', operator: 'isDefined', [name]: 1 } }).problems[0];

  it('include a name of 256 code units in the pointer, but not a longer one', () => {
    expect([unknown('x'.repeat(256))?.pointer, unknown('x'.repeat(257))?.pointer]).toEqual([
      `/check/${'x'.repeat(256)}`,
      '/check',
    ]);
  });

  it('quote up to 64 code units of a string, and truncate longer ones', () => {
    expect(unknown('x'.repeat(64))?.message).toContain(`Unknown member \`${'x'.repeat(64)}\` of`);
    expect(unknown('x'.repeat(65))?.message).toContain(`Unknown member \`${'x'.repeat(64)}…\` of`);
  });

  it('make suggestions for names of up to 32 code units', () => {
    const operator = (name: string) =>
      queryErrorOf(ofCheck({ claim: 'a.b', operator: name, value: 1 })).problems[0]?.message;
    expect(operator(`contains${' '.repeat(24)}`)).toContain('Did you mean `contains`?');
    expect(operator(`contains${' '.repeat(25)}`)).not.toContain('Did you mean `contains`?');
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
  ])('suggest for %s the operator %s', (name, suggestion) => {
    const message =
      queryErrorOf(ofCheck({ claim: 'a.b', operator: name, value: 1 })).problems[0]?.message ?? '';
    expect(/Did you mean `([^`]*)`\?$/.exec(message)?.[1]).toBe(suggestion);
  });
});
