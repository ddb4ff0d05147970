/**
 * Restarts PostgreSQL under load: requests get 503 while it is stopped, every response arrives within 10 s, the service recovers within 5 s, and
 * no acknowledged token or revocation is lost.
 *
 *   npm run check -- restart [--rounds 6] [--seed N]
 *
 * Settings in the environment apply to the service: `PROVISO_PROCESSES=2 npm run check -- restart` tests two processes on one port.
 */
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseCount } from '../support/check-options.js';
import { startServe } from '../support/run-command.js';
import { audit, auditRows, createService, type GrantHistory, report, write } from './grants.js';
import { createSeededChoice, seedOf } from './seeded-choice.js';
import { ownPostgres } from './stores.js';

const WRITERS = 16;
const MAX_RECOVERY_MS = 5_000;
const MAX_WAIT_MS = 10_000;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '6' }, seed: { type: 'string' } },
});
const rounds = parseCount('rounds', values.rounds);
const seed = seedOf(values.seed);
const choice = createSeededChoice(seed, 'restart');
const store = await ownPostgres();
const serving = await startServe({ cwd: tmpdir(), env: { PROVISO_DATABASE_URL: store.databaseUrl } });
// The service itself keeps responding while its database is restarted.
const service = createService(
  () => serving.url,
  () => false,
);
const histories: GrantHistory[] = [];
let stopped = false;
let slowestRecoveryMs = 0;
let audited = 0;

try {
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    write(service, histories, createSeededChoice(seed, String(writer)), () => stopped),
  );
  for (let round = 0; round < rounds; round += 1) {
    await delay(choice.between(500, 1_500));
    const unavailableBefore = service.unavailable;
    await store.cluster.stop(round % 2 === 0 ? 'fast' : 'immediate');
    await delay(choice.between(500, 2_000));
    if (service.unavailable === unavailableBefore)
      service.violations.push('no request was answered with 503 during the restart');
    await store.cluster.start();
    slowestRecoveryMs = Math.max(slowestRecoveryMs, await measureRecovery());
  }
  stopped = true;
  await Promise.all(writers);
  service.violations.push(...(await auditRows(store.runSql)));
  audited = await audit(service, histories);
} finally {
  stopped = true;
  await serving.stop('SIGKILL');
  await store.remove();
}
if (audited === 0) service.violations.push('no grant was audited');
if (slowestRecoveryMs > MAX_RECOVERY_MS) service.violations.push(`recovery took ${slowestRecoveryMs} ms`);
if (service.longestMs > MAX_WAIT_MS) service.violations.push(`a response took ${service.longestMs} ms`);
const { answered, unavailable, longestMs } = service;
const unknown = histories.filter(({ inFlight, tokens }) => inFlight !== undefined && tokens !== undefined);
process.stdout.write(
  `${rounds} restarts: ${answered} responses, ${unavailable} times 503, ${audited} grants audited, ${unknown.length} with an unknown outcome, longest response ${Math.round(longestMs)} ms, slowest recovery ${Math.round(slowestRecoveryMs)} ms\n`,
);
report('no request hangs, no acknowledged token or revocation is lost', service.violations);

/** Measures the milliseconds from when PostgreSQL accepts connections until a request that needs the store gets its usual response, 401. */
async function measureRecovery(): Promise<number> {
  const from = performance.now();
  while (performance.now() - from < 2 * MAX_RECOVERY_MS) {
    const { status } = await fetch(`${serving.url}/userinfo`, {
      headers: { Authorization: `Bearer ${'x'.repeat(43)}` },
      signal: AbortSignal.timeout(2 * MAX_RECOVERY_MS),
    });
    if (status === 401) break;
    await delay(10);
  }
  return performance.now() - from;
}
