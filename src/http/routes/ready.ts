/** `GET /ready`: whether requests should be sent here: the store answers, and the instance stays (S29, S200). */
import { BASE_PATH, type Route } from './route.js';

/** The second and the third are where orchestrators look. */
const PATHS = [`${BASE_PATH}/ready`, `${BASE_PATH}/readyz`, '/readyz'];

export const readyRoutes: readonly Route[] = PATHS.map((path, index) => ({
  operations: {
    GET: {
      id: `readReadiness${index === 0 ? '' : index + 1}`,
      summary: 'Whether requests should be sent here; 503 while they should not.',
      caller: 'anyone',
      answers: ['Readiness'],
    },
  },
  path,
  crossOrigin: 'none',
  probe: true,
  answer: async (_request, service, { isLeaving = () => false }) => {
    const checks = [
      { name: 'store', passes: await service.isReady() },
      { name: 'staying', passes: !isLeaving() },
    ];
    const isReady = checks.every(({ passes }) => passes);
    return {
      kind: 'json',
      status: isReady ? 200 : 503,
      body: {
        status: isReady ? 'ready' : 'not_ready',
        checks: checks.map(({ name, passes }) => ({ name, status: passes ? 'ok' : 'failed' })),
      },
    };
  },
}));
