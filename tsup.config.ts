/** How both packages are built: their entry points for import and require, and their commands. */
import { defineConfig, type Options } from 'tsup';
import { bundledText } from './build/bundled-text.js';
import {
  ENGINE_ENTRIES,
  importEngine,
  importMinified,
  MANIFEST,
  SERVER_DEPENDENCIES,
  SERVER_ENTRIES,
  SERVER_PEERS,
} from './build/packages.js';

/** Messages in other languages are written without escapes, which take up to three times the space. */
const CHARSET = 'utf8';

const SHARED: Options = {
  target: 'node20',
  splitting: true,
  treeshake: true,
  loader: { '.svg': 'text', '.browser.js': 'text' },
  define: { PACKAGE_VERSION: JSON.stringify(MANIFEST.version) },
  esbuildPlugins: [bundledText],
};

function entriesOf(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(files).map(([name, file]) => [name, `src/${file}`]));
}

const SERVER: Options = {
  ...SHARED,
  esbuildOptions: (options) => {
    options.charset = CHARSET;
  },
  outDir: 'dist/server',
  external: [...SERVER_DEPENDENCIES, ...SERVER_PEERS],
};

/** The command of `proviso-server`. Its list of files names every bundled package. */
export const SERVER_COMMAND: Options = {
  ...SERVER,
  // Hundreds of files: bundled, so that a command starts in half the time.
  noExternal: ['kysely'],
  entry: { cli: 'src/cli/server-main.ts' },
  format: ['esm'],
  metafile: true,
  esbuildPlugins: [bundledText, importMinified],
};

/** `proviso`, which bundles oauth4webapi, intl-messageformat, fast-check and yaml: it has two dependencies. */
const ENGINE: Options = {
  ...SHARED,
  noExternal: ['oauth4webapi', /^@formatjs\//, 'intl-messageformat'],
  esbuildPlugins: [bundledText, importMinified],
  // The installed package has a budget. Names are kept, so that stack traces stay readable.
  esbuildOptions: (options) => {
    options.minifyWhitespace = true;
    options.minifySyntax = true;
    // Node prints the whole line of an uncaught error.
    options.lineLimit = 160;
    options.charset = CHARSET;
  },
};

export default defineConfig([
  {
    ...ENGINE,
    // In one build, so that the command and the entries share their modules.
    entry: {
      ...entriesOf(ENGINE_ENTRIES),
      cli: 'src/cli/main.ts',
      'column-worker': 'src/workers/column-worker.ts',
    },
    format: ['esm'],
    metafile: true,
  },
  { ...ENGINE, entry: entriesOf(ENGINE_ENTRIES), format: ['cjs'], minify: true, keepNames: true },
  {
    ...SERVER,
    entry: entriesOf(SERVER_ENTRIES),
    format: ['esm', 'cjs'],
    esbuildPlugins: [bundledText, importEngine],
  },
  SERVER_COMMAND,
]);
