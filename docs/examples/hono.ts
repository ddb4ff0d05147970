/**
 * Hono: a route that requires a policy. The same code runs at the edge: only the call of `serve` depends on Node.
 *
 * Start: `npx tsx docs/examples/hono.ts`, then `curl -H 'X-Person: ada' http://127.0.0.1:3000/wine`
 */
import { serve } from '@hono/node-server';
import { Hono, type MiddlewareHandler } from 'hono';
import { type Condition, p } from 'proviso/builder';
import { requires } from './requires.js';

/** Creates middleware that requires a policy. */
function policy(condition: Condition): MiddlewareHandler {
  const decide = requires(condition);
  return async (context, next) => {
    // The header stands in for your session: never trust a caller's claim to an identity.
    const verdict = await decide(context.req.header('X-Person'));
    if (!verdict.passed) return context.json(verdict.body, verdict.status);
    await next();
    return undefined;
  };
}

const app = new Hono();
app.get('/wine', policy(p.claim('identity.age').gte(18)), (context) => context.json({ poured: true }));

serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 3000), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`listening on http://127.0.0.1:${port}`);
});
