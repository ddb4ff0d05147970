/** Connections that never close their half: after the time limits, the service must hold no descriptor for any of them (S16). */
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startServe } from '../support/run-command.js';

const GET = 'GET /v2/health HTTP/1.1\r\nHost: localhost\r\n\r\n';
const LARGE = 'GET /v2/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
/** With the default limits a connection is destroyed at most about 36 s after it was accepted. */
const DEADLINE_MS = 90_000;
const SAMPLE_EVERY_MS = 1_000;

interface Kind {
  readonly name: string;
  readonly count: number;
  readonly sends: string;
  /** Sent once a second. */
  readonly repeats?: string;
  readonly reads?: boolean;
}

const KINDS: readonly Kind[] = [
  { name: 'silent', count: 100, sends: '' },
  { name: 'unfinished head', count: 100, sends: 'GET /v2/health HTTP/1.1\r\nHost: localhost\r\nX: a' },
  {
    name: 'unfinished body',
    count: 100,
    sends:
      'POST /v2/oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4000\r\n\r\n{',
  },
  { name: 'not a request', count: 100, sends: 'not a request\r\n\r\n' },
  { name: 'idle after a response', count: 100, sends: GET },
  { name: 'line breaks after a response', count: 100, sends: GET, repeats: '\r\n' },
  // The responses are larger than the socket buffers of both ends. Few connections, since each takes several megabytes of kernel memory.
  { name: 'not reading', count: 20, sends: LARGE.repeat(100), reads: false },
];

/** The connections of a server's port, including those left in the kernel only. */
interface Descriptors {
  /** Number of connections for which the process holds a descriptor. */
  readonly held: number;
  /** Number of connections in each state, as text. */
  readonly states: string;
}

/** Opens connections of every kind and waits until the service holds none. @returns Whether that happens within the deadline. */
export async function checkHalfOpenClients(): Promise<boolean> {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-half-open-'));
  const serving = await startServe({ cwd });
  const port = Number(new URL(serving.url).port);
  const sockets = KINDS.flatMap((kind) =>
    Array.from({ length: kind.count }, () => openConnection(kind, port)),
  );
  try {
    const from = performance.now();
    const pid = serving.process.pid ?? 0;
    let now = countDescriptors(pid, port);
    let maximum = 0;
    let lastPrinted = '';
    do {
      await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
      now = countDescriptors(pid, port);
      maximum = Math.max(maximum, now.held);
      if (now.states !== lastPrinted) {
        process.stdout.write(`  ${seconds(from)} s: ${now.held} descriptors held; ${now.states}\n`);
      }
      lastPrinted = now.states;
    } while (now.held > 0 && performance.now() - from < DEADLINE_MS);
    const health = await fetch(`${serving.url}/health`);
    const released = now.held === 0 && maximum > 0 && health.status === 200;
    process.stdout.write(
      `${released ? 'ok' : 'FAILED'}: of ${sockets.length} connections whose clients never close their half (${KINDS.map(({ name, count }) => `${count} ${name}`).join(', ')}) the service holds ${now.held} descriptors after ${seconds(from)} s\n`,
    );
    return released;
  } finally {
    for (const socket of sockets) socket.destroy();
    await serving.stop('SIGKILL');
    rmSync(cwd, { recursive: true });
  }
}

function openConnection({ sends, repeats, reads = true }: Kind, port: number): Socket {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  socket.on('error', () => undefined);
  socket.write(sends);
  if (reads) socket.resume();
  if (repeats !== undefined) {
    const timer = setInterval(() => socket.write(repeats), 1_000);
    socket.on('close', () => clearInterval(timer));
  }
  return socket;
}

/** States of `/proc/net/tcp` (Linux, `tcp_states.h`), except those of the listening socket and of connections that are not established yet. */
const STATES: Readonly<Record<string, string>> = {
  '01': 'ESTABLISHED',
  '04': 'FIN_WAIT1',
  '05': 'FIN_WAIT2',
  '06': 'TIME_WAIT',
  '07': 'CLOSE',
  '08': 'CLOSE_WAIT',
  '09': 'LAST_ACK',
  '0B': 'CLOSING',
};

function countDescriptors(pid: number, port: number): Descriptors {
  const folder = `/proc/${pid}/fd`;
  const inodes = new Set(readdirSync(folder).map((name) => inodeOf(join(folder, name))));
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const counts = new Map<string, number>();
  let held = 0;
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, address = '', , state = '', , , , , , inode] = line.trim().split(/\s+/);
    const name = STATES[state];
    if (!address.endsWith(local) || name === undefined) continue;
    const owned = inodes.has(inode);
    if (owned) held += 1;
    const key = `${name}${owned ? '' : ' without descriptor'}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const states = [...counts].map(([name, count]) => `${count} ${name}`).sort();
  return { held, states: states.join(', ') || 'no connection' };
}

/** The inode of a socket behind a descriptor; `undefined` for anything else. */
function inodeOf(path: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(path))?.[1];
  } catch {
    // Closed since the folder was listed.
    return undefined;
  }
}

function seconds(from: number): string {
  return ((performance.now() - from) / 1_000).toFixed(0);
}
