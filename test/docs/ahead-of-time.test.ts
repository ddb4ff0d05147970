/** Runs the snippets of the page on generated modules, and builds with its plugins. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as esbuild from 'esbuild';
import ts from 'typescript';
import { afterAll, expect, it } from 'vitest';
import * as codegen from '../../src/codegen/index.js';
import * as proviso from '../../src/index.js';
import { runSnippets } from '../support/run-snippets.js';

const PAGE = readFileSync(new URL('../../docs/guides/ahead-of-time.md', import.meta.url), 'utf8');
const ADULT = { check: { claim: 'identity.age', operator: '>=', value: 18 } };
const require = createRequire(import.meta.url);
const modules: Readonly<Record<string, unknown>> = { proviso, 'proviso/codegen': codegen };

const folder = mkdtempSync(join(tmpdir(), 'proviso-ahead-'));
writeFileSync(join(folder, 'adult.policy'), JSON.stringify(ADULT));
const USE =
  "import { test } from './adult.policy'; export default [34, 7].map((age) => test({ 'identity.age': age }));";
writeFileSync(join(folder, 'main.js'), USE);

afterAll(() => rmSync(folder, { recursive: true }));

it('the snippets on generated modules print the output in their comments', async () => {
  const { expected, printed } = await runSnippets(PAGE, modules);
  expect(expected).toHaveLength(3);
  expect(printed).toEqual(expected);
});

it('the snippet that uses a module runs with the generated module', async () => {
  writeFileSync(join(folder, 'adult.mjs'), codegen.generateModule(ADULT, { evidence: true }).code);
  const [, snippet = ''] = /```js\n([\s\S]*?)```/.exec(PAGE) ?? [];
  const values = snippet.replace(/^(test|evaluate|claims)(.*);(.*)$/gm, 'values.push($1$2);$3');
  writeFileSync(join(folder, 'use.mjs'), `export const values = [];\n${values}`);
  const { values: found } = (await import(join(folder, 'use.mjs'))) as {
    readonly values: readonly unknown[];
  };
  expect(found).toEqual([true, expect.objectContaining({ passed: true }), ['identity.age']]);
});

it('the plugin for esbuild bundles a query as a module', async () => {
  const { outputFiles } = await esbuild.build({
    entryPoints: [join(folder, 'main.js')],
    bundle: true,
    write: false,
    format: 'esm',
    plugins: [pluginOf<esbuild.Plugin>('policiesForEsbuild')],
  });
  expect(await importText(outputFiles[0]?.text)).toEqual([true, false]);
});

it('the plugin for Vite bundles a query as a module', async () => {
  const { build } = await import('vite');
  const built = await build({
    root: folder,
    configFile: false,
    logLevel: 'silent',
    plugins: [pluginOf<{ readonly name: string }>('policies')],
    build: { write: false, lib: { entry: 'main.js', formats: ['es'] } },
  });
  const [output] = Array.isArray(built) ? built : [];
  expect(await importText(output?.output[0].code)).toEqual([true, false]);
});

/** Runs the snippet that defines a plugin. */
function pluginOf<Plugin extends object>(name: string): Plugin {
  const snippet = [...PAGE.matchAll(/```ts\n([\s\S]*?)```/g)].find(([, text]) =>
    text?.includes(`const ${name}`),
  )?.[1];
  const body = ts.transpile(snippet ?? '', {
    module: ts.ModuleKind.CommonJS,
    target: ts.ScriptTarget.ES2022,
  });
  const run = new Function('require', 'exports', `${body}; return ${name};`);
  return run((specifier: string) => modules[specifier] ?? require(specifier), {}) as Plugin;
}

/** Returns the default export of a module. */
async function importText(text = ''): Promise<unknown> {
  const module = (await import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(text)}`)) as {
    readonly default: unknown;
  };
  return module.default;
}
