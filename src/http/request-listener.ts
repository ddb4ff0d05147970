/** One request in, one answer out: route, refuse, answer, with the headers that every answer has (S1, S2, S7, S10, S17, S19, S20, S26). */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { type ErrorSubcode, type Random, type Service, ServiceError } from '../service/index.js';
import { createAddressReader } from './caller-address.js';
import { DEFAULT_HTTP_LIMITS, type DropReason, type HttpLimits, pipeliningOf } from './connections.js';
import { crossOriginHeaders, preflightHeaders } from './cross-origin.js';
import { isOurFailure, malformed, toErrorAnswer } from './errors.js';
import { problemPage } from './pages/problem-page.js';
import { pushRateLimit } from './rate-limit-headers.js';
import { framingRefusal, isLoopbackHost, parseTarget, type RequestTarget } from './request-head.js';
import { beginState, countAgainst, type RequestState } from './request-state.js';
import { findRoutes, type RouteMatch } from './routes/catalogue.js';
import {
  type Answer,
  type Deployment,
  type Method,
  methodsOf,
  type Operation,
  type Route,
  type RouteContext,
} from './routes/route.js';
import { streamLines } from './stream-lines.js';

type Headers = Readonly<Record<string, string>>;

const NO_HEADERS: Headers = {};
const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** What the listener needs beside the service. */
export interface ListenerOptions extends Deployment {
  /** A new id for a request that brings none. */
  readonly createRequestId: () => string;
  /** Told of every failure of ours, with the id that the caller was given. */
  readonly onFailure: (error: unknown, requestId: string) => void;
  /** Told of every answer, once it is handed to the connection. */
  readonly onAnswered?: (answered: Answered) => void;
  /** Milliseconds that only go forward, by which work is charged to rate limits and `onAnswered` learns how long it took; 0 where absent. */
  readonly stopwatch?: () => number;
  /** Changes to the default limits. */
  readonly limits?: Partial<HttpLimits>;
  /** Proxies whose `X-Forwarded-For` counts; nobody's where absent (S24). */
  readonly trustedProxies?: BlockList;
  /** Called once for each connection that is closed without an answer because it exceeds a limit. */
  readonly onDropped?: (reason: DropReason) => void;
  /** How long browsers ask for this host by https only; not said where absent (S21). */
  readonly hstsSeconds?: number;
}

/** What is the same for all requests of a listener. */
interface Listening {
  readonly service: Service;
  readonly options: ListenerOptions;
  readonly context: RouteContext;
  /** The host of the issuer's URL. */
  readonly host: string;
  /** What every answer says. */
  readonly everyAnswer: Headers;
}

/** One request, and what its answer goes to. */
interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly state: RequestState;
  readonly requestId: string;
  /** Why the request is rejected and its connection closed, whatever it asks for: ambiguous framing, or too many pipelined requests. */
  readonly doubt: ServiceError | undefined;
  /** What any answer to it says, in parts. */
  readonly headers: Headers[];
}

/**
 * Answers every request that `node:http` takes for well formed. The listener never throws and never leaves one unanswered, except for
 * those that follow too many pipelined ones: their connection is being closed.
 */
export function requestListener(service: Service, options: ListenerOptions): RequestListener {
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  const readAddress = createAddressReader(options.trustedProxies);
  const work = { underWay: 0 };
  const stopwatch = options.stopwatch ?? (() => 0);
  const listening = {
    service,
    options,
    context: { ...options, serializeOnce: createDocumentCache() },
    host: new URL(service.settings.issuer).host,
    everyAnswer: headersOfEveryAnswer(options),
  };
  return (request, response) => {
    if (pipeliningOf(request.socket, response) === 'discard') return;
    const state = beginState(request, { limits, readAddress, work, stopwatch });
    work.underWay += 1;
    void respond(request, response, state, listening);
  };
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  state: RequestState,
  { service, options, context, host, everyAnswer }: Listening,
): Promise<void> {
  const { createRequestId, onFailure, onAnswered, stopwatch = () => 0 } = options;
  const begunAt = stopwatch();
  const requestId = requestIdOf(request) ?? createRequestId();
  const target = parseTarget(request.url ?? '');
  const matches = findRoutes(target.path);
  const route = matches[0]?.route;
  const asked = findOperation(matches, request.method);
  const doubt = pipeliningRefusal(request, response) ?? framingRefusal(request);
  const exchange: Exchange = { request, response, state, requestId, doubt, headers: [everyAnswer] };
  const { headers } = exchange;
  let subcode: ErrorSubcode | undefined;
  try {
    assertAddressed(exchange, target, route, host, service);
    if (route?.probe !== true) assertRoom(state, service);
    if (route !== undefined) {
      const found = crossOriginHeaders(request, route, service);
      headers.push(found instanceof Promise ? await found : found);
    }
    if (request.method === 'OPTIONS' && isPreflight(request, route)) {
      send(exchange, 204, undefined, preflightHeaders(route));
      return;
    }
    if (asked === undefined) throw nothingThere(matches);
    const answered = await asked.route.answer(request, service, context, asked.segment);
    // Nobody waits for what is sent in one piece.
    const sending = sendAnswer(exchange, answered, (error) => onFailure(error, requestId));
    if (sending !== undefined) await sending;
  } catch (error) {
    // Whoever asked went away: there is nobody to answer, and nothing of ours failed.
    if (error === request.errored) return;
    if (isOurFailure(error)) onFailure(error, requestId);
    const refusal = toErrorAnswer(error, requestId, request);
    subcode = refusal.body.error_subcode;
    // A method that no page has is asked for by a program.
    if (asked?.route.page === true) {
      const page = problemPage(refusal, requestId);
      await sendAnswer(exchange, { ...page, headers: { ...refusal.headers, ...page.headers } });
    } else {
      send(exchange, refusal.status, refusal.body, refusal.headers);
    }
  } finally {
    state.work.underWay -= 1;
    // Without a head there was no answer: the client went away, or its connection was refused for being too slow.
    if (response.headersSent) {
      onAnswered?.({
        requestId,
        ...(asked === undefined ? {} : { operation: asked.operation.id }),
        method: request.method ?? '',
        status: response.statusCode,
        ...(subcode === undefined ? {} : { subcode }),
        address: state.address,
        ...(state.clientId === undefined ? {} : { clientId: state.clientId }),
        durationMs: stopwatch() - begunAt,
      });
    }
  }
}

function pipeliningRefusal({ socket }: IncomingMessage, response: ServerResponse): ServiceError | undefined {
  return pipeliningOf(socket, response) === 'reject'
    ? new ServiceError('temporarily_unavailable')
    : undefined;
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

/** What is asked for, of what stands at a path. */
function findOperation(
  matches: readonly RouteMatch[],
  method: string | undefined,
): (RouteMatch & { readonly operation: Operation }) | undefined {
  for (const { route, segment } of matches) {
    // No method has the name of what every object has.
    const operation = route.operations[method as Method];
    if (operation !== undefined) return { route, segment, operation };
  }
  return undefined;
}

function nothingThere(matches: readonly RouteMatch[]): ServiceError {
  if (matches.length === 0) return new ServiceError('not_found');
  return new ServiceError('method_not_allowed', {
    allow: matches.flatMap(({ route }) => methodsOf(route)).join(', '),
  });
}

/** Refuses what is not meant for us, before anything else is looked at. */
function assertAddressed(
  { request, state, doubt }: Exchange,
  { authority }: RequestTarget,
  route: Route | undefined,
  host: string,
  service: Service,
): void {
  if (doubt !== undefined) throw doubt;
  const { urlLength } = state.limits;
  if ((request.url ?? '').length > urlLength) throw new ServiceError('url_too_large', { limit: urlLength });
  if (authority !== undefined && !isOurs(authority, host, service)) {
    throw malformed('', 'target_foreign', 'The target is a path, or a URL of this service.');
  }
  // Who watches over an instance asks for it by its address.
  if (route?.probe !== true || service.environment.loopbackOnly) {
    if (!isOurs(request.headers.host ?? '', host, service)) throw new ServiceError('access_denied');
  }
}

function isOurs(authority: string, host: string, { environment }: Service): boolean {
  return environment.loopbackOnly ? isLoopbackHost(authority) : authority.toLowerCase() === host;
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
  exchange: Exchange,
  answered: Answer,
  onFailure: (error: unknown) => void = () => undefined,
): Promise<void> | undefined {
  const { headers } = answered;
  switch (answered.kind) {
    case 'json':
      send(exchange, answered.status, answered.body, headers);
      break;
    case 'text':
      send(exchange, 200, answered.text, headers, answered.type);
      break;
    case 'page':
      send(exchange, answered.status, answered.html, headers, 'text/html; charset=utf-8');
      break;
    case 'asset':
      send(exchange, 200, answered.text, headers, `${answered.type}; charset=utf-8`);
      break;
    case 'redirect':
      send(exchange, 303, undefined, { ...headers, Location: answered.location });
      break;
    case 'lines': {
      const all = Object.assign({ 'X-Request-Id': exchange.requestId }, ...exchange.headers, headers);
      return streamLines(exchange.response, all, answered.lines, onFailure);
    }
  }
  return undefined;
}

/** @param own - What this answer says beside what any does; `Cache-Control` in the place of the usual one. */
function send(
  { request, response, state, requestId, doubt, headers }: Exchange,
  status: number,
  body: unknown,
  own: Headers = NO_HEADERS,
  type = 'application/json; charset=utf-8',
): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  // A body that was not read to its end, or whose end is in doubt, would be taken for the next request.
  const unread = !request.complete && announcesBody(request);
  // As a list of names and values: Node writes it as it is, and an object would be built and walked once more for each answer.
  const head = ['X-Content-Type-Options', 'nosniff', 'X-Request-Id', requestId];
  for (const part of headers) for (const name in part) head.push(name, part[name] ?? '');
  for (const name in own) head.push(name, own[name] ?? '');
  if (own['Cache-Control'] === undefined) head.push('Cache-Control', 'no-store');
  const bytes = text === undefined ? 0 : Buffer.byteLength(text);
  if (text !== undefined) head.push('Content-Type', type);
  if (status !== 204) head.push('Content-Length', String(bytes));
  if (state.dpop?.nonce !== undefined) head.push('DPoP-Nonce', state.dpop.nonce);
  if (state.standing !== undefined) pushRateLimit(head, state.standing);
  if (unread || doubt !== undefined) head.push('Connection', 'close');
  response.writeHead(status, head);
  // A text goes out with the head, in one piece; one of ASCII alone is copied as it is.
  response.end(text, bytes === text?.length ? 'latin1' : 'utf8');
}

function announcesBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

export interface Answered {
  readonly requestId: string;
  /** The operation's id; absent where there is none of this method and path. */
  readonly operation?: string;
  readonly method: string;
  readonly status: number;
  /** Why it was refused. */
  readonly subcode?: ErrorSubcode;
  /** Whom it came from, as limits name them. */
  readonly address: string;
  /** The application on whose behalf it was made, where that is known. */
  readonly clientId?: string;
  readonly durationMs: number;
}

/** Creates a cache for one listener. It holds one text per path at most. */
export function createDocumentCache(): RouteContext['serializeOnce'] {
  const texts = new Map<string, string>();
  return (path, build) => {
    const known = texts.get(path);
    if (known !== undefined) return known;
    const text = JSON.stringify(build());
    texts.set(path, text);
    return text;
  };
}

const BYTES_PER_ID = 12;
const IDS_PER_BATCH = 256;

/** Makes ids from a source of randomness. */
export function createRequestIds(random: Random): () => string {
  let batch = '';
  let next = 0;
  const length = (BYTES_PER_ID / 3) * 4;
  return () => {
    if (next === batch.length) {
      batch = Buffer.from(random.bytes(BYTES_PER_ID * IDS_PER_BATCH)).toString('base64url');
      next = 0;
    }
    next += length;
    return batch.slice(next - length, next);
  };
}
