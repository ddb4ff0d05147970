/** One request in, one answer out: route, refuse, answer, with the headers that every answer has (S1, S2, S7, S10, S17, S19, S20, S26). */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { type ErrorSubcode, type Service, ServiceError } from '../service/index.js';
import type { Answered } from './answered.js';
import { createAddressReader } from './caller-address.js';
import { crossOriginHeaders, preflightHeaders } from './cross-origin.js';
import { isOurFailure, toErrorAnswer } from './error-answer.js';
import { DEFAULT_HTTP_LIMITS, type HttpLimits } from './http-limits.js';
import { problemPage } from './pages/problem-page.js';
import { malformed } from './parameters/malformed.js';
import { pushRateLimit } from './rate-limit-headers.js';
import { assertFraming, framingRefusal } from './request-framing.js';
import { beginState, countAgainst, type RequestState, stateOf } from './request-state.js';
import { parseTarget } from './request-target.js';
import { ROUTES } from './routes/catalogue.js';
import { findRoutes, type RouteMatch } from './routes/find-route.js';
import { type Answer, type Deployment, type Method, methodsOf, type Route } from './routes/route.js';
import { streamLines } from './stream-lines.js';

type Headers = Readonly<Record<string, string>>;

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const LOOPBACK_HOST = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d{1,5})?$/i;

/** What the listener needs beside the service. */
export interface ListenerOptions extends Deployment {
  /** A new id for a request that brings none. */
  readonly createRequestId: () => string;
  /** Told of every failure of ours, with the id that the caller was given. */
  readonly onFailure: (error: unknown, requestId: string) => void;
  /** Told of every answer, once it is handed to the connection. */
  readonly onAnswered?: (answered: Answered) => void;
  /** Milliseconds that only go forward, by which `onAnswered` is told how long it took. */
  readonly stopwatch?: () => number;
  /** Changes to the default limits. */
  readonly limits?: Partial<HttpLimits>;
  /** Proxies whose `X-Forwarded-For` counts; nobody's where absent (S24). */
  readonly trustedProxies?: BlockList;
  /** How long browsers ask for this host by https only; not said where absent (S21). */
  readonly hstsSeconds?: number;
}

/** What is the same for all requests of a listener. */
interface Listening {
  readonly service: Service;
  readonly options: ListenerOptions;
  /** The host of the issuer's URL. */
  readonly host: string;
  /** What every answer says. */
  readonly everyAnswer: Headers;
}

/** Answers every request that `node:http` takes for well formed. The listener never throws and never leaves one unanswered. */
export function requestListener(service: Service, options: ListenerOptions): RequestListener {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  const readAddress = createAddressReader(options.trustedProxies);
  const work = { underWay: 0 };
  const listening = {
    service,
    options,
    host: new URL(service.settings.issuer).host,
    everyAnswer: headersOfEveryAnswer(options),
  };
  return (request, response) => {
    const state = beginState(request, { limits, readAddress, work });
    work.underWay += 1;
    void respond(request, response, state, listening).then(() => {
      work.underWay -= 1;
    });
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  state: RequestState,
  { service, options, host, everyAnswer }: Listening,
): Promise<void> {
  const { createRequestId, onFailure, onAnswered, stopwatch = () => 0 } = options;
  const begunAt = stopwatch();
  const requestId = requestIdOf(request) ?? createRequestId();
  const matches = findRoutes(parseTarget(request.url ?? '').path, ROUTES);
  const route = matches[0]?.route;
  let headers: Headers = { ...everyAnswer, 'X-Request-Id': requestId };
  let subcode: ErrorSubcode | undefined;
  try {
    assertAddressed(request, route, host, service);
    if (route?.probe !== true) assertRoom(state, service);
    if (route !== undefined) {
      const found = crossOriginHeaders(request, route, service);
      headers = { ...headers, ...(found instanceof Promise ? await found : found) };
    }
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
    subcode = refusal.body.error_subcode;
    // A method that no page has is asked for by a program.
    if (route?.page === true && methodsOf(route).some((method) => method === request.method)) {
      const shown = problemPage(refusal, requestId);
      await sendAnswer(request, response, { ...headers, ...refusal.headers }, shown);
    } else {
      send(request, response, refusal.status, { ...headers, ...refusal.headers }, refusal.body);
    }
  } finally {
    onAnswered?.({
      requestId,
      ...operationOf(request, matches),
      method: request.method ?? '',
      status: response.statusCode,
      ...(subcode === undefined ? {} : { subcode }),
      address: state.address,
      ...(state.clientId === undefined ? {} : { clientId: state.clientId }),
      durationMs: stopwatch() - begunAt,
    });
  }
}

function headersOfEveryAnswer({ hstsSeconds }: ListenerOptions): Headers {
  if (hstsSeconds === undefined) return {};
  return { 'Strict-Transport-Security': `max-age=${hstsSeconds}; includeSubDomains` };
}

/** Refuses what is one too many, of this caller or of all together. */
function assertRoom(state: RequestState, service: Service): void {
  if (state.work.underWay > state.limits.concurrentRequests)
    throw new ServiceError('temporarily_unavailable');
  countAgainst('address', state.address, state, service);
}

function operationOf(
  { method }: IncomingMessage,
  matches: readonly RouteMatch[],
): Pick<Answered, 'operation'> {
  for (const { route } of matches) {
    // No method has the name of what every object has.
    const operation = route.operations[method as Method];
    if (operation !== undefined) return { operation: operation.id };
  }
  return {};
}

/** Refuses what is not meant for us, before anything else is looked at. */
function assertAddressed(
  request: IncomingMessage,
  route: Route | undefined,
  host: string,
  service: Service,
): void {
  assertFraming(request);
  const { urlLength } = stateOf(request).limits;
  const url = request.url ?? '';
  if (url.length > urlLength) throw new ServiceError('url_too_large', { limit: urlLength });
  const { authority } = parseTarget(url);
  if (authority !== undefined && !isOurs(authority, host, service)) {
    throw malformed('', 'target_foreign', 'The target is a path, or a URL of this service.');
  }
  // Who watches over an instance asks for it by its address.
  if (route?.probe !== true || service.environment.loopbackOnly) {
    if (!isOurs(request.headers.host ?? '', host, service)) throw new ServiceError('access_denied');
  }
}

function isOurs(authority: string, host: string, { environment }: Service): boolean {
  return environment.loopbackOnly ? LOOPBACK_HOST.test(authority) : authority.toLowerCase() === host;
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
  const all = answered.headers === undefined ? headers : { ...headers, ...answered.headers };
  switch (answered.kind) {
    case 'json':
      send(request, response, answered.status, all, answered.body);
      break;
    case 'text':
      send(request, response, 200, all, answered.text, answered.type);
      break;
    case 'page':
      send(request, response, answered.status, all, answered.html, 'text/html; charset=utf-8');
      break;
    case 'asset':
      send(request, response, 200, all, answered.text, `${answered.type}; charset=utf-8`);
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
  // A body that was not read to its end, or whose end is in doubt, would be taken for the next request.
  const { 'transfer-encoding': encoding, 'content-length': length = '0' } = request.headers;
  const unread = !request.complete && (encoding !== undefined || length !== '0');
  const doubtful = framingRefusal(request) !== undefined;
  // As a list of names and values: Node writes it as it is, and an object would be built and walked once more for each answer.
  const head = ['X-Content-Type-Options', 'nosniff', 'Cache-Control', headers['Cache-Control'] ?? 'no-store'];
  if (text !== undefined) head.push('Content-Type', type);
  const bytes = text === undefined ? 0 : Buffer.byteLength(text);
  if (status !== 204) head.push('Content-Length', String(bytes));
  for (const name in headers) if (name !== 'Cache-Control') head.push(name, headers[name] ?? '');
  const { standing } = stateOf(request);
  if (standing !== undefined) pushRateLimit(head, standing);
  if (unread || doubtful) head.push('Connection', 'close');
  response.writeHead(status, head);
  // A text goes out with the head, in one piece; one of ASCII alone is copied as it is.
  response.end(text, bytes === text?.length ? 'latin1' : 'utf8');
}
