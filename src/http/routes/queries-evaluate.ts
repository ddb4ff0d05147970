/** `POST /queries/evaluate`: does the bearer's person meet this condition? */

import { readBearerToken } from '../bearer-token.js';
import { malformed, readJsonBody } from '../body.js';
import type { Route } from './route.js';

export const queriesEvaluate: Route = {
  method: 'POST',
  path: '/queries/evaluate',
  answer: async (request, service) => {
    // Who asks before what they ask: a stranger's body is not read.
    const grant = await service.authenticate(readBearerToken(request));
    const query = queryOf(await readJsonBody(request));
    return { status: 200, body: await service.evaluateQuery(query, grant) };
  },
};

function queryOf(body: Readonly<Record<string, unknown>>): unknown {
  for (const name of Object.keys(body)) {
    if (name !== 'query')
      throw malformed(`/${name.slice(0, 64)}`, 'member_unknown', 'The body has the one member `query`.');
  }
  if (!Object.hasOwn(body, 'query')) throw malformed('', 'member_missing', 'The body needs `query`.');
  return body['query'];
}
