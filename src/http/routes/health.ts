/** `GET /health`: whether the process lives; it asks nothing of the store (S29). */
import { formatInstant } from '../../engine/index.js';
import { BASE_PATH, json, type Route } from './route.js';

const MS_PER_SECOND = 1_000;

export const health: Route = {
  operations: {
    GET: {
      id: 'readHealth',
      summary: 'Whether the process lives.',
      caller: 'anyone',
      answers: ['Health'],
    },
  },
  path: `${BASE_PATH}/health`,
  crossOrigin: 'none',
  answer: async (_request, service, { version, commit }) => {
    const { startedAt, now } = service.uptime();
    return json({
      status: 'ok',
      uptime: Math.floor((now - startedAt) / MS_PER_SECOND),
      version,
      commit,
      timestamp: formatInstant(now),
    });
  },
};
