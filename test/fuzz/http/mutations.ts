/** Mutations of valid requests, drawn at random. */
import * as fc from 'fast-check';
import { HOSTILE_STRINGS, PROTOTYPE_NAMES } from '../../support/hostile-strings.js';
import { type Pair, type PlannedBody, type PlannedRequest, rawByte } from './planned-request.js';

export type Mutation = (request: PlannedRequest) => PlannedRequest;

const METHODS = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS', 'TRACE', 'QUERY', 'get'];
const TYPES = [
  'text/plain',
  'application/json',
  'application/json; charset=utf-16',
  'application/json;charset="UTF-8"',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=iso-8859-1',
  'multipart/form-data; boundary=x',
  'application/vnd.api+json',
  '',
];
const HEADERS: readonly Pair[] = [
  ['X-Request-Id', 'from-a-proxy.1'],
  ['X-Request-Id', 'x y"z'],
  ['X-Forwarded-For', "'; drop table person; --"],
  ['X-Forwarded-Host', 'attacker.example'],
  ['Host', 'attacker.example'],
  ['Origin', 'https://attacker.example'],
  ['Origin', 'null'],
  ['Origin', 'http://127.0.0.1'],
  ['Access-Control-Request-Method', 'POST'],
  ['Sec-Fetch-Site', 'cross-site'],
  ['Sec-Fetch-Site', 'same-origin'],
  ['Content-Encoding', 'gzip'],
  ['Accept', 'text/html;q=x'],
  ['Accept', 'application/jwt'],
  ['Cookie', 'proviso=x; proviso=y'],
  ['Cookie', `proviso=${'A'.repeat(43)}`],
  ['Cookie', '__proto__=1; constructor=2'],
  ['If-None-Match', '*'],
  ['If-None-Match', '"x", W/"y"'],
  ['Range', 'bytes=0-1'],
  ['Expect', '100-continue'],
  ['Expect', 'the unexpected'],
  ['Transfer-Encoding', 'chunked'],
  ['Content-Length', '0'],
  ['Connection', 'close'],
  ['Connection', 'upgrade'],
  ['Upgrade', 'h2c'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
];
const AUTHORIZATIONS = [
  'Bearer {{access}}',
  'Bearer {{access_narrow}}',
  'Bearer {{access_revoked}}',
  'Bearer {{administrator}}',
  'Bearer {{refresh}}',
  'Bearer {{code}}',
  'bearer {{access}}',
  'Bearer  {{access}}',
  'Bearer {{access}},{{access}}',
  'Basic {{basic}}',
  'Basic ',
  'Basic Og==',
  'Basic AAAA////',
  'DPoP {{access}}',
  'Bearer',
  '',
];
const PATH_SUFFIXES = ['/', '/x', '//', '?', '%00', '/..', ';x=y', '/%2e%2e', '#x', '\u00e9', '/__proto__'];

/** Replacements for any value. */
const HOSTILE_VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  2 ** 53,
  1e21,
  '',
  [],
  {},
  [[]],
  [null],
  { '': {} },
  { toString: 'x' },
  ...Object.values(HOSTILE_STRINGS),
  ...PROTOTYPE_NAMES,
  '\ud800',
  '{{access}}',
  '{{administrator}}',
];

/** No mutation, or one to three. */
export function mutations(): fc.Arbitrary<readonly Mutation[]> {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constant([]) },
    { weight: 5, arbitrary: fc.array(mutation(), { minLength: 1, maxLength: 1 }) },
    { weight: 2, arbitrary: fc.array(mutation(), { minLength: 2, maxLength: 3 }) },
  );
}

function mutation(): fc.Arbitrary<Mutation> {
  // An index, taken modulo the number of pairs or nodes of the request.
  const position = fc.nat({ max: 63 });
  const text = hostileText();
  const value = fc.oneof(fc.constantFrom(...HOSTILE_VALUES), text, fc.jsonValue({ maxDepth: 3 }));
  return fc.oneof(
    fc.constantFrom(...METHODS).map(
      (method): Mutation =>
        (request) => ({ ...request, method }),
    ),
    fc.constantFrom(...AUTHORIZATIONS).map((given): Mutation => withHeader('Authorization', given)),
    fc.constantFrom(...HEADERS).map(([name, given]): Mutation => addHeader(name, given)),
    fc.constantFrom(...TYPES).map(
      (type): Mutation =>
        (request) =>
          request.body === undefined ? request : { ...request, body: { ...request.body, type } },
    ),
    fc.constantFrom(...PATH_SUFFIXES).map(
      (tail): Mutation =>
        (request) => ({ ...request, path: request.path + tail }),
    ),
    { weight: 3, arbitrary: fc.tuple(position, text).map(([at, given]) => changePair(at, () => given)) },
    position.map((at) => dropPair(at)),
    position.map((at) => repeatPair(at)),
    fc
      .tuple(
        fc.constantFrom(
          'resource',
          'request',
          'request_uri',
          'access_token',
          'response_mode',
          ...PROTOTYPE_NAMES,
        ),
        text,
      )
      .map(
        ([name, given]): Mutation =>
          (request) => ({ ...request, query: [...request.query, [name, given]] }),
      ),
    text.map(
      (given): Mutation =>
        (request) => ({ ...request, rawQuery: `&${given.replaceAll(/[\r\n]/g, '')}` }),
    ),
    {
      weight: 6,
      arbitrary: fc
        .tuple(position, value)
        .map(([at, given]) => changeBody((body) => changeValue(body, at, given))),
    },
    { weight: 2, arbitrary: position.map((at) => changeBody((body) => dropMember(body, at))) },
    fc
      .tuple(position, fc.constantFrom(...PROTOTYPE_NAMES, 'extra', ''), value)
      .map(([at, name, given]) => changeBody((body) => addMember(body, at, name, given))),
    fc.tuple(position, position).map(([at, depth]) => changeBody((body) => nest(body, at, depth))),
    {
      weight: 2,
      arbitrary: fc
        .tuple(fc.nat({ max: 400 }), fc.nat({ max: 20 }), text)
        .map(([at, cut, given]) => changeBody((body) => spliceText(body, at, cut, given))),
    },
    fc.constant<Mutation>(({ body: _body, ...request }) => request),
    fc.constantFrom<Mutation>(
      (request) => ({ ...request, rawQuery: `&long=${'x'.repeat(9_000)}` }),
      addHeader('X-Long', 'x'.repeat(17_000)),
      (request) => ({
        ...request,
        headers: [...request.headers, ...Array.from({ length: 100 }, (_, at): Pair => [`X-${at}`, '1'])],
      }),
      (request) => ({ ...request, body: { text: ' '.repeat(66_000) } }),
    ),
  );
}

/** A hostile string, or one of arbitrary bytes. */
export function hostileText(): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...Object.values(HOSTILE_STRINGS)) },
    { weight: 1, arbitrary: fc.constantFrom(...PROTOTYPE_NAMES) },
    {
      weight: 2,
      arbitrary: fc.array(fc.nat({ max: 255 }).map(rawByte), { maxLength: 4 }).map((bytes) => bytes.join('')),
    },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    { weight: 1, arbitrary: fc.string({ maxLength: 20 }) },
  );
}

function withHeader(name: string, value: string): Mutation {
  return (request) => ({
    ...request,
    headers: [...request.headers.filter(([one]) => one !== name), [name, value]],
  });
}

function addHeader(name: string, value: string): Mutation {
  return (request) => ({ ...request, headers: [...request.headers, [name, value]] });
}

/** Changes the name-value pairs of the query, or of the form if there is no query. */
function changePairs(change: (pairs: readonly Pair[]) => readonly Pair[]): Mutation {
  return (request) => {
    const { body } = request;
    if (request.query.length === 0 && body !== undefined && 'form' in body)
      return { ...request, body: { ...body, form: change(body.form) } };
    return { ...request, query: change(request.query) };
  };
}

function changePair(position: number, change: (value: string) => string): Mutation {
  return changePairs((pairs) =>
    pairs.map(([name, value], index) =>
      index === position % pairs.length ? [name, change(value)] : [name, value],
    ),
  );
}

function dropPair(position: number): Mutation {
  return changePairs((pairs) => pairs.filter((_, index) => index !== position % pairs.length));
}

function repeatPair(position: number): Mutation {
  return changePairs((pairs) => {
    const pair = pairs[position % pairs.length];
    return pair === undefined ? pairs : [...pairs, pair];
  });
}

function changeBody(change: (body: PlannedBody) => PlannedBody): Mutation {
  return (request) => (request.body === undefined ? request : { ...request, body: change(request.body) });
}

function changeValue(body: PlannedBody, position: number, value: unknown): PlannedBody {
  if ('json' in body) return { ...body, json: replaceNode(body.json, position, () => value) };
  if (!('form' in body)) return body;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return {
    ...body,
    form: body.form.map(([name, old], index) => [name, index === position % body.form.length ? text : old]),
  };
}

function dropMember(body: PlannedBody, position: number): PlannedBody {
  if (!('json' in body)) return body;
  return {
    ...body,
    json: replaceNode(body.json, position, (node) => {
      if (typeof node !== 'object' || node === null) return undefined;
      return Array.isArray(node) ? node.slice(1) : Object.fromEntries(Object.entries(node).slice(1));
    }),
  };
}

/** Adds a member or form field. Uses `defineProperty`, since assigning to `__proto__` sets the prototype. */
function addMember(body: PlannedBody, position: number, name: string, value: unknown): PlannedBody {
  if ('form' in body)
    return {
      ...body,
      form: [...body.form, [name, typeof value === 'string' ? value : JSON.stringify(value)]],
    };
  if (!('json' in body)) return body;
  return {
    ...body,
    json: replaceNode(body.json, position, (node) =>
      typeof node === 'object' && node !== null && !Array.isArray(node)
        ? Object.defineProperty({ ...node }, name, {
            value,
            enumerable: true,
            configurable: true,
            writable: true,
          })
        : { [name]: value },
    ),
  };
}

function nest(body: PlannedBody, position: number, depth: number): PlannedBody {
  if (!('json' in body)) return body;
  return {
    ...body,
    json: replaceNode(body.json, position, (node) => {
      let nested = node;
      for (let level = 0; level < depth; level += 1) nested = level % 2 === 0 ? [nested] : { not: nested };
      return nested;
    }),
  };
}

/** Turns a body into text, and replaces a part of the text. */
function spliceText(body: PlannedBody, at: number, cut: number, inserted: string): PlannedBody {
  const text =
    'json' in body
      ? (JSON.stringify(body.json) ?? '')
      : 'form' in body
        ? body.form.map((pair) => pair.join('=')).join('&')
        : body.text;
  const from = at % (text.length + 1);
  const type = body.type ?? ('form' in body ? 'application/x-www-form-urlencoded' : 'application/json');
  return { type, text: text.slice(0, from) + inserted + text.slice(from + cut) };
}

/** A copy of a value with one node replaced: node `position` modulo the number of nodes. */
export function replaceNode(value: unknown, position: number, replace: (node: unknown) => unknown): unknown {
  const target = position % Math.max(1, countNodes(value));
  let at = -1;
  const walk = (node: unknown): unknown => {
    at += 1;
    if (at === target) return replace(node);
    if (Array.isArray(node)) return node.map(walk);
    if (typeof node !== 'object' || node === null) return node;
    return Object.fromEntries(Object.entries(node).map(([name, member]) => [name, walk(member)]));
  };
  return walk(value);
}

function countNodes(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce((sum: number, member: unknown) => sum + countNodes(member), 1);
}
