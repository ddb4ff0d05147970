/** Checks every response against the OpenAPI document: status, media type, headers and body. */
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

/** One answer, as it was sent. */
export interface ObservedResponse {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
  /** With names in lower case; absent where the headers are not judged. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
}

/** Judges answers by one document. */
export interface ResponseValidator {
  /** @returns What the document does not state about an answer; `undefined` where it states all of it. */
  readonly findUndocumented: (answer: ObservedResponse) => string | undefined;
  /** Judges a body by the schema of an error. @returns As `undocumented`. */
  readonly findErrorProblem: (what: string, body: string) => string | undefined;
}

/**
 * Builds a judge of a document.
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
      return `${what}: the body is no JSON: ${body.slice(0, 80)}`;
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

  const findUndocumented = (answer: ObservedResponse): string | undefined => {
    const { status, type = '', body } = answer;
    const [requestPath = ''] = answer.path.replace(/^https?:\/\/[^/]*/i, '').split('?');
    const path = findPath(read, requestPath);
    const operation = path === undefined ? undefined : operations.get(`${answer.method} ${path}`);
    const what = `${answer.method} ${requestPath} ${status}`;
    if (path === undefined || operation === undefined) {
      // The path or method is not documented.
      if (status === 204 && answer.method === 'OPTIONS') return undefined;
      return findErrorProblem(what, body);
    }
    const response = operation.responses[String(status)];
    if (response === undefined) return `${what}: this status is not documented`;
    const at = ['paths', path, answer.method.toLowerCase(), 'responses', String(status)];
    const header =
      answer.headers === undefined ? undefined : findHeaderProblem(what, at, response, answer.headers);
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
  return { findUndocumented: findUndocumented, findErrorProblem: findErrorProblem };
}

const VALIDATOR = createResponseValidator(openApiDocument(ROUTES, 'http://127.0.0.1/v2'));

/** What is undocumented about an answer; nothing where all of it is documented. */
export const { findUndocumented } = VALIDATOR;

/** Watches what a server answers, also where it refuses what is no request. @returns What was not documented, as it comes. */
export function recordUndocumented(server: Server): readonly string[] {
  const problems: string[] = [];
  const note = (problem: string | undefined) => {
    if (problem !== undefined) problems.push(problem);
  };
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const end = response.end.bind(response);
    response.end = ((...given: unknown[]) => {
      const [chunk] = given;
      note(
        findUndocumented({
          method: request.method ?? '',
          path: request.url ?? '',
          status: response.statusCode,
          type: contentTypeOf(response),
          body: chunk instanceof Uint8Array ? Buffer.from(chunk).toString() : String(chunk ?? ''),
        }),
      );
      return (end as (...all: unknown[]) => ServerResponse)(...given);
    }) as ServerResponse['end'];
  });
  server.prependListener('clientError', (_error: Error, socket: Socket) => {
    const end = socket.end.bind(socket);
    socket.end = ((...given: unknown[]) => {
      const [head, body = ''] = String(given[0] ?? '').split('\r\n\r\n');
      // Sockets are also ended without a word.
      if (head !== '') note(VALIDATOR.findErrorProblem('what is no request', body));
      return (end as (...all: unknown[]) => Socket)(...given);
    }) as Socket['end'];
  });
  return problems;
}

/** Holds every answer that `fetch` gets from a service in another process against the document, from now on. */
export function validateFetchedResponses(url: string): void {
  const { origin } = new URL(url);
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const asked = new Request(input, init);
    if (new URL(asked.url).origin !== origin) return response;
    const problem = findUndocumented({
      method: asked.method,
      path: new URL(asked.url).pathname,
      status: response.status,
      type: response.headers.get('content-type') ?? undefined,
      body: await response.clone().text(),
    });
    if (problem !== undefined) throw new Error(`not as documented: ${problem}`);
    return response;
  };
}

/** `writeHead` keeps its headers to itself but for the text of the head. */
function contentTypeOf(response: ServerResponse): string | undefined {
  const head = (response as ServerResponse & { readonly _header?: string | null })._header ?? '';
  return /^content-type: (.*)$/im.exec(head)?.[1]?.trim();
}

/** A header's value, as the JSON value that its schema is about. */
function headerValue(text: string, { type }: Schema): unknown {
  return (type === 'integer' || type === 'number') && /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

function pointer(...segments: readonly string[]): string {
  return segments
    .map((segment) => `/${encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}
