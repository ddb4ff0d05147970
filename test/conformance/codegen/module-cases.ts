/** Random policies with people: their generated modules, and the outcomes of the engine. */
import * as fc from 'fast-check';
import type { generateModule } from '../../../src/codegen/index.js';
import {
  ClaimSet,
  type CompileOptions,
  type Credential,
  compilePredicate,
  type JsonValue,
  QueryError,
  type RegexEngine,
} from '../../../src/index.js';
import {
  type CredentialDraft,
  credentialDrafts,
  instant,
  jsonNumber,
  jsonString,
  policyItem,
  toCredentials,
} from '../../../src/testing/index.js';

/** A policy, and people whose claims relate to it. */
export interface PolicyAndPeople {
  readonly query: JsonValue;
  readonly people: readonly { readonly credentials: readonly Credential[]; readonly now: number }[];
}

/** A call of a generated module, and the expected outcomes: JSON, or the code of an error. */
export interface ModuleCase {
  readonly now: number;
  readonly test: string;
  readonly evaluate: string;
}

/** A module in both formats, with its calls. */
export interface ModuleCases {
  readonly esm: string;
  readonly cjs: string;
  /** The records of the cases: a JavaScript expression. */
  readonly records: string;
  readonly cases: readonly ModuleCase[];
}

/** Draws policies, each with a number of people. */
export function policyAndPeople(count: number): fc.Arbitrary<PolicyAndPeople> {
  const person = fc.tuple(credentialDrafts(), instant());
  const items = fc.oneof<fc.WeightedArbitrary<readonly unknown[]>[]>(
    { weight: 5, arbitrary: fc.tuple(policyItem()) },
    { weight: 1, arbitrary: fc.tuple(checkOfLongList(), policyItem()) },
  );
  return fc
    .tuple(items, fc.boolean(), fc.array(person, { minLength: count, maxLength: count }))
    .map(([drawn, isAll, people]) => {
      // Random policies are plain JSON, which their type does not express.
      const query = { policy: isAll ? { allOf: drawn } : { anyOf: drawn } } as JsonValue;
      return { query, people: people.map(([drafts, now]) => toPerson(drafts, query, now)) };
    });
}

/** Draws checks with lists that are longer than those of other random policies: of strings, of numbers, and of mixed JSON values. */
function checkOfLongList(): fc.Arbitrary<unknown> {
  const size = { minLength: 5, maxLength: 12, size: 'max' } as const;
  return fc.record({
    claim: fc.constantFrom('x.a', 'x.b', 'x.a.b'),
    operator: fc.constantFrom('in', 'notIn'),
    value: fc.oneof(
      fc.array(jsonString(), size),
      fc.array(jsonNumber(), size),
      fc.array(fc.oneof(jsonString(), jsonNumber(), fc.constantFrom(null, true, [1], { a: 'b' })), size),
    ),
  });
}

function toPerson(drafts: readonly CredentialDraft[], query: JsonValue, now: number) {
  return { credentials: toCredentials(drafts, query, now), now };
}

/** Values at the edges of operators, which random claims rarely have: an operator, an operand, and claims. */
const EDGES: readonly (readonly [operator: string, operand: JsonValue, claims: readonly JsonValue[]])[] = [
  ['startsWith', '\ud83d', ['😀', '\ud83d', '']],
  ['startsWith', '😀', ['😀x', '\ud83d', '😁']],
  ['startsWith', '', ['', 'a', null]],
  ['contains', '\ud83d', ['😀', ['😀'], ['\ud83d']]],
  ['contains', -0, [[0], [-0], ['0']]],
  ['==', -0, [0, -0, '0', false]],
  ['in', [0, 1, 2, 3, 4], [-0, 4, '4', null]],
  ['notIn', [0, 'a'], [-0, 'a', '0', null]],
  ['matchRegex', '^a$', ['a', 'a\n', '\na']],
  ['matchRegex', '^😀$', ['😀', '\ud83d']],
  [
    '>=',
    '2026-01-01T00:00:00z',
    ['2026-01-01t00:00:00z', '2026-01-01', '2025-12-31T23:59:60Z', '2026-01-01T00:00:00'],
  ],
  ['<', '0050-03-01', ['0050-02-28', '0050-02-29', '0000-02-29', '1950-02-28']],
  ['>', 1e308, [1.7976931348623157e308, -1e308, '2e308']],
];

/** Policies of one check, and of its negation, with people who have one claim. */
export const EDGE_CASES: readonly PolicyAndPeople[] = EDGES.flatMap(([operator, value, values]) => {
  const check = { check: { claim: 'x.a', operator, value } };
  const people = [...values.map((each) => ({ 'x.a': each })), {}].map((claims) => ({
    credentials: [{ id: 'c', source: 's', issuedAt: 0, claims: claims as Credential['claims'] }],
    now: 1,
  }));
  return [check, { policy: { not: check } }].map((query) => ({ query, people }));
});

/** A policy and its people, with the outcomes of the engine. */
export interface EvaluatedPolicy extends PolicyAndPeople, Pick<ModuleCases, 'records' | 'cases'> {
  /** The claim sets of the credentials, with their outcomes. */
  readonly claimSets: readonly (readonly [claims: ClaimSet, expected: ModuleCase])[];
}

/** Evaluates a policy with the engine: for the claims of each person as a plain record, and for the credentials. */
export function evaluateWithEngine({ query, people }: PolicyAndPeople, regex: RegexEngine): EvaluatedPolicy {
  const engine = compileBoth(query, regex);
  const records: readonly Credential['claims'][] = people.map(({ credentials }) =>
    Object.assign({}, ...credentials.map(({ claims }) => claims)),
  );
  const cases = people.map(({ now }, index) => ({
    now,
    ...engine(ClaimSet.of(records[index] ?? {}, { now })),
  }));
  const claimSets = people.map(({ credentials, now }) => {
    const claims = ClaimSet.at(credentials, now);
    return [claims, { now, ...engine(claims) }] as const;
  });
  return { query, people, records: toSource(records), cases, claimSets };
}

/** Generates the modules of a policy, for `run-cases.mjs`. */
export function toModuleCases(
  { query, records, cases }: EvaluatedPolicy,
  generate: typeof generateModule,
): ModuleCases {
  const [esm = '', cjs = ''] = (['esm', 'cjs'] as const).map(
    (format) => generate(query, { format, evidence: true }).code,
  );
  return { esm, cjs, records, cases };
}

/** Compiles a query twice: for the verdict without a limit on the cost of patterns, and for the evidence with that limit. */
function compileBoth(
  query: JsonValue,
  regex: RegexEngine,
): (claims: ClaimSet) => Pick<ModuleCase, 'test' | 'evaluate'> {
  const options: CompileOptions & { readonly catalogue: 'none' } = { regex, catalogue: 'none' };
  const limited = compilePredicate(query, options);
  const unlimited = compilePredicate(query, { ...options, limits: { matchCost: Number.MAX_SAFE_INTEGER } });
  return (claims) => ({
    test: String(unlimited.test(claims)),
    evaluate: outcomeOf(() => limited.evaluateToJson(claims)),
  });
}

/**
 * Compares a CommonJS module with the engine in this process: on records, on records without a prototype, which a module reads through a
 * copy, and on claim sets.
 *
 * @returns A description of the first difference.
 */
export function firstDifference(
  { query, records, cases, claimSets }: EvaluatedPolicy,
  code: string,
  re2js: unknown,
): string | undefined {
  const module = loadCommonJs(code, re2js);
  const plain = new Function(`return ${records};`)() as readonly Readonly<Record<string, unknown>>[];
  const inputs = [
    ...plain.map((record, index) => [record, cases[index] as ModuleCase] as const),
    ...plain.map(
      (record, index) => [Object.assign(Object.create(null), record), cases[index] as ModuleCase] as const,
    ),
    ...claimSets,
  ];
  for (const [input, expected] of inputs) {
    const test = outcomeOf(() => String(module.test(input)));
    const evaluate = outcomeOf(() => JSON.stringify(module.evaluate(input, { now: expected.now })));
    // The engine limits the cost of all patterns beforehand; `test` limits only the cost of the patterns that it matches.
    const isTested = test === expected.test || (expected.evaluate === TOO_LARGE && test === TOO_LARGE);
    if (!isTested || evaluate !== expected.evaluate)
      return JSON.stringify({ query, input, expected, test, evaluate });
  }
  return undefined;
}

/** The exports of a generated module. */
export interface LoadedModule {
  readonly test: (record: unknown) => boolean;
  readonly evaluate: (record: unknown, options?: unknown) => unknown;
  readonly claims: readonly string[];
}

/** Runs the text of a CommonJS module. */
export function loadCommonJs(code: string, re2js: unknown): LoadedModule {
  const exports = {};
  new Function('exports', 'require', code)(exports, () => re2js);
  return exports as LoadedModule;
}

const TOO_LARGE = 'query_too_large';

function outcomeOf(call: () => string): string {
  try {
    return call();
  } catch (error) {
    const { code } = error as Partial<QueryError>;
    if (error instanceof QueryError || code === TOO_LARGE) return String(code);
    return String(error);
  }
}

/** Renders JSON as an expression, including −0 and members named `__proto__`. */
function toSource(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(toSource).join()}]`;
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : JSON.stringify(value);
  return `{${Object.entries(value as Readonly<Record<string, JsonValue>>).map(([name, member]) => `[${JSON.stringify(name)}]:${toSource(member)}`)}}`;
}
