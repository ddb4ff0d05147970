/** Runs the snippets, the command and the protocol examples of the page on conformance, and compares their results. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as proviso from '../../src/index.js';
import * as testing from '../../src/testing/index.js';
import { engineEvaluator } from '../conformance/engine-evaluator.js';
import { runCommand } from '../support/run-command.js';
import { readVectorFiles } from '../vectors/vector-files.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = readFileSync(`${ROOT}/docs/reference/conformance.md`, 'utf8');
const snippets = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const VECTOR_COUNT = readVectorFiles().flatMap(({ vectors }) => vectors).length;
const hasPython = spawnSync('python3', ['--version']).status === 0;
const engine = engineEvaluator(proviso.re2js);

/** Runs a snippet. @param bindings - Values of the names that the snippet uses without defining them. @returns The arguments of each `console.log`. */
async function run(
  snippet: string,
  bindings: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[][]> {
  const printed: unknown[][] = [];
  const modules: Readonly<Record<string, unknown>> = {
    proviso,
    'proviso/testing': testing,
    'node:fs/promises': {
      readFile: (path: string, encoding: BufferEncoding) => readFile(`${ROOT}/${path}`, encoding),
    },
  };
  const options = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
  const names = ['require', 'exports', 'console', ...Object.keys(bindings)];
  const code = `return (async () => { ${ts.transpile(snippet, options)} })()`;
  const values = [
    (name: string) => modules[name],
    {},
    { log: (...values: unknown[]) => printed.push(values) },
    ...Object.values(bindings),
  ];
  await new Function(...names, code)(...values);
  return printed;
}

const evaluateCorrectly = (
  query: never,
  credentials: never,
  scopes: string[],
  at: string,
  catalogue: never,
) => engine(query, credentials, { scopes, at, catalogue });

describe('the snippets on conformance', () => {
  it('run the vectors through an implementation, and print the failures', async () => {
    expect(await run(snippets[0] ?? '', { yourEngine: evaluateCorrectly })).toEqual([]);
    const evaluateWrongly = () => ({ error: { code: 'invalid_query' } });
    expect((await run(snippets[0] ?? '', { yourEngine: evaluateWrongly })).length).toBeGreaterThan(50);
  });

  it('compare an implementation with the reference on random scenarios', async () => {
    expect(await run(snippets[1] ?? '', { yourEngine: evaluateCorrectly })).toEqual([
      [true, VECTOR_COUNT, [], undefined],
    ]);
    const [[conforms, , , counterexample] = []] = await run(snippets[1] ?? '', {
      yourEngine: () => ({ error: { code: 'invalid_query' } }),
    });
    expect([conforms, counterexample]).toMatchObject([
      false,
      { differences: expect.any(Array), path: expect.any(String) },
    ]);
  });

  it.skipIf(!hasPython)('include a skeleton in Python, which supports no method except `hello`', async () => {
    const [, skeleton = ''] = /```python\n([\s\S]*?)```/.exec(PAGE) ?? [];
    const cwd = mkdtempSync(join(tmpdir(), 'proviso-skeleton-'));
    writeFileSync(join(cwd, 'impl.py'), skeleton);
    const [, command = ''] = /npx proviso (conformance .*)/.exec(PAGE) ?? [];
    const args = [
      ...command.split(/ (?=--command)/).flatMap((part) => part.replaceAll('"', '').split(/(?<=--command) /)),
      '--runs',
      '1',
      '--json',
    ];
    const { stdout, exitCode } = await runCommand(args, { cwd });
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      implementation: { name: 'my-implementation' },
      vectors: { run: VECTOR_COUNT, passed: 0 },
      counterexample: { differences: ['the implementation does not support it: evaluate'] },
    });
    rmSync(cwd, { recursive: true });
  });

  it('show requests of the protocol with the responses that the engine gives', async () => {
    const lines = [...PAGE.matchAll(/^→ (.*)\n← (.*)$/gm)].map(([, request = '', response = '']) => [
      request,
      response,
    ]);
    expect(lines.length).toBeGreaterThanOrEqual(5);
    // Requests with `…` have the other members of the first `evaluate` request.
    const unabbreviated = JSON.parse(lines[1]?.[0] ?? '');
    for (const [request = '', response = ''] of lines.slice(1)) {
      const { query, credentials, scopes, at, catalogue, method } = {
        ...unabbreviated,
        ...JSON.parse(request.replace(', …', '')),
      };
      const outcome =
        method === 'canonicalize'
          ? { result: proviso.canonicalText(proviso.parse(query)) }
          : engine(query, credentials, { scopes, at, catalogue });
      const { id, ...documented } = JSON.parse(response);
      const expected = 'error' in documented ? { error: documented.error } : { result: documented.result };
      const { code, problems, missing } = 'error' in outcome ? outcome.error : { code: undefined };
      const error = missing?.length
        ? { code, missing }
        : { code, problems: problems?.map((problem) => ({ code: problem.code, pointer: problem.pointer })) };
      expect([id, JSON.stringify('error' in outcome ? { error } : outcome)]).toEqual([
        id,
        JSON.stringify(expected),
      ]);
    }
  });
});
