/** Builds parts of the package in memory with a modified file. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { EngineUnderTest } from './engine-evaluator.js';

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/**
 * Builds and imports the engine.
 *
 * @param file - Path from `src/engine/`.
 * @param edit - Returns the text to build instead of the file's. Exceptions are reported by the build.
 */
export async function buildEngine(file: string, edit: (text: string) => string): Promise<EngineUnderTest> {
  return (await buildSource(['engine/index.js'], `engine/${file}`, edit)) as EngineUnderTest;
}

/**
 * Builds modules into one, and imports it. Each build is a separate module; no file is written.
 *
 * @param modules - Specifiers from `src/`, whose exports the built module has.
 * @param file - Path from `src/`.
 * @param edit - Returns the text to build instead of the file's. Exceptions are reported by the build.
 */
export async function buildSource(
  modules: readonly string[],
  file: string,
  edit: (text: string) => string,
): Promise<unknown> {
  const plugin: Plugin = {
    name: 'edit',
    setup: ({ onLoad }) => {
      onLoad({ filter: new RegExp(`/src/${file.replaceAll('.', '\\.')}$`) }, ({ path }) => ({
        contents: edit(readFileSync(path, 'utf8')),
        loader: 'ts',
      }));
    },
  };
  const { outputFiles } = await build({
    stdin: {
      contents: modules.map((name) => `export * from './${name}';`).join('\n'),
      resolveDir: SOURCE,
      loader: 'ts',
    },
    bundle: true,
    external: ['node:*'],
    write: false,
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
    plugins: [plugin],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
}
