/** `POST /queries/evaluate`: does the bearer's person meet this condition? */
import { readBearerToken } from '../parameters/bearer-token.js';
import { readJsonBody } from '../parameters/body.js';
import { malformed } from '../parameters/malformed.js';
import { assertOnly } from '../parameters/typed.js';
import { BASE_PATH, json, type Route } from './route.js';

export const queriesEvaluate: Route = {
  methods: ['POST'],
  path: `${BASE_PATH}/queries/evaluate`,
  crossOrigin: 'registered',
  answer: async (request, service) => {
    // Who asks before what they ask: a stranger's body is not read.
    const grant = await service.authenticate(readBearerToken(request));
    const body = await readJsonBody(request);
    assertOnly(body, ['query']);
    if (!body.has('query')) throw malformed('', 'member_missing', 'The body needs `query`.');
    return json(await service.evaluateQuery(body.get('query'), grant));
  },
};
