/** Runs the commands of the page on conformance, and compares their output. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as proviso from '../../src/index.js';
import * as testing from '../../src/testing/index.js';
import { engineEvaluator } from '../conformance/engine-evaluator.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = readFileSync(`${ROOT}/docs/reference/conformance.md`, 'utf8');
const snippets = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text = '']) => text);
const engine = engineEvaluator(proviso.re2js);

/** Runs a snippet with values for the names that it leaves to the reader. @returns The arguments of each `console.log`. */
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
    expect(await run(snippets[1] ?? '', { yourEngine: evaluateCorrectly })).toEqual([[true, undefined]]);
    const [[conforms, counterexample] = []] = await run(snippets[1] ?? '', {
      yourEngine: () => ({ error: { code: 'invalid_query' } }),
    });
    expect([conforms, counterexample]).toMatchObject([
      false,
      { differences: expect.any(Array), path: expect.any(String) },
    ]);
  });
});
