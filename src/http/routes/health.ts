/** `GET /health`, `/ready` and `/metrics`: liveness, readiness and Prometheus metrics (S29, S200). */

import { formatInstant } from '../../engine/index.js';
import { ServiceError } from '../../service/index.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { assertAdministrator } from '../callers.js';
import { BASE_PATH, json, type Route } from './route.js';

/** The second and third are the conventional paths of orchestrators. */
const PATHS = [`${BASE_PATH}/health`, `${BASE_PATH}/healthz`, '/healthz'];

export const healthRoutes: readonly Route[] = PATHS.map((path, index) => ({
  operations: {
    GET: {
      id: `readHealth${index === 0 ? '' : index + 1}`,
      summary: 'Liveness: whether the process runs.',
      caller: 'anyone',
      responses: ['Health'],
    },
  },
  path,
  crossOrigin: 'none',
  probe: true,
  handle: async ({ service, deployment: { version, commit } }) => {
    const { startedAt } = service;
    const now = service.clock.now();
    return json({
      status: 'ok',
      // 0 if the clock was set back.
      uptime: Math.max(0, Math.floor((now - startedAt) / MS_PER_SECOND)),
      version,
      commit,
      timestamp: formatInstant(now),
    });
  },
}));

/** The second and third are the conventional paths of orchestrators. */
const READY_PATHS = [`${BASE_PATH}/ready`, `${BASE_PATH}/readyz`, '/readyz'];

export const readyRoutes: readonly Route[] = READY_PATHS.map((path, index) => ({
  operations: {
    GET: {
      id: `readReadiness${index === 0 ? '' : index + 1}`,
      summary: 'Readiness: 200 if the instance accepts requests, otherwise 503.',
      caller: 'anyone',
      responses: ['Readiness'],
    },
  },
  path,
  crossOrigin: 'none',
  probe: true,
  handle: async ({ service, deployment: { isShuttingDown = () => false } }) => {
    const checks = [
      { name: 'store', passes: await service.isReady() },
      { name: 'not_shutting_down', passes: !isShuttingDown() },
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

export const metrics: Route = {
  operations: {
    GET: {
      id: 'readMetrics',
      summary: 'Get the metrics in the Prometheus format.',
      caller: 'administrator',
      responses: ['metrics'],
      errors: ['not_found'],
    },
  },
  path: `${BASE_PATH}/metrics`,
  crossOrigin: 'none',
  handle: async (context) => {
    await assertAdministrator(context);
    const { metrics: readMetrics } = context.deployment;
    if (readMetrics === undefined) throw new ServiceError('not_found');
    return { kind: 'text', ...(await readMetrics()) };
  },
};
