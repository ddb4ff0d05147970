/** Checks responses against the OpenAPI document: status, media type, headers if they are given, and body. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../src/http/openapi.js';
import { ROUTES } from '../../src/http/routes/catalogue.js';
import {
  type DocumentedResponse,
  documentedOperations,
  findPath,
  readDocument,
  type Schema,
} from '../openapi/document.js';

/** A response as it was sent. */
export interface ObservedResponse {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
  /** Names in lower case. Without this member, headers are not checked. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** Checks responses against an OpenAPI document. */
export interface ResponseValidator {
  /** Returns the first undocumented property of a response; `undefined` if there is none. */
  readonly findUndocumented: (observed: ObservedResponse) => string | undefined;
  /** Returns how a body differs from the schema of errors; `undefined` if it does not. */
  readonly findErrorProblem: (what: string, body: string) => string | undefined;
}

/**
 * Creates a validator of responses against a document.
 *
 * @throws {Error} Where the document has no paths or no schemas, or one of its schemas is not a JSON Schema.
 */
export function createResponseValidator(document: Readonly<Record<string, unknown>>): ResponseValidator {
  const read = readDocument(document);
  const operations = new Map(
    documentedOperations(read).map(({ path, method, operation }) => [`${method} ${path}`, operation]),
  );
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(document, 'openapi');

  const findSchemaProblem = (what: string, reference: string, value: unknown): string | undefined => {
    const validate = ajv.getSchema(`openapi#${reference}`);
    if (validate === undefined) return `${what}: no schema at ${reference}`;
    if (validate(value)) return undefined;
    return `${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value).slice(0, 400)}`;
  };
  const findJsonProblem = (what: string, reference: string, body: string): string | undefined => {
    let value: unknown;
    try {
      value = JSON.parse(body);
    } catch {
      return `${what}: the body is not JSON: ${body.slice(0, 80)}`;
    }
    return findSchemaProblem(what, reference, value);
  };
  const findErrorProblem = (what: string, body: string) =>
    findJsonProblem(what, '/components/schemas/Error', body);
  const findHeaderProblem = (
    what: string,
    at: readonly string[],
    { headers = {} }: DocumentedResponse,
    sent: NonNullable<ObservedResponse['headers']>,
  ): string | undefined => {
    for (const [name, { required = false, schema }] of Object.entries(headers)) {
      const value = sent.find(([one]) => one === name.toLowerCase())?.[1];
      if (value === undefined && !required) continue;
      if (value === undefined) return `${what}: the header \`${name}\` is missing`;
      const reference = pointer(...at, 'headers', name, 'schema');
      const problem = findSchemaProblem(`${what}: ${name}`, reference, headerValue(value, schema));
      if (problem !== undefined) return problem;
    }
    return undefined;
  };

  const findUndocumented = (observed: ObservedResponse): string | undefined => {
    const { status, type = '', body } = observed;
    const [requestPath = ''] = observed.path.replace(/^https?:\/\/[^/]*/i, '').split('?');
    const path = findPath(read, requestPath);
    const operation = path === undefined ? undefined : operations.get(`${observed.method} ${path}`);
    const what = `${observed.method} ${requestPath} ${status}`;
    if (path === undefined || operation === undefined) {
      // The path or method is not documented.
      if (status === 204 && observed.method === 'OPTIONS') return undefined;
      return findErrorProblem(what, body);
    }
    const response = operation.responses[String(status)];
    if (response === undefined) return `${what}: this status is not documented`;
    const at = ['paths', path, observed.method.toLowerCase(), 'responses', String(status)];
    const header =
      observed.headers === undefined ? undefined : findHeaderProblem(what, at, response, observed.headers);
    if (header !== undefined) return header;
    if (response.content === undefined) return body === '' ? undefined : `${what}: no body is documented`;
    const media = (type.split(';')[0] ?? '').trim();
    if (response.content[media] === undefined) return `${what}: the media type \`${type}\` is not documented`;
    const reference = pointer(...at, 'content', media, 'schema');
    switch (media) {
      case 'application/json':
        return findJsonProblem(what, reference, body);
      case 'application/x-ndjson':
        return body
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => findJsonProblem(what, reference, line))
          .find((problem) => problem !== undefined);
      default:
        return findSchemaProblem(what, reference, body);
    }
  };
  return { findUndocumented, findErrorProblem };
}

const VALIDATOR = createResponseValidator(openApiDocument(ROUTES, 'http://127.0.0.1/v2'));

/** Checks a response against the service's document. */
export const { findUndocumented } = VALIDATOR;

/** Returns a chunk of a body as text; an empty string if `end` was called without one. */
function textOf(chunk: unknown): string {
  if (chunk instanceof Uint8Array) return Buffer.from(chunk).toString();
  return typeof chunk === 'string' ? chunk : '';
}

/**
 * Checks status, media type and body of every response of a server, except those to `CONNECT`; of responses to malformed requests, the body only.
 * Returns a list to which problems are added.
 */
export function recordUndocumented(server: Server): readonly string[] {
  const problems: string[] = [];
  const note = (problem: string | undefined) => {
    if (problem !== undefined) problems.push(problem);
  };
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const [write, end] = [response.write.bind(response), response.end.bind(response)];
    let body = '';
    response.write = ((...given: unknown[]) => {
      body += textOf(given[0]);
      return (write as (...all: unknown[]) => boolean)(...given);
    }) as ServerResponse['write'];
    response.end = ((...given: unknown[]) => {
      body += textOf(given[0]);
      note(
        findUndocumented({
          method: request.method ?? '',
          path: request.url ?? '',
          status: response.statusCode,
          type: contentTypeOf(response),
          body,
        }),
      );
      return (end as (...all: unknown[]) => ServerResponse)(...given);
    }) as ServerResponse['end'];
  });
  server.prependListener('clientError', (_error: Error, socket: Socket) => {
    const end = socket.end.bind(socket);
    socket.end = ((...given: unknown[]) => {
      const [head, body = ''] = String(given[0] ?? '').split('\r\n\r\n');
      // Sockets are also closed without a response.
      if (head !== '') note(VALIDATOR.findErrorProblem('a malformed request', body));
      return (end as (...all: unknown[]) => Socket)(...given);
    }) as Socket['end'];
  });
  return problems;
}

const validatedOrigins = new Set<string>();
let isFetchWrapped = false;

/** Makes `fetch` throw on undocumented responses of a service in another process. @returns A function that ends this. */
export function validateFetchedResponses(url: string): () => void {
  const { origin } = new URL(url);
  validatedOrigins.add(origin);
  if (!isFetchWrapped) wrapFetch();
  isFetchWrapped = true;
  return () => void validatedOrigins.delete(origin);
}

function wrapFetch(): void {
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const request = new Request(input, init);
    if (!validatedOrigins.has(new URL(request.url).origin)) return response;
    const problem = findUndocumented({
      method: request.method,
      path: new URL(request.url).pathname,
      status: response.status,
      type: response.headers.get('content-type') ?? undefined,
      body: await response.clone().text(),
    });
    if (problem !== undefined) throw new Error(`not as documented: ${problem}`);
    return response;
  };
}

/** Reads the header from the raw head, since `getHeader` does not return headers of `writeHead`. */
function contentTypeOf(response: ServerResponse): string | undefined {
  const head = (response as ServerResponse & { readonly _header?: string | null })._header ?? '';
  return /^content-type: (.*)$/im.exec(head)?.[1]?.trim();
}

/** Converts a header's value to the JSON value that its schema describes. */
function headerValue(text: string, { type }: Schema): unknown {
  return (type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function pointer(...segments: readonly string[]): string {
  return segments
    .map((segment) => `/${encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}
