/** Aspects of compilation that the conformance vectors do not cover: options, misuse, and the members of a compiled query. */
import { describe, expect, it } from 'vitest';
import { compile as compileWithoutRegex, parse as parseWithoutRegex } from '../../../src/engine/index.js';
import {
  ClaimSet,
  type Credential,
  createScopeCatalogue,
  QueryError,
  type RegexEngine,
  re2js,
} from '../../../src/index.js';
import { queryErrorOf } from '../../support/query-error.js';
import { compile, evaluate, parse } from '../../support/with-re2js.js';

const CREDENTIAL: Credential = {
  id: 'c1',
  source: 'registry',
  issuedAt: 0,
  claims: { 'identity.email': 'ada@example.org' },
};
const EMAIL = { check: { claim: 'identity.email', operator: 'matchRegex', value: '@example\\.org$' } };

describe('a compiled query', () => {
  it('is frozen, and has the canonical query and the distinct claims in order of first use', () => {
    const item = (claim: string) => ({ claim, operator: 'isDefined' });
    const compiled = compile({ policy: { allOf: [item('a.y'), { not: [item('a.x')] }, item('a.y')] } });
    expect(Object.isFrozen(compiled) && Object.isFrozen(compiled.query)).toBe(true);
    expect(compiled.claims).toEqual(['a.y', 'a.x']);
    expect(compile(compiled.query).query).toEqual(compiled.query);
  });

  // L20
  it('checks scopes again if they differ from the previous ones, for few claims and for many', () => {
    const catalogue = createScopeCatalogue(
      ['identity', 'kyc', 'financial'].map((category) => ({ name: `${category}:read`, covers: [category] })),
    );
    const financial = { claim: 'financial.cex_balance', operator: '>', value: 1 };
    const many = Array.from({ length: 40 }, (_, index) => ({
      claim: `kyc.n${index}`,
      operator: '>',
      value: 1,
    }));
    for (const items of [
      [financial, ...many.slice(0, 1)],
      [financial, ...many],
    ]) {
      const compiled = compile({ policy: { allOf: items } }, { catalogue });
      const grant = ['financial:read', 'kyc:read'];
      compiled.assertCovered(grant);
      compiled.assertCovered(['kyc:read', 'financial:read']);
      expect(() => compiled.assertCovered(['identity:read', 'kyc:read'])).toThrow(QueryError);
      expect(() => compiled.assertCovered(['kyc:read'])).toThrow(QueryError);
      grant[0] = 'identity:read';
      expect(() => compiled.assertCovered(grant)).toThrow(QueryError);
      compiled.assertCovered(new Set(['financial:read', 'kyc:read']));
    }
  });

  it('does not change when the source object is modified', () => {
    const list = ['PT'];
    const compiled = compile({ check: { claim: 'a.x', operator: 'in', value: list } });
    list.push('DE');
    const claims = ClaimSet.at([{ ...CREDENTIAL, claims: { 'a.x': 'DE' } }], 1);
    expect(compiled.test(claims)).toBe(false);
  });

  it('rejects a claim set for another instant', () => {
    const claims = ClaimSet.at([CREDENTIAL], 1);
    const options = { now: 2, scopes: ['identity:read'] };
    expect(() => compile(EMAIL).evaluate(claims, options)).toThrow(RangeError);
  });

  // L20
  it('checks scopes before it reads any claim', () => {
    const claims = ClaimSet.at([CREDENTIAL], 1);
    expect(() => compile(EMAIL).evaluate(claims, { now: 2, scopes: [] })).toThrow(QueryError);
    expect(() => evaluate(EMAIL, [CREDENTIAL], { now: 1, scopes: ['kyc:read'] })).toThrow(QueryError);
  });

  it('throws from `test` for projections', () => {
    const compiled = compile({ projections: [{ claim: 'a.x', lens: 'pluck' }] });
    expect(() => compiled.test(ClaimSet.at([], 1) as never)).toThrow(TypeError);
  });
});

describe('the options of compile', () => {
  it('must include an engine for `matchRegex`; its absence is a TypeError, not a query error', () => {
    expect(() => compileWithoutRegex(EMAIL)).toThrow(TypeError);
  });

  it.each([{ depth: 0 }, { depth: 1.5 }, { depth: 257 }, { checks: Number.NaN }])(
    'reject the limit %j as out of range',
    (limits) => {
      expect(() => parse(EMAIL, { limits })).toThrow(RangeError);
    },
  );

  // L22
  it.each([0, -1, 0.5])('reject a result lifetime of %d seconds', (resultLifetimeSeconds) => {
    expect(() => compile(EMAIL, { resultLifetimeSeconds })).toThrow(RangeError);
  });
});

describe('the instant of a claim set', () => {
  it.each([0.5, Number.NaN, -62_167_219_200_001, 253_402_300_800_000])(
    '%d is rejected, since RFC 3339 cannot represent it',
    (now) => {
      expect(() => ClaimSet.at([], now)).toThrow(RangeError);
    },
  );

  // L22
  it.each([-62_167_219_200_000, 253_402_300_799_999])(
    '%d is accepted, and the expiry of a result is limited to the year 9999',
    (now) => {
      const claims = ClaimSet.at([{ ...CREDENTIAL, issuedAt: now, expiresAt: 8e15 }], now);
      const result = compile(EMAIL).evaluate(claims, { now, scopes: ['identity:read'] });
      expect(result.expiresAt).toBe('9999-12-31T23:59:59.999Z');
    },
  );
});

describe('an exceeded limit', () => {
  // L7
  it('is reported with its value', () => {
    const { code, problems } = queryErrorOf(
      { policy: { not: { policy: { not: EMAIL } } } },
      { limits: { depth: 1 } },
    );
    expect([code, problems.map(({ code, pointer, limit }) => [code, pointer, limit])]).toEqual([
      'query_too_large',
      [['limit_depth', '/policy/not/policy', 1]],
    ]);
  });
});

describe('the limits on patterns', () => {
  const patterns = (count: number, length: number) => ({
    policy: {
      anyOf: Array.from({ length: count }, (_, index) => ({
        claim: 'identity.email',
        operator: 'matchRegex',
        value: String(index).padStart(length, 'x'),
      })),
    },
  });

  // S176
  it('reject more than 3,500 steps of work per query, reported once', () => {
    expect(compile(patterns(6, 250)).claims).toEqual(['identity.email']);
    expect(queryErrorOf(patterns(12, 250)).problems).toMatchObject([
      { code: 'limit_pattern_work', pointer: '/policy/anyOf/6/value' },
    ]);
  });

  it('count a repeated pattern once, and without an engine none', () => {
    const same = { claim: 'identity.email', operator: 'matchRegex', value: 'x'.repeat(250) };
    const query = { policy: { anyOf: Array.from({ length: 8 }, () => same) } };
    expect(parse(query)).toEqual(parseWithoutRegex(query));
    expect(() => parseWithoutRegex(patterns(12, 250))).not.toThrow();
  });

  // S151, S155
  it('accept a pattern of 512 code units, and reject one of 513 and excessive repetition counts', () => {
    const match = (value: string) => ({ check: { claim: 'identity.email', operator: 'matchRegex', value } });
    expect(compile(match(`[${'x'.repeat(510)}]`)).claims).toEqual(['identity.email']);
    expect(queryErrorOf(match(`[${'x'.repeat(511)}]`)).problems).toMatchObject([
      { code: 'limit_pattern', limit: 512 },
    ]);
    for (const pattern of ['(?:(?:(?:a{0,100}){0,10}){0,1})', 'a{1000}', '(\\pL{50}){20}']) {
      expect(queryErrorOf(match(pattern)).problems, pattern).toMatchObject([
        { code: 'limit_pattern_program', limit: 256 },
      ]);
    }
  });

  /** Records the patterns that it compiles. Accepts all except `(`, with a size of one per code unit. */
  function createRecordingEngine(compiled: string[], workPerCodeUnit?: number): RegexEngine {
    return {
      compile: (pattern) => {
        compiled.push(pattern);
        if (pattern.startsWith('(')) return { accepted: false, reason: 'missing closing )' };
        return { accepted: true, pattern: { programSize: pattern.length, test: () => true } };
      },
      ...(workPerCodeUnit !== undefined && {
        measure: ({ length }) => ({ accepted: true, size: length, work: length * workPerCodeUnit }),
      }),
    };
  }

  const queryOfPatterns = (values: readonly string[]) => ({
    policy: { anyOf: values.map((value) => ({ claim: 'a.b', operator: 'matchRegex', value })) },
  });

  const problemsOf = (query: unknown, regex: RegexEngine) => {
    try {
      parse(query, { regex });
      return [];
    } catch (error) {
      return error instanceof QueryError ? error.problems.map(({ code, pointer }) => [code, pointer]) : [];
    }
  };

  // S176
  it('let each pattern be compiled once, and none beyond the limit, also with an engine that does not measure', () => {
    const compiled: string[] = [];
    const items = [...'aabcdefghijklmnopqr'].map((letter) => letter.repeat(250));
    expect(problemsOf(queryOfPatterns(items), createRecordingEngine(compiled))).toEqual([
      ['limit_pattern_work', '/policy/anyOf/15/value'],
    ]);
    expect(compiled.map((pattern) => pattern.charAt(0)).join('')).toBe('abcdefghijklmn');
  });

  // S155, S176
  it('let no pattern be compiled whose size is too large, and report each', () => {
    const compiled: string[] = [];
    const query = queryOfPatterns(['a', 'b'.repeat(257), 'c'.repeat(257), 'b'.repeat(257), 'd']);
    expect(problemsOf(query, createRecordingEngine(compiled, 1))).toEqual(
      [1, 2, 3].map((index) => ['limit_pattern_program', `/policy/anyOf/${index}/value`]),
    );
    expect(compiled).toEqual(['a', 'd']);
  });

  // S176
  it('let a malformed pattern be compiled once and reported wherever it occurs', () => {
    const compiled: string[] = [];
    expect(problemsOf(queryOfPatterns(['(', '(', '(']), createRecordingEngine(compiled))).toEqual(
      [0, 1, 2].map((index) => ['pattern_invalid', `/policy/anyOf/${index}/value`]),
    );
    expect(compiled).toEqual(['(']);
  });

  // S176
  it('reject a query for the work of its patterns before the costly one is compiled', () => {
    const compiled: string[] = [];
    const regex = createRecordingEngine(compiled, 100);
    expect(compile(queryOfPatterns(['a'.repeat(35)]), { regex }).claims).toEqual(['a.b']);
    compiled.length = 0;
    expect(problemsOf(queryOfPatterns(['a', 'a', 'b'.repeat(34), 'c', 'd']), regex)).toEqual([
      ['limit_pattern_work', '/policy/anyOf/3/value'],
    ]);
    expect(compiled).toEqual(['a', 'b'.repeat(34)]);
  });

  // L21
  it('apply also if `test` matches no pattern, since cheaper checks decide the result', () => {
    let matches = 0;
    const regex: RegexEngine = {
      compile: () => ({
        accepted: true,
        pattern: {
          programSize: 1,
          test: () => {
            matches += 1;
            return true;
          },
        },
      }),
    };
    const isAda = { claim: 'identity.email', operator: 'startsWith', value: 'ada' };
    const claims = ClaimSet.at([CREDENTIAL], 1);
    const queries = [{ anyOf: [EMAIL, isAda] }, { allOf: [EMAIL, { policy: { not: isAda } }] }];
    const [anyOf, allOf] = queries.map((policy) => compile({ policy }, { regex }));
    const limited = queries.map((policy) => compile({ policy }, { regex, limits: { matchCost: 1 } }));
    // Compiling calls `test` to check what it returns.
    matches = 0;
    expect([anyOf?.test(claims), allOf?.test(claims)]).toEqual([true, false]);
    expect(matches).toBe(0);
    anyOf?.evaluate(claims, { now: 1, scopes: ['identity:read'] });
    expect(matches).toBe(1);
    for (const query of limited)
      expect(() => query.test(claims)).toThrow(expect.objectContaining({ code: 'query_too_large' }));
  });

  it('do not require an engine for a query without patterns', () => {
    const query = { check: { claim: 'a.b', operator: 'isDefined' } };
    expect(compileWithoutRegex(query).query).toEqual(query);
  });

  // S156
  it('make a match beyond the cost limit an error, also in `test`', () => {
    const claims = ClaimSet.at([{ ...CREDENTIAL, claims: { 'identity.email': 'a'.repeat(100_000) } }], 1);
    const compiled = compile({
      check: { claim: 'identity.email', operator: 'matchRegex', value: 'a{100}b' },
    });
    const problem = expect.objectContaining({ code: 'limit_match_cost', pointer: '/check' });
    const error = expect.objectContaining({ code: 'query_too_large', problems: [problem] });
    expect(() => compiled.test(claims)).toThrow(error);
    expect(() => compiled.evaluate(claims, { now: 1, scopes: ['identity:read'] })).toThrow(error);
  });
});

describe('the limits on patterns apply exactly', () => {
  const match = { check: { claim: 'identity.email', operator: 'matchRegex', value: 'x+y' } };
  const outcome = re2js.compile('x+y');
  const size = outcome.accepted ? outcome.pattern.programSize : 0;
  const claims = ClaimSet.at([{ ...CREDENTIAL, claims: { 'identity.email': 'xxy' } }], 1);

  // S155
  it('to the size of a program', () => {
    expect(compile(match, { limits: { patternProgram: size } }).test(claims)).toBe(true);
    expect(queryErrorOf(match, { limits: { patternProgram: size - 1 } }).problems).toMatchObject([
      { limit: size - 1 },
    ]);
  });

  // S156
  it('to the total cost of matching all patterns', () => {
    const twice = { policy: { allOf: [match, match] } };
    expect(compile(twice, { limits: { matchCost: 6 * size } }).test(claims)).toBe(true);
    expect(() => compile(twice, { limits: { matchCost: 6 * size - 1 } }).test(claims)).toThrow(QueryError);
    expect(compile(twice, { limits: { matchCost: 1 } }).test(ClaimSet.at([], 1))).toBe(false);
  });
});

describe('the problems of a query', () => {
  // S153
  it('are listed up to 50, with the total count', () => {
    const items = Array.from({ length: 60 }, () => ({ claim: 'x', operator: 'isDefined' }));
    const { problems, problemCount } = queryErrorOf({ policy: { allOf: items } });
    expect([problems.length, problemCount]).toEqual([50, 60]);
  });

  // S153
  it('stop parsing at 1,000', () => {
    const items = Array.from({ length: 20_000 }, () => 1);
    const { problems, problemCount } = queryErrorOf({ policy: { allOf: items } });
    expect([problems.length, problemCount]).toEqual([50, 1_000]);
  });

  // L7
  it('report too many members of an object once, without reading them', () => {
    const check = { claim: 'x', operator: 'isDefned' };
    const { problems } = queryErrorOf({ check }, { limits: { members: 1 } });
    expect(problems).toMatchObject([{ code: 'limit_members', pointer: '/check', limit: 1 }]);
    expect(queryErrorOf({ check }, { limits: { members: 2 } }).problems).toHaveLength(2);
  });

  // S153
  it('truncate long strings of the caller', () => {
    const name = 'x'.repeat(10_000);
    const error = queryErrorOf({ check: { claim: name, operator: name, value: 1, [name]: 1 } });
    expect(JSON.stringify(error.problems).length).toBeLessThan(1_500);
  });

  // L8
  it.each([
    ['gte', '>='],
    ['===', '=='],
    ['starts_with', 'startsWith'],
    ['IsDefined', 'isDefined'],
    ['notin', 'notIn'],
  ])('report the unknown operator %s with the suggestion %s', (operator, suggestion) => {
    const [problem] = queryErrorOf({ check: { claim: 'a.b', operator, value: 1 } }).problems;
    expect(problem?.message).toContain(`Did you mean \`${suggestion}\`?`);
  });
});

// L22
it('one claim set serves several queries, each with its own expiry', () => {
  const now = Date.UTC(2026, 5, 1);
  const claims = ClaimSet.at(
    [
      { id: 'a', source: 's', issuedAt: 0, expiresAt: now + 10, claims: { 'kyc.passed': true } },
      { id: 'b', source: 's', issuedAt: 0, expiresAt: now + 20, claims: { 'kyc.level': 'basic' } },
    ],
    now,
  );
  const expiries = ['kyc.passed', 'kyc.passed', 'kyc.level'].map(
    (claim) =>
      compile({ check: { claim, operator: 'isDefined' } }).evaluate(claims, { now, scopes: ['kyc:read'] })
        .expiresAt,
  );
  expect(expiries.map((text) => Date.parse(text) - now)).toEqual([10, 10, 20]);
});

// D5
it('`evaluateToJson` renames credentials by the option `credentialName`', () => {
  const now = Date.UTC(2026, 5, 1);
  const claims = ClaimSet.at([{ id: 'a', source: 'S', issuedAt: 0, claims: { 'kyc.passed': true } }], now);
  const query = compile({ check: { claim: 'kyc.passed', operator: 'isDefined' } });
  const options = { now, scopes: ['kyc:read'], credentialName: (id: string) => `known as ${id}` };
  expect(JSON.parse(query.evaluateToJson(claims, options)).evidence.claimsUsed).toEqual([
    { path: 'kyc.passed', value: true, credentialId: 'known as a', source: 'S' },
  ]);
});

// L24
it('`evaluateToJson` gives the JSON of `evaluate`, repeatedly', () => {
  const now = Date.UTC(2026, 5, 1);
  const claims = ClaimSet.at(
    [
      {
        id: 'a',
        source: 'S "1"',
        issuedAt: 0,
        expiresAt: now + 9,
        claims: { 'kyc.document': { country: 'PT' } },
      },
      { id: 'b', source: 'T', issuedAt: 0, claims: { 'kyc.level': 'basic', 'kyc.passed': null } },
    ],
    now,
  );
  const checks = [
    { claim: 'kyc.document.country', operator: 'in', value: ['PT', 'ES'] },
    { claim: 'kyc.document.number', operator: 'isDefined' },
    { claim: 'kyc.level', operator: '==', value: 'basic' },
    { claim: 'kyc.level', operator: '!=', value: 'none' },
    { claim: 'kyc.passed', operator: '==', value: true },
    { claim: 'kyc.absent', operator: 'isDefined' },
  ];
  const catalogue = { scopes: [], expand: () => new Set(['all']), coveringScopes: () => ['all'] };
  const queries = [
    { policy: { anyOf: checks } },
    { policy: { not: { allOf: checks } } },
    { check: checks[1] },
    {
      projections: [
        { claim: 'kyc.level', lens: 'pluck' },
        { claim: 'kyc.absent', lens: 'pluck' },
      ],
    },
  ];
  for (const query of queries) {
    const compiled = compile(query, { catalogue });
    const options = { now, scopes: [] };
    const expected = JSON.stringify(compiled.evaluate(claims, options));
    expect([compiled.evaluateToJson(claims, options), compiled.evaluateToJson(claims, options)]).toEqual([
      expected,
      expected,
    ]);
  }
});
