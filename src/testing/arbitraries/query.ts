/** Random queries: checks, policies and projections, with their claim paths and patterns. */
import * as fc from 'fast-check';
import type { JsonValue } from '../../engine/claims/json-value.js';
import type { Projection } from '../../engine/lenses.js';
import { OPERATOR_NAMES, type OperatorName } from '../../engine/operators/operators.js';
import type { Check, PolicyInput, PolicyItemInput } from '../../engine/query/query.js';
import { instantText } from './instant.js';
import { jsonNumber, jsonString, jsonValue } from './json.js';

/** A query as an author may write it: canonical or with bare items, `not` with or without an array. */
export type QueryInput =
  | { readonly check: Check }
  | { readonly policy: PolicyInput }
  | { readonly projections: readonly ProjectionInput[] };

/** A projection as an author may write it: `at` defaults to the first element (L5). */
export type ProjectionInput =
  | Projection
  | { readonly claim: string; readonly lens: 'at'; readonly index?: number };

/** Maximum number of negations around an item. Together with the policies around and inside of them, they are within the depth limit (L7). */
const MAX_NEGATIONS = 12;

/** Valid operands of each operator; `isDefined` has none. */
function operands(): Readonly<Record<OperatorName, fc.Arbitrary<JsonValue>>> {
  const anyValue = fc.oneof({ weight: 6, arbitrary: shallow() }, { weight: 1, arbitrary: instantText() });
  const list = fc.array(anyValue, { maxLength: 4, size: 'max' });
  const orderable = fc.oneof(jsonNumber(), instantText());
  return {
    '==': anyValue,
    '!=': anyValue,
    '>': orderable,
    '>=': orderable,
    '<': orderable,
    '<=': orderable,
    in: list,
    notIn: list,
    contains: anyValue,
    startsWith: jsonString(),
    matchRegex: pattern(),
    isDefined: fc.constant(true),
  };
}

/** Checks with valid operands. */
export function check(): fc.Arbitrary<Check> {
  const byOperator = operands();
  const checks = OPERATOR_NAMES.map((operator) => checkOf(operator, byOperator[operator]));
  return fc.oneof(...checks);
}

/** Items of a policy, nested two policies deep and sometimes deeper; checks and policies wrapped or bare (L4). */
export function policyItem(): fc.Arbitrary<PolicyItemInput> {
  const checks = fc.tuple(fc.boolean(), check()).map(([bare, drawn]) => (bare ? drawn : { check: drawn }));
  const nested = fc.oneof<fc.WeightedArbitrary<PolicyItemInput>[]>(
    { weight: 3, arbitrary: checks },
    { weight: 1, arbitrary: item(policyOf(checks)) },
  );
  return fc.oneof<fc.WeightedArbitrary<PolicyItemInput>[]>(
    { weight: 20, arbitrary: nested },
    { weight: 7, arbitrary: item(policyOf(nested)) },
    { weight: 1, arbitrary: fc.tuple(fc.integer({ min: 2, max: MAX_NEGATIONS }), nested).map(negate) },
  );
}

/** Policies. */
export function policy(): fc.Arbitrary<PolicyInput> {
  return policyOf(policyItem());
}

/** Lists of projections of distinct claims (L5). */
export function projections(): fc.Arbitrary<readonly ProjectionInput[]> {
  const claim = claimPath();
  const field = fc.oneof(fc.constantFrom('a', 'b', 'c', 'constructor', '2', '10', '__proto__'), jsonString());
  const fields = fc.uniqueArray(field, { minLength: 1, maxLength: 4 });
  const projection = fc.oneof<fc.Arbitrary<ProjectionInput>[]>(
    fc.record({ claim, lens: fc.constant('pluck') }),
    fc.record({ claim, lens: fc.constant('pick'), fields }, { requiredKeys: ['claim', 'lens'] }),
    fc.record(
      { claim, lens: fc.constant('at'), index: fc.integer({ min: -4, max: 4 }) },
      { requiredKeys: ['claim', 'lens'] },
    ),
  );
  return fc.uniqueArray(projection, { minLength: 1, maxLength: 4, selector: (drawn) => drawn.claim });
}

/** Queries that `parse` accepts, in all three forms. */
export function query(): fc.Arbitrary<QueryInput> {
  return fc.oneof<fc.WeightedArbitrary<QueryInput>[]>(
    { weight: 2, arbitrary: check().map((drawn) => ({ check: drawn })) },
    { weight: 7, arbitrary: policy().map((drawn) => ({ policy: drawn })) },
    { weight: 3, arbitrary: projections().map((drawn) => ({ projections: drawn })) },
  );
}

function checkOf(operator: OperatorName, operand: fc.Arbitrary<JsonValue>): fc.Arbitrary<Check> {
  return fc
    .tuple(claimPath(), operand)
    .map(([claim, value]) => (operator === 'isDefined' ? { claim, operator } : { claim, operator, value }));
}

function policyOf(items: fc.Arbitrary<PolicyItemInput>): fc.Arbitrary<PolicyInput> {
  const list = fc.array(items, { minLength: 1, maxLength: 3, size: 'max' });
  return fc.oneof<fc.Arbitrary<PolicyInput>[]>(
    list.map((allOf) => ({ allOf })),
    list.map((anyOf) => ({ anyOf })),
    fc.tuple(items, fc.boolean()).map(([not, bracketed]) => ({ not: bracketed ? [not] : not })),
  );
}

function item(policies: fc.Arbitrary<PolicyInput>): fc.Arbitrary<PolicyItemInput> {
  return fc.tuple(fc.boolean(), policies).map(([bare, drawn]) => (bare ? drawn : { policy: drawn }));
}

function negate([times, inner]: readonly [number, PolicyItemInput]): PolicyItemInput {
  let negated = inner;
  for (let count = 0; count < times; count += 1) negated = { not: negated };
  return negated;
}

/**
 * Values that nest at most 15 arrays and objects: operands may nest 16 (L7), and `in` and `notIn` put the value in a list. A value that nests
 * deeper is replaced by its depth, a number.
 */
function shallow(): fc.Arbitrary<JsonValue> {
  return jsonValue().map((value) => {
    const depth = depthOf(value);
    return depth > 15 ? depth : value;
  });
}

function depthOf(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

/** Claim paths: some overlap, some have the names of inherited properties. */
export const CLAIM_PATHS: readonly string[] = [
  'x.a',
  'x.a.b',
  'x.a.b.c',
  'x.b',
  'x.b.a',
  'x.a.constructor',
  'x.b.length',
  'y.a',
  'y.constructor',
  'y.a.toString',
  'z.Z9_',
];

/** Claim paths, most often short and overlapping ones. */
export function claimPath(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom('x.a', 'x.a.b', 'x.a.b.c', 'x.b', 'y.a') },
    { weight: 2, arbitrary: fc.constantFrom(...CLAIM_PATHS) },
  );
}

/** A pattern that exceeds the cost limit on a long claim (L7). */
const COSTLY = '(?:ab?){60}';
const LONG = 12_000;

/** Patterns, each with a string that it matches. */
const SAMPLES: ReadonlyMap<string, string> = new Map([
  ['', ''],
  ['a', 'ba'],
  ['^a+$', 'aaa'],
  ['(?i)AB$', 'xab'],
  ['^.$', '😀'],
  ['^..$', 'é😀'],
  ['(?s)^a.b$', 'a\nb'],
  ['(?m)^b$', 'a\nb\nc'],
  ['[^a]', 'ab'],
  ['a|b$', 'cb'],
  ['\\bab\\b', 'é ab é'],
  ['^\\d{4}-\\d{2}$', '2026-06'],
  ['\\pL', 'é'],
  ['^\\w+@example\\.(com|org)$', 'ada@example.org'],
  ['(a+)+$', 'aaaaaaaa'],
  [COSTLY, 'ab'.repeat(60)],
]);

/** Unicode classes and case folding, each with a character that it matches. */
const UNICODE_CHARACTERS: readonly (readonly [source: string, character: string])[] = [
  ['\\pN', '٣'],
  ['\\PN', 'a'],
  ['\\p{Greek}', 'λ'],
  ['\\P{Greek}', '0'],
  ['\\p{^Lu}', 'a'],
  ['\\p{Lu}', 'É'],
  ['\\p{Cs}', '\ud800'],
  ['[\\pN_]', '_'],
  ['[^\\p{Latin}\\d]', 'я'],
  ['[^\\PL]', 'é'],
  ['[\\p{Han}à-ü]', '一'],
  ['[[:^alpha:]]', '1'],
  ['(?i:é)', 'É'],
  ['(?i:ß)', 'ẞ'],
  ['(?i:σ)', 'ς'],
  ['(?i:k)', '\u212a'],
  ['(?i:\\W)', 'é'],
  ['(?i:[à-ü])', 'Ü'],
  ['(?i:[^é])', 'e'],
  ['(?i:\\p{Lu})', 'a'],
  ['(?i:[^\\p{Lu}])', '0'],
];
const UNICODE_SAMPLES: ReadonlyMap<string, string> = new Map(
  UNICODE_CHARACTERS.flatMap(([source, character]): readonly [string, string][] => [
    [source, `a${character}`],
    [`^${source}$`, character],
    [`^${source}+$`, character.repeat(2)],
    [`(?i)^a?${source}`, `A${character}`],
    [`${source}a|^${source}{2}$`, `0${character}a`],
  ]),
);

/** Patterns that depend on Unicode tables: classes, negated and nested, and case folding beyond ASCII. */
export function unicodePattern(): fc.Arbitrary<string> {
  return fc.constantFrom(...UNICODE_SAMPLES.keys());
}

/** Valid RE2 patterns: classes, flags, boundaries, astral characters, literals, costly ones. */
function pattern(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...SAMPLES.keys()) },
    {
      weight: 1,
      arbitrary: jsonString().map((text) => text.toWellFormed().replace(/[\\^$.|?*+()[\]{}]/g, 'a')),
    },
  );
}

/** Returns a string that a pattern matches. For some variants, pads the string to 12,000 characters: a pattern that ends with `$` may then not match. */
export function matchingString(regex: string, variant: number): string {
  const sample = SAMPLES.get(regex) ?? UNICODE_SAMPLES.get(regex) ?? `a${regex}`;
  const isLong = variant % (regex === COSTLY ? 4 : 256) === 1;
  return isLong ? sample.padEnd(LONG, 'ab') : sample;
}
