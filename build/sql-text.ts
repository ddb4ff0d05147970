/** Bundles SQL files as strings, without lines that are comments or empty. */
import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';

export const sqlText: Plugin = {
  name: 'sql-text',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.sql$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      return { contents: text.replace(/^ *--.*\n|^\n/gm, ''), loader: 'text' };
    });
  },
};
