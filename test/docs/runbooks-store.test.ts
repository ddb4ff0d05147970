/** Runs the runbooks of failures of the store, each against a service that has the symptom (S400, S401). */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, expect, it } from 'vitest';
import { isInstalled } from '../support/installed-programs.js';
import { postJson } from '../support/oauth-client.js';
import { createPostgresCluster } from '../support/postgres-cluster.js';
import { RUNBOOK_TITLES, type RunbookService, startRunbookService } from '../support/runbook.js';

const hasPsql = isInstalled('psql (postgresql-client)', 'psql', ['--version']);
const canMount = isMountable();

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function start(...args: Parameters<typeof startRunbookService>): Promise<RunbookService> {
  const service = await startRunbookService(...args);
  cleanups.push(service.remove);
  return service;
}

async function tokenOf(service: RunbookService): Promise<string> {
  const { stdout } = await service.run('npx proviso sandbox token --person ada --scope "openid kyc:read"');
  return stdout.trim();
}

/** Requests user information. With `PROVISO_AUDIT=all`, as here, the request writes to the store. */
async function statusOf(service: RunbookService, token: string): Promise<number> {
  const response = await fetch(`${service.url}/userinfo`, { headers: { Authorization: `Bearer ${token}` } });
  await response.arrayBuffer();
  return response.status;
}

// S400
it('every section of the runbooks that has commands is run by a test', () => {
  const names = ['store', 'secrets', 'incidents'];
  const texts = names.map((name) =>
    readFileSync(new URL(`./runbooks-${name}.test.ts`, import.meta.url), 'utf8'),
  );
  const run = texts.flatMap((text) =>
    [...text.matchAll(/runSection\(\s*(['"])([^\n]+?)\1[,)]/g)].map(([, , title]) => title),
  );
  expect(new Set(run)).toEqual(new Set(RUNBOOK_TITLES));
});

// S400
it('the first look shows a healthy service, its settings, its schema and its failures', async () => {
  const service = await start();
  await service.runSection('First look');
});

// S400
it('the runbook of an unreachable database shows the stopped server, and ends when the service is ready', async () => {
  const cluster = await createPostgresCluster();
  cleanups.push(cluster.remove);
  const service = await start({
    settings: { PROVISO_DATABASE_URL: cluster.url },
    onUnit: async (verb, unit) => {
      expect([verb, unit]).toEqual(['start', 'postgresql']);
      await cluster.start();
    },
  });
  const token = await tokenOf(service);
  await cluster.stop('fast');
  await expect
    .poll(async () => [await statusOf(service, token), service.log().includes('"code":"ECONNREFUSED"')])
    .toEqual([503, true]);
  await service.runSection('The database cannot be reached');
  expect(await statusOf(service, token)).toBe(200);
});

// S400
it.skipIf(!hasPsql)(
  'the runbook of blocked statements finds and ends the session that blocks them',
  async () => {
    const cluster = await createPostgresCluster();
    cleanups.push(cluster.remove);
    const service = await start({ settings: { PROVISO_DATABASE_URL: cluster.url } });
    const token = await tokenOf(service);
    const blocking = new pg.Client({ connectionString: cluster.url });
    const ended = new Promise((resolve) => blocking.on('error', resolve));
    await blocking.connect();
    await blocking.query('begin');
    await blocking.query('lock table audit_entry');
    let stopped = false;
    const traffic = Promise.all(
      [1, 2].map(async () => {
        while (!stopped) await statusOf(service, token);
      }),
    );
    const isSlow = () =>
      /"durationMs":\d{4,}/.test(service.log()) && service.log().includes('"code":"55P03"');
    await expect.poll(isSlow).toBe(true);
    expect((await fetch(`${service.url}/ready`)).status).toBe(200);
    await service.runSection('Blocked statements');
    stopped = true;
    await traffic;
    await ended;
    expect(await statusOf(service, token)).toBe(200);
  },
);

// S400
it('the runbook of evicted queries enlarges the cache, and the same queries are found in it', async () => {
  const service = await start({ settings: { PROVISO_QUERY_CACHE_BYTES: '20000' } });
  const headers = { Authorization: `Bearer ${await tokenOf(service)}` };
  const evaluate = async () => {
    for (let value = 0; value < 30; value += 1) {
      const query = { check: { claim: 'kyc.level', operator: '==', value: `level-${value}` } };
      expect((await postJson(service, '/queries/evaluate', { query }, headers)).status).toBe(200);
    }
  };
  const metric = async (name: string) =>
    Number(
      (await service.run(`curl -s "$METRICS" | grep '^proviso_query_cache_${name}' | cut -d ' ' -f 2`))
        .stdout,
    );
  await evaluate();
  await evaluate();
  expect(await metric('evictions_total')).toBeGreaterThan(0);
  await service.runSection('Evicted queries');
  await evaluate();
  await evaluate();
  expect([await metric('evictions_total'), await metric('hits_total')]).toEqual([0, 30]);
});

// S401
it.skipIf(!canMount)(
  'the runbook of a full disk shows the cause, is not over while the disk is full, and ends when there is space',
  async () => {
    const disk = mkdtempSync(join(tmpdir(), 'proviso-disk-'));
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK_BYTES}`, 'proviso', disk]);
    cleanups.push(() => {
      execFileSync('umount', ['-l', disk]);
      rmSync(disk, { recursive: true });
    });
    mkdirSync(join(disk, 'store'));
    const service = await start({
      settings: { PROVISO_DATABASE_URL: `sqlite:${disk}/store/proviso.sqlite` },
    });
    const token = await tokenOf(service);
    // With an unsealed entry, `proviso audit head` would be a write.
    await service.run('npx proviso audit head');
    const oldBackup = join(disk, 'old-backup.sqlite');
    fill(oldBackup);
    await expect.poll(() => statusOf(service, token)).toBe(503);
    await expect.poll(service.log).toContain('"code":"SQLITE_FULL"');
    expect((await fetch(`${service.url}/ready`)).status).toBe(200);
    const command = await service.run('npx proviso grants revoke --everyone --yes');
    expect([command.exitCode, command.stderr]).toEqual([
      1,
      expect.stringMatching(/^proviso: the store cannot be reached or is full: SQLITE_\w+\n$/),
    ]);
    const otherBackup = join(service.cwd, 'other-backup.sqlite');
    writeFileSync(otherBackup, '');
    await expect(service.runSection('Full disk', { OLD_BACKUP: otherBackup })).rejects.toThrow();
    await service.runSection('Full disk', { OLD_BACKUP: oldBackup });
    expect(await statusOf(service, token)).toBe(200);
  },
);

/** More than `proviso doctor` requires to be free. */
const DISK_BYTES = 96 * 1_024 * 1_024;

/** Fills the remaining space, to the last page. */
function fill(path: string): void {
  for (let bytes = DISK_BYTES; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      writeFileSync(path, Buffer.alloc(bytes), { flag: 'a' });
    } catch {
      // No space for this size: try half of it.
    }
  }
}

/** Whether a small disk in memory can be mounted, which requires root. */
function isMountable(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'proviso-mount-'));
  const mounts = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'proviso', folder]).status === 0;
  if (mounts) execFileSync('umount', [folder]);
  else process.stderr.write('skipped, since mounting a small disk requires root\n');
  rmSync(folder, { recursive: true });
  return mounts;
}
