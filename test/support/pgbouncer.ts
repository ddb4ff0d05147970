/** A temporary PgBouncer in transaction mode, in front of a PostgreSQL server that trusts its clients. */
import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.js';
import { unprivilegedOwner, waitUntilReady } from './postgres-cluster.js';

const COMMAND = ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/opt/homebrew/bin/pgbouncer'].find(existsSync);

export interface Pgbouncer {
  /** Replaces host and port in the URL of a database. */
  readonly throughPooler: (url: string) => string;
  readonly stop: () => Promise<void>;
}

/** Whether PgBouncer is installed (`apt-get install pgbouncer`). */
export const hasPgbouncer = COMMAND !== undefined;

/** @param server - The URL of any database of the server. @param settings - Lines for the section `pgbouncer` of its configuration. */
export async function startPgbouncer(server: string, settings: readonly string[] = []): Promise<Pgbouncer> {
  const { hostname, port: serverPort } = new URL(server);
  const folder = mkdtempSync(join(tmpdir(), 'proviso-pgbouncer-'));
  const owner = unprivilegedOwner();
  const port = await freePort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(join(folder, 'users'), '"proviso" ""\n');
  writeFileSync(
    file,
    [
      '[databases]',
      `* = host=${hostname} port=${serverPort}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${join(folder, 'users')}`,
      'pool_mode = transaction',
      // Fewer server connections than a store opens to the pooler, so that transactions of one client connection run on several server connections.
      'default_pool_size = 3',
      ...settings,
    ].join('\n'),
  );
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  const child = spawn(COMMAND ?? 'pgbouncer', [file], { ...owner, stdio: 'ignore' });
  const throughPooler = (url: string) => {
    const pooled = new URL(url);
    pooled.host = `127.0.0.1:${port}`;
    return pooled.href;
  };
  const ended = new Promise((resolve) => child.once('close', resolve));
  const stop = async () => {
    child.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true });
  };
  try {
    await waitUntilReady(throughPooler(server), () => 'PgBouncer');
  } catch (error) {
    await stop();
    throw error;
  }
  return { throughPooler, stop };
}
