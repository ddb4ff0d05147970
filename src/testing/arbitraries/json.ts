/** JSON values with their edges in plain view, and values that are nearly equal to one (L16). */
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

/** Empty, alike at a glance, of other types at a glance, unpaired or outside of the first plane, at the ends of code-unit order. */
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

/** Texts that look like values of another type. */
const LITERALS: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ['0', 0],
  ['1', 1],
  ['18', 18],
  ['true', true],
  ['null', null],
]);

/** Members that claim paths reach into, that JavaScript orders its own way, and that every object seems to have. */
const MEMBER_NAMES = ['a', 'b', 'c', 'constructor', '', '10', '2', '__proto__', '😀', '\uff61', '\ud83d'];

/** Claims nest at most 16 deep and operands too: one more, one less, and the limit itself. */
const DEPTHS = [15, 16, 17];

/** Strings, empty, lone surrogates and astral characters among them. */
export function jsonString(): fc.Arbitrary<string> {
  return fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...EDGE_STRINGS) }, fc.string({ maxLength: 4 }));
}

/** Finite numbers; −0, the largest, the smallest, and where integers end among them. */
export function jsonNumber(): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.constantFrom(...EDGE_NUMBERS) },
    { weight: 2, arbitrary: fc.constantFrom(0, -0) },
    fc.integer({ min: -3, max: 21 }),
  );
}

/** JSON values: mostly small, at times nested as deep as a claim may be, or one deeper. */
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

/** Objects, with members that are hard to keep apart. */
export function jsonObject(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> {
  const member = fc.tuple(fc.constantFrom(...MEMBER_NAMES), value);
  return fc.array(member, { maxLength: 3 }).map((members) => Object.fromEntries(members));
}

/** The same value, written otherwise: members in another order, −0 for 0. */
export function rewritten(value: JsonValue): JsonValue {
  if (value === 0) return Object.is(value, 0) ? -0 : 0;
  if (isJsonArray(value)) return value.map(rewritten);
  if (!isJsonObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [name, rewritten(member)] as const);
  return Object.fromEntries(members.reverse());
}

/** A value that is nearly the same; `how` chooses in which way. */
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
  const normalised = [text.normalize('NFC'), text.normalize('NFD')].filter((form) => form !== text);
  // Where Unicode has two ways to write it, the other one is the nearest.
  if (normalised.length > 0) return [...normalised, `${text}a`];
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
