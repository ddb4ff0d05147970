/** Values generated from a schema are valid by that schema, for every request of the OpenAPI document. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { describeInterface } from '../../src/http/index.js';
import { arbitraryOf } from './arbitrary-of.js';
import { documentedOperations, findPath, readDocument, type Schema } from './document.js';

const RUNS = 200;
const DOCUMENT = describeInterface('http://127.0.0.1/v2', '0.0.0');
const PARSED_DOCUMENT = readDocument(DOCUMENT);
const { schemas } = PARSED_DOCUMENT.components;
const ajv = new Ajv2020({
  strict: false,
  formats: {
    'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/,
    uri: (text: string) => URL.canParse(text),
    'uri-reference': (text: string) => URL.canParse(text, 'http://127.0.0.1'),
  },
});
ajv.addSchema(DOCUMENT, 'openapi');

const BODIES = [
  ...new Set(
    documentedOperations(PARSED_DOCUMENT).flatMap(({ operation }) =>
      Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => String(schema['$ref'])),
    ),
  ),
];

describe('a value generated from the schema of a request body is valid', () => {
  it.each(BODIES)('%s', (reference) => {
    const isValid = ajv.getSchema(`openapi${reference}`);
    fc.assert(
      fc.property(arbitraryOf({ $ref: reference }, { schemas }), (value) => {
        expect([value, isValid?.(value)]).toEqual([value, true]);
      }),
      { numRuns: RUNS, seed: 1 },
    );
  });
});

it.each<[string, Schema]>([
  ['a pattern with a length', { type: 'string', pattern: '^[a-c]+$', minLength: 2, maxLength: 4 }],
  ['integers between bounds', { type: 'integer', minimum: -3, maximum: 5 }],
  ['numbers between bounds', { type: 'number', minimum: 0, maximum: 1 }],
  [
    'unique items',
    { type: 'array', items: { enum: [1, 2, 3] }, minItems: 2, maxItems: 3, uniqueItems: true },
  ],
  ['a date-time', { type: 'string', format: 'date-time' }],
  [
    'one of several members',
    {
      type: 'object',
      properties: { a: { const: 1 }, b: { type: 'null' } },
      minProperties: 1,
      maxProperties: 1,
    },
  ],
  [
    'at least one of several members',
    { type: 'object', properties: { a: { const: 1 }, b: { type: 'null' } }, minProperties: 1 },
  ],
  ['one of several schemas', { oneOf: [{ type: 'boolean' }, { type: 'number' }] }],
])('generates %s', (_, schema) => {
  const isValid = ajv.compile(schema);
  fc.assert(
    fc.property(arbitraryOf(schema, { schemas: {} }), (value) => isValid(value)),
    { numRuns: RUNS, seed: 1 },
  );
});

it('prefers known values of a member name to its schema', () => {
  const schema = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } };
  const arbitraryByName = (name: string) => (name === 'id' ? fc.constant('known') : undefined);
  expect(fc.sample(arbitraryOf(schema, { schemas: {}, arbitraryByName }), { numRuns: 3, seed: 1 })).toEqual(
    Array.from({ length: 3 }, () => ({ id: 'known' })),
  );
});

it.each<[string, Schema, RegExp]>([
  [
    'a keyword',
    { type: 'string', contentEncoding: 'base64' },
    /unsupported schema keyword `contentEncoding`/,
  ],
  ['a nested keyword', { type: 'array', items: { not: {} } }, /unsupported schema keyword `not`/],
  ['a format', { type: 'string', format: 'ipv4' }, /unsupported string format: ipv4/],
  ['a type', { type: 'text' }, /unsupported schema type: "text"/],
  ['a reference', { $ref: '#/components/schemas/Missing' }, /no schema `Missing`/],
  [
    'a reference to another document',
    { $ref: 'other.json' },
    /`other.json` must refer to a schema in `components`/,
  ],
])('rejects an unsupported schema: %s', (_, schema, message) => {
  expect(() => arbitraryOf(schema, { schemas: {} })).toThrow(message);
});

it('`findPath` prefers paths without a template, and finds none for an empty or additional segment', () => {
  const found = ['/v2/presets/batch', '/v2/presets/age', '/v2/presets/', '/v2/presets/a/b', '/nothing'].map(
    (path) => findPath(PARSED_DOCUMENT, path),
  );
  expect(found).toEqual(['/v2/presets/batch', '/v2/presets/{name}', undefined, undefined, undefined]);
});
