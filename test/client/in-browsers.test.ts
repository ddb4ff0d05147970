/** The client runs in browsers: it uses no API of Node. */
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

it('the client is bundled for browsers without modules or globals of Node', async () => {
  const { outputFiles, metafile, warnings } = await build({
    stdin: {
      contents: "export * from './src/client/index.js'",
      resolveDir: fileURLToPath(new URL('../..', import.meta.url)),
      loader: 'ts',
    },
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs).filter((path) => path !== '<stdin>');
  const unexpected = inputs.filter(
    (path) => !/^(src\/client\/|src\/util\/|src\/system\/clock\.ts$|node_modules\/oauth4webapi\/)/.test(path),
  );
  expect([warnings, unexpected]).toEqual([[], []]);
  expect(outputFiles[0]?.text).not.toMatch(/node:|\brequire\(|\bprocess\.|\bBuffer\b|\b__dirname\b/);
});
