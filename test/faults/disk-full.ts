/**
 * Fills the disk of a SQLite file for a while: writes are answered with 503, reads succeed, no data is lost, and the service recovers by
 * itself. Mounts a small in-memory disk, which requires root.
 *
 * npm run check -- disk-full [--rounds 5] [--seed N]
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { parseCount } from '../support/check-options.js';
import { logIn } from '../support/oauth-client.js';
import { startServe } from '../support/run-command.js';
import { audit, auditRows, createService, type GrantHistory, report, statusOf, write } from './grants.js';
import { createSeededChoice, seedOf } from './seeded-choice.js';
import { sqliteIn } from './stores.js';

const WRITERS = 8;
const DISK_BYTES = 16 * 1_024 * 1_024;
const MAX_RECOVERY_MS = 5_000;
const MAX_UNTIL_UNAVAILABLE_MS = 30_000;

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '5' }, seed: { type: 'string' } },
});
const rounds = parseCount('rounds', values.rounds);
const seed = seedOf(values.seed);
const choice = createSeededChoice(seed, 'disk');
const disk = mkdtempSync(join(tmpdir(), 'proviso-disk-'));
process.once('exit', () => {
  spawnSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true });
});
execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'proviso', disk]);
const store = sqliteIn(disk);
const service = createService(
  () => serving.url,
  () => false,
);
const serving = await startServe({
  cwd: tmpdir(),
  // With the ledger, a read of user information is also a write.
  env: { PROVISO_DATABASE_URL: store.databaseUrl, PROVISO_LEDGER: 'off' },
});
const histories: GrantHistory[] = [];
let stopped = false;
let slowestRecoveryMs = 0;
let audited = 0;

try {
  const tokens = await logIn({ url: serving.url });
  const writers = Array.from({ length: WRITERS }, (_, writer) =>
    write(service, histories, createSeededChoice(seed, String(writer)), () => stopped),
  );
  for (let round = 0; round < rounds; round += 1) {
    await delay(choice.between(300, 1_000));
    const before = service.unavailable;
    fillDisk();
    if (!(await untilUnavailable(before)))
      service.violations.push('no request was answered with 503 on a full disk');
    await delay(choice.between(500, 1_500));
    const readStatus = await statusOf(service, tokens.access_token);
    if (readStatus !== 200) service.violations.push(`a read on a full disk was answered with ${readStatus}`);
    rmSync(join(disk, 'filler'));
    slowestRecoveryMs = Math.max(slowestRecoveryMs, await measureRecovery());
  }
  stopped = true;
  await Promise.all(writers);
  service.violations.push(...(await auditRows(store.runSql)));
  audited = await audit(service, histories);
  const check = JSON.stringify(await store.runSql('pragma integrity_check'));
  if (!check.includes('"ok"')) service.violations.push(`integrity: ${check}`);
} finally {
  stopped = true;
  await serving.stop('SIGKILL');
}
if (audited === 0) service.violations.push('no grant was audited');
if (slowestRecoveryMs > MAX_RECOVERY_MS) service.violations.push(`recovery took ${slowestRecoveryMs} ms`);
process.stdout.write(
  `${rounds} times full: ${service.answered} responses, ${service.unavailable} times 503, ${audited} grants audited, longest response ${Math.round(service.longestMs)} ms, slowest recovery ${Math.round(slowestRecoveryMs)} ms\n`,
);
report('writes are answered with 503, no write is lost, the service recovers by itself', service.violations);

/** Fills the remaining space, to the last page. */
function fillDisk(): void {
  for (let bytes = DISK_BYTES; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      writeFileSync(join(disk, 'filler'), Buffer.alloc(bytes), { flag: 'a' });
    } catch {
      // No space for this size: try half of it.
    }
  }
}

/** Waits until a request is answered with 503: the first writes after the disk is full reuse space of SQLite's log. Returns `false` if none was in time. */
async function untilUnavailable(before: number): Promise<boolean> {
  const from = performance.now();
  while (service.unavailable === before && performance.now() - from < MAX_UNTIL_UNAVAILABLE_MS)
    await delay(10);
  return service.unavailable > before;
}

/** Milliseconds until a login succeeds again. */
async function measureRecovery(): Promise<number> {
  const from = performance.now();
  while (performance.now() - from < 2 * MAX_RECOVERY_MS) {
    const tokens = await logIn({ url: serving.url }).catch(() => undefined);
    if (tokens !== undefined) break;
    await delay(10);
  }
  return performance.now() - from;
}
