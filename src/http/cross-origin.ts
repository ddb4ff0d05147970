/** Which other origins may read an answer in a browser: never with cookies, never `null` (S22, S23). */
import type { IncomingMessage } from 'node:http';
import type { Service } from '../service/index.js';
import { EXPOSED_HEADERS } from './rate-limit-headers.js';
import { methodsOf, type Route } from './routes/route.js';

type Headers = Readonly<Record<string, string>>;

const PREFLIGHT: Headers = {
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Request-Id',
  'Access-Control-Max-Age': '600',
};

/** The headers that let the asking origin read a route's answers; none where it may not. */
export async function crossOriginHeaders(
  { headers }: IncomingMessage,
  route: Route,
  service: Service,
): Promise<Headers> {
  switch (route.crossOrigin) {
    case 'none':
      return {};
    case 'anyone':
      return { 'Access-Control-Allow-Origin': '*' };
    case 'registered': {
      const { origin } = headers;
      const allowed = origin !== undefined && origin !== 'null' && (await isRegistered(origin, service));
      if (!allowed) return { Vary: 'Origin' };
      return {
        'Access-Control-Allow-Origin': origin,
        'Access-Control-Expose-Headers': EXPOSED_HEADERS,
        Vary: 'Origin',
      };
    }
  }
}

/** What a preflight request is answered with beside the headers above. */
export function preflightHeaders(route: Route): Headers {
  return { ...PREFLIGHT, 'Access-Control-Allow-Methods': methodsOf(route).join(', ') };
}

/** In the sandbox any origin is, since its people are made up. */
async function isRegistered(origin: string, service: Service): Promise<boolean> {
  if (service.environment.seeded) return true;
  const registered = await service.listRedirectUris();
  return registered.some(
    (uri) => uri === origin || uri.startsWith(`${origin}/`) || uri.startsWith(`${origin}?`),
  );
}
