/** How the package is built: its entry points for import and require, and the command with its worker. */
import { defineConfig, type Options } from 'tsup';
import { sqlText } from './build/sql-text.js';

const shared: Options = {
  target: 'node20',
  splitting: true,
  treeshake: true,
  loader: { '.css': 'text', '.svg': 'text', '.browser.js': 'text' },
  esbuildPlugins: [sqlText],
};

/** The command, with its worker. */
export const COMMAND_ENTRIES: Options = {
  ...shared,
  entry: { cli: 'src/cli/main.ts', 'column-worker': 'src/workers/column-worker.ts' },
  format: ['esm'],
  // Bundled, so that a command starts in half the time: some of them are hundreds of files.
  noExternal: [/^(kysely|date-fns|@date-fns|yaml$)/],
  // The CommonJS build that `yaml` has for Node cannot be bundled as ESM; its other build is ESM.
  esbuildOptions: (options) => {
    options.alias = { yaml: './node_modules/yaml/browser/index.js' };
  },
  metafile: true,
};

export default defineConfig([
  {
    ...shared,
    entry: {
      index: 'src/index.ts',
      analysis: 'src/analysis/index.ts',
      builder: 'src/builder/index.ts',
      'policy-tests': 'src/policy-tests/index.ts',
      client: 'src/client/index.ts',
      testing: 'src/testing/index.ts',
      're2-wasm': 'src/regex/re2-wasm.ts',
      service: 'src/service/index.ts',
      http: 'src/http/index.ts',
      system: 'src/system/index.ts',
      sqlite: 'src/stores/sqlite/index.ts',
      postgres: 'src/stores/postgres/index.ts',
      sql: 'src/sql/index.ts',
      workers: 'src/workers/index.ts',
    },
    format: ['esm', 'cjs'],
  },
  COMMAND_ENTRIES,
]);
