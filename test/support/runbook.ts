/** Runs the commands of a runbook against a real service, with a stand-in for systemd, and compares their output with the page. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { expect } from 'vitest';
import { freePort } from './free-port.js';
import { COMMAND, type CommandResult, runShell } from './run-command.js';

const PAGE = readFileSync(new URL('../../docs/guides/operations.md', import.meta.url), 'utf8');
const PRELOADED_KEY = new URL('./preload-rsa-key.mjs', import.meta.url).href;

/** A service in a separate folder, with the settings in `proviso.env`. */
export interface RunbookService {
  readonly cwd: string;
  /** The base URL. */
  readonly url: string;
  /** What the service wrote to standard error so far. */
  readonly log: () => string;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
  /** Runs a command in the folder with the settings of the service. */
  readonly run: (command: string, variables?: Readonly<Record<string, string>>) => Promise<CommandResult>;
  /**
   * Runs the commands of a section of the page in order, and asserts the output and the exit code that the page states for each block. Returns
   * the output of each block.
   *
   * @param variables - The variables that the page lets the operator set.
   */
  readonly runSection: (
    title: string,
    variables?: Readonly<Record<string, string>>,
  ) => Promise<readonly string[]>;
  readonly remove: () => Promise<void>;
}

export interface RunbookOptions {
  /** Settings in addition to those of every runbook. */
  readonly settings?:
    | Readonly<Record<string, string>>
    | ((origin: string) => Readonly<Record<string, string>>);
  /** Handles `systemctl VERB UNIT` for units other than `proviso`. */
  readonly onUnit?: (verb: string, unit: string) => Promise<void>;
  /** Whether the service starts at once. Default: true. */
  readonly started?: boolean;
}

/** Scripts that replace commands of the page; all other commands are real. */
const SHIMS = {
  // A rotation must create keys that the store does not have yet.
  npx: `shift; [ "$1" = keys ] || set -- --import "${PRELOADED_KEY}" "${COMMAND}" "$@"; [ "$1" != keys ] || set -- "${COMMAND}" "$@"; exec "${process.execPath}" "$@"`,
  systemctl: 'exec curl -sSf -X POST "$CONTROL/$1/$2"',
  journalctl: 'exec cat service.log',
};

export async function startRunbookService({
  settings = {},
  onUnit,
  started = true,
}: RunbookOptions = {}): Promise<RunbookService> {
  const cwd = mkdtempSync(join(tmpdir(), 'proviso-runbook-'));
  const bin = join(cwd, 'bin');
  mkdirSync(bin);
  for (const [name, text] of Object.entries(SHIMS)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const [port, metricsPort] = [await freePort(), await freePort()];
  const origin = `http://127.0.0.1:${port}`;
  const base = {
    PROVISO_PORT: String(port),
    PROVISO_METRICS_PORT: String(metricsPort),
    PROVISO_AUDIT: 'all',
    PROVISO_LOG_LEVEL: 'info',
    PROVISO_DRAIN_SECONDS: '0',
  };
  const added = typeof settings === 'function' ? settings(origin) : settings;
  const lines = Object.entries({ ...base, ...added }).map(([name, value]) => `${name}='${value}'`);
  writeFileSync(join(cwd, 'proviso.env'), `${lines.join('\n')}\n`);
  writeFileSync(join(cwd, 'service.log'), '');

  let child: ChildProcess | undefined;
  const start = () => {
    // As under systemd, the service gets the settings of the environment file, but not the variables that the operator sets.
    const script = `set -a; . ./proviso.env; set +a; exec "${process.execPath}" --import "${PRELOADED_KEY}" "${COMMAND}" serve`;
    const serving = spawn('sh', ['-c', script], { cwd });
    child = serving;
    return new Promise<void>((resolve, reject) => {
      let written = '';
      serving.stderr.setEncoding('utf8').on('data', (chunk) => {
        appendFileSync(join(cwd, 'service.log'), chunk);
        written += chunk;
        if (written.includes('"event":"started"')) resolve();
      });
      serving.stdout.resume();
      serving.on('close', (code) => reject(new Error(`serve ended with ${code}`)));
    });
  };
  const stop = async () => {
    const ending = child;
    child = undefined;
    if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = new Promise((resolve) => ending.once('close', resolve));
    ending.kill('SIGTERM');
    await ended;
  };
  const control = async (verb: string, unit: string) => {
    if (unit !== 'proviso') return await onUnit?.(verb, unit);
    if (verb !== 'start') await stop();
    if (verb !== 'stop') await start();
  };
  const server = createServer((request, response) => {
    const [, verb = '', unit = ''] = (request.url ?? '').split('/');
    control(verb, unit).then(
      () => response.end(),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const env = {
    PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`,
    CONTROL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    BASE: `${origin}/v2`,
    METRICS: `http://127.0.0.1:${metricsPort}/metrics`,
  };
  const run: RunbookService['run'] = async (command, variables = {}) =>
    await runShell(`set -a; . ./proviso.env; set +a\n${command}`, { cwd, env: { ...env, ...variables } });
  if (started) await start();
  return {
    cwd,
    url: `${origin}/v2`,
    log: () => readFileSync(join(cwd, 'service.log'), 'utf8'),
    start,
    stop,
    run,
    runSection: async (title, variables = {}) => {
      const printed: string[] = [];
      for (const { commands, output, exitCode } of blocksOf(title)) {
        const result = await run(`set -e\n${commands}`, variables);
        const text = `${result.stdout}${result.stderr}`;
        printed.push(text);
        expect([commands, result.exitCode, text]).toEqual([commands, exitCode, expect.any(String)]);
        for (const line of output) expect([commands, text]).toEqual([commands, expect.stringMatching(line)]);
      }
      return printed;
    },
    remove: async () => {
      await stop();
      server.close();
      server.closeAllConnections();
      rmSync(cwd, { recursive: true });
    },
  };
}

/** The sections of the page that have commands, up to the next heading of any level, by title. */
const SECTIONS: ReadonlyMap<string, string> = new Map(
  PAGE.split(/^##+ /m)
    .filter((section) => section.includes('```sh'))
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
);

/** The titles of the sections that have commands. */
export const RUNBOOK_TITLES: readonly string[] = [...SECTIONS.keys()];

/** Commands of the page, the lines that they print, and how they exit. */
interface Block {
  readonly commands: string;
  readonly output: readonly RegExp[];
  readonly exitCode: number;
}

/** Returns the blocks of a section: `sh` blocks, each with the `text` block after it if there is one. */
function blocksOf(title: string): readonly Block[] {
  const section = SECTIONS.get(title);
  if (section === undefined) throw new Error(`the page must have a section "${title}"`);
  const blocks = [...section.matchAll(/```(sh|text)\n([\s\S]*?)```/g)];
  return blocks.flatMap(([, language, text = ''], index) => {
    if (language !== 'sh') return [];
    const [, next, output = ''] = blocks[index + 1] ?? [];
    return [
      {
        commands: text,
        output: next === 'text' ? output.trimEnd().split('\n').map(toPattern) : [],
        exitCode: Number(/# exits with (\d+)/.exec(text)?.[1] ?? 0),
      },
    ];
  });
}

/** Converts a line of the page to a pattern, in which `…` matches text that differs each time. */
function toPattern(line: string): RegExp {
  const parts = line
    .trim()
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('.*'));
}
