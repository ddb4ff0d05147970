/**
 * Calls three instances on one PostgreSQL in turn: each code and refresh token can be used once across all instances, a revocation takes
 * effect on all, and an instance that is drained loses no request.
 *
 * npm run check -- instances [--seconds 60] [--seed N]
 *
 * Settings in the environment apply to the service: `PROVISO_PROCESSES=2 npm run check -- instances` tests two processes on one port.
 */
import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parsePositiveNumber } from '../support/check-options.js';
import { approve, begin, logIn, PUBLIC, redemption } from '../support/oauth-client.js';
import { type ServeProcess, startServe } from '../support/run-command.js';
import {
  audit,
  auditRows,
  createService,
  type GrantHistory,
  reasonOf,
  refreshRequest,
  report,
  write,
} from './grants.js';
import { createSeededChoice, seedOf } from './seeded-choice.js';
import { ownPostgres } from './stores.js';

interface Instance {
  readonly serving: ServeProcess;
  state: 'up' | 'draining' | 'stopped' | 'killed';
}

const WRITERS = 12;
const RACERS = 9;
/** Interval of readiness checks by the load balancer. */
const READY_INTERVAL_MS = 200;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '60' }, seed: { type: 'string' } },
});
const durationMs = parsePositiveNumber('seconds', values.seconds) * 1_000;
const seed = seedOf(values.seed);
const choice = createSeededChoice(seed, 'instances');
const store = await ownPostgres();
const instances: Instance[] = [];
let turn = 0;
let races = 0;
let stopped = false;
const service = createService(nextUrl, (url) => instanceAt(url)?.state === 'killed');
const histories: GrantHistory[] = [];

try {
  await Promise.all([1, 2, 3].map(startInstance));
  const from = performance.now();
  const flows = Array.from({ length: WRITERS }, (_, writer) =>
    write(service, histories, createSeededChoice(seed, String(writer)), () => stopped),
  );
  flows.push(raceUntilStopped());
  await delay(durationMs / 3 + choice.between(0, 1_000));
  const [drained, killed] = instances;
  if (drained !== undefined) await drain(drained);
  await startInstance();
  await delay(durationMs / 6 + choice.between(0, 1_000));
  if (killed !== undefined) {
    killed.state = 'killed';
    await killed.serving.stop('SIGKILL');
  }
  await startInstance();
  await delay(Math.max(0, durationMs - (performance.now() - from)));
  stopped = true;
  await Promise.all(flows);
  service.violations.push(...(await auditRows(store.runSql)));
  const audited = await audit(service, histories);
  if (audited === 0) service.violations.push('no grant was audited');
  process.stdout.write(
    `${service.answered} responses of ${instances.length} instances, ${races} races of ${RACERS}, ${audited} grants audited, ${service.broken} requests broken by the kill, ${service.unavailable} times 503, longest response ${Math.round(service.longestMs)} ms\n`,
  );
} finally {
  stopped = true;
  await Promise.all(instances.map(({ serving }) => serving.stop('SIGKILL')));
  await store.remove();
}
report(
  'codes and tokens are used once, revocations apply to all instances, draining loses no request',
  service.violations,
);

async function startInstance(): Promise<void> {
  const serving = await startServe({ cwd: tmpdir(), env: { PROVISO_DATABASE_URL: store.databaseUrl } });
  instances.push({ serving, state: 'up' });
}

async function drain(instance: Instance): Promise<void> {
  const ended = instance.serving.stop('SIGTERM');
  // Until it reports that it is not ready, it gets requests like the others.
  while (await isReady(instance.serving.url)) await delay(READY_INTERVAL_MS);
  instance.state = 'draining';
  const exitCode = await ended;
  instance.state = 'stopped';
  if (exitCode !== 0) service.violations.push(`the drained instance ended with ${exitCode}`);
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/ready`);
  await response.arrayBuffer();
  return response.ok;
}

/** The address of the next instance in turn that is up. */
function nextUrl(): string {
  const up = instances.filter(({ state }) => state === 'up');
  turn += 1;
  return up[turn % up.length]?.serving.url ?? '';
}

function instanceAt(url: string): Instance | undefined {
  return instances.find(({ serving }) => serving.url === url);
}

/** Sends one code, and then one refresh token, to all instances at once. Then revokes an access token at one instance, and sends it to all. */
async function raceUntilStopped(): Promise<void> {
  while (!stopped) {
    const statesBefore = instances.map(({ state }) => state).join();
    const found = await raceOnce().catch((error: unknown) => [reasonOf(error)]);
    // Ignores a race during which an instance was started or changed its state.
    if (statesBefore === instances.map(({ state }) => state).join() && statesBefore.includes('up')) {
      service.violations.push(...found);
      races += 1;
    }
    await delay(50);
  }
}

async function raceOnce(): Promise<readonly string[]> {
  const violations: string[] = [];
  const pending = await begin({ url: nextUrl() });
  const code = await approve({ url: nextUrl() }, pending);
  const redeemed = await countSuccesses(redemption(pending, code));
  if (redeemed !== 1) violations.push(`${redeemed} of ${RACERS} redemptions of one code succeeded`);
  const tokens = await logIn({ url: nextUrl() });
  const rotated = await countSuccesses(refreshRequest(tokens));
  if (rotated !== 1) violations.push(`${rotated} of ${RACERS} rotations of one token succeeded`);
  const other = await logIn({ url: nextUrl() });
  const body = JSON.stringify({ token: other.access_token, client_id: PUBLIC.clientId });
  await fetch(`${nextUrl()}/oauth/revoke`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  });
  const up = instances.filter(({ state }) => state === 'up');
  const statuses = await Promise.all(
    up.map(({ serving }) => userInfoStatus(serving.url, other.access_token)),
  );
  if (statuses.some((status) => status !== 401))
    violations.push(`after its revocation a token was answered with ${statuses}`);
  return violations;
}

async function countSuccesses(body: unknown): Promise<number> {
  const racers = Array.from({ length: RACERS }, async () => {
    const response = await fetch(`${nextUrl()}/oauth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    await response.arrayBuffer();
    return response.status;
  });
  return (await Promise.all(racers)).filter((status) => status === 200).length;
}

async function userInfoStatus(url: string, accessToken: string): Promise<number> {
  const response = await fetch(`${url}/userinfo`, { headers: { Authorization: `Bearer ${accessToken}` } });
  await response.arrayBuffer();
  return response.status;
}
