/**
 * CORS headers. Other origins may read only responses to requests without cookies. The origin `null` may not read the responses of routes for
 * registered origins (S22, S23).
 */
import type { Headers, RequestContext } from './request-context.js';
import { methodsOf, type Route } from './routes/route.js';

/** Response headers that scripts may read. */
const EXPOSED_HEADERS =
  'DPoP-Nonce, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id';

const PREFLIGHT: Headers = {
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, DPoP, X-Request-Id',
  'Access-Control-Max-Age': '600',
};

const NONE: Headers = {};
const ANYONE: Headers = { 'Access-Control-Allow-Origin': '*' };
const VARIES: Headers = { Vary: 'Origin' };

/** Returns the headers that allow the request's origin to read the response. Synchronous if the origin need not be looked up. */
export function crossOriginHeaders(context: RequestContext, route: Route): Headers | Promise<Headers> {
  const { origin } = context.request.headers;
  const isLookedUp =
    route.crossOrigin === 'registered' &&
    origin !== undefined &&
    origin !== 'null' &&
    !context.service.environment.seeded;
  return isLookedUp ? lookUpOrigin(origin, context) : recallCrossOriginHeaders(context, route);
}

/** Like {@link crossOriginHeaders}, but allows the origins that were registered when they were last looked up: for rejections that must cost no read. */
export function recallCrossOriginHeaders(
  { request, service, registeredOrigins }: RequestContext,
  route: Route,
): Headers {
  switch (route.crossOrigin) {
    case 'none':
      return NONE;
    case 'anyone':
      return ANYONE;
    case 'registered': {
      const { origin = 'null' } = request.headers;
      // The sandbox allows any origin.
      const isAllowed = registeredOrigins.has(origin) || (service.environment.seeded && origin !== 'null');
      return isAllowed ? allow(origin) : VARIES;
    }
  }
}

/** Returns the additional headers of a preflight response. */
export function preflightHeaders(route: Route): Headers {
  return { ...PREFLIGHT, 'Access-Control-Allow-Methods': methodsOf(route).join(', ') };
}

async function lookUpOrigin(
  origin: string,
  { service, registeredOrigins }: RequestContext,
): Promise<Headers> {
  if (await service.clients.isRegisteredOrigin(origin)) {
    registeredOrigins.add(origin);
    return allow(origin);
  }
  registeredOrigins.delete(origin);
  return VARIES;
}

function allow(origin: string): Headers {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    Vary: 'Origin',
  };
}
