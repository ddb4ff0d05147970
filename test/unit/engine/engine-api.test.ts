/** Plain claims, checks with reasons, calls that return problems, and engines with fixed options. */
import fc from 'fast-check';
import * as re2jsModule from 're2js';
import { RE2JS } from 're2js';
import { describe, expect, it } from 'vitest';
import { lint } from '../../../src/analysis/index.js';
import { createQueryBuilder } from '../../../src/builder/index.js';
import { generateModule } from '../../../src/codegen/index.js';
import {
  type Catalogue,
  type CatalogueClaim,
  CatalogueError,
  ClaimColumns,
  ClaimColumnsBuilder,
  ClaimError,
  ClaimSet,
  type Credential,
  CredentialError,
  compile,
  compilePredicate,
  compileProjection,
  createEngine,
  createScopeCatalogue,
  DEFAULT_CATALOGUE,
  DEFAULT_CLAIMS,
  DEFAULT_SCOPES,
  evaluate,
  evaluateMany,
  ProvisoError,
  parse,
  parseCatalogue,
  parseCredentials,
  QueryError,
  re2js,
  safeCompile,
  safeParse,
} from '../../../src/index.js';
import { generateCases, runPolicyTest } from '../../../src/policy-tests/index.js';
import { scenario } from '../../../src/testing/index.js';

const ADULT = { check: { claim: 'identity.age', operator: '>=', value: 18 } } as const;
const EMAIL = { projections: [{ claim: 'identity.email', lens: 'pluck' }] } as const;
const NOW = Date.UTC(2026, 5, 1);
const ungated = { catalogue: 'none' } as const;

describe('plain claims', () => {
  it('are valid at every instant, which `evaluate` then requires', () => {
    const claims = ClaimSet.of({ 'identity.age': 34 });
    const adult = compile(ADULT, ungated);
    expect(adult.test(claims)).toBe(true);
    expect(() => adult.evaluate(claims)).toThrow(
      new TypeError('`now` is required, since the claim set has no instant'),
    );
    expect(adult.evaluate(claims, { now: NOW }).evaluatedAt).toBe('2026-06-01T00:00:00.000Z');
    expect(adult.evaluate(claims, { now: NOW + 1 }).evaluatedAt).toBe('2026-06-01T00:00:00.001Z');
  });

  it('have the instant that they are given', () => {
    const claims = ClaimSet.of({ 'identity.age': 34 }, { now: NOW });
    expect(compile(ADULT, ungated).evaluate(claims)).toEqual({
      type: 'predicate',
      passed: true,
      evaluatedAt: '2026-06-01T00:00:00.000Z',
      evidence: {
        claimsUsed: [{ path: 'identity.age', value: 34, credentialId: '', source: '' }],
        checkResults: [
          { claim: 'identity.age', operator: '>=', expectedValue: 18, actualValue: 34, passed: true },
        ],
      },
      expiresAt: '2026-06-01T00:05:00.000Z',
    });
  });

  it('cannot be changed through a result, since claim sets are shared', () => {
    const claims = ClaimSet.of({ 'a.b': { tags: ['x'] } }, { now: NOW });
    const query = compile({ check: { claim: 'a.b', operator: 'isDefined' } }, ungated);
    const [used] = query.evaluate(claims).evidence.claimsUsed;
    const value = used?.value as unknown as { tags: string[] };
    expect(() => value.tags.push('y')).toThrow(TypeError);
    expect(() => Object.assign(value, { tags: [] })).toThrow(TypeError);
  });

  it('that are `undefined` are not defined', () => {
    const claims = ClaimSet.of({ 'identity.age': undefined } as never);
    expect(compile(ADULT, ungated).test(claims)).toBe(false);
    expect(compile({ check: { claim: 'identity.age', operator: 'isDefined' } }, ungated).test(claims)).toBe(
      false,
    );
  });

  it.each([
    [
      'a nested object',
      { identity: { age: 34 } },
      'a claim path must be two or more names joined by dots, such as `identity.age` (got `identity`)',
    ],
    [
      'a number that is not finite',
      { 'identity.age': Number.NaN },
      'claim `identity.age` must be a JSON value with finite numbers (got NaN)',
    ],
    [
      'a date',
      { 'identity.born': new Date(0) },
      'claim `identity.born` must be a JSON value with finite numbers (got an instance of Date)',
    ],
    ['a map', new Map([['identity.age', 34]]), '`claims` must be an object (got an instance of Map)'],
  ])('are rejected, with the reason, if they are or have %s', (_title, claims, message) => {
    expect(() => ClaimSet.of(claims as never)).toThrow(message);
  });
});

describe('credentials', () => {
  const parsed = { id: 'c', source: 's', issuedAt: 0, claims: { 'identity.age': 34 } };

  it.each([
    [
      'issuedAt',
      { ...parsed, issuedAt: '2026-01-05T00:00:00Z' },
      '`issuedAt` of a credential must be as `parseCredentials` returns it',
    ],
    [
      'expiresAt',
      { ...parsed, expiresAt: null },
      '`expiresAt` of a credential must be as `parseCredentials` returns it',
    ],
    ['claims', { ...parsed, claims: new Map() }, '`claims` of a credential must be as'],
    ['id', { ...parsed, id: 7 }, '`id` of a credential must be as'],
  ])('whose member `%s` was not parsed are rejected', (_member, credential, message) => {
    expect(() => ClaimSet.at([credential] as never, NOW)).toThrow(message);
  });

  it('with the same `id` are rejected', () => {
    expect(() => ClaimSet.at([parsed, parsed], NOW)).toThrow(
      new TypeError('`id` of each credential must be unique (got `c` twice)'),
    );
  });
});

describe('an evaluation', () => {
  const adult = compile(ADULT);
  const claims = ClaimSet.of({ 'identity.age': 34 }, { now: NOW });

  it('takes the instant of the claim set', () => {
    const scopes = ['identity:date_of_birth'];
    expect(adult.evaluate(claims, { scopes })).toEqual(adult.evaluate(claims, { scopes, now: NOW }));
  });

  it.each([
    [
      'a string of scopes',
      { scopes: 'identity:date_of_birth' },
      '`scopes` must be an array or another iterable of strings (got a string)',
    ],
    ['no scopes', {}, '`scopes` must be an array or another iterable of strings (got undefined)'],
    ['no options', undefined, '`scopes` must be an array or another iterable of strings (got undefined)'],
    [
      'an instant as text',
      { scopes: ['identity:date_of_birth'], now: '2026' },
      '`now` must be a whole number',
    ],
  ])('rejects %s', (_name, options, message) => {
    expect(() => adult.evaluate(claims, options as never)).toThrow(message);
    expect(() => adult.evaluateToJson(claims, options as never)).toThrow(message);
  });

  it('reads an iterator of scopes once', () => {
    function* scopes(): Generator<string> {
      yield 'identity:date_of_birth';
    }
    expect(adult.evaluate(claims, { scopes: scopes() }).passed).toBe(true);
    expect(() => adult.evaluate(claims, { scopes: (function* (): Generator<string> {})() })).toThrow(
      QueryError,
    );
  });
});

describe('a check with reasons', () => {
  it('returns the checks that made a policy fail: under `not`, those that passed', () => {
    const query = {
      policy: {
        allOf: [
          { claim: 'identity.age', operator: '>=', value: 18 },
          { not: { claim: 'kyc.is_high_risk', operator: '==', value: true } },
          {
            anyOf: [
              { claim: 'kyc.level', operator: '==', value: 'enhanced' },
              { claim: 'kyc.passed', operator: '==', value: true },
            ],
          },
        ],
      },
    };
    const { passed, failing } = compilePredicate(query, ungated).check(
      ClaimSet.of({ 'identity.age': 34, 'kyc.is_high_risk': true, 'kyc.level': 'basic' }),
    );
    expect(passed).toBe(false);
    expect(failing.map(({ claim, passed: held }) => [claim, held])).toEqual([
      ['kyc.is_high_risk', true],
      ['kyc.level', false],
      ['kyc.passed', false],
    ]);
  });

  // L19
  it('says where each failing check is, whether it is negated, and which alternatives would suffice', () => {
    const bad = { claim: 'a.bad', operator: '==', value: true };
    const [one, two] = [1, 2].map((value) => ({ claim: 'a.n', operator: '==', value }));
    const query = {
      policy: { allOf: [{ not: bad }, { anyOf: [one, { allOf: [two, bad, { not: bad }] }] }] },
    };
    const { failing } = compilePredicate(query, ungated).check(ClaimSet.of({ 'a.bad': true, 'a.n': 3 }));
    const group = '/policy/allOf/1/policy/anyOf';
    expect(failing).toMatchObject([
      { claim: 'a.bad', pointer: '/policy/allOf/0/policy/not', negated: true, alternatives: [] },
      { expectedValue: 1, pointer: `${group}/0`, negated: false, alternatives: [`${group}/0`] },
      { expectedValue: 2, pointer: `${group}/1/policy/allOf/0`, alternatives: [`${group}/1`] },
      { negated: true, pointer: `${group}/1/policy/allOf/2/policy/not`, alternatives: [`${group}/1`] },
    ]);
    const both = compilePredicate({ policy: { not: { allOf: [bad, bad] } } }, ungated);
    expect(both.check(ClaimSet.of({ 'a.bad': true })).failing).toMatchObject([
      { negated: true, alternatives: ['/policy/not/policy/allOf/0'] },
      { negated: true, alternatives: ['/policy/not/policy/allOf/1'] },
    ]);
  });

  it('has the outcome of `test`, and reasons if and only if it fails', () => {
    let evaluated = 0;
    fc.assert(
      fc.property(scenario(), ({ query, credentials, now }) => {
        const result = safeCompile(query as unknown, {
          ...ungated,
          regex: re2js,
          limits: { matchCost: Number.MAX_SAFE_INTEGER },
        });
        if (!result.ok || 'projections' in result.value.query) return true;
        evaluated += 1;
        const compiled = result.value;
        const claims = ClaimSet.at(credentials, now);
        const { passed, failing } = compiled.check(claims);
        return passed === compiled.test(claims) && passed === (failing.length === 0);
      }),
      { seed: 20_261_126, numRuns: 300 },
    );
    expect(evaluated).toBeGreaterThan(100);
  });
});

describe('calls that return problems', () => {
  it('return the value of a valid query', () => {
    expect(safeParse(ADULT)).toEqual({ ok: true, value: ADULT });
    const result = safeCompile(ADULT, ungated);
    expect(result.ok && result.value.test(ClaimSet.of({ 'identity.age': 34 }))).toBe(true);
  });

  it('return every problem of an invalid one, and the error that would be thrown', () => {
    for (const result of [safeParse({ check: {} }), safeCompile({ check: {} })]) {
      expect(result.ok).toBe(false);
      if (result.ok) continue;
      expect(result.problems.map(({ code }) => code)).toEqual(['member_missing', 'member_missing']);
      expect(result.error).toBeInstanceOf(ProvisoError);
      expect(result.error.code).toBe('invalid_query');
    }
  });
});

describe('the form of unknown JSON', () => {
  it('is a predicate or projections, as the caller requires', () => {
    expect(compilePredicate(ADULT, ungated).query).toEqual(ADULT);
    expect(compileProjection(EMAIL, ungated).query).toEqual(EMAIL);
    expect(() => compilePredicate(EMAIL)).toThrow('The query must be a check or a policy, not projections.');
    expect(() => compileProjection(ADULT)).toThrow('The query must be projections, not a check or a policy.');
  });
});

describe('an engine', () => {
  const catalogue = { scopes: DEFAULT_SCOPES, claims: DEFAULT_CLAIMS };

  it('has the catalogue, the regular-expression engine and the limits of its options', () => {
    const engine = createEngine({
      catalogue: createScopeCatalogue([{ name: 'club:read', covers: ['club'] }]),
      regex: re2js,
      limits: { checks: 1 },
    });
    const member = engine.compile({ check: { claim: 'club.tier', operator: 'matchRegex', value: '^g' } });
    const claims = engine.claims.of({ 'club.tier': 'gold' }, { now: NOW });
    expect(member.evaluate(claims, { scopes: ['club:read'] }).passed).toBe(true);
    expect(() => member.evaluate(claims, { scopes: [] })).toThrow(QueryError);
    const two = { policy: { allOf: [ADULT, ADULT] } };
    expect(engine.safeParse(two).ok).toBe(false);
    expect(engine.safeCompile(two).ok).toBe(false);
    expect(() => engine.parse(two)).toThrow(QueryError);
    const columns = ClaimColumns.of({ 'club.tier': ['gold', 'silver'] });
    expect(engine.evaluateMany(member.query, columns).count).toBe(1);
  });

  // S483
  it('rejects options of a query, which would have no effect, and accepts the index that `map` passes', () => {
    const engine = createEngine(ungated);
    const calls = [
      engine.parse,
      engine.safeParse,
      engine.compile,
      engine.compilePredicate,
      engine.safeCompile,
    ];
    for (const call of calls as readonly ((query: unknown, options?: unknown) => unknown)[]) {
      expect(() => call(ADULT, { regex: re2js })).toThrow(
        new TypeError(
          '`regex` is not an option of this function. Pass options to `createEngine`, and `scopes` and `now` to `evaluate`.',
        ),
      );
      expect(() => call(ADULT, {})).not.toThrow();
      expect([ADULT].map(call)).toHaveLength(1);
    }
    const project = engine.compileProjection as (query: unknown, options: unknown) => unknown;
    expect(() => project(EMAIL, { scopes: [] })).toThrow('`scopes` is not an option of this function.');
  });

  it('evaluates people in slices, with a pause between slices', async () => {
    const engine = createEngine(ungated);
    const sliceRows = 8_192;
    const ages = Float64Array.from({ length: 2 * sliceRows + 1 }, (_, row) => (row % 2 === 0 ? 34 : 17));
    const columns = ClaimColumns.of({ 'identity.age': ages });
    let pauses = 0;
    const pause = async () => {
      pauses += 1;
    };
    const { count } = await engine.evaluateManyInSlices(ADULT, columns, { sliceRows, pause });
    expect([count, pauses]).toEqual([sliceRows + 1, 2]);
  });

  it('requires no scope without a catalogue', () => {
    const engine = createEngine(ungated);
    const claims = engine.claims.of({ 'member.level': 3 }, { now: NOW });
    const query = { check: { claim: 'member.level', operator: '>=', value: 3 } };
    expect(engine.compile(query).evaluate(claims).passed).toBe(true);
    expect(engine.compilePredicate(query).evaluate(claims).passed).toBe(true);
    expect(
      engine.compileProjection({ projections: [{ claim: 'member.level', lens: 'pluck' }] }).evaluate(claims)
        .data,
    ).toEqual({ 'member.level': 3 });
  });

  it('rejects claims that the catalogue does not have, and values of another type', () => {
    const { claims } = createEngine({ catalogue });
    expect(() => claims.of({ 'identity.agee': 34 })).toThrow('the catalogue has no claim `identity.agee`');
    expect(() => claims.of({ 'identity.age': '34' })).toThrow(
      'claim `identity.age` must be of type integer (got a string)',
    );
    const level = { path: 'club.level', type: 'enum', values: ['silver', 'gold'] } as const;
    const club = createEngine({
      catalogue: {
        scopes: DEFAULT_SCOPES,
        claims: [
          ...DEFAULT_CLAIMS,
          { ...level, scope: 'data.read', sensitivity: 'low', description: 'Level.' },
        ],
      },
    });
    expect(() => club.claims.of({ 'club.level': 'bronze' })).toThrow(
      'claim `club.level` must be one of `silver`, `gold` (got a string)',
    );
    const roles = { path: 'club.roles', type: 'array', values: ['coach', 'referee'] } as const;
    const described = { ...roles, scope: 'data.read', sensitivity: 'low', description: 'Roles.' } as const;
    const listing = createEngine({
      catalogue: { scopes: DEFAULT_SCOPES, claims: [...DEFAULT_CLAIMS, described] },
    });
    expect(() => listing.claims.of({ 'club.roles': ['coach'] })).not.toThrow();
    expect(() => listing.claims.of({ 'club.roles': ['coach', 'boss'] })).toThrow(
      'claim `club.roles` must be an array of `coach`, `referee` (got an array)',
    );
    const credential = { id: 'c', source: 's', issuedAt: 0, claims: { 'identity.age': '34' } };
    expect(() => claims.at([credential], NOW)).toThrow('claim `identity.age` must be of type integer');
    expect(compile(ADULT).test(claims.of({ 'identity.age': 34 }))).toBe(true);
    expect(compile(ADULT).test(claims.at([{ ...credential, claims: { 'identity.age': 34 } }], NOW))).toBe(
      true,
    );
  });

  // S153
  it('lists the first 50 unknown claims of a query, each with a suggestion, and counts the rest', () => {
    const check = { claim: 'identity.agee', operator: '>=', value: 18 };
    const result = createEngine({ catalogue }).safeParse({ policy: { allOf: new Array(60).fill(check) } });
    if (result.ok) throw new Error('the query has unknown claims');
    expect(result.problems).toHaveLength(50);
    for (const { message } of result.problems) expect(message).toContain('Did you mean `identity.age`?');
    expect(result.error.message).toContain('(and 59 more)');
  });

  // L14
  it('rejects a query on a claim that its catalogue does not list, and suggests the nearest claim', () => {
    const engine = createEngine({ catalogue });
    const misspelled = { policy: { not: { claim: 'kyc.is_hihg_risk', operator: '==', value: true } } };
    const problem = {
      code: 'claim_unknown',
      pointer: '/policy/not/claim',
      message: 'The catalogue has no claim `kyc.is_hihg_risk`. Did you mean `kyc.is_high_risk`?',
    };
    expect(engine.safeCompile(misspelled)).toMatchObject({ ok: false, problems: [problem] });
    expect(engine.safeParse(misspelled)).toMatchObject({ ok: false, problems: [problem] });
    expect(() => engine.compilePredicate(misspelled)).toThrow(problem.message);
    const columns = new ClaimColumnsBuilder().build();
    expect(() => engine.evaluateMany(misspelled, columns)).toThrow(problem.message);
    const projections = { projections: [{ claim: 'identity.emial', lens: 'pluck' }] };
    expect(() => engine.compile(projections)).toThrow('Did you mean `identity.email`?');
  });

  // L13
  it('accepts members of claims of type object, and of no others', () => {
    const engine = createEngine({ catalogue });
    const isDefined = (claim: string) => ({ check: { claim, operator: 'isDefined' } });
    expect(engine.safeParse(isDefined('identity.address_full.city')).ok).toBe(true);
    expect(engine.safeParse(isDefined('identity.age.years')).ok).toBe(false);
  });

  it('accepts claims that its catalogue does not list with `unknownClaims: allow`', () => {
    const engine = createEngine({ catalogue, unknownClaims: 'allow' });
    expect(engine.safeCompile({ check: { claim: 'member.level', operator: 'isDefined' } }).ok).toBe(true);
    expect(() => createEngine({ catalogue, unknownClaims: 'alow' as never })).toThrow(
      '`unknownClaims` must be one of `reject` or `allow` (got `alow`). Did you mean `allow`?',
    );
  });

  it('with `unknownClaims: allow`, parses a query with a pattern even without a regular-expression engine', () => {
    const engine = createEngine({ catalogue, unknownClaims: 'allow' });
    const matching = { check: { claim: 'member.code', operator: 'matchRegex', value: '^a' } };
    expect(engine.parse(matching)).toEqual(matching);
    expect(engine.safeParse(matching)).toEqual({ ok: true, value: matching });
    expect(() => engine.safeCompile(matching)).toThrow('`matchRegex` requires a regular-expression engine');
  });

  it('compiles each pattern once, and reports invalid ones with the other problems, with `unknownClaims: allow`', () => {
    const patterns: string[] = [];
    const compilePattern = (pattern: string) => {
      patterns.push(pattern);
      return re2js.compile(pattern);
    };
    const engine = createEngine({
      catalogue,
      unknownClaims: 'allow',
      regex: { ...re2js, compile: compilePattern },
    });
    patterns.length = 0;
    const matching = (value: string) => ({ claim: 'member.code', operator: 'matchRegex', value });
    engine.compile({ policy: { allOf: [matching('^a'), matching('b$')] } });
    expect(patterns).toEqual(['^a', 'b$']);
    const wrong = engine.safeParse({ policy: { allOf: [matching('('), { claim: 'member.code' }] } });
    expect(wrong.ok ? [] : wrong.problems.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'pattern_invalid /policy/allOf/0/value',
      'member_missing /policy/allOf/1',
    ]);
    const projections = { projections: [{ claim: 'member.code', lens: 'pluck' }] };
    expect(engine.parse(projections)).toEqual(projections);
  });

  it('takes a catalogue file that was parsed, and rejects one that was not', () => {
    const scope = { name: 'club:read', category: 'club', sensitivity: 'low', description: 'Club.' };
    const claim = { path: 'club.tier', scope: 'club:read', sensitivity: 'low', description: 'Tier.' };
    const file = {
      scopes: [{ ...scope, display_name: 'Club' }],
      claims: [{ ...claim, type: 'enum', values: ['gold'] }],
    };
    const engine = createEngine({ catalogue: parseCatalogue(file) });
    expect(engine.safeCompile({ check: { claim: 'club.tier', operator: '==', value: 'gold' } }).ok).toBe(
      true,
    );
    expect(createQueryBuilder(parseCatalogue(file).claims).claim('club.tier').isDefined().scopes).toEqual([
      'club:read',
    ]);
    const wrong: readonly [unknown, string | RegExp][] = [
      [file, 'a catalogue file must be passed to `parseCatalogue` first. (at /scopes/0/display_name)'],
      [{ ...file, scopes: [{ ...scope }] }, /^`displayName` is required\. \(at \/scopes\/0\)$/],
      [{ ...file, scopes: undefined }, '`scopes` of the catalogue must be an array (got undefined)'],
      [{}, '`scopes` of the catalogue must be an array (got undefined)'],
      [
        { scopes: file.scopes, claims: 'club.tier' },
        '`claims` of the catalogue must be an array (got a string)',
      ],
    ];
    for (const [own, message] of wrong)
      expect(() => createEngine({ catalogue: own as never })).toThrow(message);
    const own = (claims: unknown) => () =>
      createEngine({ catalogue: { scopes: [{ ...scope, displayName: 'Club' }], claims } as never });
    expect(own([{ ...claim, type: 'enum' }])).toThrow('`values` is required for a claim of type `enum`.');
    expect(own([{ ...claim, type: 'numbr' }])).toThrow('`type` must be one of');
    expect(own([{ ...claim, type: 'string', scope: 'club' }])).toThrow('The scope `club` is not');
    expect(own([{ ...claim, type: 'string' }])).not.toThrow();
    expect(() => parseCatalogue({ ...file, claims: [{ ...claim, type: 'enum' }] })).toThrow(CatalogueError);
    expect(() => createQueryBuilder([{ ...claim, type: 'numbr' }] as never)).toThrow(
      '`type` of `club.tier` must be one of',
    );
  });

  // S463
  it('names what to pass for a catalogue as text, and for the claims of a catalogue', () => {
    expect(() => parseCatalogue('{}')).toThrow('not a string. Parse the text with `JSON.parse`.');
    expect(() => createQueryBuilder({ scopes: [], claims: [] } as never)).toThrow(
      '`claims`, such as `catalogue.claims`, must be an array (got an object)',
    );
  });

  it('rejects wrong options when it is created', () => {
    expect(() => createEngine({ regex: 're2' as never })).toThrow(
      '`regex` must be a regular-expression engine',
    );
    for (const wrong of ['./catalogue.json', 'None', null])
      expect(() => createEngine({ catalogue: wrong as never })).toThrow(
        /^`catalogue` must be a scope catalogue.* Pass a catalogue of scopes and claims, which `parseCatalogue` reads from JSON, to `createEngine`\.$/,
      );
    expect(() => createEngine({ limits: { check: 1 } as never })).toThrow('there is no limit `check`');
  });
});

it('an error of a credential list has a stable code, and is a `ProvisoError`', () => {
  expect(() => parseCredentials({})).toThrow(expect.objectContaining({ code: 'invalid_credentials' }));
  expect(new CredentialError([])).toBeInstanceOf(ProvisoError);
});

it('one call evaluates one query on credentials', () => {
  const credentials = parseCredentials([
    { id: 'c', source: 's', issuedAt: '2026-01-05T00:00:00Z', claims: { 'identity.age': 34 } },
  ]);
  const scopes = ['identity:date_of_birth'];
  expect(evaluate(ADULT, credentials, { now: NOW, scopes }).passed).toBe(true);
  // An iterator can be read once.
  expect(evaluate(ADULT, credentials, { now: NOW, scopes: scopes.values() }).passed).toBe(true);
});

describe('wrong options', () => {
  const columns = ClaimColumns.of({ 'identity.age': [34] });
  const credentials = [{ id: 'c', source: 's', issuedAt: 0, claims: {} }];

  it.each<[string, () => unknown]>([
    ['compile', () => compile(ADULT, { catalog: 'none' } as never)],
    ['safeCompile', () => safeCompile(ADULT, { catalog: 'none' } as never)],
    ['createEngine', () => createEngine({ catalog: 'none' } as never)],
    ['evaluate', () => evaluate(ADULT, credentials, { now: 1, scopes: [], catalog: 'none' } as never)],
    ['evaluateMany', () => evaluateMany(ADULT, columns, { catalog: 'none' } as never)],
  ])('are reported with the nearest option by %s', (_name, call) => {
    expect(call).toThrow(
      new TypeError('`catalog` is not an option of this function. Did you mean `catalogue`?'),
    );
  });

  it('are reported with the options of the function if none has a similar name', () => {
    expect(() => ClaimSet.of({}, { time: 5 } as never)).toThrow(
      new TypeError('`time` is not an option of this function. Its only option is `now`.'),
    );
    expect(() => createEngine({ claims: DEFAULT_CLAIMS } as never)).toThrow(
      new TypeError(
        '`claims` is not an option of this function. Its options are `catalogue`, `regex`, `limits`, `resultLifetimeSeconds` and `unknownClaims`.',
      ),
    );
    expect(() => createEngine({ limits: { check: 3 } } as never)).toThrow(
      new RangeError('there is no limit `check`. Did you mean `checks`?'),
    );
  });

  it('are reported by the bulk evaluation of an engine for options of `createEngine`', () => {
    const engine = createEngine({ catalogue: 'none' });
    expect(() => engine.evaluateMany(ADULT, columns, { limits: {} } as never)).toThrow(
      new TypeError(
        '`limits` is not an option of this function. Its options are `signal`, `onProgress` and `sliceRows`.',
      ),
    );
  });

  it('are not reported for an option of `compile` that is passed to `parse`', () => {
    expect(parse(ADULT, { catalogue: 'none', resultLifetimeSeconds: 60 } as object)).toEqual(parse(ADULT));
  });

  const engineRequired =
    "`regex` must be a regular-expression engine: import { re2js } from 'proviso', or implement the interface `RegexEngine`";

  it.each<[string, unknown, string]>([
    ['the class `RegExp`', RegExp, ' (got a function)'],
    ['an empty object', {}, ' (got an object)'],
    ['a regular expression', /a/, ' (its `compile` returned no `PatternOutcome`)'],
    ['the class of the package `re2js`', RE2JS, ' (its `compile` returned no `PatternOutcome`)'],
    ['the module of the package `re2js`', { ...re2jsModule }, ' (got an object)'],
    [
      'an asynchronous engine',
      { compile: () => ({ accepted: true, pattern: { programSize: 1, test: async () => false } }) },
      ' (its `compile` returned no `PatternOutcome`)',
    ],
    [
      'an engine that returns nothing',
      { compile: () => undefined },
      ' (its `compile` returned no `PatternOutcome`)',
    ],
  ])('are reported when `regex` is %s', (_name, regex, received) => {
    const fault = new TypeError(`${engineRequired}${received}`);
    expect(() => createEngine({ regex } as never)).toThrow(fault);
    const pattern = { check: { claim: 'identity.name', operator: 'matchRegex', value: '^A' } };
    expect(() => compile(pattern, { regex } as never)).toThrow(fault);
  });

  it('are reported when `catalogue` is a whole catalogue, which `createEngine` accepts', () => {
    const catalogue = { scopes: DEFAULT_SCOPES, claims: DEFAULT_CLAIMS };
    expect(() => compile(ADULT, { catalogue } as never)).toThrow(
      new TypeError(
        "`catalogue` must be a scope catalogue, created by `createScopeCatalogue`, or `'none'` (got an object). Pass a catalogue of scopes and claims, which `parseCatalogue` reads from JSON, to `createEngine`.",
      ),
    );
    expect(createEngine({ catalogue }).compile(ADULT).claims).toEqual(['identity.age']);
  });
});

it('a compiled query in place of its JSON is named as such', () => {
  const compiled = compile(ADULT, ungated);
  const fault =
    'Unknown member `assertCovered` of a query. Pass the member `query` of a compiled query. (at /assertCovered)';
  expect(() => evaluateMany(compiled, ClaimColumns.of({ 'identity.age': [34] }))).toThrow(fault);
  expect(() => compile(compiled)).toThrow(fault);
});

// L14
it('wrong claims of credentials are reported together, each with the index of its credential', () => {
  const { claims } = createEngine({ catalogue: DEFAULT_CATALOGUE });
  const credential = { id: 'c', source: 's', issuedAt: 0, claims: { 'identity.age': 34 } };
  const wrong = { ...credential, id: 'd', claims: { 'identity.age': '34', 'identity.emial': 'a@b.example' } };
  const faultOf = () => {
    try {
      return claims.at([credential, wrong], NOW);
    } catch (error) {
      return error;
    }
  };
  expect(faultOf()).toBeInstanceOf(CredentialError);
  expect(faultOf()).toBeInstanceOf(ProvisoError);
  expect(faultOf()).toMatchObject({
    code: 'invalid_credentials',
    problems: [
      { code: 'claim_value', pointer: '/1/claims/identity.age' },
      {
        code: 'claim_unknown',
        pointer: '/1/claims/identity.emial',
        message: /Did you mean `identity.email`/,
      },
    ].map((problem) => ({
      ...problem,
      ...('message' in problem ? { message: expect.stringMatching(problem.message) } : {}),
    })),
  });
});

// L9
it('a malformed claim path is reported with its pointer for active and for inactive credentials', () => {
  const { claims } = createEngine({ catalogue: DEFAULT_CATALOGUE });
  const active = { id: 'c', source: 's', issuedAt: 0, claims: { age: 34 } };
  const problems = (credentials: unknown) => {
    try {
      claims.at(credentials as Credential[], NOW);
    } catch (error) {
      return error instanceof CredentialError ? error.problems : error;
    }
    return [];
  };
  for (const issuedAt of [0, NOW + 1])
    expect(problems([{ ...active, issuedAt }])).toMatchObject([
      { code: 'claim_path_malformed', pointer: '/0/claims/age' },
    ]);
  for (const wrong of [undefined, {}, [null], [undefined], ['c'], [{ ...active, claims: undefined }]])
    expect(problems(wrong)).toBeInstanceOf(TypeError);
  const inherited = Object.create({}, Object.getOwnPropertyDescriptors(active));
  expect(problems([inherited])).toMatchObject([{ code: 'claim_path_malformed' }]);
});

describe('an engine with the claims of a catalogue', () => {
  const shared = { scope: 'club:read', sensitivity: 'low', description: 'A claim of the club.' } as const;
  const CLUB: Catalogue['scopes'] = [
    {
      name: 'club:read',
      category: 'club',
      sensitivity: 'low',
      displayName: 'Your membership',
      description: 'What the club knows of you.',
    },
  ];
  const NOTES = { path: 'club.notes', type: 'array', ...shared } as const;
  const CLUB_ENGINE = {
    regex: re2js,
    catalogue: {
      scopes: CLUB,
      claims: [
        { path: 'club.banned', type: 'boolean', ...shared },
        { path: 'club.tier', type: 'enum', values: ['basic', 'gold'], ...shared },
        { path: 'club.days', type: 'array', values: ['mon', 'tue'], ...shared },
        { path: 'club.signed', type: 'datetime', ...shared },
        { path: 'club.joined', type: 'date', ...shared },
        { path: 'club.visits', type: 'integer', ...shared },
        { path: 'club.name', type: 'string', ...shared },
        { path: 'club.address', type: 'object', ...shared },
      ] as readonly CatalogueClaim[],
    },
  } as const;
  const engine = createEngine(CLUB_ENGINE);
  /** The methods of the query builder, by operator. */
  const METHODS: Readonly<Record<string, string>> = {
    '>': 'gt',
    '>=': 'gte',
    '<': 'lt',
    contains: 'contains',
    startsWith: 'startsWith',
    matchRegex: 'matches',
  };

  // L15
  it.each([
    ['club.banned', '==', 'true', '/value', 'must be of type boolean, not the string `true`.'],
    [
      'club.tier',
      '!=',
      'glod',
      '/value',
      'must be one of `basic`, `gold`, not the string `glod`. Did you mean `gold`?',
    ],
    ['club.tier', 'notIn', ['basic', 'Gold'], '/value/1', 'not the string `Gold`. Did you mean `gold`?'],
    ['club.tier', 'in', [null], '/value/0', 'must be one of `basic`, `gold`, not null.'],
    ['club.days', '==', ['mon', 'sun'], '/value', 'must be an array of `mon`, `tue`, not an array.'],
    ['club.visits', '==', 1.5, '/value', 'must be of type integer, not 1.5.'],
    [
      'club.signed',
      '==',
      '2026-01-31',
      '/value',
      'such as `2026-01-31T09:30:00Z` (RFC 3339), not the string `2026-01-31`.',
    ],
  ])('rejects `%s` %s %j, which no value of the claim equals', (claim, operator, value, pointer, message) => {
    const query = { policy: { not: { claim, operator, value } } };
    const outcome = engine.safeCompile(query);
    if (outcome.ok) throw new Error('the query was accepted');
    expect(outcome.problems).toMatchObject([{ code: 'operand_type', pointer: `/policy/not${pointer}` }]);
    expect(outcome.problems[0]?.message).toContain(message);
    expect(compile(query, ungated).claims).toEqual([claim]);
  });

  // S421
  it.each([
    [
      'club.signed',
      '>',
      2025,
      'must be of type datetime, such as `2026-01-31T09:30:00Z` (RFC 3339), not 2025.',
    ],
    ['club.visits', '>=', '2026-01-31', 'must be of type integer, not the string `2026-01-31`.'],
    ['club.name', '<', 5, 'must be of type string, not 5.'],
    [
      'club.name',
      'contains',
      'x',
      '`contains` passes on no value of `club.name`, which is of type string. Use `startsWith` or `matchRegex`.',
    ],
    [
      'club.banned',
      'contains',
      true,
      'which is of type boolean. Use `==`, `!=`, `in`, `notIn` or `isDefined`.',
    ],
    ['club.banned', '>', 0, '`>` passes on no value of `club.banned`'],
    ['club.visits', 'startsWith', '1', 'Use `>`, `>=`, `<`, `<=`, `==`, `!=`, `in`, `notIn` or `isDefined`.'],
    ['club.visits', 'matchRegex', '1', '`matchRegex` passes on no value of `club.visits`'],
    ['club.tier', '<', '2026-01-31', '`<` passes on no value of `club.tier`, which is of type enum.'],
    [
      'club.tier',
      'startsWith',
      'x',
      'must be the beginning of a value that is one of `basic`, `gold`, not the string `x`.',
    ],
    ['club.days', 'contains', 'mn', 'must be one of `mon`, `tue`, not the string `mn`. Did you mean `mon`?'],
    ['club.days', 'contains', ['mon'], 'must be one of `mon`, `tue`, not an array.'],
    ['club.days', '>', 1, 'Use `contains`, `==`, `!=`, `in`, `notIn` or `isDefined`.'],
    [
      'club.joined',
      'startsWith',
      'Jan',
      'must be the beginning of a value that is of type date, such as `2026-01-31`',
    ],
    ['club.joined', 'startsWith', '2026-02-3', 'not the string `2026-02-3`.'],
    ['club.joined', 'startsWith', '2026-01-31T', 'not the string `2026-01-31T`.'],
    ['club.address', 'contains', 'x', '`contains` passes on no value of `club.address`'],
  ])('rejects `%s` %s %j, which no value of the claim passes', (claim, operator, value, message) => {
    const query = { policy: { not: { claim, operator, value } } };
    for (const unknownClaims of ['reject', 'allow'] as const) {
      const outcome = createEngine({ ...CLUB_ENGINE, unknownClaims }).safeCompile(query);
      if (outcome.ok) throw new Error('the query was accepted');
      expect(outcome.problems).toMatchObject([{ code: 'operand_type', pointer: '/policy/not/value' }]);
      expect(outcome.problems[0]?.message).toContain(message);
    }
    expect(compile(query, { ...ungated, regex: re2js }).claims).toEqual([claim]);
    expect(lint(query, CLUB_ENGINE.catalogue).findings.map(({ code }) => code)).toContain('type_clash');
    expect(() => generateModule(query, { claims: CLUB_ENGINE.catalogue.claims })).toThrow(message);
    expect(() => generateCases(query, { catalogue: CLUB_ENGINE.catalogue })).toThrow(message);
    const test = { query: query as never, catalogue: 'club.json', cases: [] };
    expect(() => runPolicyTest(test, { catalogue: CLUB_ENGINE.catalogue })).toThrow(message);
    const claims = createQueryBuilder(CLUB_ENGINE.catalogue.claims);
    const checks: Readonly<Record<string, (operand: unknown) => unknown>> = claims.claim(claim) as never;
    expect(() => checks[METHODS[operator] ?? '']?.(value)).toThrow(message);
  });

  // S421
  it('accepts every check that a value of the claim passes, and every check of an unlisted claim', () => {
    const own = createEngine({ ...CLUB_ENGINE, unknownClaims: 'allow' });
    for (const [claim, operator, value] of [
      ['club.days', 'contains', 'mon'],
      ['club.name', '>', '2026-01-31'],
      ['club.joined', 'startsWith', '2026-02-2'],
      ['club.joined', 'startsWith', '2026-04-3'],
      ['club.joined', 'startsWith', '2026-1'],
      ['club.signed', 'startsWith', '2026-01-31T1'],
      ['club.joined', 'matchRegex', '^2026'],
      ['club.visits', '>', 1.5],
      ['club.address.city', 'contains', 'x'],
      ['other.claim', '>', '2026-01-31'],
    ] as const)
      expect(own.compile({ check: { claim, operator, value } }).claims).toEqual([claim]);
  });

  it('accepts operands that a value of the claim may equal, and comparisons in time with a date', () => {
    for (const [claim, operator, value] of [
      ['club.banned', '==', false],
      ['club.tier', 'in', ['gold', 'basic']],
      ['club.tier', 'startsWith', 'go'],
      ['club.days', '==', ['tue']],
      ['club.signed', '>=', '2026-01-31'],
    ] as const)
      expect(engine.compile({ check: { claim, operator, value } }).claims).toEqual([claim]);
  });

  const NOT_BANNED = { policy: { not: { claim: 'club.banned', operator: '==', value: true } } } as const;
  const message = /^`claims` must be a claim set of the same engine, created by `engine\.claims`/;

  it('rejects claim sets that it did not check, in every call of a query', () => {
    const query = engine.compile(NOT_BANNED);
    const foreign = ClaimSet.of({ 'club.banned': 'true' }, { now: NOW });
    const options = { scopes: ['club:read'] };
    for (const call of [
      () => query.test(foreign),
      () => query.check(foreign),
      () => query.evaluate(foreign, options),
      () => query.evaluateToJson(foreign, options),
      () => query.assertCovered(options.scopes).evaluateToJson(foreign),
      () => engine.compilePredicate(NOT_BANNED).test(foreign),
      () => query.test(createEngine({ catalogue: DEFAULT_CATALOGUE }).claims.of({})),
    ])
      expect(call).toThrow(message);
    expect(() => query.test({} as never)).toThrow(/must be a claim set/);
    expect(() => query.test(undefined as never)).toThrow(/must be a claim set/);
    expect(query.test(engine.claims.of({ 'club.banned': true }))).toBe(false);
  });

  it('rejects copies of claim sets, whose added claims would have no effect', () => {
    const query = engine.compile(NOT_BANNED);
    const copy = { ...ClaimSet.of({ 'club.visits': 3 }), 'club.banned': true } as never;
    const { policy } = NOT_BANNED;
    for (const plain of [NOT_BANNED, policy.not].map((item) => ('policy' in item ? item : { check: item })))
      for (const call of ['test', 'check'] as const)
        expect(() => compile(plain)[call](copy)).toThrow(/must be a claim set/);
    expect(() => compile({ policy: { allOf: [policy.not, policy.not] } }).test(copy)).toThrow(TypeError);
    const claims = engine.claims.of({ 'club.visits': 3 });
    expect(() => query.test({ ...claims, 'club.banned': true } as never)).toThrow(/must be a claim set/);
    const elements = Array.from(claims as unknown as ArrayLike<unknown>);
    expect(() => query.test(elements as never)).toThrow(/must be a claim set/);
  });

  it.each([
    undefined,
    null,
    0,
    true,
    'claims',
    {},
    [],
    Object.create(ClaimSet.of({})),
    new Proxy(ClaimSet.of({}), {}),
  ])('rejects %o as a claim set, whatever the check', (value) => {
    const { policy } = NOT_BANNED;
    for (const call of ['test', 'check'] as const) {
      expect(() => compile({ check: policy.not })[call](value as never)).toThrow(
        /`claims` must be a claim set/,
      );
      for (const rest of [NOT_BANNED, { policy: { allOf: [policy.not, NOT_BANNED] } }])
        expect(() => compile(rest)[call](value as never)).toThrow(TypeError);
    }
  });

  it('rejects assignments to claim sets, which would have no effect', () => {
    const claims = engine.claims.of({ 'club.visits': 3 }) as unknown as Record<string, unknown>;
    const message = /a claim set must not be changed \(got an assignment to `club.banned`\)/;
    expect(() => {
      claims['club.banned'] = true;
    }).toThrow(message);
    expect(() => Object.assign(claims, { 'club.banned': true })).toThrow(message);
  });

  it('reports every claim that does not fit, each with its pointer', () => {
    const call = (values: unknown) => () => engine.claims.of(values as Record<string, unknown>);
    const problems = (values: unknown) => {
      try {
        call(values)();
      } catch (error) {
        expect(error).toBeInstanceOf(ClaimError);
        expect(error).toMatchObject({ code: 'invalid_claims' });
        return (error as ClaimError).problems.map(({ code, pointer }) => `${code} ${pointer}`);
      }
      return [];
    };
    expect(
      problems({ 'club.visits': '3', 'club.baned': true, 'a b': 1, 'club.banned': new Date(0) }),
    ).toEqual([
      'claim_value /club.visits',
      'claim_unknown /club.baned',
      'claim_path_malformed /a b',
      'claim_value /club.banned',
    ]);
    for (const value of [[], 'text', null, undefined]) expect(problems(value)).toEqual(['not_an_object ']);
    expect(problems({ 'club.visits': undefined })).toEqual([]);
  });

  it('rejects values that nest too deep', () => {
    let notes: unknown = 'a note';
    for (let depth = 0; depth < 17; depth += 1) notes = [notes];
    const { claims } = createEngine({ catalogue: { scopes: CLUB, claims: [NOTES] } });
    expect(() => claims.of({ 'club.notes': notes })).toThrow('must nest at most 16 arrays and objects');
    const cyclic: unknown[] = [];
    cyclic.push(cyclic);
    expect(() => claims.of({ 'club.notes': cyclic })).toThrow('must nest at most 16 arrays and objects');
    const isDefined = compile({ check: { claim: 'club.notes', operator: 'isDefined' } }, ungated);
    for (const value of [notes, cyclic])
      expect(isDefined.test(ClaimSet.of({ 'club.notes': value }))).toBe(false);
  });

  // S420
  it.each([
    ['expires_at', 1, 'Did you mean `expiresAt`?'],
    ['revoked', true, 'Did you mean `revokedAt`?'],
    ['revoked_at', 1, 'Did you mean `revokedAt`?'],
    ['expiry', 1, ''],
  ])('rejects a credential with the member `%s`, which would have no effect', (name, value, hint) => {
    const credentials = [{ id: 'c', source: 's', issuedAt: 0, claims: {}, [name]: value }];
    const message = `a credential has no member \`${name}\`.${hint && ` ${hint}`}`;
    for (const call of [
      () => ClaimSet.at(credentials, NOW),
      () => engine.claims.at(credentials, NOW),
      () => new ClaimColumnsBuilder({ now: NOW }).addCredentials(credentials),
      () => evaluate(ADULT, credentials, { now: NOW, scopes: [] as string[], catalogue: 'none' }),
    ])
      expect(call).toThrow(new TypeError(message));
  });

  it('rejects a `catalogue` that is `undefined`', () => {
    expect(() => createEngine({ catalogue: undefined } as never)).toThrow(
      "`catalogue` must be a catalogue, or `'none'`, where it is given (got undefined)",
    );
  });

  it('accepts its claim sets, also after they were moved to another instant', () => {
    const claims = engine.claims.at(
      [{ id: 'c', source: 's', issuedAt: 0, claims: { 'club.banned': false } }],
      NOW,
    );
    const moved = ClaimSet.move(claims, NOW + 1);
    if (moved === undefined) throw new Error('the claim set was not moved');
    const query = engine.compile(NOT_BANNED);
    expect(query.check(moved)).toEqual({ passed: true, failing: [] });
    const options = { scopes: ['club:read'] };
    expect(query.assertCovered(options.scopes).evaluateToJson(moved)).toBe(
      JSON.stringify(query.evaluate(moved, options)),
    );
  });

  it('rejects columns of other claims, and of values that do not fit', async () => {
    const count = (columns: ClaimColumns) => engine.evaluateMany(NOT_BANNED, columns).count;
    expect(() => count(ClaimColumns.of({ 'club.banned': ['true', false] }))).toThrow(
      'columns: claim `club.banned` must be of type boolean (got a string)',
    );
    expect(() => count(ClaimColumns.of({ 'club.banned': [true], 'club.bannd': [true] }))).toThrow(
      'columns: the catalogue has no claim `club.bannd`. Did you mean `club.banned`?',
    );
    const visits = Float64Array.from({ length: 70_000 }, (_, row) => (row === 69_999 ? 0.5 : row));
    const banned = new Uint8Array(70_000);
    const columns = ClaimColumns.of({ 'club.banned': banned, 'club.visits': visits });
    expect(() => count(columns)).toThrow(
      'columns, row 69999: claim `club.visits` must be of type integer (got 0.5)',
    );
    await expect(
      engine.evaluateManyInSlices(NOT_BANNED, columns, { pause: () => Promise.resolve() }),
    ).rejects.toThrow('row 69999');
    const valid = ClaimColumns.of({ 'club.banned': [true, false, undefined] });
    // Twice, since the outcome of the validation is cached.
    expect([count(valid), count(valid)]).toEqual([2, 2]);
  });

  it('accepts unlisted claims with `unknownClaims: allow`, and checks the types of listed ones', () => {
    const lenient = createEngine({ catalogue: DEFAULT_CATALOGUE, unknownClaims: 'allow' });
    const own = lenient.compile({ check: { claim: 'club.tier', operator: '==', value: 'gold' } });
    expect(own.test(lenient.claims.of({ 'club.tier': 'gold' }))).toBe(true);
    expect(() => lenient.claims.of({ 'identity.age': '34' })).toThrow(/must be of type integer/);
  });
});
