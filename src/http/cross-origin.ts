/**
 * CORS headers. Other origins may read only responses to requests without cookies. The origin `null` may not read the responses of routes for
 * registered origins (S22, S23).
 */
import type { Service } from '../service/index.js';
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

/** Returns the headers that allow the request's origin to read the response. Synchronous for requests without `Origin`. */
export function crossOriginHeaders(
  { request, service }: RequestContext,
  route: Route,
): Headers | Promise<Headers> {
  switch (route.crossOrigin) {
    case 'none':
      return NONE;
    case 'anyone':
      return ANYONE;
    case 'registered': {
      const { origin } = request.headers;
      return origin === undefined || origin === 'null' ? VARIES : registeredHeaders(origin, service);
    }
  }
}

/** Returns the additional headers of a preflight response. */
export function preflightHeaders(route: Route): Headers {
  return { ...PREFLIGHT, 'Access-Control-Allow-Methods': methodsOf(route).join(', ') };
}

async function registeredHeaders(origin: string, service: Service): Promise<Headers> {
  if (!(await isRegistered(origin, service))) return VARIES;
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Expose-Headers': EXPOSED_HEADERS,
    Vary: 'Origin',
  };
}

/** Whether an application has a redirect URI of an origin. In the sandbox, any origin is allowed. */
async function isRegistered(origin: string, service: Service): Promise<boolean> {
  return service.environment.seeded || (await service.clients.isRegisteredOrigin(origin));
}
