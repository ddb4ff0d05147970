/** Generates values from a JSON Schema; supports the keywords that the requests of the OpenAPI document use. */
import * as fc from 'fast-check';
import type { Schema } from './document.js';

export interface SchemaContext {
  /** The schemas of `components`, by name. */
  readonly schemas: Readonly<Record<string, Schema>>;
  /** Returns values for a member or a parameter of this name; `undefined` to use its schema. */
  readonly arbitraryByName?: (name: string, schema: Schema) => fc.Arbitrary<unknown> | undefined;
}

/** Returns the arbitrary of another schema of the document; supports recursion. */
type Reference = (name: string) => fc.Arbitrary<unknown>;

const COMPONENT = /^#\/components\/schemas\/([^/]+)$/;
const KEYWORDS: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'const', 'anyOf', 'oneOf', '$ref'],
  ...['properties', 'required', 'additionalProperties', 'minProperties', 'maxProperties'],
  ...['items', 'minItems', 'maxItems', 'uniqueItems'],
  ...['minLength', 'maxLength', 'pattern', 'format', 'minimum', 'maximum'],
]);
/** Keywords without effect on validity. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  ...['title', 'description', 'default', 'examples', 'deprecated'],
]);
/** The nesting depth from which the first non-recursive alternative is chosen. */
const MAX_DEPTH = 5;
const MAX_ITEMS = 4;
const MAX_LENGTH = 24;

/** Arbitraries of string formats. */
const FORMATS: Readonly<Record<string, () => fc.Arbitrary<unknown>>> = {
  'date-time': () =>
    fc
      .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
      .map((date) => date.toISOString()),
  uri: () => fc.webUrl(),
  'uri-reference': () => fc.webUrl(),
};

/**
 * Builds an arbitrary of the values that a schema accepts.
 *
 * @throws {Error} The schema, or a schema that it refers to, has an unsupported keyword.
 */
export function arbitraryOf(schema: Schema, context: SchemaContext): fc.Arbitrary<unknown> {
  const names = [...reachable(schema, context)];
  const arbitraries = fc.letrec<Readonly<Record<string, unknown>>>((tie) =>
    Object.fromEntries(
      ['', ...names].map((name) => [
        name,
        build(name === '' ? schema : component(name, context), context, tie),
      ]),
    ),
  );
  // `letrec` returns an arbitrary for each name.
  return arbitraries[''] as fc.Arbitrary<unknown>;
}

function build(schema: Schema, context: SchemaContext, tie: Reference): fc.Arbitrary<unknown> {
  assertKnown(schema);
  const { $ref, enum: values, type, format, pattern } = schema;
  if (typeof $ref === 'string') return tie(nameOf($ref));
  if ('const' in schema) return fc.constant(schema['const']);
  if (Array.isArray(values)) return fc.constantFrom<unknown>(...values);
  const alternatives = alternativesOf(schema);
  if (alternatives.length > 0) {
    const ordered = [...alternatives].sort((left, right) => cycles(left, context) - cycles(right, context));
    return fc.oneof(
      { maxDepth: MAX_DEPTH, depthIdentifier: 'schema' },
      ...ordered.map((one) => build(one, context, tie)),
    );
  }
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return objects(schema, context, tie);
    case 'array':
      return arrays(schema, context, tie);
    case 'string':
      return strings(schema, format, pattern);
    case 'integer':
      return fc.integer(integersOf(schema));
    case 'number':
      return fc.double({ ...boundsOf(schema), noNaN: true, noDefaultInfinity: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case undefined:
      return fc.jsonValue({ maxDepth: 2 });
    default:
      throw new Error(`unsupported schema type: ${JSON.stringify(type)}`);
  }
}

function objects(schema: Schema, context: SchemaContext, tie: Reference): fc.Arbitrary<unknown> {
  const properties = Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, Schema>>);
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  const members = properties.map(([name, one]) => {
    const known = context.arbitraryByName?.(name, one);
    return { name, known: known !== undefined, value: known ?? build(one, context, tie) };
  });
  const minMembers = (schema['minProperties'] as number | undefined) ?? 0;
  const maxMembers = (schema['maxProperties'] as number | undefined) ?? members.length;
  const arbitrary =
    maxMembers < members.length
      ? // Choose the members first if not all may be present.
        fc
          .subarray(members, { minLength: minMembers, maxLength: maxMembers })
          .chain((some) => record(some.map((member) => ({ ...member, chance: 1 }))))
      : record(
          members.map((member) => ({
            ...member,
            chance: required.has(member.name) ? 1 : member.known ? 0.8 : 0.5,
          })),
        );
  return arbitrary.filter((value) => Object.keys(value).length >= minMembers);
}

interface GeneratedMember {
  readonly name: string;
  readonly value: fc.Arbitrary<unknown>;
  /** The probability that the member is present, from 0 to 1. */
  readonly chance: number;
}

const ABSENT = Symbol('absent');

function record(members: readonly GeneratedMember[]): fc.Arbitrary<Readonly<Record<string, unknown>>> {
  const pairs = members.map(({ name, value, chance }) => {
    const pair = value.map((one): readonly [string, unknown] => [name, one]);
    if (chance === 1) return pair;
    return fc.oneof(
      { weight: Math.round((1 - chance) * 10), arbitrary: fc.constant([name, ABSENT] as const) },
      { weight: Math.round(chance * 10), arbitrary: pair },
    );
  });
  return fc.tuple(...pairs).map((all) => Object.fromEntries(all.filter(([, value]) => value !== ABSENT)));
}

function arrays(schema: Schema, context: SchemaContext, tie: Reference): fc.Arbitrary<unknown> {
  const {
    items = {},
    minItems = 0,
    maxItems = MAX_ITEMS,
    uniqueItems,
  } = schema as {
    readonly items?: Schema;
    readonly minItems?: number;
    readonly maxItems?: number;
    readonly uniqueItems?: boolean;
  };
  const item = build(items, context, tie);
  const bounds = { minLength: minItems, maxLength: Math.min(maxItems, minItems + MAX_ITEMS) };
  if (uniqueItems !== true) return fc.array(item, bounds);
  return fc.uniqueArray(item, { ...bounds, selector: (one) => JSON.stringify(one) });
}

function strings(schema: Schema, format: unknown, pattern: unknown): fc.Arbitrary<unknown> {
  const { minLength = 0, maxLength = Number.POSITIVE_INFINITY } = schema as {
    readonly minLength?: number;
    readonly maxLength?: number;
  };
  if (typeof format === 'string') {
    const arbitrary = FORMATS[format];
    if (arbitrary === undefined) throw new Error(`unsupported string format: ${format}`);
    return arbitrary();
  }
  if (typeof pattern === 'string')
    return fc
      .stringMatching(new RegExp(pattern, 'u'))
      .filter((text) => text.length >= minLength && text.length <= maxLength);
  return fc.string({ minLength, maxLength: Math.min(maxLength, minLength + MAX_LENGTH) });
}

function boundsOf({ minimum, maximum }: Schema): fc.DoubleConstraints {
  return {
    ...(typeof minimum === 'number' ? { min: minimum } : {}),
    ...(typeof maximum === 'number' ? { max: maximum } : {}),
  };
}

function integersOf({ minimum, maximum }: Schema): fc.IntegerConstraints {
  return {
    min: Math.max(typeof minimum === 'number' ? minimum : -100, -(2 ** 31)),
    max: Math.min(typeof maximum === 'number' ? maximum : 1_000, 2 ** 31 - 1),
  };
}

function assertKnown(schema: Schema): void {
  for (const keyword of Object.keys(schema)) {
    if (KEYWORDS.has(keyword) || ANNOTATIONS.has(keyword)) continue;
    throw new Error(`unsupported schema keyword \`${keyword}\` in ${JSON.stringify(schema)}`);
  }
}

function alternativesOf(schema: Schema): readonly Schema[] {
  return (schema['anyOf'] ?? schema['oneOf'] ?? []) as readonly Schema[];
}

function component(name: string, { schemas }: SchemaContext): Schema {
  const found = schemas[name];
  if (found === undefined) throw new Error(`no schema \`${name}\` in \`components\``);
  return found;
}

function nameOf(reference: string): string {
  const name = COMPONENT.exec(reference)?.[1];
  if (name === undefined) throw new Error(`\`${reference}\` must refer to a schema in \`components\``);
  return name;
}

/** Lists the schemas of `components` that a schema refers to, directly or not. */
function reachable(schema: Schema, context: SchemaContext, found = new Set<string>()): ReadonlySet<string> {
  for (const name of referencesIn(schema)) {
    if (found.has(name)) continue;
    found.add(name);
    reachable(component(name, context), context, found);
  }
  return found;
}

/** Counts the recursive schemas that a schema refers to. */
function cycles(schema: Schema, context: SchemaContext): number {
  return [...reachable(schema, context)].filter((name) =>
    reachable(component(name, context), context).has(name),
  ).length;
}

function referencesIn(node: unknown): readonly string[] {
  if (typeof node !== 'object' || node === null) return [];
  return Object.entries(node).flatMap(([name, value]) =>
    name === '$ref' && typeof value === 'string' ? [nameOf(value)] : referencesIn(value),
  );
}
