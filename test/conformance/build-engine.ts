/** Builds the engine in memory with a modified file. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';
import type { AskedEngine } from './engine-evaluator.js';

const ENGINE = fileURLToPath(new URL('../../src/engine/', import.meta.url));

/**
 * Builds and imports the engine. Each build is a module of its own, and no file is written.
 *
 * @param file - The path of the file below `src/engine/`.
 * @param edit - Returns the text to build in place of the file's. What it throws, the build reports.
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
