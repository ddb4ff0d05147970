/** `proviso conformance` with implementations in processes: what conforms, what deviates, and what fails. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ImplementationCommand } from '../../src/cli/conformance/implementation-process.js';
import { formatConformance } from '../../src/cli/conformance/report.js';
import {
  type ConformanceRun,
  type RunOptions,
  runConformance,
} from '../../src/cli/conformance/run-conformance.js';
import { plain as plainText } from '../../src/cli/paint.js';
import { runCommand } from '../support/run-command.js';
import { readVectorFiles } from '../vectors/vector-files.js';

const STUB = fileURLToPath(new URL('../support/conformance-stub.mjs', import.meta.url));
const SEED = 20_261_123;
const MAX_RUNS = 10_000;
/** Far more than a response takes. */
const TIMEOUT_MS = 60_000;

/** Deviations of the stub that the command must find. */
const DEVIATIONS = [
  'active at its expiry (L10)',
  'ignores revocation (L10)',
  'ignores when credentials were issued (L11)',
  'null is undefined (L12)',
  '>= is > (L17)',
  'an empty pattern never matches (L18)',
  'grants no implied scope (L20)',
  'names missing scopes in reverse (L20)',
  'expectedValue is absent for isDefined (L21)',
  'never expires with a credential (L22)',
  'discloses the whole claim (L23)',
  'lists problems in reverse (L8)',
  'lists only the first problem (L8)',
  'points at the query (L8)',
  'has another code for a missing member (L8)',
  'claims that no query is valid',
];

const vectors = readVectorFiles().flatMap((file) => file.vectors);
/** Three vectors without a canonical text: each is one request. */
const plain = vectors
  .filter((vector) => vector.canonical === undefined && !('error' in vector.expect))
  .slice(0, 3);

/** A vector with a query that is rejected, and the error for it without `did-you-mean`. */
const misspelled = vectors.filter(({ id }) => id === 'errors-010');
const rejected = {
  code: 'invalid_query',
  problems: [
    { code: 'form_missing', pointer: '' },
    { code: 'member_unknown', pointer: '/projection' },
  ],
};

let cwd: string;

beforeAll(() => {
  cwd = mkdtempSync(join(tmpdir(), 'proviso-conformance-'));
});

afterAll(() => rmSync(cwd, { recursive: true }));

function stub(...args: readonly string[]): string {
  return ['node', STUB, ...args].map((word) => `'${word}'`).join(' ');
}

/** Writes a program that responds to `hello`, and to requests as given. @param atEnd - What it does when its input is closed. @returns Its command. */
function program(name: string, respond: string, atEnd = ''): string {
  const path = join(cwd, `${name}.mjs`);
  writeFileSync(
    path,
    `import { createInterface } from 'node:readline';
const write = (line) => process.stdout.write(line + '\\n');
const rejected = { error: { code: 'invalid_query' } };
let requests = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method === 'hello') write(JSON.stringify({ id, result: { protocol: 1, name: '${name}' } }));
  else { requests += 1; ${respond} }
}
${atEnd}`,
  );
  return `node ${path}`;
}

function run(
  command: string,
  options: RunOptions,
  limits: Partial<ImplementationCommand> = {},
): Promise<ConformanceRun> {
  return runConformance({ command, timeoutMs: TIMEOUT_MS, ...limits }, { seed: SEED, ...options });
}

describe('an implementation in a process', () => {
  it('conforms if it passes all vectors, with their canonical texts, and random scenarios', async () => {
    expect(await run(stub(), { vectors, runs: 500 })).toEqual({
      implementation: { name: 'stub', version: '1.2.3' },
      conforms: true,
      vectorCount: vectors.length,
      vectorFailures: [],
      runs: 500,
      seed: SEED,
      skipped: { vectors: 0, runs: 0 },
    });
  });

  it.each(DEVIATIONS)('deviates within 10,000 random scenarios with the fault: %s', async (deviation) => {
    const { conforms, counterexample, runs } = await run(stub(deviation), { vectors: [], runs: MAX_RUNS });
    expect(conforms).toBe(false);
    expect(runs).toBeLessThanOrEqual(MAX_RUNS);
    expect(counterexample?.differences.length).toBeGreaterThan(0);
    expect(JSON.stringify(counterexample?.query).length).toBeLessThan(300);
  });

  it('deviates where its process ends before it responds, and is started again', async () => {
    const command = program(
      'crash',
      'if (requests === 2) process.exit(3); write(JSON.stringify({ id, ...rejected }));',
    );
    const { conforms, vectorCount, vectorFailures, stopped } = await run(command, {
      vectors: plain,
      runs: 1,
    });
    expect([conforms, vectorCount, stopped]).toEqual([false, 3, undefined]);
    expect(vectorFailures[1]?.differences).toEqual([
      'the process ended with exit code 3 before it responded',
    ]);
    expect(vectorFailures[2]?.differences).toEqual([expect.stringContaining('got the error')]);
  });

  it('deviates where it gives no response in time, and is started again', async () => {
    const { vectorFailures, stopped } = await run(
      program('hang', ''),
      { vectors: plain, runs: 1 },
      { timeoutMs: 50, maxTimeouts: 3 },
    );
    const reason = 'no response within 0.05 seconds';
    expect(vectorFailures.map(({ differences }) => differences)).toEqual([[reason], [reason]]);
    expect(stopped).toBe(`the implementation did not respond 3 times; the last time: ${reason}`);
  });

  it('ends the run when it crashed too often', async () => {
    const { vectorFailures, stopped } = await run(
      program('exit', 'process.exit(1);'),
      { vectors: plain, runs: 1 },
      { maxCrashes: 2 },
    );
    expect(vectorFailures).toHaveLength(1);
    expect(stopped).toMatch(
      /^the implementation crashed 2 times; the last time: the process ended with exit code 1/,
    );
  });

  it.runIf(process.platform !== 'win32')(
    'conforms if it started a process that keeps its output open',
    async () => {
      const holder = join(cwd, 'holder.mjs');
      // The process leaves the group of the implementation, so that it is not killed with it.
      writeFileSync(
        holder,
        `import { spawn } from 'node:child_process';
spawn('sleep', ['20'], { detached: true, stdio: ['ignore', 'inherit', 'ignore'] }).unref();`,
      );
      const startedAt = performance.now();
      const { conforms } = await run(
        `node ${holder} && exec ${stub()}`,
        { vectors: plain, runs: 0 },
        { timeoutMs: 500 },
      );
      expect(conforms).toBe(true);
      expect(performance.now() - startedAt).toBeLessThan(15_000);
    },
  );

  it.each([
    ['a line that is not JSON', 'write("debugging");', /got the line `debugging`$/],
    [
      'a response to another request',
      'write(JSON.stringify({ id: id + 1, ...rejected }));',
      /must contain only responses/,
    ],
    ['a second line', 'write(JSON.stringify({ id, ...rejected })); write("done");', /got the line `done`$/],
  ])('cannot be run if it writes %s', async (title, respond, message) => {
    const { conforms, stopped } = await run(program(title.replaceAll(' ', '-'), respond), {
      vectors: plain,
      runs: 1,
    });
    expect(conforms).toBe(false);
    expect(stopped).toMatch(message);
  });

  it.each([
    [
      'writes a line after its last response',
      'write("done");',
      '',
      /got the line `done` after the last response$/,
    ],
    [
      'writes text without a line feed at its end',
      '',
      'process.stdout.write("bye");',
      /got the line `bye` after the last response$/,
    ],
    [
      'ends with another exit code than 0',
      '',
      'process.exit(3);',
      /ended with exit code 3 after the last response/,
    ],
    [
      'ends with an error before its input is closed',
      'process.exitCode = 4; break;',
      '',
      /exit code 4 after/,
    ],
    ['does not end', '', 'setInterval(() => undefined, 1_000);', /did not end within 2 seconds/],
  ])('cannot be run if it %s', async (title, afterResponse, atEnd, message) => {
    const respond = `write(JSON.stringify({ id, error: ${JSON.stringify(rejected)} })); ${afterResponse}`;
    const command = program(title.replaceAll(' ', '-'), respond, atEnd);
    const { conforms, vectorCount, vectorFailures, stopped } = await run(
      command,
      { vectors: misspelled, runs: 0, without: ['did-you-mean'] },
      { timeoutMs: 2_000 },
    );
    expect([conforms, vectorCount, vectorFailures]).toEqual([false, 1, []]);
    expect(stopped).toMatch(message);
  });

  it.each([
    ['neither a result nor an error', '{}', /exactly one of `result`, `error` and `unsupported`; got none/],
    ['a result and an error', '{ result: {}, ...rejected }', /got result and error/],
    ['an error without a code', '{ error: {} }', /`error.code` must be a string/],
    [
      'problems that are no list',
      '{ error: { code: "invalid_query", problems: {} } }',
      /`error.problems` must be an array/,
    ],
    [
      'missing claims without scopes',
      '{ error: { code: "x", missing: [{ claim: "x.a" }] } }',
      /`error.missing` must be an array/,
    ],
    [
      'the statement that the request is unsupported',
      '{ unsupported: "checks" }',
      /does not support it: checks/,
    ],
  ])('deviates where it responds with %s', async (title, members, message) => {
    const command = program(title.replaceAll(' ', '-'), `write(JSON.stringify({ id, ...${members} }));`);
    const { vectorFailures, stopped } = await run(command, { vectors: plain.slice(0, 1), runs: 1 });
    expect(stopped).toBeUndefined();
    expect(vectorFailures[0]?.differences).toEqual([expect.stringMatching(message)]);
  });

  it.each([
    ['ends at once', 'exit 4', /`hello`: the process ended with exit code 4/],
    [
      'is not a command',
      'no-such-command-of-proviso 2> /dev/null',
      /`hello`: the process ended with exit code 127/,
    ],
    ['writes a banner', 'echo ready; cat > /dev/null', /`hello`: .*got the line `ready`/],
    ['does not respond', 'cat > /dev/null', /`hello`: no response within 0.2 seconds/],
    [
      'knows another protocol',
      'echo \'{"id":0,"result":{"protocol":2,"name":"x"}}\'; cat > /dev/null',
      /`result.protocol` must be 1; got 2/,
    ],
    ['has no name', 'echo \'{"id":0,"result":{"protocol":1}}\'; cat > /dev/null', /`result.name` must be/],
  ])('cannot be run if it %s', async (_title, command, message) => {
    const startTimeoutMs = command === 'cat > /dev/null' ? 200 : TIMEOUT_MS;
    const { conforms, implementation, stopped } = await run(command, {}, { startTimeoutMs });
    expect([conforms, implementation]).toEqual([false, undefined]);
    expect(stopped).toMatch(message);
  });
});

describe('declared deviations', () => {
  it('are not compared, and are counted', async () => {
    const one = vectors.filter(({ query }) => JSON.stringify(query).includes('"matchRegex"')).slice(0, 5);
    const respond = 'process.exit(1);';
    const { vectorCount, skipped, conforms } = await run(program('no-patterns', respond), {
      vectors: one,
      runs: 0,
      without: ['patterns'],
    });
    expect([conforms, vectorCount, skipped]).toEqual([true, 0, { vectors: 5, runs: 0 }]);
  });

  it('of `did-you-mean` make the problems of an object with an unknown member optional', async () => {
    const command = program(
      'no-did-you-mean',
      `write(JSON.stringify({ id, error: ${JSON.stringify(rejected)} }));`,
    );
    expect(await run(command, { vectors: misspelled, runs: 0, without: ['did-you-mean'] })).toMatchObject({
      conforms: true,
      vectorCount: 1,
    });
    expect(await run(command, { vectors: misspelled, runs: 0 })).toMatchObject({ conforms: false });
  });
});

describe('proviso conformance', () => {
  it('prints a summary in one line, and exits with 0 for an implementation that conforms', async () => {
    const { stdout, stderr, exitCode } = await runCommand(
      ['conformance', '--command', stub(), '--runs', '20', '--seed', '5'],
      { cwd },
    );
    expect([exitCode, stderr]).toEqual([0, '']);
    const count = vectors.length.toLocaleString('en');
    expect(stdout).toBe(
      `✓ conforms · stub 1.2.3 · query language v1 · ${count} of ${count} vectors · 20 random scenarios (seed 5)\n`,
    );
  });

  it('prints a counterexample and how to repeat it, and exits with 1 for one that deviates', async () => {
    const command = `${stub('ignores revocation (L10)')} # $HOME \`date\``;
    const args = ['conformance', '--no-vectors', '--seed', `${SEED}`, '--command', command];
    const { stdout, exitCode } = await runCommand(args, { cwd });
    expect(exitCode).toBe(1);
    expect(stdout).toContain('A random scenario, shrunk:');
    expect(stdout).toMatch(
      /✗ deviates · stub 1\.2\.3 · query language v1 · \d+ random scenarios \(seed 20261123\)\n$/,
    );
    const [, path = ''] = /--seed 20261123 --path (\S+)\n/.exec(stdout) ?? [];
    // The printed argument has the value of the command in a shell.
    const [, argument = ''] = /--command ('(?:[^']|'\\'')*')/.exec(stdout) ?? [];
    expect(execFileSync('sh', ['-c', `printf %s ${argument}`], { encoding: 'utf8' })).toBe(command);
    const again = await runCommand([...args, '--path', path, '--json'], { cwd });
    expect(JSON.parse(again.stdout)).toMatchObject({
      conforms: false,
      implementation: { name: 'stub', version: '1.2.3' },
      vectors: { run: 0 },
      scenarios: { run: 1, seed: SEED },
      counterexample: { path },
    });
  });

  it('prints no control characters of the implementation', () => {
    const name = 'x\u001b]0;y\u0007\u202e';
    const counts = { vectorCount: 0, vectorFailures: [], runs: 1, seed: 5, skipped: { vectors: 0, runs: 0 } };
    const ended = { ...counts, implementation: { name }, conforms: false, stopped: `got ${name}` };
    const text = formatConformance(ended, { command: 'x', without: [], codesOnly: false }, plainText);
    expect(text).toBe(`The run failed: got x?]0;y??

✗ failed · x?]0;y?? · query language v1 · 1 random scenarios (seed 5)`);
  });

  it('rejects an empty command with exit code 2', async () => {
    const { stdout, stderr, exitCode } = await runCommand(['conformance', '--command', ''], { cwd });
    expect([exitCode, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(
      /^error: option '--command <command>' argument '' is invalid\. It must not be empty\.\n/,
    );
  });

  it('exits with 2 for one that cannot be run, and for contradicting options', async () => {
    const failed = await runCommand(['conformance', '--command', 'exit 1'], { cwd });
    expect([failed.exitCode, failed.stdout]).toEqual([
      2,
      expect.stringMatching(/^The run failed: [\s\S]*✗ the implementation could not be run\n$/),
    ]);
    const wrong = await runCommand(['conformance', '--command', 'x', '--no-vectors', '--vectors-only'], {
      cwd,
    });
    expect([wrong.exitCode, wrong.stderr]).toEqual([
      2,
      'proviso: --vectors-only must not be combined with --no-vectors\n',
    ]);
  });

  // `setTimeout` waits for one millisecond if the delay is longer than 2^31 − 1 milliseconds.
  it('rejects a timeout that is not positive or too long', async () => {
    for (const timeout of ['0', 'ten', '2147484', '9999999']) {
      const { exitCode, stderr } = await runCommand(
        ['conformance', '--command', stub(), '--runs', '1', '--no-vectors', '--timeout', timeout],
        { cwd },
      );
      expect([timeout, exitCode]).toEqual([timeout, 2]);
      expect(stderr).toContain('It must be a positive number of at most 2147483.');
    }
    const { exitCode } = await runCommand(
      ['conformance', '--command', stub(), '--runs', '1', '--no-vectors', '--timeout', '2147483'],
      { cwd },
    );
    expect(exitCode).toBe(0);
  });
});
