/** The page on many people at once: its snippets run in their order, and print what their comments say. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { formatWithOptions } from 'node:util';
import ts from 'typescript';
import { expect, it, vi } from 'vitest';
import * as proviso from '../../src/index.js';

const PAGE = readFileSync(new URL('../../docs/bulk.md', import.meta.url), 'utf8');
const require = createRequire(import.meta.url);

it('the snippets on many people print what they say (V14)', async () => {
  const snippet = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, text]) => text).join('\n');
  const said = [...snippet.matchAll(/console\.log\(.*\/\/ (.*)\n/g)].map(([, text]) => text);
  const body = ts.transpile(snippet, { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 });
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  const run = new Function('require', 'exports', `return (async () => {${body}})();`);
  await run((name: string) => (name === 'proviso' ? proviso : require(name)), {});
  const printed = log.mock.calls.map((values) => formatWithOptions({ colors: false }, ...values));
  log.mockRestore();
  expect(said).toHaveLength(4);
  expect(printed).toEqual(said);
});
