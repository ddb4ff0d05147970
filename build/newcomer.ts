/**
 * Times the steps of a new user from a clone to the result of a query, with four commands and no edited file:
 * `npm run check -- newcomer`.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A typed command and its duration. */
interface Step {
  readonly typed: string;
  readonly seconds: number;
}

const REPOSITORY = fileURLToPath(new URL('..', import.meta.url));
const OWN_QUERY = { check: { claim: 'kyc.passed', operator: '==', value: true } };
const MS_PER_SECOND = 1_000;

const folder = mkdtempSync(join(tmpdir(), 'proviso-newcomer-'));
const checkout = join(folder, 'proviso');
const steps: Step[] = [];
let serving: ChildProcess | undefined;
try {
  timed('git clone <the repository> && cd proviso', () =>
    run('git', ['clone', '--quiet', REPOSITORY, checkout], folder),
  );
  timed('npm ci', () => run('npm', ['ci', '--silent'], checkout));
  const startedAt = performance.now();
  const curlLine = await start();
  steps.push({ typed: 'npm start', seconds: (performance.now() - startedAt) / MS_PER_SECOND });
  // The printed line, with another query.
  const ownRequest = curlLine.replace(/-d '.*?' \|/, () => `-d '${JSON.stringify({ query: OWN_QUERY })}' |`);
  const response = timed('curl … (the printed line, with another query)', () =>
    run('sh', ['-c', ownRequest], checkout),
  );
  const { type, passed } = JSON.parse(response) as { type?: string; passed?: boolean };
  if (type !== 'predicate' || passed !== true) throw new Error(`unexpected response: ${response}`);
  report();
} finally {
  // npm starts child processes: unless it has ended, they are terminated with it as a group.
  if (serving?.pid !== undefined && serving.exitCode === null && serving.signalCode === null)
    process.kill(-serving.pid, 'SIGTERM');
  rmSync(folder, { recursive: true, force: true });
}

function timed<Result>(typed: string, work: () => Result): Result {
  const startedAt = performance.now();
  const result = work();
  steps.push({ typed, seconds: (performance.now() - startedAt) / MS_PER_SECOND });
  return result;
}

function run(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}`);
  return stdout;
}

/** Starts the service on any free port, since the default one may be in use, and waits for the printed `curl` line. */
function start(): Promise<string> {
  const child = spawn('npm', ['start', '--silent'], {
    cwd: checkout,
    env: { ...process.env, PROVISO_PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  serving = child;
  return new Promise((resolve, reject) => {
    let printed = '';
    child.once('exit', (code) => reject(new Error(`npm start ended with ${code}: ${printed}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString('utf8');
      const line = /^curl .*$/m.exec(printed)?.[0];
      if (line !== undefined && printed.includes('Ctrl-C')) resolve(line);
    });
  });
}

function report(): void {
  for (const [index, { typed, seconds }] of steps.entries()) {
    process.stdout.write(`${index + 1}. ${typed.padEnd(64)} ${seconds.toFixed(1).padStart(6)} s\n`);
  }
  const total = steps.reduce((sum, { seconds }) => sum + seconds, 0);
  process.stdout.write(
    `${steps.length} commands, no file edited: first result after ${total.toFixed(1)} s\n`,
  );
}
