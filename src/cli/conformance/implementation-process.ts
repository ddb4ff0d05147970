/** An implementation of the language in a child process: one request per line of its input, one response per line of its output. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { JsonValue } from '../../index.js';
import { MS_PER_SECOND } from '../../util/time.js';
import { type Implementation, ImplementationError, type Outcome, writeJson } from './kit.js';
import { LANGUAGE, PROTOCOL } from './language.js';
import {
  describeUnexpected,
  type ImplementationName,
  parseHello,
  parseResponse,
  type Response,
} from './response.js';

/** How long to wait for the response to `hello`: some implementations are compiled first. */
const START_TIMEOUT_MS = 60_000;
/** Crashes after which the run ends. */
const MAX_CRASHES = 100;
/** Requests without a response after which the run ends. */
const MAX_TIMEOUTS = 10;

/** How to run an implementation. */
export interface ImplementationCommand {
  /** A command line for the shell. */
  readonly command: string;
  /** How long to wait for each response, in milliseconds. */
  readonly timeoutMs: number;
  /** How long to wait for the response to `hello`; a minute by default. */
  readonly startTimeoutMs?: number;
  /** Crashes after which the run ends; 100 by default. */
  readonly maxCrashes?: number;
  /** Requests without a response after which the run ends; 10 by default. */
  readonly maxTimeouts?: number;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** The request that waits for its response. */
interface Pending {
  readonly resolve: (line: string) => void;
  readonly reject: (error: ImplementationError) => void;
}

/**
 * Runs an implementation in a process, and starts a new one after a crash or a timeout.
 *
 * Handles one request at a time.
 */
export class ImplementationProcess {
  readonly #command: Required<ImplementationCommand>;
  #child: Child | undefined;
  /** The process that was started last, which may have ended. */
  #last: Child | undefined;
  #pending: Pending | undefined;
  /** Lines that were written when no response was expected. */
  #unexpected: string[] = [];
  #nextId = 0;
  #crashes = 0;
  #timeouts = 0;

  constructor(command: ImplementationCommand) {
    this.#command = {
      startTimeoutMs: START_TIMEOUT_MS,
      maxCrashes: MAX_CRASHES,
      maxTimeouts: MAX_TIMEOUTS,
      ...command,
    };
  }

  /**
   * Starts the process, unless it runs, and sends `hello`.
   *
   * @returns The name and version of the implementation.
   * @throws {ImplementationError} If the process does not start, or does not know the protocol.
   */
  async start(): Promise<ImplementationName> {
    this.#child ??= this.#spawn();
    try {
      const hello = { method: 'hello', protocol: PROTOCOL, language: LANGUAGE };
      return parseHello(await this.#send(hello, this.#command.startTimeoutMs));
    } catch (error) {
      this.kill();
      throw error instanceof ImplementationError
        ? new ImplementationError(`\`hello\`: ${error.message}`, { endsRun: true })
        : error;
    }
  }

  /** Requests the evaluation of a query. @throws {ImplementationError} If there is no valid response. */
  readonly evaluate: Implementation = (query, credentials, { scopes, at, catalogue }) =>
    this.#request({ method: 'evaluate', query, credentials, scopes, at, catalogue });

  /** Requests the canonical text of a query. @throws {ImplementationError} If there is no valid response. */
  readonly canonicalize = (query: JsonValue): Promise<Outcome> =>
    this.#request({ method: 'canonicalize', query });

  /**
   * Closes the standard input of the process, and waits until the process ends; kills it after the timeout.
   *
   * @returns How the process violated the protocol after its last response; `undefined` if it did not.
   */
  async close(): Promise<string | undefined> {
    const child = this.#last;
    const { timeoutMs } = this.#command;
    let isHanging = false;
    if (child !== undefined && child === this.#child) {
      const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
      child.stdin.end();
      const timer = setTimeout(() => {
        isHanging = child.exitCode === null && child.signalCode === null;
        this.kill();
      }, timeoutMs);
      await ended;
      clearTimeout(timer);
    }
    const [unexpected] = this.#unexpected;
    if (unexpected !== undefined) return `${describeUnexpected(unexpected)} after the last response`;
    if (isHanging)
      return `the process did not end within ${timeoutMs / MS_PER_SECOND} seconds after the last request`;
    if (child === undefined || child.exitCode === 0) return undefined;
    return `${describeEnd(child)} after the last response; the exit code must be 0`;
  }

  /** Kills the process and, except on Windows, those of its process group. */
  kill(): void {
    const child = this.#child;
    this.#child = undefined;
    if (child?.pid === undefined) return;
    const { pid } = child;
    // A process that left the group may keep the output open: then `close` would not be emitted, and this process would not end.
    child.stdout.destroy();
    try {
      // The shell leads a process group of its own, where there are process groups.
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }

  async #request(members: object): Promise<Outcome> {
    if (this.#child === undefined) await this.start();
    const response = await this.#send(members, this.#command.timeoutMs);
    if ('unsupported' in response)
      throw new ImplementationError(`the implementation does not support it: ${response.unsupported}`);
    return response;
  }

  async #send(members: object, timeoutMs: number): Promise<Response> {
    const id = this.#nextId;
    this.#nextId += 1;
    const line = await this.#exchange(`${writeJson({ id, ...members } as JsonValue)}\n`, timeoutMs);
    return parseResponse(line, id);
  }

  /** Writes a line and waits for the next one. */
  #exchange(request: string, timeoutMs: number): Promise<string> {
    const child = this.#child;
    const [unexpected] = this.#unexpected;
    return new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => this.#onTimeout(timeoutMs), timeoutMs);
      const settle = <Value>(handle: (value: Value) => void) => {
        return (value: Value) => {
          clearTimeout(timer);
          this.#pending = undefined;
          handle(value);
        };
      };
      this.#pending = { resolve: settle(resolve), reject: settle(reject) };
      // Rejected by the parser, since the `id` of an unexpected line is not that of this request.
      if (unexpected !== undefined) this.#pending.resolve(unexpected);
      else child?.stdin.write(request);
    });
  }

  #spawn(): Child {
    const child = spawn(this.#command.command, {
      shell: true,
      detached: process.platform !== 'win32',
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.#last = child;
    this.#unexpected = [];
    let incomplete = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = (incomplete + text).split('\n');
      incomplete = lines.pop() ?? '';
      for (const line of lines) {
        if (child !== this.#child) return;
        if (this.#pending === undefined) this.#unexpected.push(line);
        else this.#pending.resolve(line);
      }
    });
    child.stdout.on('end', () => {
      if (child === this.#child && incomplete !== '') this.#unexpected.push(incomplete);
    });
    // If a process ends early, writing to its input fails; the event `close` reports the end.
    child.stdin.on('error', () => undefined);
    child.on('error', ({ message }) => this.#onEnd(child, message));
    child.on('close', () => this.#onEnd(child, describeEnd(child)));
    return child;
  }

  #onEnd(child: Child, reason: string): void {
    if (child !== this.#child) return;
    this.#child = undefined;
    this.#crashes += 1;
    const isLast = this.#crashes >= this.#command.maxCrashes;
    this.#fail(`${reason} before it responded`, isLast ? `crashed ${this.#crashes} times` : undefined);
  }

  #onTimeout(timeoutMs: number): void {
    this.kill();
    this.#timeouts += 1;
    const isLast = this.#timeouts >= this.#command.maxTimeouts;
    const reason = `no response within ${timeoutMs / MS_PER_SECOND} seconds`;
    this.#fail(reason, isLast ? `did not respond ${this.#timeouts} times` : undefined);
  }

  /** @param summary - What the implementation did too often, so that the run ends. */
  #fail(reason: string, summary: string | undefined): void {
    const error =
      summary === undefined
        ? new ImplementationError(reason)
        : new ImplementationError(`the implementation ${summary}; the last time: ${reason}`, {
            endsRun: true,
          });
    this.#pending?.reject(error);
  }
}

/** @param child - A process that has ended. */
function describeEnd({ exitCode, signalCode }: Child): string {
  return exitCode === null
    ? `the process was ended by ${signalCode}`
    : `the process ended with exit code ${exitCode}`;
}
