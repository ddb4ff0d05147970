/** `POST /queries/evaluate`: does the bearer's person meet this condition? */
import { readBearerToken } from '../parameters/bearer-token.js';
import { readJsonBody } from '../parameters/body.js';
import { validRequest } from '../parameters/valid-request.js';
import { BASE_PATH, json, type Route } from './route.js';

export const queriesEvaluate: Route = {
  operations: {
    POST: {
      id: 'evaluateQuery',
      summary: 'Does this person meet this condition? Or: what of this do they share?',
      caller: 'bearer',
      body: { schema: 'EvaluationRequest', form: false },
      answers: ['QueryResult'],
      errors: ['invalid_query', 'query_too_large', 'insufficient_scope'],
    },
  },
  path: `${BASE_PATH}/queries/evaluate`,
  crossOrigin: 'registered',
  answer: async (request, service) => {
    // Who asks before what they ask: a stranger's body is not read.
    const grant = await service.authenticate(readBearerToken(request));
    const body = await readJsonBody(request);
    const { query } = validRequest('EvaluationRequest', body);
    return json(await service.evaluateQuery(query, grant));
  },
};
