/** Invalid and nearly valid queries: mutations of valid ones, and JSON with the vocabulary of the language (L6, L8). */
import * as fc from 'fast-check';
import { isJsonArray, isJsonObject, type JsonValue } from '../../engine/claims/json-value.js';
import { OPERATOR_NAMES } from '../../engine/operators/operators.js';
import { malformedInstant } from './instant.js';
import { jsonObject, jsonValue } from './json.js';
import { query } from './query.js';

/** A change of one value inside a query. */
interface Mutation {
  /** Index of the changed value in document order, modulo the number of values. */
  readonly place: number;
  /** Index of the kind of change: see {@link change}. */
  readonly kind: number;
  readonly replacement: JsonValue;
}

const MEMBERS = [
  'check',
  'policy',
  'projections',
  'claim',
  'operator',
  'value',
  'allOf',
  'anyOf',
  'not',
  'lens',
];
const REPLACEMENTS: readonly JsonValue[] = [
  null,
  [],
  {},
  '',
  1.5,
  'x',
  'x..a',
  'x.__proto__',
  'x.a.b.c.d.e.f.g.h',
  '(?=a)',
  'constructor',
  '===',
  'isdefined',
  'plucky',
];

/** Valid queries with one or two mutations: a renamed, removed or added member, a value of another type, another operator. */
export function mutatedQuery(): fc.Arbitrary<JsonValue> {
  const replacement = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...REPLACEMENTS) },
    { weight: 2, arbitrary: fc.constantFrom<JsonValue>(...OPERATOR_NAMES) },
    { weight: 1, arbitrary: malformedInstant() },
    { weight: 1, arbitrary: jsonValue() },
  );
  const mutation = fc.record({
    place: fc.nat({ max: 60 }),
    kind: fc.nat({ max: 6 }),
    replacement,
  });
  return fc
    .tuple(query(), fc.array(mutation, { minLength: 1, maxLength: 2 }))
    .map(([valid, mutations]) => mutations.reduce<JsonValue>(mutate, valid as unknown as JsonValue));
}

/** Any JSON, and objects with the language's words in the wrong positions. */
export function arbitraryJsonQuery(): fc.Arbitrary<JsonValue> {
  const words = fc.oneof(
    jsonValue(),
    fc.constantFrom<JsonValue>(...OPERATOR_NAMES, 'pluck', 'pick', 'at', 'x.a'),
  );
  const within = (inner: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> => {
    const members = fc.array(fc.tuple(fc.constantFrom(...MEMBERS), inner), { maxLength: 3 });
    const object = members.map((drawn) => Object.fromEntries(drawn));
    return fc.oneof<fc.Arbitrary<JsonValue>[]>(object, object, fc.array(inner, { maxLength: 2 }), words);
  };
  return fc.oneof(within(within(within(words))), jsonObject(jsonValue()), jsonValue());
}

function mutate(value: JsonValue, mutation: Mutation): JsonValue {
  const count = countValues(value);
  return changeAt(value, { ...mutation, place: mutation.place % count });
}

function countValues(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + countValues(inner as JsonValue), 1);
}

/** Rebuilds the value with the change at an index, counted down during the traversal. */
function changeAt(value: JsonValue, { place, kind, replacement }: Mutation): JsonValue {
  if (place === 0) return change(value, kind, replacement);
  let before = 1;
  const descend = (inner: JsonValue): JsonValue => {
    const start = before;
    before += countValues(inner);
    const isHere = place >= start && place < before;
    return isHere ? changeAt(inner, { place: place - start, kind, replacement }) : inner;
  };
  if (isJsonArray(value)) return value.map(descend);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, descend(inner)]));
}

function change(value: JsonValue, kind: number, replacement: JsonValue): JsonValue {
  if (isJsonArray(value)) {
    return (
      [replacement, [], [...value, replacement], value.slice(1), [...value, ...value], { not: value }][
        kind
      ] ??
      value[0] ??
      null
    );
  }
  if (!isJsonObject(value)) return replacement;
  const members = Object.entries(value);
  const [first, ...others] = members;
  if (first === undefined) return replacement;
  const [name, inner] = first;
  const changes: readonly JsonValue[] = [
    replacement,
    Object.fromEntries(others),
    { ...value, unless: replacement },
    Object.fromEntries([[name.toUpperCase(), inner], ...others]),
    Object.fromEntries([[`${name}s`, inner], ...others]),
    { ...value, allOf: [replacement] },
    Object.fromEntries([...others, [name, replacement]]),
  ];
  return changes[kind] as JsonValue;
}
