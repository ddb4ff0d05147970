/** `GET /metrics`: what is measured, for the administrator's Prometheus (S29). */
import { ServiceError } from '../../service/index.js';
import { assertAdministrator } from '../callers.js';
import { BASE_PATH, type Route } from './route.js';

export const metrics: Route = {
  operations: {
    GET: {
      id: 'readMetrics',
      summary: 'What is measured, as Prometheus reads it.',
      caller: 'administrator',
      answers: ['metrics'],
      errors: ['not_found'],
    },
  },
  path: `${BASE_PATH}/metrics`,
  crossOrigin: 'none',
  answer: async (request, service, { metrics: read }) => {
    await assertAdministrator(request, service);
    if (read === undefined) throw new ServiceError('not_found');
    return { kind: 'text', ...(await read()) };
  },
};
