/** Generates requests for an operation from the document: valid ones, and ones with one change. */
import * as fc from 'fast-check';
import { DEFAULT_CLAIMS } from '../../src/engine/index.js';
import { replaceNode } from '../fuzz/http/mutations.js';
import type { Pair, PlannedBody, PlannedRequest } from '../fuzz/http/planned-request.js';
import { arbitraryOf, type SchemaContext } from './arbitrary-of.js';
import type { DocumentedOperation, InterfaceDocument, OperationAt, Schema } from './document.js';
import { VALUES_BY_NAME } from './known-values.js';

/** A request and the change that was applied to it. */
export interface GeneratedRequest {
  readonly request: PlannedRequest;
  /** The name of the change; `none` if the request follows the document. */
  readonly change: string;
}

const FORM_TYPE = 'application/x-www-form-urlencoded';
const JSON_TYPE = 'application/json';
/** Methods that a path may have. */
export const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH'];
/** `Authorization` headers by security scheme of the document. */
const CREDENTIALS: Readonly<Record<string, readonly string[]>> = {
  bearer: ['Bearer {{access}}'],
  client: ['Basic {{basic}}'],
  administrator: ['Bearer {{administrator}}'],
  dpop: ['DPoP {{access}}'],
};
const OTHER_CREDENTIALS = [
  'Bearer {{access}}',
  'Bearer {{access_narrow}}',
  'Bearer {{refresh}}',
  'Bearer {{administrator}}',
  'Basic {{basic}}',
  `Basic ${Buffer.from('nobody:nothing').toString('base64')}`,
  'Bearer not a token',
  'Digest username="x"',
  '',
];
const WRONG_VALUES: readonly unknown[] = [null, true, 0, 'text', [], {}, ['text'], { member: 1 }];
const OUT_OF_RANGE: readonly unknown[] = [
  ...['', 'x'.repeat(5_000), '\u0000', '{', '9999-99-99T99:99:99Z'],
  ...[-1, 1.5, 101, 2 ** 53, 1e300, -1e300],
  ...[Array.from({ length: 1_001 }, (_, index) => `item-${index}`), ['text', 'text']],
];
const MEDIA_TYPES = [
  ...[
    'text/plain',
    JSON_TYPE,
    FORM_TYPE,
    'application/json; charset=utf-16',
    'multipart/form-data; boundary=x',
  ],
  ...['application/vnd.api+json', 'not a media type'],
];
/** Lengths above the limits of the service. */
const LONG_URL = 9_000;
const LONG_HEADER = 17_000;
const LONG_BODY = 66_000;

/**
 * Generates requests for an operation.
 *
 * @param prepared - Requests for the prepared state of the operation. Changes are applied to them as well.
 * @throws {Error} The operation has an unsupported security scheme, parameter, media type or schema.
 */
export function generateRequests(
  at: OperationAt,
  document: InterfaceDocument,
  prepared: readonly PlannedRequest[],
): fc.Arbitrary<GeneratedRequest> {
  const documentedRequests = describedRequests(at, document);
  const baseRequests =
    prepared.length === 0 ? documentedRequests : fc.oneof(documentedRequests, fc.constantFrom(...prepared));
  return fc.oneof(
    { weight: 2, arbitrary: documentedRequests.map((request) => ({ request, change: 'none' })) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(baseRequests, changes(at))
        .map(([request, { name, apply }]) => ({ request: apply(request), change: name })),
    },
  );
}

function describedRequests(at: OperationAt, document: InterfaceDocument): fc.Arbitrary<PlannedRequest> {
  const { path, method, operation } = at;
  const { operationId, parameters = [], requestBody } = operation;
  const context = { schemas: document.components.schemas, arbitraryByName: named } satisfies SchemaContext;
  const valuesFor = (name: string, schema: Schema) => named(name, schema) ?? arbitraryOf(schema, context);
  const parametersIn = (place: string) =>
    fc
      .tuple(
        ...parameters
          .filter((one) => one.in === place)
          .map(({ name, schema, required = false }) => {
            const pair = valuesFor(name, schema).map((value): Pair => [name, textOf(value)]);
            return required ? pair : fc.option(pair, { nil: undefined, freq: 1 });
          }),
      )
      .map((pairs) => pairs.filter((pair) => pair !== undefined));
  const unsupported = parameters.find((one) => !['path', 'query', 'header'].includes(one.in));
  if (unsupported !== undefined)
    throw new Error(`unsupported location of the parameter \`${unsupported.name}\`: ${unsupported.in}`);
  const body = requestBody === undefined ? fc.constant(undefined) : bodiesOf(requestBody, context);
  return fc
    .tuple(
      parametersIn('path'),
      parametersIn('query'),
      parametersIn('header'),
      credentialsOf(operation),
      body,
    )
    .map(([segments, query, headers, authorization, sent]) => ({
      operation: operationId,
      method,
      path: segments.reduce((left, [name, value]) => left.replace(`{${name}}`, () => segmentOf(value)), path),
      query,
      headers: [
        ...headers,
        ...(authorization === undefined ? [] : [['Authorization', authorization] as const]),
        ['Cookie', '{{cookie}}'] as const,
      ],
      ...(sent === undefined ? {} : { body: sent }),
    }));
}

/** Encodes a path segment, except for placeholders, which are replaced later. */
function segmentOf(value: string): string {
  if (value.startsWith('{{')) return value;
  // An empty segment would change the path.
  return value === '' ? '%20' : encodeURIComponent(value);
}

function named(name: string, schema: Schema): fc.Arbitrary<unknown> | undefined {
  if ('enum' in schema || 'const' in schema) return undefined;
  if (name === 'claim') return fc.constantFrom(...DEFAULT_CLAIMS.map(({ path }) => path));
  const known = VALUES_BY_NAME[name];
  return known === undefined ? undefined : fc.constantFrom(...known);
}

function bodiesOf(
  { content, required = false }: NonNullable<DocumentedOperation['requestBody']>,
  context: Parameters<typeof arbitraryOf>[1],
): fc.Arbitrary<PlannedBody | undefined> {
  const bodies = Object.entries(content).map(([type, { schema }]): fc.Arbitrary<PlannedBody | undefined> => {
    const value = arbitraryOf(schema, context);
    switch (type) {
      case JSON_TYPE:
        return value.map((json) => ({ json }));
      case FORM_TYPE:
        return value.map((members) => ({
          // The document describes a form by the schema of an object.
          form: Object.entries(members as Schema).map(([name, one]): Pair => [name, textOf(one)]),
        }));
      default:
        throw new Error(`unsupported media type of a body: ${type}`);
    }
  });
  return fc.oneof(...bodies, ...(required ? [] : [fc.constant(undefined)]));
}

function credentialsOf({ security = [] }: DocumentedOperation): fc.Arbitrary<string | undefined> {
  const alternatives = security.flatMap((alternative): readonly (string | undefined)[] => {
    const schemes = Object.keys(alternative);
    if (schemes.length === 0) return [undefined];
    return schemes.flatMap((scheme) => {
      const known = CREDENTIALS[scheme];
      if (known === undefined) throw new Error(`no credentials for the security scheme \`${scheme}\``);
      return known;
    });
  });
  return alternatives.length === 0 ? fc.constant(undefined) : fc.constantFrom(...alternatives);
}

interface Change {
  readonly name: string;
  readonly apply: (request: PlannedRequest) => PlannedRequest;
}

function changes({ operation }: OperationAt): fc.Arbitrary<Change> {
  const hasBody = operation.requestBody !== undefined;
  const hasInput = hasBody || (operation.parameters ?? []).length > 0;
  return fc.oneof(
    { weight: 2, arbitrary: credentialChanges() },
    { weight: 3, arbitrary: requestChanges() },
    { weight: 2, arbitrary: bodyChanges() },
    ...(hasInput ? [{ weight: hasBody ? 8 : 6, arbitrary: inputChanges() }] : []),
  );
}

/** Changes of one parameter or one member. */
function inputChanges(): fc.Arbitrary<Change> {
  const place = fc.nat({ max: 31 });
  const replaced = (name: string, values: readonly unknown[]) =>
    fc
      .tuple(place, fc.constantFrom(...values))
      .map(([at, value]): Change => ({ name, apply: (request) => replaceValue(request, at, value) }));
  return fc.oneof(
    { weight: 4, arbitrary: replaced('a value of another type', WRONG_VALUES) },
    { weight: 4, arbitrary: replaced('a value out of range', OUT_OF_RANGE) },
    {
      weight: 4,
      arbitrary: place.map(
        (at): Change => ({ name: 'without a member', apply: (one) => withoutMember(one, at) }),
      ),
    },
    { weight: 2, arbitrary: change('with another member', withMember) },
    { weight: 1, arbitrary: change('a repeated member', withRepeatedMember) },
  );
}

/** Changes of the whole body, or an unexpected body if the operation has none. */
function bodyChanges(): fc.Arbitrary<Change> {
  return fc.oneof(
    fc.constantFrom(...MEDIA_TYPES).map(
      (type): Change => ({
        name: `as ${type}`,
        apply: (one) => ({ ...one, body: { ...(one.body ?? { text: 'a=1' }), type } }),
      }),
    ),
    change('without a body', ({ body: _body, ...rest }) => rest),
    change('a truncated body', (one) => ({ ...one, body: { type: JSON_TYPE, text: '{"a":' } })),
    change('another form', (one) => ({ ...one, body: { form: [['access_token', '{{access}}']] } })),
    change('a large form', (one) => ({ ...one, body: { form: [['a', 'x'.repeat(LONG_BODY)]] } })),
    change('a large body', (one) => ({ ...one, body: { json: ['x'.repeat(LONG_BODY)] } })),
  );
}

function credentialChanges(): fc.Arbitrary<Change> {
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc.constantFrom(...OTHER_CREDENTIALS).map(
        (authorization): Change => ({
          name: 'other credentials',
          apply: (one) => ({
            ...one,
            headers: [...withoutHeader(one.headers, 'Authorization'), ['Authorization', authorization]],
          }),
        }),
      ),
    },
    {
      weight: 1,
      arbitrary: change('without credentials', (one) => ({
        ...one,
        headers: withoutHeader(one.headers, 'Authorization'),
      })),
    },
    {
      weight: 1,
      arbitrary: change('without a cookie', (one) => ({
        ...one,
        headers: withoutHeader(one.headers, 'Cookie'),
      })),
    },
  );
}

/** Changes of the method, the target, and the headers. */
function requestChanges(): fc.Arbitrary<Change> {
  return fc.oneof(
    fc
      .constantFrom(...METHODS, 'HEAD')
      .map((method): Change => ({ name: `by ${method}`, apply: (one) => ({ ...one, method }) })),
    change('from another origin', (one) => withHeader(one, 'Origin', 'https://attacker.example')),
    change('at another host', (one) => withHeader(one, 'Host', 'attacker.example')),
    change('with the URL of another host', (one) => ({
      ...one,
      path: `http://attacker.example${one.path}`,
    })),
    change('a long URL', (one) => ({ ...one, rawQuery: `&long=${'x'.repeat(LONG_URL)}` })),
    change('a long header', (one) => withHeader(one, 'X-Long', 'x'.repeat(LONG_HEADER))),
    change('an unreadable query', (one) => ({ ...one, rawQuery: '&%zz=%ff' })),
  );
}

function change(name: string, apply: Change['apply']): fc.Arbitrary<Change> {
  return fc.constant({ name, apply });
}

/** Replaces a value in the body, or in the query if there is no body. */
function replaceValue(request: PlannedRequest, place: number, value: unknown): PlannedRequest {
  const { body, query } = request;
  const replaced = (pairs: readonly Pair[]) =>
    pairs.map(([name, old], index): Pair => [name, index === place % pairs.length ? textOf(value) : old]);
  if (body === undefined) return { ...request, query: replaced(query) };
  if ('json' in body)
    return { ...request, body: { ...body, json: replaceNode(body.json, place, () => value) } };
  return 'form' in body ? { ...request, body: { ...body, form: replaced(body.form) } } : request;
}

function withoutMember(request: PlannedRequest, place: number): PlannedRequest {
  const { body, query } = request;
  const dropped = <Item>(items: readonly Item[]) =>
    items.filter((_, index) => index !== place % items.length);
  if (body === undefined) return { ...request, query: dropped(query) };
  if ('form' in body) return { ...request, body: { ...body, form: dropped(body.form) } };
  if (!('json' in body)) return request;
  const drop = (node: unknown): unknown => {
    if (Array.isArray(node)) return dropped(node);
    return isObject(node) ? Object.fromEntries(dropped(Object.entries(node))) : undefined;
  };
  // Often the top level, whose members may be required.
  return { ...request, body: { ...body, json: replaceNode(body.json, place % 3 === 0 ? place : 0, drop) } };
}

function withMember(request: PlannedRequest): PlannedRequest {
  const { body, query } = request;
  if (body === undefined) return { ...request, query: [...query, ['extra', '1']] };
  if ('form' in body) return { ...request, body: { ...body, form: [...body.form, ['extra', '1']] } };
  return 'json' in body && isObject(body.json)
    ? { ...request, body: { ...body, json: { ...body.json, extra: 1 } } }
    : request;
}

function withRepeatedMember(request: PlannedRequest): PlannedRequest {
  const { body, query } = request;
  if (body !== undefined && 'form' in body)
    return { ...request, body: { ...body, form: [...body.form, ...body.form.slice(0, 1)] } };
  return { ...request, query: [...query, ...query.slice(0, 1)] };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function withoutHeader(headers: readonly Pair[], name: string): readonly Pair[] {
  return headers.filter(([one]) => one !== name);
}

function withHeader(request: PlannedRequest, name: string, value: string): PlannedRequest {
  return { ...request, headers: [...request.headers, [name, value]] };
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
