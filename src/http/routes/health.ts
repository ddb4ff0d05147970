/** `GET /health`: whether the process lives; it asks nothing of the store (S29). */
import { formatInstant } from '../../engine/index.js';
import { BASE_PATH, json, type Route } from './route.js';

const MS_PER_SECOND = 1_000;

/** The second and the third are where orchestrators look. */
const PATHS = [`${BASE_PATH}/health`, `${BASE_PATH}/healthz`, '/healthz'];

export const healthRoutes: readonly Route[] = PATHS.map((path, index) => ({
  operations: {
    GET: {
      id: `readHealth${index === 0 ? '' : index + 1}`,
      summary: 'Whether the process lives.',
      caller: 'anyone',
      answers: ['Health'],
    },
  },
  path,
  crossOrigin: 'none',
  probe: true,
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
}));
