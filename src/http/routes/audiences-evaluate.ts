/** `POST /audiences/evaluate`: streams the people of an application who satisfy a policy, for the administrator (V14). */
import { formatInstant } from '../../engine/index.js';
import type { EvaluatedAudience } from '../../service/index.js';
import { assertAdministrator } from '../callers.js';
import { readJsonBody } from '../parameters/body.js';
import { validateRequest } from '../parameters/validate-request.js';
import { BASE_PATH, type Route } from './route.js';

export const audiencesEvaluate: Route = {
  operations: {
    POST: {
      id: 'evaluateAudience',
      summary:
        'List the people who satisfy a query, among those whose grant to the application covers it. Returns lines of JSON: one per person, then a summary.',
      caller: 'administrator',
      body: { schema: 'AudienceRequest', form: false },
      responses: ['AudienceLine'],
      lines: true,
      errors: ['not_found', 'invalid_query', 'query_too_large', 'inference_bound'],
    },
  },
  path: `${BASE_PATH}/audiences/evaluate`,
  crossOrigin: 'none',
  handle: async (context) => {
    await assertAdministrator(context);
    const { client_id: clientId, query } = validateRequest('AudienceRequest', await readJsonBody(context));
    return { kind: 'lines', lines: toLines(await context.service.audiences.evaluate({ clientId, query })) };
  },
};

/** Yields the lines in batches, so that not every line is a separate write. */
async function* toLines({ slices, evaluatedAt }: EvaluatedAudience): AsyncIterable<string> {
  let [evaluated, satisfied] = [0, 0];
  for await (const slice of slices) {
    evaluated += slice.evaluated;
    satisfied += slice.subjects.length;
    yield slice.subjects.map((subject) => JSON.stringify({ app_scoped_user_id: subject })).join('\n');
  }
  yield JSON.stringify({ evaluated, satisfied, evaluated_at: formatInstant(evaluatedAt) });
}
