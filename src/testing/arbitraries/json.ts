/** JSON values that favor edge cases, and values that are nearly equal to a given one (L16). */
import * as fc from 'fast-check';
import {
  isJsonArray,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from '../../engine/claims/json-value.js';

const EDGE_NUMBERS: readonly number[] = [
  1,
  -1,
  18,
  0.1,
  0.3,
  0.1 + 0.2,
  1e308,
  -1e308,
  5e-324,
  2 ** 53,
  2 ** 53 + 2,
  Number.MAX_VALUE,
];

/**
 * Empty strings, strings that look alike or look like other types, lone surrogates and astral characters, the least
 * code unit, and strings whose order by code unit differs from their order by code point.
 */
const EDGE_STRINGS: readonly string[] = [
  '',
  'a',
  'ab',
  'A',
  'é',
  'e\u0301',
  'éa',
  '\u212b',
  '\ud83d',
  '\ude00',
  '😀',
  '\uff61',
  '\u0000',
  'ß',
  '0',
  '1',
  '18',
  'true',
  'null',
  '__proto__',
];

/** Strings that look like values of other types, and these values. */
const LITERALS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['0', 0],
  ['1', 1],
  ['18', 18],
  ['true', true],
  ['null', null],
]);

/** Member names that claim paths can reach, that JavaScript sorts numerically, and that every object inherits. */
const MEMBER_NAMES = ['a', 'b', 'c', 'constructor', '', '10', '2', '__proto__', '😀', '\uff61', '\ud83d'];

/** Depths around the limit of 16 for claims and operands. */
const DEPTHS = [15, 16, 17];

/** Strings, including empty ones, lone surrogates and astral characters. */
export function jsonString(): fc.Arbitrary<string> {
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...EDGE_STRINGS) }, fc.string({ maxLength: 4 }));
}

/** Finite numbers, including −0, the largest, the smallest, and the limits of safe integers. */
export function jsonNumber(): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...EDGE_NUMBERS) },
    { weight: 2, arbitrary: fc.constantFrom(0, -0) },
    fc.integer({ min: -3, max: 21 }),
  );
}

/** JSON values: mostly small, sometimes nested up to the depth limit, or one level deeper. */
export function jsonValue(): fc.Arbitrary<JsonValue> {
  const leaf = fc.oneof(
    { weight: 3, arbitrary: jsonString() },
    { weight: 3, arbitrary: jsonNumber() },
    { weight: 2, arbitrary: fc.constantFrom<JsonValue>(true, false, null) },
  );
  const shallow = nesting(leaf, 6);
  const nested = nesting(shallow, 6);
  const deep = fc.tuple(fc.constantFrom(...DEPTHS), leaf, fc.boolean());
  return fc.oneof(
    { weight: 30, arbitrary: nested },
    { weight: 1, arbitrary: deep.map(([depth, value, inObjects]) => nest(value, depth, inObjects)) },
  );
}

/** Objects with easily confused members. */
export function jsonObject(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  const member = fc.tuple(fc.constantFrom(...MEMBER_NAMES), value);
  return fc.array(member, { maxLength: 3 }).map((members) => Object.fromEntries(members));
}

/** Returns an equal value in another form: members in another order, −0 for 0. */
export function rewritten(value: JsonValue): JsonValue {
  if (value === 0) return Object.is(value, 0) ? -0 : 0;
  if (isJsonArray(value)) return value.map(rewritten);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, rewritten(member)] as const);
  return Object.fromEntries(members.reverse());
}

/** Returns a nearly equal value, chosen by `variant`. */
export function nearbyValue(value: JsonValue, variant: number): JsonValue {
  const variants = variantsOf(value);
  return variants[variant % variants.length] as JsonValue;
}

function variantsOf(value: JsonValue): readonly JsonValue[] {
  switch (typeof value) {
    case 'number':
      return [value + 1, value - 1, -value, String(value), [value], value * (1 + Number.EPSILON)].map(finite);
    case 'string':
      return stringVariants(value);
    case 'boolean':
      return [!value, String(value), Number(value)];
  }
  if (isJsonArray(value))
    return [value.slice(0, -1), [...value, null], value.toReversed(), value[0] ?? null, { ...value }];
  if (!isJsonObject(value)) return [false, 'null', {}, 0, ''];
  const members = Object.entries(value);
  const changed = members.map(([name, member]) => [name, member === null ? 0 : null] as const);
  const renamed = members.map(([name, member]) => [`${name}a`, member] as const);
  return [members.slice(1), [...members, ['d', null] as const], changed, renamed].map(Object.fromEntries);
}

function stringVariants(text: string): readonly JsonValue[] {
  const normalized = [text.normalize('NFC'), text.normalize('NFD')].filter((form) => form !== text);
  // Where Unicode has two forms of the string, the other form is the nearest variant.
  if (normalized.length > 0) return [...normalized, `${text}a`];
  if (LITERALS.has(text)) return [LITERALS.get(text) as JsonValue, `${text}a`];
  return [`${text}a`, text.slice(0, -1), text.toUpperCase(), text.toLowerCase(), [text], `a${text}`];
}

function finite(value: JsonValue): JsonValue {
  return typeof value === 'number' && !Number.isFinite(value) ? 0 : value;
}

function nesting(value: fc.Arbitrary<JsonValue>, leafWeight: number): fc.Arbitrary<JsonValue> {
  return fc.oneof<fc.WeightedArbitrary<JsonValue>[]>(
    { weight: leafWeight, arbitrary: value },
    { weight: 1, arbitrary: fc.array(value, { maxLength: 3 }) },
    { weight: 1, arbitrary: jsonObject(value) },
  );
}

function nest(value: JsonValue, depth: number, inObjects: boolean): JsonValue {
  let nested = value;
  for (let level = 0; level < depth; level += 1) nested = inObjects ? { a: nested } : [nested];
  return nested;
}
