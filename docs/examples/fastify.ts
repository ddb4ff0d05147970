/**
 * Fastify: a route that requires a policy, as a hook of that route.
 *
 * Start: `npx tsx docs/examples/fastify.ts`, then `curl -H 'X-Person: ada' http://127.0.0.1:3000/wine`
 */
import fastify, { type preHandlerAsyncHookHandler } from 'fastify';
import { type Condition, p } from 'proviso/builder';
import { requires } from './requires.js';

/** Creates a hook that requires a policy. */
function policy(condition: Condition): preHandlerAsyncHookHandler {
  const decide = requires(condition);
  return async (request, reply) => {
    // The header stands in for your session: never trust a caller's claim to an identity.
    const name = request.headers['x-person'];
    const verdict = await decide(typeof name === 'string' ? name : undefined);
    if (!verdict.passed) await reply.status(verdict.status).send(verdict.body);
  };
}

const app = fastify();
app.get('/wine', { preHandler: policy(p.claim('identity.age').gte(18)) }, async () => ({ poured: true }));

const address = await app.listen({ port: Number(process.env['PORT'] ?? 3000), host: '127.0.0.1' });
console.log(`listening on ${address}`);
