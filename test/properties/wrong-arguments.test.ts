/**
 * The functions that the imported entry points export throw a documented error for many kinds of wrong arguments. Functions that are defined for every
 * value return `false` instead.
 * None returns a verdict (L26).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as analysis from '../../src/analysis/index.js';
import * as builder from '../../src/builder/index.js';
import * as client from '../../src/client/index.js';
import * as codegen from '../../src/codegen/index.js';
import * as convert from '../../src/convert/index.js';
import * as describeEntry from '../../src/describe/index.js';
import * as proviso from '../../src/index.js';
import * as policySet from '../../src/policy-set/index.js';
import * as policyTests from '../../src/policy-tests/index.js';
import * as sql from '../../src/sql/index.js';
import { loadCommonJs } from '../conformance/codegen/module-cases.js';

const { ClaimColumns, ClaimColumnsBuilder, ClaimSet, ProvisoError, re2js } = proviso;

const SEED = 20_261_126;

type Accepts = (value: unknown) => boolean;

/** A function, arguments that it accepts, and for each argument the other values that it may accept: for these, both a result and an error are right. */
interface Call {
  readonly call: (...values: never[]) => unknown;
  readonly valid: readonly unknown[];
  readonly accepts: readonly Accepts[];
}

const QUERY = { check: { claim: 'a.b', operator: '==', value: 1 } };
const PROJECTION = { projections: [{ claim: 'a.b', lens: 'pluck' }] };
const CREDENTIALS = [{ id: 'c', source: 's', issuedAt: 0, claims: { 'a.b': 1 } }];
const catalogue = proviso.createScopeCatalogue([{ name: 's', covers: ['a'] }]);
const options = { catalogue, regex: re2js };
const claims = ClaimSet.at(CREDENTIALS, 5);
const compiled = proviso.compile(QUERY, options);
const covered = compiled.assertCovered(['s']);
const engine = proviso.createEngine({ catalogue: 'none' });
const columns = ClaimColumns.of({ 'a.b': [1, 2] });
const adult = builder.p.claim('identity.age').gte(18);
const CONVERSION = { claims: { b: { claim: 'a.b', type: 'boolean' } } };
const policies = policySet.createPolicySet();
policies.add('p', QUERY);
const generated = loadCommonJs(codegen.generateModule(QUERY, { format: 'cjs', evidence: true }).code, {});
const LAYOUT = sql.SERVICE_STORE_LAYOUT;

const POLICY_TEST = {
  query: QUERY,
  catalogue: 'none',
  cases: [{ title: 'c', claims: { 'a.b': 1 }, passes: true }],
};

const nothing: Accepts = () => false;
const anything: Accepts = () => true;
const isAbsent: Accepts = (value) => value === undefined;
const isEmptyArray: Accepts = (value) => Array.isArray(value) && value.length === 0;
const isPlain = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.prototype.toString.call(value) === '[object Object]';
/** Absent or empty options: no tried object has the name of an option, and unknown names are rejected. */
const isOptions: Accepts = (value) =>
  value === undefined || (isPlain(value) && Object.keys(value).length === 0);
/** Options of a call that runs once per person: unknown names are ignored, which saves time. */
const isUncheckedOptions: Accepts = (value) => value === undefined || isPlain(value);
const isEmptyObject: Accepts = (value) =>
  isPlain(value) && Object.values(value).every((each) => each === undefined);
/** Plain claims: members named by claim paths. */
const isClaims: Accepts = (value) => isPlain(value) && Object.keys(value).every(proviso.isClaimPath);
/** Plain claims. The name of an undefined claim need not be a claim path. */
const isRow: Accepts = (value) =>
  isPlain(value) &&
  Object.entries(value).every(([path, each]) => each === undefined || proviso.isClaimPath(path));
const isString: Accepts = (value) => typeof value === 'string';
const isPath: Accepts = (value) => isString(value) && proviso.isClaimPath(value as string);
const isNumber: Accepts = (value) => typeof value === 'number';
const isStrings: Accepts = (value) =>
  typeof value === 'object' &&
  value !== null &&
  Symbol.iterator in value &&
  [...(value as [])].every(isString);
const isPaths: Accepts = (value) => isStrings(value) && [...(value as string[])].every(isPath);
/** Scope definitions: all members but the name are optional. */
const isScopes: Accepts = (value) =>
  Array.isArray(value) && value.every((each) => isPlain(each) && isString(each['name']));
const isObjects: Accepts = (value) => Array.isArray(value) && value.every(isPlain);

const CALLS: Readonly<Record<string, Call>> = {
  'ClaimSet.at': of(ClaimSet.at, [CREDENTIALS, 5], [isEmptyArray, isNumber]),
  'ClaimSet.of': of(ClaimSet.of, [{ 'a.b': 1 }, { now: 5 }], [isClaims, isOptions]),
  'ClaimSet.move': of(ClaimSet.move, [claims, 6], [nothing, isNumber]),
  parseCatalogue: of(proviso.parseCatalogue, [{}], [isEmptyObject]),
  'ClaimColumns.of': of(ClaimColumns.of, [{ 'a.b': [1] }, {}], [isEmptyObject, isOptions]),
  'new ClaimColumnsBuilder': of((given: never) => new ClaimColumnsBuilder(given), [{ now: 5 }], [isOptions]),
  'ClaimColumnsBuilder.addRow': of(
    (row: never) => new ClaimColumnsBuilder({ now: 5 }).addRow(row),
    [{ 'a.b': 1 }],
    [isRow],
  ),
  'ClaimColumnsBuilder.addCredentials': of(
    (credentials: never) => new ClaimColumnsBuilder({ now: 5 }).addCredentials(credentials),
    [CREDENTIALS],
    [isEmptyArray],
  ),
  'ClaimColumnsBuilder.addClaimSet': of(
    (claimSet: never) => new ClaimColumnsBuilder({ now: 5, claims: ['a.b'] }).addClaimSet(claimSet),
    [claims],
    [nothing],
  ),
  canonicalText: of(proviso.canonicalText, [proviso.parse(QUERY)], [nothing]),
  parse: of(proviso.parse, [QUERY, options], [nothing, isOptions]),
  compile: of(proviso.compile, [QUERY, options], [nothing, isOptions]),
  compilePredicate: of(proviso.compilePredicate, [QUERY, options], [nothing, isOptions]),
  compileProjection: of(proviso.compileProjection, [PROJECTION, options], [nothing, isOptions]),
  // These two return the problems of a wrong query.
  safeParse: of(proviso.safeParse, [QUERY, options], [anything, isOptions]),
  safeCompile: of(proviso.safeCompile, [QUERY, options], [anything, isOptions]),
  createEngine: of(proviso.createEngine, [options], [isOptions]),
  createScopeCatalogue: of(proviso.createScopeCatalogue, [[{ name: 's', covers: ['a'] }]], [isScopes]),
  'ScopeCatalogue.expand': of(catalogue.expand, [['s']], [isStrings]),
  'ScopeCatalogue.coveringScopes': of(catalogue.coveringScopes, ['a.b'], [isString]),
  toScopeDefinitions: of(proviso.toScopeDefinitions, [[], []], [isObjects, isObjects]),
  evaluate: of(
    proviso.evaluate,
    [QUERY, CREDENTIALS, { ...options, now: 5, scopes: ['s'] }],
    [nothing, isEmptyArray, nothing],
  ),
  evaluateMany: of(proviso.evaluateMany, [QUERY, columns, options], [nothing, nothing, isOptions]),
  'CompiledQuery.test': of(compiled.test, [claims], [nothing]),
  'CompiledQuery.check': of(compiled.check, [claims], [nothing]),
  'CompiledQuery.evaluate': of(compiled.evaluate, [claims, { scopes: ['s'] }], [nothing, nothing]),
  'CompiledQuery.evaluateToJson': of(
    compiled.evaluateToJson,
    [claims, { scopes: ['s'] }],
    [nothing, nothing],
  ),
  'CompiledQuery.assertCovered': of(compiled.assertCovered, [['s']], [nothing]),
  'CoveredQuery.evaluateToJson': of(covered.evaluateToJson, [claims, {}], [nothing, isUncheckedOptions]),
  'Engine.compile': of(engine.compile, [QUERY], [nothing]),
  'Engine.evaluateMany': of(engine.evaluateMany, [QUERY, columns, {}], [nothing, nothing, isOptions]),
  'Engine.claims.at': of(engine.claims.at, [CREDENTIALS, 5], [isEmptyArray, isNumber]),
  'Engine.claims.of': of(engine.claims.of, [{ 'a.b': 1 }], [isClaims]),
  findClaim: of(proviso.findClaim, [claims, proviso.toClaimReference('a.b')], [nothing, nothing]),
  toClaimReference: of(proviso.toClaimReference, ['a.b'], [isPath]),
  isActiveAt: of(proviso.isActiveAt, [CREDENTIALS[0], 5], [nothing, isNumber]),
  parseCredentials: of(proviso.parseCredentials, [[]], [isObjects]),
  formatInstant: of(proviso.formatInstant, [5], [isNumber]),
  'p.claim': of(builder.p.claim, ['identity.age'], [nothing]),
  'p.not': of(builder.p.not, [adult], [nothing]),
  'p.allOf': of(builder.p.allOf, [adult], [nothing]),
  'p.anyOf': of(builder.p.anyOf, [adult], [nothing]),
  'p.project': of(builder.p.project, [builder.p.claim('identity.age').pluck()], [nothing]),
  createQueryBuilder: of(
    builder.createQueryBuilder,
    [[{ path: 'a.b', type: 'number', scope: 's' }]],
    [isEmptyArray],
  ),
  satisfiable: of(analysis.satisfiable, [QUERY, {}], [nothing, isOptions]),
  tautology: of(analysis.tautology, [QUERY, {}], [nothing, isOptions]),
  implies: of(analysis.implies, [QUERY, QUERY, {}], [nothing, nothing, isOptions]),
  equivalent: of(analysis.equivalent, [QUERY, QUERY, {}], [nothing, nothing, isOptions]),
  simplify: of(analysis.simplify, [QUERY, {}], [nothing, isOptions]),
  formatQuery: of(analysis.formatQuery, [QUERY, {}], [nothing, isOptions]),
  describeFailures: of(
    describeEntry.describeFailures,
    [compiled.check(ClaimSet.of({ 'a.b': 2 })), {}],
    [nothing, isOptions],
  ),
  describeQuery: of(describeEntry.describeQuery, [QUERY, {}], [nothing, isOptions]),
  describeFacts: of(describeEntry.describeFacts, [QUERY, {}], [nothing, isOptions]),
  inferKnowledge: of(
    analysis.inferKnowledge,
    [[{ query: QUERY, passed: true, at: 0 }], {}],
    [isEmptyArray, isOptions],
  ),
  toKnownQuery: of(
    analysis.toKnownQuery,
    [analysis.inferKnowledge([{ query: QUERY, passed: true, at: 0 }])[0], undefined],
    [nothing, isAbsent],
  ),
  renderDescription: of(describeEntry.renderDescription, [describeEntry.describeQuery(QUERY)], [nothing]),
  residual: of(analysis.residual, [QUERY, { 'a.b': 1 }, {}], [nothing, isClaims, isOptions]),
  lint: of(analysis.lint, [QUERY, 'none', {}], [nothing, isAbsent, isOptions]),
  requiredScopes: of(analysis.requiredScopes, [QUERY, catalogue, {}], [nothing, isAbsent, isOptions]),
  explain: of(
    analysis.explain,
    [QUERY, CREDENTIALS, { now: 5, scopes: ['s'], catalogue }],
    // Derived claims repeat the `id` of their credential.
    [nothing, (value) => isObjects(value) || isClaims(value), nothing],
  ),
  toSql: of(sql.toSql, [QUERY, { dialect: 'sqlite', layout: LAYOUT, now: 5 }], [nothing, nothing]),
  toCandidateSql: of(
    sql.toCandidateSql,
    [QUERY, { dialect: 'sqlite', layout: LAYOUT, now: 5 }],
    [nothing, nothing],
  ),
  // These return the problems of a wrong document.
  fromJsonLogic: of(convert.fromJsonLogic, [{ var: 'b' }, CONVERSION], [anything, nothing]),
  fromJsonRulesEngine: of(
    convert.fromJsonRulesEngine,
    [{ fact: 'b', operator: 'equal', value: true }, CONVERSION],
    [anything, nothing],
  ),
  fromCasl: of(
    convert.fromCasl,
    [[], { action: 'read', subject: 'Person' }, CONVERSION],
    [anything, nothing, nothing],
  ),
  toJsonLogic: of(convert.toJsonLogic, [QUERY, CONVERSION], [nothing, nothing]),
  toWhere: of(
    sql.toWhere,
    [() => 'built', QUERY, { dialect: 'sqlite', layout: LAYOUT, now: 5 }],
    [(value) => typeof value === 'function', nothing, nothing],
  ),
  toPrismaWhere: of(
    sql.toPrismaWhere,
    [QUERY, { provider: 'sqlite', fields: { 'a.b': { field: 'b', type: 'integer' } } }],
    [nothing, nothing],
  ),
  createPolicySet: of(policySet.createPolicySet, [{}], [isOptions]),
  policySetFromBytes: of(policySet.policySetFromBytes, [policies.toBytes(), {}], [nothing, isOptions]),
  'PolicySet.add': of(
    (id: never, query: never) => policySet.createPolicySet().add(id, query),
    ['p', QUERY],
    [(value) => isString(value) && value !== '', nothing],
  ),
  'PolicySet.match': of((given: never) => policies.match(given), [claims], [nothing]),
  'PolicySet.matchBitmap': of((given: never) => policies.matchBitmap(given), [claims], [nothing]),
  'PolicySet.diff': of(
    (before: never, after: never) => policies.diff(before, after),
    [claims, claims],
    [nothing, nothing],
  ),
  'PolicySet.candidates': of((given: never) => policies.candidates(given), [claims], [nothing]),
  'PolicySet.affectedBy': of((paths: never) => policies.affectedBy(paths), [['a.b']], [isPaths]),
  generateModule: of(codegen.generateModule, [QUERY, { evidence: true }], [nothing, isOptions]),
  'test of a generated module': of(generated.test, [{ 'a.b': 1 }], [isPlain]),
  'evaluate of a generated module': of(generated.evaluate, [{ 'a.b': 1 }, { now: 5 }], [isPlain, nothing]),
  parsePolicyTest: of(policyTests.parsePolicyTest, [POLICY_TEST], [nothing]),
  runPolicyTest: of(
    policyTests.runPolicyTest,
    [policyTests.parsePolicyTest(POLICY_TEST), {}],
    [nothing, isOptions],
  ),
  generateCases: of(policyTests.generateCases, [QUERY, { catalogue: 'none' }], [nothing, nothing]),
  adviseIndexes: of(sql.adviseIndexes, [QUERY, LAYOUT, 'sqlite', {}], [nothing, nothing, nothing, isOptions]),
  createClient: of(
    client.createClient,
    [{ issuer: 'https://claims.example/v2', clientId: 'c', redirectUri: 'https://app.example/callback' }],
    [nothing],
  ),
};

/** Exported functions that accept any value, wrapped to return `false` for a wrong one. */
const TOTAL: Readonly<Record<string, (value: unknown) => unknown>> = {
  isClaimPath: (value) => proviso.isClaimPath(value as string),
  parseInstant: (value) => proviso.parseInstant(value as string) !== undefined,
  jsonEquals: (value) => proviso.jsonEquals(value as never, { 'a.b': [] }),
};

/** Exports that this test does not cover: one is asynchronous, the other keeps any tokens that it is given. */
const OTHERS = ['evaluateManyInSlices', 'inMemoryTokens'];

/** One value of each kind that a program may pass by mistake. */
const WRONG: readonly unknown[] = [
  undefined,
  null,
  true,
  Number.NaN,
  -1.5,
  Number.POSITIVE_INFINITY,
  '',
  'a b',
  [],
  [null],
  ['x'],
  [1],
  {},
  { x: 1 },
  { identity: { age: 34 } },
  { 'kyc.document_country': 'KP' },
  new Date(5),
  new Map([['a.b', 1]]),
  () => true,
  Symbol('x'),
  1n,
  [{ id: 'c', source: 's', issuedAt: '2026-01-01T00:00:00Z', claims: { 'a.b': 1 } }],
  [...CREDENTIALS, ...CREDENTIALS],
  { scopes: 's' },
  { now: '5', scopes: ['s'] },
];

const CHECK = QUERY.check;

/** Documents with a hole, which must not count as an empty array: `allOf` of nothing passes. */
const SPARSE_DOCUMENTS: readonly (readonly [name: string, read: () => unknown])[] = [
  ['allOf', () => proviso.compile({ policy: { allOf: new Array(2) } })],
  ['allOf with a check', () => proviso.compile({ policy: { allOf: sparse(CHECK) } })],
  ['anyOf', () => proviso.compile({ policy: { anyOf: sparse(CHECK) } })],
  ['not', () => proviso.compile({ policy: { not: new Array(1) } })],
  ['a list operand', () => proviso.compile({ check: { claim: 'a.b', operator: 'notIn', value: sparse(1) } })],
  ['projections', () => proviso.compile({ projections: sparse(PROJECTION.projections[0]) })],
  ['fields', () => proviso.compile({ projections: [{ claim: 'a.b', lens: 'pick', fields: sparse('x') }] })],
  ['credentials', () => proviso.parseCredentials(new Array(1))],
  ['claims of a catalogue', () => proviso.parseCatalogue({ claims: new Array(1) })],
  ['cases', () => policyTests.parsePolicyTest({ ...POLICY_TEST, cases: sparse(...POLICY_TEST.cases) })],
];

const ENUM = { path: 'a.b', type: 'enum', scope: 's' };

/** Calls with an option of a wrong type, and its name. */
const WRONG_OPTIONS: readonly (readonly [name: string, call: (value: never) => unknown])[] = [
  ['`limits`', (limits) => analysis.satisfiable(QUERY, { limits })],
  ['`limits`', (limits) => analysis.lint(QUERY, 'none', { limits })],
  ['`limits`', (limits) => analysis.formatQuery(QUERY, { limits })],
  ['`now`', (now) => analysis.explain(QUERY, { 'a.b': 1 }, { catalogue: 'none', now })],
  ['`claims`', (kept) => new ClaimColumnsBuilder({ claims: kept })],
  ['`values` of `a.b`', (values) => builder.createQueryBuilder([{ ...ENUM, values }] as never)],
  ['`among`', (among) => sql.toSql(QUERY, { dialect: 'sqlite', layout: LAYOUT, now: 5, among })],
  [
    '`missingClaims`',
    (missingClaims) =>
      sql.toCandidateSql(QUERY, { dialect: 'sqlite', layout: LAYOUT, now: 5, missingClaims }),
  ],
  [
    '`undefinedClaims`',
    (undefinedClaims) => sql.toPrismaWhere(QUERY, { provider: 'sqlite', fields: {}, undefinedClaims }),
  ],
];

/** Values that no option of {@link WRONG_OPTIONS} accepts. */
const WRONG_VALUES = [null, false, 1n, '', 'a.b', [5], new Date(0), () => true];
/** Whether an option accepts arrays, but no other iterables. */
const acceptsArraysOnly = (name: string) => !['`limits`', '`now`', '`claims`'].includes(name);

describe('an exported function', () => {
  // L26
  it.each(WRONG_OPTIONS)('throws a `TypeError` that names an option of a wrong type: %s', (name, call) => {
    // Other iterables are wrong as well: an iterator is empty when it is read again.
    const iterators = acceptsArraysOnly(name) ? [new Set(['a.b']), ['a.b'].values()] : [];
    for (const value of [...WRONG_VALUES, ...iterators]) {
      const thrown = thrownBy(() => call(value as never));
      expect(thrown).toMatch(/^TypeError: /);
      expect(thrown).toContain(name);
    }
  });

  it('is in one of the lists of this file', () => {
    const exported = [
      proviso,
      analysis,
      builder,
      codegen,
      convert,
      describeEntry,
      policySet,
      policyTests,
      sql,
      client,
    ].flatMap((entry) =>
      Object.entries(entry)
        .filter(([, value]) => typeof value === 'function' && !/^class\b/.test(String(value)))
        .map(([name]) => name),
    );
    const listed = [...Object.keys(CALLS), ...Object.keys(TOTAL), ...OTHERS];
    expect(exported.filter((name) => !listed.includes(name))).toEqual([]);
  });

  it.each(Object.entries(CALLS))('accepts the right arguments: %s', (_name, { call, valid }) => {
    expect(() => call(...(valid as never[]))).not.toThrow();
  });

  it.each(Object.entries(CALLS))(
    'throws a documented error for each kind of wrong argument: %s',
    (name, called) => {
      for (const [position, accepts] of called.accepts.entries()) {
        for (const value of WRONG) expect(fault(name, called, position, accepts, value)).toBeUndefined();
        const law = (value: unknown) => fault(name, called, position, accepts, value) === undefined;
        fc.assert(fc.property(fc.anything(), law), { seed: SEED, numRuns: 50 });
      }
    },
  );

  /** Arguments that must be arrays. Not those of conversions, which return problems. */
  const arrays = Object.entries(CALLS).flatMap(([name, called]) =>
    called.accepts.flatMap((accepts, position) => {
      const value = called.valid[position];
      return accepts !== anything && Array.isArray(value) ? [{ name, called, position, value }] : [];
    }),
  );

  it.each(arrays)(
    'throws for an array with a hole: $name, argument $position',
    ({ name, called, position, value }) => {
      expect(fault(name, called, position, nothing, sparse(...value))).toBeUndefined();
    },
  );

  it.each(SPARSE_DOCUMENTS)('reports the hole of an array like any other wrong value: %s', (_name, read) => {
    expect(read).toThrow(ProvisoError);
  });

  it.each(Object.entries(TOTAL))('returns `false` for each kind of wrong argument: %s', (_name, call) => {
    for (const value of WRONG) expect(call(value)).toBe(false);
  });
});

function thrownBy(call: () => unknown): string {
  try {
    return `returned ${String(call())}`;
  } catch (error) {
    return String(error);
  }
}

/** An array with a hole, followed by other elements. */
function sparse(...elements: readonly unknown[]): unknown[] {
  return Object.assign(
    new Array<unknown>(elements.length + 1),
    Object.fromEntries(elements.map((each, index) => [index + 1, each])),
  );
}

/** A native error of an unchecked argument, which does not name it. */
const UNNAMED = /Cannot (?:read|destructure|convert|use)|is not (?:a function|iterable)/;
/** `CompiledQuery.test` reads a property of its argument before the argument is checked, which saves a call. */
const MAY_BE_UNNAMED = ['CompiledQuery.test'];

/** Returns a description of the fault if a call does not behave as documented. */
function fault(
  name: string,
  { call, valid }: Call,
  position: number,
  accepts: Accepts,
  value: unknown,
): string | undefined {
  const values = valid.with(position, value) as never[];
  try {
    const result: unknown = call(...values);
    return accepts(value) ? undefined : `returned ${String(result)}`;
  } catch (error) {
    const isDocumented =
      error instanceof TypeError || error instanceof RangeError || error instanceof ProvisoError;
    if (!isDocumented) return `threw ${String(error)}`;
    return UNNAMED.test(error.message) && !MAY_BE_UNNAMED.includes(name) ? error.message : undefined;
  }
}

function of(
  call: (...values: never[]) => unknown,
  valid: readonly unknown[],
  accepts: readonly Accepts[],
): Call {
  return { call, valid, accepts };
}
