/** `GET /ready`: whether requests should be sent here: the store answers (S29). */
import { BASE_PATH, type Route } from './route.js';

export const ready: Route = {
  operations: {
    GET: {
      id: 'readReadiness',
      summary: 'Whether requests should be sent here; 503 while they should not.',
      caller: 'anyone',
      answers: ['Readiness'],
    },
  },
  path: `${BASE_PATH}/ready`,
  crossOrigin: 'none',
  answer: async (_request, service) => {
    const store = await service.isReady();
    return {
      kind: 'json',
      status: store ? 200 : 503,
      body: {
        status: store ? 'ready' : 'not_ready',
        checks: [{ name: 'store', status: store ? 'ok' : 'failed' }],
      },
    };
  },
};
