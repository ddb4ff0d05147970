import { readFileSync } from 'node:fs';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { bundledText } from '../../../build/bundled-text.js';

const STYLESHEETS = ['src/web/design/tokens.css', 'src/web/design/components.css', 'src/web/pages/pages.css'];

it.each(STYLESHEETS)(
  '%s is bundled without comments, and otherwise unchanged except for white space',
  async (file) => {
    const { outputFiles } = await build({
      stdin: { contents: `export { default } from './${file}';`, resolveDir: process.cwd() },
      bundle: true,
      write: false,
      format: 'cjs',
      plugins: [bundledText],
    });
    const module = { exports: {} as { default?: string } };
    new Function('module', outputFiles[0]?.text ?? '')(module);
    const source = readFileSync(file, 'utf8');
    const text = module.exports.default ?? '';
    expect(text.length).toBeLessThan(0.85 * source.length);
    expect(withoutSpace(text)).toBe(withoutSpace(source.replace(/\/\*.*?\*\//gs, '')));
  },
);

/** Removes white space, and what is optional: quotation marks around names, and semicolons at the ends of blocks. */
function withoutSpace(text: string): string {
  return text.replace(/[\s"]/g, '').replaceAll(';}', '}');
}
