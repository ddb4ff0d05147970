/** Runs the built command or a shell command in a given directory and returns its output and exit code; starts `proviso serve`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { validateFetchedResponses } from './documented-responses.js';

const PRELOADED_KEY = new URL('preload-rsa-key.mjs', import.meta.url).href;
/** Path of the built command. */
export const COMMAND = fileURLToPath(new URL('../../dist/cli.js', import.meta.url));

export interface CommandResult {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the command to its end. */
export function runCommand(args: readonly string[], { cwd, env = {} }: RunOptions): Promise<CommandResult> {
  const options = { cwd, env: { ...process.env, ...env } };
  // A rotation must create a key that the store does not have yet.
  const preload = args[0] === 'keys' ? [] : ['--import', PRELOADED_KEY];
  return resultOf(spawn(process.execPath, [...preload, COMMAND, ...args], options));
}

/** Runs a shell command to its end. */
export function runShell(line: string, { cwd, env = {} }: RunOptions): Promise<CommandResult> {
  return resultOf(spawn('sh', ['-c', line], { cwd, env: { ...process.env, ...env } }));
}

/** A running `proviso serve`. */
export interface ServeProcess {
  readonly process: ChildProcess;
  readonly url: string;
  /** Empty if the catalogue does not have the scopes of the sample command. */
  readonly curlLine: string;
  /** Sends a signal and waits for the process to end. */
  readonly stop: (signal: NodeJS.Signals) => Promise<number | null>;
}

export interface ServeOptions extends RunOptions {
  /** Receives what the command writes to standard error. */
  readonly onError?: (text: string) => void;
  /** The descriptor of a file to which the command writes standard error; `onError` then receives nothing. */
  readonly errorFile?: number;
}

/**
 * Starts `proviso serve` in the sandbox and waits until it has printed how to use it. Until it ends, `fetch` throws on its responses that the OpenAPI
 * document does not define.
 */
export function startServe({ cwd, env = {}, onError, errorFile }: ServeOptions): Promise<ServeProcess> {
  const child = spawn(process.execPath, ['--import', PRELOADED_KEY, COMMAND, 'serve'], {
    cwd,
    env: { ...process.env, PROVISO_PORT: '0', ...env },
    stdio: ['pipe', 'pipe', errorFile ?? 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  return new Promise((resolve, reject) => {
    let stdout = '';
    let stderr = '';
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      stderr += chunk;
      onError?.(chunk);
    });
    child.on('close', (code) => reject(new Error(`serve ended with ${code}: ${stderr}`)));
    child.stdout?.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk;
      const url = /base URL {2}(\S+)/.exec(stdout)?.[1];
      const curlLine = /^curl .*$/m.exec(stdout)?.[0] ?? '';
      if (url === undefined || !stdout.includes('Ctrl-C')) return;
      child.on('close', validateFetchedResponses(url));
      resolve({
        process: child,
        url,
        curlLine,
        stop: (signal) => {
          child.kill(signal);
          return ended;
        },
      });
    });
  });
}

function resultOf(child: ChildProcess): Promise<CommandResult> {
  let stdout = '';
  let stderr = '';
  child.stdout?.setEncoding('utf8').on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr?.setEncoding('utf8').on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}
