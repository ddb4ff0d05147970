/** Regression tests for mutants of the engine that other tests did not detect. */
import { describe, expect, it } from 'vitest';
import { DEFAULT_CATALOGUE } from '../../../src/engine/catalogue/parse-catalogue.js';
import { assertName, didYouMean } from '../../../src/engine/names.js';
import { checksOf, foldItem, mapChecks } from '../../../src/engine/query/query.js';
import {
  ClaimSet,
  type CompiledQuery,
  canonicalText,
  compile as compileExactly,
  compilePredicate,
  compileProjection,
  createEngine,
  evaluate,
  type JsonValue,
  jsonEquals,
  type ParseOptions,
  type PolicyItem,
  parse,
  parseCredentials,
  QueryError,
} from '../../../src/index.js';
import { queryErrorOf } from '../../support/query-error.js';
import { compile } from '../../support/with-re2js.js';

describe('JSON equality', () => {
  const empty: readonly JsonValue[] = [{}, [], ''];
  // L16
  it.each([5, true, null, '', 'x'])('%j does not equal an empty object or an empty array', (value) => {
    for (const other of empty.filter((one) => one !== value)) {
      expect([jsonEquals(value, other), jsonEquals(other, value)]).toEqual([false, false]);
    }
  });
});

// L16, L18
it('a string that is also a pattern in the same query is compared as a string', () => {
  const items = [
    { claim: 'a.b', operator: 'matchRegex', value: 'x+' },
    { claim: 'a.b', operator: '==', value: 'x+' },
  ];
  const claims = ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims: { 'a.b': 'x+' } }], 1);
  expect(compile({ policy: { allOf: items } }).test(claims)).toBe(true);
});

// L6, L8
it('a misspelled member is not corrected to a member that is present', () => {
  const { problems } = queryErrorOf({
    policy: { alOf: [], allOf: [{ claim: 'a.b', operator: 'isDefined' }] },
  });
  expect(problems.map(({ message }) => message)).toEqual([
    'Unknown member `alOf` of a policy. Allowed members: `allOf`, `anyOf` or `not`.',
  ]);
});

describe('credentials as JavaScript values', () => {
  const credential = (changes: object) => [
    { id: 'c', source: 's', issuedAt: '2026-01-01', claims: {}, ...changes },
  ];

  // L10
  it('must have instants as strings, not as arrays of a string', () => {
    expect(() => parseCredentials(credential({ issuedAt: ['2026-01-01'] }))).toThrow(/RFC 3339/);
  });

  // S152
  it.each(['list', 'object'])('with a claim that contains itself in a %s are rejected', (kind) => {
    const list: unknown[] = [];
    list.push(list);
    const object: Record<string, unknown> = {};
    object['o'] = object;
    expect(() =>
      parseCredentials(credential({ claims: { 'a.b': kind === 'list' ? list : object } })),
    ).toThrow(/nested/);
  });
});

describe('an ambiguous item', () => {
  const incomplete = { claim: 'a.b' };
  const place = '/policy/allOf/0';

  // L6, L8
  it('has its nested policies validated too, under `policy` and under a combinator alike', () => {
    const inner = { allOf: [incomplete] };
    for (const [item, pointer] of [
      [{ check: { claim: 'a.b', operator: 'isDefined' }, policy: inner }, `${place}/policy/allOf/0`],
      [{ claim: 'a.b', ...inner }, `${place}/allOf/0`],
    ]) {
      const { problems } = queryErrorOf({ policy: { allOf: [item] } });
      expect(problems).toContainEqual(expect.objectContaining({ code: 'member_missing', pointer }));
    }
  });

  // L7
  it('counts a nested policy toward the depth limit, under `policy` and under a combinator alike', () => {
    const nest = (item: object, levels: number): object =>
      levels === 0 ? item : { policy: { allOf: [nest(item, levels - 1)] } };
    const inner = { allOf: [{ claim: 'a.b', operator: 'isDefined' }] };
    for (const item of [
      { check: { claim: 'a.b', operator: 'isDefined' }, policy: inner },
      { claim: 'a.b', ...inner },
    ]) {
      const codes = (levels: number) =>
        queryErrorOf(nest(item, levels), { limits: { depth: 3 } }).problems.map(({ code }) => code);
      expect(codes(2)).not.toContain('limit_depth');
      expect(codes(3)).toContain('limit_depth');
    }
  });

  // L7
  it('reports `limit_depth` at the first nested policy beyond the limit, counting from the depth of the item', () => {
    const nested = { not: { not: { not: { claim: 'a.b', operator: 'isDefined' } } } };
    const item = { claim: 'a.b', operator: 'isDefined', not: nested };
    expect(queryErrorOf({ policy: { allOf: [item] } }, { limits: { depth: 3 } }).problems).toContainEqual(
      expect.objectContaining({ code: 'limit_depth', pointer: `${place}/not/not` }),
    );
  });
});

describe('options of `parse` of the wrong type', () => {
  const query = { check: { claim: 'a.b', operator: 'isDefined' } };

  // L7, L9
  it.each<[options: object, message: string]>([
    [{ claims: 'a.b' }, '`claims` must be an array (got a string)'],
    [{ claims: ['a.b'] }, 'each of `claims` must be a claim with a `path` (got a string)'],
    [{ claims: [null] }, 'each of `claims` must be a claim with a `path` (got null)'],
    [{ limits: 5 }, '`limits` must be an object (got 5)'],
  ])('%j are rejected with a message that names the option', (options, message) => {
    expect(() => parse(query, options as ParseOptions)).toThrow(new TypeError(message));
  });
});

// L25
it('`canonicalText` rejects a value that `parse` did not return', () => {
  for (const wrong of [undefined, null, {}, 'check'])
    expect(() => canonicalText(wrong as never)).toThrow(/^`query` must be a query that `parse` returned/);
});

// L3
it('a malformed claim path is corrected only if the correction is a claim path', () => {
  const messageOf = (claim: string) =>
    queryErrorOf({ check: { claim, operator: 'isDefined' } }).problems.map(({ message }) => message);
  expect(messageOf(' a.b')).toEqual(['` a.b` is not a valid claim path. Did you mean `a.b`?']);
  expect(messageOf(' a')[0]).not.toContain('Did you mean');
});

describe('a policy with each combination', () => {
  const check = (claim: string) => ({ check: { claim, operator: 'isDefined' } }) as const;
  const item: PolicyItem = {
    policy: {
      allOf: [check('a.one'), { policy: { anyOf: [check('a.two'), { policy: { not: check('a.three') } }] } }],
    },
  };

  it('lists its checks in document order', () => {
    expect(checksOf(item).map(({ claim }) => claim)).toEqual(['a.one', 'a.two', 'a.three']);
  });

  it('keeps its form when its checks are replaced', () => {
    const replaced = mapChecks(item, ({ claim, operator }) => ({ claim: `${claim}_x`, operator }) as never);
    expect(JSON.stringify(replaced)).toBe(
      JSON.stringify(item).replaceAll(/a\.(one|two|three)/g, (path) => `${path}_x`),
    );
  });

  // L19
  it('is folded with the pointer of each item and the parity of its negations', () => {
    const show = (negated: boolean) =>
      foldItem<string>(
        item,
        {
          check: (_check, isNegated, pointer) => `${isNegated ? '!' : ''}${pointer}`,
          all: (items) => `all(${items.join(', ')})`,
          any: (items) => `any(${items.join(', ')})`,
        },
        negated,
      );
    const [one, two, three] = ['/0', '/1/policy/anyOf/0', '/1/policy/anyOf/1/policy/not'].map(
      (place) => `/policy/allOf${place}`,
    );
    expect(show(false)).toBe(`all(${one}, any(${two}, !${three}))`);
    expect(show(true)).toBe(`any(!${one}, all(!${two}, ${three}))`);
  });
});

describe('a suggestion', () => {
  // L8
  it.each([
    ['i  n', ['in'], undefined],
    ['  in  ', ['in'], 'in'],
    ['   in', ['in'], 'in'],
    ['ba', ['ab'], 'ab'],
    ['ax', ['ba'], undefined],
    ['xb', ['ba'], undefined],
    ['claim', ['clam', 'claim'], 'claim'],
    ['claims', ['clam', 'clan'], 'clam'],
    ['cliam_path', ['claim_paths', 'claim_path'], 'claim_path'],
  ])('for %j among %j is %j', (name, candidates, nearest) => {
    expect(didYouMean(name, candidates)).toBe(nearest);
  });
});

describe('an error names the argument and what was passed:', () => {
  const query = { check: { claim: 'a.b', operator: 'isDefined' } };
  const engine = createEngine({ catalogue: 'none' });
  const columns = '`columns` must be claim columns, created by `ClaimColumns.of` or a builder';
  const engineRequired =
    "`regex` must be a regular-expression engine: import { re2js } from 'proviso', or implement the interface `RegexEngine`";

  it.each<[string, () => unknown, string]>([
    [
      '`undefined` as columns',
      () => engine.evaluateMany(query, undefined as never),
      `${columns} (got undefined)`,
    ],
    ['a list as columns', () => engine.evaluateMany(query, [] as never), `${columns} (got an array)`],
    [
      '`undefined` as options of an evaluation',
      () => evaluate(query, [], undefined as never),
      '`options` must be an object (got undefined)',
    ],
    ['a number as options', () => compileExactly(query, 5 as never), '`options` must be an object (got 5)'],
    ['`null` as an engine', () => compile(query, { regex: null } as never), `${engineRequired} (got null)`],
    [
      'an engine whose patterns have no `test`',
      () =>
        createEngine({
          regex: { compile: () => ({ accepted: true, pattern: { programSize: 1 } }) },
        } as never),
      `${engineRequired} (its \`compile\` returned no \`PatternOutcome\`)`,
    ],
    [
      '`null` as scopes',
      () => compile(query).assertCovered(null as never),
      '`scopes` must be an array or another iterable of strings (got null)',
    ],
    [
      'a number as a scope',
      () => compile(query).assertCovered([5] as never),
      'each of `scopes` must be a string (got 5)',
    ],
    [
      'an instance of a class as options',
      () => compileExactly(query, new (class Options {})() as never),
      '`options` must be an object (got an instance of a class)',
    ],
    [
      'a promise as options',
      () => compileExactly(query, Promise.resolve() as never),
      '`options` must be an object (got an instance of Promise)',
    ],
  ])('%s', (_argument, call, message) => {
    expect(call).toThrow(new TypeError(message));
  });

  it('a number as a name', () => {
    expect(() => assertName('`x`', ['a', 'b'], 5)).toThrow(
      new TypeError('`x` must be one of `a` or `b` (got 5)'),
    );
  });

  it('`undefined` as a claim set', () => {
    const withCatalogue = createEngine({ catalogue: DEFAULT_CATALOGUE });
    expect(() =>
      withCatalogue
        .compile({ check: { claim: 'identity.age', operator: 'isDefined' } })
        .test(undefined as never),
    ).toThrow(/^`claims` must be a claim set/);
  });

  it('an object as credentials, and `null` as a credential', () => {
    const { claims } = createEngine({ catalogue: DEFAULT_CATALOGUE });
    expect(() => claims.at({} as never, 1)).toThrow(
      new TypeError('`credentials` must be an array (got an object)'),
    );
    expect(() => claims.at([null] as never, 1)).toThrow(
      new TypeError('a credential must be an object (got null)'),
    );
  });
});

it('every problem of claims is reported with its code and pointer', () => {
  const { claims } = createEngine({ catalogue: DEFAULT_CATALOGUE });
  const problemsOf = (values: object) => {
    try {
      claims.of(values as never);
    } catch (error) {
      return error;
    }
    return undefined;
  };
  expect(problemsOf({ age: 1, 'identity.age': 'x' })).toMatchObject({
    name: 'ClaimError',
    message:
      'claim path `age` must be two or more names joined by dots, such as `identity.age`; claim `identity.age` must be of type integer (got a string)',
    problems: [
      { code: 'claim_path_malformed', pointer: '/age' },
      { code: 'claim_value', pointer: '/identity.age' },
    ],
  });
  const nested = Array.from({ length: 17 }).reduce<unknown>((inner) => [inner], 1);
  const open = createEngine({ catalogue: { scopes: [], claims: [] }, unknownClaims: 'allow' });
  expect(() => open.claims.of({ 'a.b': nested } as never)).toThrow(
    expect.objectContaining({
      problems: [expect.objectContaining({ code: 'claim_value', pointer: '/a.b' })],
    }),
  );
  expect(() => open.claims.of({ 'a.b': Number.NaN })).toThrow(
    'claim `a.b` must be a JSON value with finite numbers (got NaN)',
  );
});

it('`compileProjection` and `compilePredicate` report a query of the wrong form with the pointer of the whole query', () => {
  const check = { check: { claim: 'a.b', operator: 'isDefined' } };
  const projections = { projections: [{ claim: 'a.b', lens: 'pluck' }] };
  const problemsOf = (call: () => unknown) => {
    try {
      call();
    } catch (error) {
      if (error instanceof QueryError) return error.problems;
      throw error;
    }
    return [];
  };
  expect(problemsOf(() => compileProjection(check))).toMatchObject([{ code: 'form_missing', pointer: '' }]);
  expect(problemsOf(() => compilePredicate(projections))).toMatchObject([
    { code: 'form_missing', pointer: '' },
  ]);
});

it('projections may be evaluated without options if no scopes are checked', () => {
  const query = { projections: [{ claim: 'a.b', lens: 'pluck' }] };
  const claims = ClaimSet.at([{ id: 'c', source: 's', issuedAt: 0, claims: { 'a.b': 5 } }], 1);
  const ungated = compile(query, { catalogue: 'none' }) as CompiledQuery;
  const evaluateToJson = ungated.evaluateToJson as (claims: ClaimSet) => string;
  expect(JSON.parse(evaluateToJson(claims))).toMatchObject({ data: { 'a.b': 5 } });
});

it('a claim that no scope covers is reported without a suggestion if the catalogue has no `covered` list', () => {
  const catalogue = { scopes: [], expand: () => new Set<string>(), coveringScopes: () => [] };
  const compiled = compile({ check: { claim: 'a.b', operator: 'isDefined' } }, { catalogue });
  expect(() => compiled.assertCovered([])).toThrow(
    /No scope of the catalogue covers `a\.b`\.( \(at [^)]*\))?$/,
  );
});

// L8, L9
it('a claim that `claims` lacks is reported without a suggestion if no claim has a similar name', () => {
  const query = { check: { claim: 'x.unlike', operator: '==', value: 5 } };
  expect(() => parse(query, { claims: [{ path: 'a.b', type: 'number' }] })).toThrow(
    'The catalogue has no claim `x.unlike`. (at /check/claim)',
  );
});

// L9
it('a claim without `reportOperand` accepts an operand of any type', () => {
  const query = { check: { claim: 'a.b', operator: '==', value: 'x' } };
  expect(parse(query, { claims: [{ path: 'a.b', type: 'number' }] })).toEqual(query);
});
