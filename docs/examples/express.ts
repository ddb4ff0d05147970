/**
 * Express: a route that requires a policy.
 *
 * Start: `npx tsx docs/examples/express.ts`, then `curl -H 'X-Person: ada' http://127.0.0.1:3000/wine`
 */
import type { AddressInfo } from 'node:net';
import express, { type RequestHandler } from 'express';
import { type Condition, p } from 'proviso/builder';
import { requires } from './requires.js';

/** Creates middleware that requires a policy. */
function policy(condition: Condition): RequestHandler {
  const decide = requires(condition);
  return async (request, response, next) => {
    // The header stands in for your session: never trust a caller's claim to an identity.
    const verdict = await decide(request.get('X-Person'));
    if (verdict.passed) next();
    else response.status(verdict.status).json(verdict.body);
  };
}

const app = express();
app.get('/wine', policy(p.claim('identity.age').gte(18)), (_request, response) => {
  response.json({ poured: true });
});

const server = app.listen(Number(process.env['PORT'] ?? 3000), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
