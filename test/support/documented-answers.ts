/** Holds every answer against the OpenAPI document: its status, its media type, and its body member by member. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { openApiDocument } from '../../src/http/openapi.js';
import { findRoutes, ROUTES } from '../../src/http/routes/catalogue.js';

/** One answer, as it was sent. */
export interface SentAnswer {
  readonly method: string;
  /** With or without a query. */
  readonly path: string;
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

type Node = Readonly<Record<string, unknown>>;

const document = openApiDocument(ROUTES, 'http://127.0.0.1/v2');
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(document, 'openapi');

/** What is undocumented about an answer; nothing where all of it is documented. */
export function undocumented(answer: SentAnswer): string | undefined {
  const { status, type = '', body } = answer;
  const [path = ''] = answer.path.replace(/^https?:\/\/[^/]*/i, '').split('?');
  const method = answer.method.toLowerCase();
  const route = findRoutes(path).find(
    (match) => method in ((document['paths'] as Node)[match.route.path] as Node),
  )?.route;
  const what = `${answer.method} ${path} ${status}`;
  if (route === undefined) {
    // Nothing stands there, or not for this method.
    if (status === 204 && method === 'options') return undefined;
    return mismatch(what, 'openapi#/components/schemas/Error', body);
  }
  const responses = pointer('paths', route.path, method, 'responses', String(status));
  const described = at(['paths', route.path, method, 'responses', String(status)]);
  if (described === undefined) return `${what}: this status is not documented`;
  const content = described['content'] as Node | undefined;
  const [media] = type.split(';');
  if (content === undefined) return body === '' ? undefined : `${what}: no body is documented`;
  if (media === undefined || content[media] === undefined) return `${what}: ${type} is not documented`;
  if (media !== 'application/json') return undefined;
  return mismatch(what, `openapi#${responses}${pointer('content', media, 'schema')}`, body);
}

/** Watches what a server answers, also where it refuses what is no request. @returns What was not documented, as it comes. */
export function watchAnswers(server: Server): readonly string[] {
  const problems: string[] = [];
  const note = (problem: string | undefined) => {
    if (problem !== undefined) problems.push(problem);
  };
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const end = response.end.bind(response);
    response.end = ((...given: unknown[]) => {
      const [chunk] = given;
      note(
        undocumented({
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
      if (head !== '') note(mismatch('what is no request', 'openapi#/components/schemas/Error', body));
      return (end as (...all: unknown[]) => Socket)(...given);
    }) as Socket['end'];
  });
  return problems;
}

/** Holds every answer that `fetch` gets from a service in another process against the document, from now on. */
export function watchFetched(url: string): void {
  const { origin } = new URL(url);
  const { fetch } = globalThis;
  globalThis.fetch = async (input, init) => {
    const response = await fetch(input, init);
    const asked = new Request(input, init);
    if (new URL(asked.url).origin !== origin) return response;
    const problem = undocumented({
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

function mismatch(what: string, reference: string, body: string): string | undefined {
  const validate = ajv.getSchema(reference);
  if (validate === undefined) return `${what}: no schema at ${reference}`;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return `${what}: the body is no JSON: ${body.slice(0, 80)}`;
  }
  if (validate(value)) return undefined;
  return `${what}: ${ajv.errorsText(validate.errors)} in ${body.slice(0, 400)}`;
}

function pointer(...segments: readonly string[]): string {
  return segments
    .map((segment) => `/${encodeURIComponent(segment.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}

function at(path: readonly string[]): Node | undefined {
  let node: unknown = document;
  for (const segment of path) node = (node as Node | undefined)?.[segment];
  return node as Node | undefined;
}
