/** `POST /queries/evaluate`: evaluates a query for the person of an access token. */
import { type EvaluationRequest, type Grant, type Service, ServiceError } from '../../service/index.js';
import { authenticateBearer } from '../callers.js';
import { parseJsonObject, readJsonText } from '../parameters/body.js';
import { validateRequest } from '../parameters/validate-request.js';
import type { RequestContext } from '../request-context.js';
import { BASE_PATH, type Route } from './route.js';

const MAX_RESULT_BYTES = 1_048_576;

const RESULT_TOO_LARGE = {
  pointer: '',
  code: 'limit_answer',
  message: 'The response must not exceed 1,048,576 bytes: request fewer claims at a time.',
};

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
    const byteLength = Buffer.byteLength(body);
    // Issuers determine the size of claims, so the response must be limited (S154).
    if (byteLength > MAX_RESULT_BYTES)
      throw new ServiceError('query_too_large', { limit: MAX_RESULT_BYTES, problems: [RESULT_TOO_LARGE] });
    return { kind: 'json', status: 200, body, byteLength };
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
