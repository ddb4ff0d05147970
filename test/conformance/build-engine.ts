/** Builds the engine in memory with a modified file. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { AskedEngine } from './engine-evaluator.js';

const ENGINE = fileURLToPath(new URL('../../src/engine/', import.meta.url));

/**
 * Builds and imports the engine. Each build is a separate module; no file is written.
 *
 * @param file - Path from `src/engine/`.
 * @param edit - Returns the text to build instead of the file's. Exceptions are reported by the build.
 */
export async function buildEngine(file: string, edit: (text: string) => string): Promise<AskedEngine> {
  const plugin: Plugin = {
    name: 'edit',
    setup: ({ onLoad }) => {
      onLoad({ filter: new RegExp(`${file.replaceAll('.', '\\.')}$`) }, ({ path }) => ({
        contents: edit(readFileSync(path, 'utf8')),
        loader: 'ts',
      }));
    },
  };
  const { outputFiles } = await build({
    entryPoints: [`${ENGINE}index.ts`],
    bundle: true,
    write: false,
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
    plugins: [plugin],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  return import(/* @vite-ignore */ `data:text/javascript;base64,${code}`);
}
