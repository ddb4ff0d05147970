/** One request in, one answer out: route, refuse, answer, with the headers that every answer has (S1, S2, S7, S10, S17, S19, S20, S26). */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { type Service, ServiceError } from '../service/index.js';
import { crossOriginHeaders, preflightHeaders } from './cross-origin.js';
import { isOurFailure, toErrorAnswer } from './error-answer.js';
import { problemPage } from './pages/page.js';
import { malformed } from './parameters/malformed.js';
import { assertFraming, framingRefusal } from './request-framing.js';
import { parseTarget } from './request-target.js';
import { ROUTES } from './routes/catalogue.js';
import { findRoutes, type RouteMatch } from './routes/find-route.js';
import { type Answer, type Deployment, methodsOf, type Route } from './routes/route.js';
import { streamLines } from './stream-lines.js';

type Headers = Readonly<Record<string, string>>;

const MAX_URL_CODE_UNITS = 8_192;
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;

/** What the listener needs beside the service. */
export interface ListenerOptions extends Deployment {
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
  options: ListenerOptions,
): Promise<void> {
  const { createRequestId, onFailure } = options;
  const requestId = requestIdOf(request) ?? createRequestId();
  const matches = findRoutes(parseTarget(request.url ?? '').path, ROUTES);
  const route = matches[0]?.route;
  let headers: Headers = { 'X-Request-Id': requestId };
  try {
    assertAddressed(request, service);
    if (route !== undefined) headers = { ...headers, ...(await crossOriginHeaders(request, route, service)) };
    if (request.method === 'OPTIONS' && isPreflight(request, route)) {
      send(request, response, 204, { ...headers, ...preflightHeaders(route) }, undefined);
      return;
    }
    const answered = await answer(request, matches, service, options);
    await sendAnswer(request, response, headers, answered, (error) => onFailure(error, requestId));
  } catch (error) {
    // Whoever asked went away: there is nobody to answer, and nothing of ours failed.
    if (error === request.errored) return;
    if (isOurFailure(error)) onFailure(error, requestId);
    const refusal = toErrorAnswer(error, requestId, request);
    // A method that no page has is asked for by a program.
    if (route?.page === true && methodsOf(route).some((method) => method === request.method)) {
      const shown = problemPage(refusal.pageStatus, refusal.body.error_description, requestId);
      await sendAnswer(request, response, { ...headers, ...refusal.headers }, shown);
    } else {
      send(request, response, refusal.status, { ...headers, ...refusal.headers }, refusal.body);
    }
  }
}

/** Refuses what is not meant for us, before anything else is looked at. */
function assertAddressed(request: IncomingMessage, service: Service): void {
  assertFraming(request);
  const url = request.url ?? '';
  if (url.length > MAX_URL_CODE_UNITS) throw new ServiceError('url_too_large', { limit: MAX_URL_CODE_UNITS });
  const { authority } = parseTarget(url);
  if (authority !== undefined && !isOurs(authority, service)) {
    throw malformed('', 'target_foreign', 'The target is a path, or a URL of this service.');
  }
  if (service.environment.loopbackOnly && !LOOPBACK_HOST.test(request.headers.host ?? '')) {
    throw new ServiceError('access_denied');
  }
}

function isOurs(authority: string, { environment, settings }: Service): boolean {
  return environment.loopbackOnly
    ? LOOPBACK_HOST.test(authority)
    : authority.toLowerCase() === new URL(settings.issuer).host;
}

async function answer(
  request: IncomingMessage,
  matches: readonly RouteMatch[],
  service: Service,
  deployment: Deployment,
): Promise<Answer> {
  if (matches.length === 0) throw new ServiceError('not_found');
  const found = matches.find(({ route }) => methodsOf(route).some((method) => method === request.method));
  if (found !== undefined) return await found.route.answer(request, service, deployment, found.segment);
  throw new ServiceError('method_not_allowed', {
    allow: matches.flatMap(({ route }) => methodsOf(route)).join(', '),
  });
}

function isPreflight(request: IncomingMessage, route: Route | undefined): route is Route {
  const asked =
    request.headers.origin !== undefined && request.headers['access-control-request-method'] !== undefined;
  return asked && route !== undefined && route.crossOrigin !== 'none';
}

function requestIdOf(request: IncomingMessage): string | undefined {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined;
}

function sendAnswer(
  request: IncomingMessage,
  response: ServerResponse,
  headers: Headers,
  answered: Answer,
  onFailure: (error: unknown) => void = () => undefined,
): Promise<void> | undefined {
  const all = { ...headers, ...answered.headers };
  switch (answered.kind) {
    case 'json':
      send(request, response, answered.status, all, answered.body);
      break;
    case 'page':
      send(request, response, answered.status, all, answered.html, 'text/html; charset=utf-8');
      break;
    case 'redirect':
      send(request, response, 303, { ...all, Location: answered.location }, undefined);
      break;
    case 'lines':
      return streamLines(response, all, answered.lines, onFailure);
  }
  return undefined;
}

function send(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Headers,
  body: unknown,
  type = 'application/json; charset=utf-8',
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const bytes = Buffer.from(text ?? '');
  // A body that was not read to its end, or whose end is in doubt, would be taken for the next request.
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
  const unread = !request.complete && (encoding !== undefined || length !== '0');
  const doubtful = framingRefusal(request) !== undefined;
  response.writeHead(status, {
    ...(text === undefined ? {} : { 'Content-Type': type }),
    ...(status === 204 ? {} : { 'Content-Length': bytes.byteLength }),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    ...(unread || doubtful ? { Connection: 'close' } : {}),
  });
  response.end(bytes);
}
