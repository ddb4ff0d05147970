/** `POST /queries/evaluate`: evaluates a query for the person of an access token. */
import type { EvaluationRequest, Grant, Service } from '../../service/index.js';
import { authenticateBearer } from '../callers.js';
import { parseJsonObject, readJsonText } from '../parameters/body.js';
import { validateRequest } from '../parameters/validate-request.js';
import type { RequestContext } from '../request-context.js';
import { BASE_PATH, type Route } from './route.js';

export const queriesEvaluate: Route = {
  operations: {
    POST: {
      id: 'evaluateQuery',
      summary: 'Evaluate a query for the person of the access token: a check, a policy or projections.',
      caller: 'bearer',
      body: { schema: 'EvaluationRequest', form: false },
      responses: ['QueryResult'],
      errors: [
        'invalid_query',
        'query_too_large',
        'insufficient_scope',
        'evidence_limited',
        'inference_bound',
      ],
    },
  },
  path: `${BASE_PATH}/queries/evaluate`,
  crossOrigin: 'registered',
  handle: async (context) => {
    // Authenticate first: the body of an unauthenticated request is not read.
    const grant = await authenticateBearer(context);
    const text = await readJsonText(context);
    const { queries } = context.service;
    const request = await findRequest(text, grant, context);
    const body = await queries.evaluate(request, grant, context.meter);
    return { kind: 'json', status: 200, body };
  },
};

/** Returns the cached request of a body, or parses and compiles it. */
async function findRequest(
  text: string,
  grant: Grant,
  { service: { queries }, meter }: RequestContext,
): Promise<EvaluationRequest> {
  try {
    return meter.measure(() => queries.findByText(text) ?? compileRequest(text, queries));
  } catch (error) {
    await queries.recordRejection(error, grant);
    throw error;
  }
}

function compileRequest(text: string, queries: Service['queries']): EvaluationRequest {
  const { query, evidence } = validateRequest('EvaluationRequest', parseJsonObject(text));
  return queries.compile(query, text, evidence);
}
