/** The request listener: routes each request, and sends at most one response (S1, S2, S7, S10, S17, S19, S20, S26). */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { BlockList } from 'node:net';
import { type Clock, type ErrorSubcode, type Random, type Service, ServiceError } from '../service/index.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { createAddressReader } from './caller-address.js';
import { DEFAULT_HTTP_LIMITS, type DropReason, type HttpLimits, pipeliningOf } from './connections.js';
import { crossOriginHeaders, preflightHeaders, recallCrossOriginHeaders } from './cross-origin.js';
import { isServerFailure, toErrorResponse } from './errors.js';
import { problemPage } from './pages/problem-page.js';
import { languageOf } from './person-language.js';
import { countAgainst } from './rate-limits.js';
import {
  createRequestContext,
  type Deployment,
  type Headers,
  InFlightCounter,
  type RequestContext,
  type ServerContext,
} from './request-context.js';
import { assertTarget, findFramingError, parseTarget } from './request-head.js';
import { findRoutes, type RouteMatch } from './routes/catalogue.js';
import { type Method, methodsOf, type Operation, type Route } from './routes/route.js';
import { type Exchange, send, sendRouteResponse } from './send-response.js';

/** Not logged as a failure of the service, since the operator turned sign-ins off. */
const SIGN_INS_OFF = new ServiceError('temporarily_unavailable');

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;

/** Options of the listener. */
export interface ListenerOptions extends Deployment {
  /** Creates the id of a request without a valid `X-Request-Id`. */
  readonly createRequestId: () => string;
  /** Called for every failure of the service, with the request id. */
  readonly onFailure: (error: unknown, requestId: string) => void;
  /** Called for every response, once it was passed to `node:http`. */
  readonly onResponse?: (entry: RequestLogEntry) => void;
  /** For the `Date` header of the responses to requests that `node:http` rejects, which it does not add itself. Default: no such header. */
  readonly clock?: Clock;
  /** Monotonic clock in milliseconds, to charge work to rate limits and to report durations. Default: always 0. */
  readonly stopwatch?: () => number;
  /** Changes to the default limits. */
  readonly limits?: Partial<HttpLimits>;
  /** Proxies whose `X-Forwarded-For` is used. Default: none (S24). */
  readonly trustedProxies?: BlockList;
  /** Called once for each connection that is closed without a response because it exceeds a limit. */
  readonly onDropped?: (reason: DropReason) => void;
  /** `max-age` of `Strict-Transport-Security`. Default: no such header (S21). */
  readonly hstsSeconds?: number;
}

/** The log entry of a completed request. Contains no claims; of the caller's input, only the method and a valid `X-Request-Id` (S198, S199). */
export interface RequestLogEntry {
  readonly requestId: string;
  /** The operation's id; absent if no operation matches the method and path. */
  readonly operation?: string;
  readonly method: string;
  readonly status: number;
  /** Why the request was rejected. */
  readonly subcode?: ErrorSubcode;
  /** The address of the caller, in the normalized form that limits use. */
  readonly address: string;
  /** The application on whose behalf the request was made, if authenticated. */
  readonly clientId?: string;
  readonly durationMs: number;
}

/** A route with the operation of a request. */
type OperationMatch = RouteMatch & { readonly operation: Operation };

/**
 * Creates the listener. It never throws, and responds to every request that `node:http` accepts, except for requests after
 * too many pipelined ones, whose connection is being closed, and those of clients that disconnected.
 */
export function requestListener(service: Service, options: ListenerOptions): RequestListener {
  const { createRequestId, onFailure, onResponse, stopwatch = () => 0, hstsSeconds } = options;
  const server: ServerContext = {
    service,
    deployment: options,
    limits: { ...DEFAULT_HTTP_LIMITS, ...options.limits },
    inFlight: new InFlightCounter(),
    documents: new Map(),
    registeredOrigins: new Set(),
  };
  const readAddress = createAddressReader(options.trustedProxies);
  const hosts = hostsOf(service.settings.issuer);
  const commonHeaders = transportSecurity(hstsSeconds);

  const respond = async (request: IncomingMessage, response: ServerResponse, isRejected: boolean) => {
    const startedAt = stopwatch();
    const requestId = requestIdOf(request) ?? createRequestId();
    const target = parseTarget(request.url ?? '');
    const matches = findRoutes(target.path);
    const match = findOperation(matches, request.method);
    const parts = {
      request,
      requestId,
      target,
      address: readAddress(request),
      pathParameter: match?.pathParameter ?? '',
    };
    const context = createRequestContext(parts, server, stopwatch);
    const framingError = isRejected ? new ServiceError('temporarily_unavailable') : findFramingError(context);
    const exchange: Exchange = { context, response, framingError, headers: [commonHeaders] };
    let subcode: ErrorSubcode | undefined;
    try {
      await handleRequest(exchange, matches, match, hosts, onFailure);
    } catch (error) {
      // The client disconnected: not a failure of the service.
      if (error === request.errored) return;
      if (isServerFailure(error) && error !== SIGN_INS_OFF && !isRejected) onFailure(error, requestId);
      const errorResponse = toErrorResponse(error, requestId, context);
      subcode = errorResponse.body.error_subcode;
      // Errors of pages are HTML; errors without a matching operation are JSON.
      if (match?.route.page === true) {
        const page = problemPage(errorResponse, requestId, languageOf(context));
        await sendRouteResponse(exchange, {
          ...page,
          headers: { ...errorResponse.headers, ...page.headers },
        });
      } else {
        send(exchange, errorResponse.status, errorResponse.body, errorResponse.headers);
      }
    } finally {
      server.inFlight.leave();
      // Without a response head, the client disconnected or its connection timed out.
      if (response.headersSent) {
        onResponse?.({
          requestId,
          ...(match === undefined ? {} : { operation: match.operation.id }),
          method: request.method ?? '',
          status: response.statusCode,
          ...omitUndefined({ subcode: subcode ?? context.rejection }),
          address: context.address,
          ...(context.clientId === undefined ? {} : { clientId: context.clientId }),
          durationMs: stopwatch() - startedAt,
        });
      }
    }
  };

  return (request, response) => {
    const pipelining = pipeliningOf(request.socket, response);
    if (pipelining === 'discard') return;
    server.inFlight.enter();
    void respond(request, response, pipelining === 'reject');
  };
}

/** Returns the `Strict-Transport-Security` header, which every response has if the service is reached by https; empty without `hstsSeconds` (S21). */
export function transportSecurity(hstsSeconds: number | undefined): Headers {
  return hstsSeconds === undefined
    ? {}
    : { 'Strict-Transport-Security': `max-age=${hstsSeconds}; includeSubDomains` };
}

/** Lists the values of `Host` that name the service: with the default port, which a URL omits, or without it (RFC 9110 §4.2.3). */
function hostsOf(issuer: string): readonly string[] {
  const { host, port } = new URL(issuer);
  // In production, the issuer is an https URL.
  return port === '' ? [host, `${host}:443`] : [host];
}

/** Validates a request, calls the handler, and sends the response. @throws {ServiceError} If the request is rejected. */
async function handleRequest(
  exchange: Exchange,
  matches: readonly RouteMatch[],
  match: OperationMatch | undefined,
  hosts: readonly string[],
  onFailure: ListenerOptions['onFailure'],
): Promise<void> {
  const { context, framingError, headers } = exchange;
  const { request } = context;
  const route = matches[0]?.route;
  const probe = route?.probe === true;
  if (framingError !== undefined) throw framingError;
  assertTarget(context, hosts, probe);
  try {
    if (!probe) assertAdmitted(context);
  } catch (error) {
    if (route !== undefined) headers.push(recallCrossOriginHeaders(context, route));
    throw error;
  }
  if (route !== undefined) {
    const corsHeaders = crossOriginHeaders(context, route);
    headers.push(corsHeaders instanceof Promise ? await corsHeaders : corsHeaders);
  }
  if (request.method === 'OPTIONS' && isPreflight(request, route)) {
    send(exchange, 204, undefined, preflightHeaders(route));
    return;
  }
  if (match === undefined) throw noRouteMatch(matches);
  if (match.route.grantsAccess === true && context.deployment.signInsOff === true) throw SIGN_INS_OFF;
  const routeResponse = await match.route.handle(context);
  const sending = sendRouteResponse(exchange, routeResponse, (error) => onFailure(error, context.requestId));
  if (sending !== undefined) await sending;
}

/** Rejects a request beyond the limits of concurrency or of its address. */
function assertAdmitted(context: RequestContext): void {
  if (context.inFlight.count > context.limits.concurrentRequests)
    throw new ServiceError('temporarily_unavailable');
  countAgainst('address', context.address, context);
}

/** Finds the operation of a method among the routes of a path. */
function findOperation(
  matches: readonly RouteMatch[],
  method: string | undefined,
): OperationMatch | undefined {
  for (const { route, pathParameter } of matches) {
    // Safe: no HTTP method has the name of a member of `Object.prototype`.
    const operation = route.operations[method as Method];
    if (operation !== undefined) return { route, pathParameter, operation };
  }
  return undefined;
}

function noRouteMatch(matches: readonly RouteMatch[]): ServiceError {
  if (matches.length === 0) return new ServiceError('not_found');
  return new ServiceError('method_not_allowed', {
    allow: matches.flatMap(({ route }) => methodsOf(route)).join(', '),
  });
}

function isPreflight({ headers }: IncomingMessage, route: Route | undefined): route is Route {
  const isPreflightRequest =
    headers.origin !== undefined && headers['access-control-request-method'] !== undefined;
  return isPreflightRequest && route !== undefined && route.crossOrigin !== 'none';
}

function requestIdOf(request: IncomingMessage): string | undefined {
  const id = request.headers['x-request-id'];
  return typeof id === 'string' && REQUEST_ID.test(id) ? id : undefined;
}

const BYTES_PER_ID = 12;
const IDS_PER_BATCH = 256;

/** Creates a generator of request ids. */
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
