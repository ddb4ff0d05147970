/** `POST /queries/evaluate`: does the bearer's person meet this condition? */
import type { CompiledQuery } from '../../engine/index.js';
import { type Grant, ServiceError } from '../../service/index.js';
import { authenticateBearer } from '../callers.js';
import { parseJsonObject, readJsonText } from '../parameters/body.js';
import { validateRequest } from '../parameters/validate-request.js';
import type { RequestContext } from '../request-context.js';
import { BASE_PATH, type Route } from './route.js';

const MAX_ANSWER_BYTES = 1_048_576;

const ANSWER_TOO_LARGE = {
  pointer: '',
  code: 'limit_answer',
  message: 'An answer has at most 1,048,576 bytes: ask for less at a time.',
};

export const queriesEvaluate: Route = {
  operations: {
    POST: {
      id: 'evaluateQuery',
      summary: 'Does this person meet this condition? Or: what of this do they share?',
      caller: 'bearer',
      body: { schema: 'EvaluationRequest', form: false },
      responses: ['QueryResult'],
      errors: ['invalid_query', 'query_too_large', 'insufficient_scope'],
    },
  },
  path: `${BASE_PATH}/queries/evaluate`,
  crossOrigin: 'registered',
  handle: async (context) => {
    // Who asks before what they ask: a stranger's body is not read.
    const grant = await authenticateBearer(context);
    const text = await readJsonText(context);
    const { queries } = context.service;
    const query = await findQuery(text, grant, context);
    const body = await queries.evaluate(query, grant, context.meter);
    const byteLength = Buffer.byteLength(body);
    // Claims are as large as their issuers made them: a query that asks for many of them is told to ask for fewer (S154).
    if (byteLength > MAX_ANSWER_BYTES)
      throw new ServiceError('query_too_large', { limit: MAX_ANSWER_BYTES, problems: [ANSWER_TOO_LARGE] });
    return { kind: 'json', status: 200, body, byteLength };
  },
};

/** Finds the compiled query of a body, or parses and compiles it. */
async function findQuery(
  text: string,
  grant: Grant,
  { service: { queries }, meter }: RequestContext,
): Promise<CompiledQuery> {
  try {
    return meter.measure(
      () =>
        queries.findByText(text) ??
        queries.compile(validateRequest('EvaluationRequest', parseJsonObject(text)).query, text),
    );
  } catch (error) {
    await queries.recordRejection(error, grant);
    throw error;
  }
}
