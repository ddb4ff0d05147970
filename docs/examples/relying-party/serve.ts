/**
 * A relying party with the structure of a Next.js application: route handlers from `Request` to `Response`, in `app/…/route.ts`. They sign people in
 * and decide by a policy. This file stands in for Next.js, so that the example needs no build: the handlers can be copied unchanged.
 *
 * Start: `npm start` in one terminal, `npx tsx docs/examples/relying-party/serve.ts` in another, and open http://127.0.0.1:3000/offer
 */
import { serve } from '@hono/node-server';
import * as callback from './app/callback/route.js';
import * as offer from './app/offer/route.js';
import * as signIn from './app/sign-in/route.js';
import * as signOut from './app/sign-out/route.js';

type Handler = (request: Request) => Promise<Response>;

const ROUTES: Readonly<Record<string, Handler>> = {
  'GET /sign-in': signIn.GET,
  'GET /callback': callback.GET,
  'GET /offer': offer.GET,
  'POST /sign-out': signOut.POST,
};

async function answer(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  const handler = ROUTES[`${request.method} ${pathname}`];
  return handler === undefined ? new Response('Not here.', { status: 404 }) : await handler(request);
}

serve({ fetch: answer, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}`);
});
