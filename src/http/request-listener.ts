/** One request in, one answer out: route, refuse, answer, with the headers that every answer has (S1, S2, S10, S19, S20, S26). */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Service, ServiceError } from '../service/index.js';
import { isOurFailure, toErrorAnswer } from './error-answer.js';
import { assertFraming } from './request-framing.js';
import { ROUTES } from './routes/catalogue.js';
import type { Answer, Route } from './routes/route.js';

/** What stands before each path: the issuer's own path. */
export const BASE_PATH = '/v2';

const MAX_URL_CODE_UNITS = 8_192;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;

/** What the listener needs beside the service. */
export interface ListenerOptions {
  /** A new id for a request that brings none. */
  readonly createRequestId: () => string;
  /** Told of every failure of ours, with the id that the caller was given. */
  readonly onFailure: (error: unknown, requestId: string) => void;
}

/** Answers every request that `node:http` takes for well formed. The listener never throws and never leaves one unanswered. */
export function requestListener(service: Service, options: ListenerOptions): RequestListener {
  return (request, response) => {
    void respond(request, response, service, options);
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  service: Service,
  { createRequestId, onFailure }: ListenerOptions,
): Promise<void> {
  const requestId = requestIdOf(request) ?? createRequestId();
  try {
    const { status, body } = await answer(request, service);
    send(request, response, status, { 'X-Request-Id': requestId }, body);
  } catch (error) {
    if (isOurFailure(error)) onFailure(error, requestId);
    const { status, headers, body } = toErrorAnswer(error, requestId);
    send(request, response, status, { 'X-Request-Id': requestId, ...headers }, body);
  }
}

async function answer(request: IncomingMessage, service: Service): Promise<Answer> {
  assertFraming(request);
  const { method = '', url = '' } = request;
  if (url.length > MAX_URL_CODE_UNITS) throw new ServiceError('url_too_large', { limit: MAX_URL_CODE_UNITS });
  if (service.environment.loopbackOnly && !LOOPBACK_HOST.test(request.headers.host ?? '')) {
    throw new ServiceError('access_denied');
  }
  return await routeOf(method, url).answer(request, service);
}

/** The route of a request: the path is compared as it was sent, so that no two spellings name one endpoint. */
function routeOf(method: string, url: string): Route {
  const [path] = url.split('?', 1);
  const routes = ROUTES.filter((route) => `${BASE_PATH}${route.path}` === path);
  if (routes.length === 0) throw new ServiceError('not_found');
  const route = routes.find((candidate) => candidate.method === method);
  if (route !== undefined) return route;
  throw new ServiceError('method_not_allowed', {
    allow: routes.map((candidate) => candidate.method).join(', '),
  });
}

function requestIdOf(request: IncomingMessage): string | undefined {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): void {
  const bytes = Buffer.from(JSON.stringify(body));
  // A body that was not read to its end, or whose end is in doubt, would be taken for the next request.
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
  const unread = !request.complete && (encoding !== undefined || length !== '0');
  const doubtful = encoding !== undefined && encoding !== 'chunked';
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.byteLength,
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    ...(unread || doubtful ? { Connection: 'close' } : {}),
  });
  response.end(bytes);
}
