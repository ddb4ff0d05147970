/** Bundles SQL files and stylesheets as strings: SQL without comments and most white space, stylesheets without comments and white space. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Plugin, transform } from 'esbuild';

const STYLESHEET = 'stylesheet';

export const bundledText: Plugin = {
  name: 'bundled-text',
  setup: ({ onLoad, onResolve }) => {
    onLoad({ filter: /\.sql$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replace(/^ *--.*\n|^\n|^ +|(?<=[(,])\n/gm, ''), loader: 'text' };
    });
    // tsup loads every path that ends with `.css` itself.
    onResolve({ filter: /\.css$/ }, ({ path, resolveDir }) => ({
      path: `${resolve(resolveDir, path)}.text`,
      namespace: STYLESHEET,
    }));
    onLoad({ filter: /\.text$/, namespace: STYLESHEET }, async ({ path }) => {
      const text = await readFile(path.slice(0, -'.text'.length), 'utf8');
      const { code } = await transform(text, { loader: 'css', minifyWhitespace: true });
      return { contents: code, loader: 'text' };
    });
  },
};
