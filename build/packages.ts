/**
 * The two published packages: `proviso` (the root manifest) and `proviso-server`, whose files the build writes to `dist/server`.
 *
 * Both have one version, one license and one public address: those of the root manifest.
 */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'esbuild';

export const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SRC = resolve(ROOT, 'src');

/** The members of the root manifest that `proviso-server` shares. */
const SHARED = [
  'version',
  'license',
  'type',
  'sideEffects',
  'publishConfig',
  'repository',
  'homepage',
  'bugs',
  'engines',
] as const;

export interface Manifest extends Readonly<Partial<Record<(typeof SHARED)[number], unknown>>> {
  readonly version: string;
  readonly engines: { readonly node: string };
  /** The public address, which `npm run release` fills: links of the READMEs, `homepage` and `bugs` are derived from it. */
  readonly repository?: { readonly type: 'git'; readonly url: string };
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

export const MANIFEST = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as Manifest;

/** The entries of `proviso`, by name: files in `src`. */
export const ENGINE_ENTRIES = {
  index: 'index.ts',
  analysis: 'analysis/index.ts',
  builder: 'builder/index.ts',
  client: 'client/index.ts',
  codegen: 'codegen/index.ts',
  internal: 'internal.ts',
  convert: 'convert/index.ts',
  describe: 'describe/index.ts',
  'policy-set': 'policy-set/index.ts',
  'policy-tests': 'policy-tests/index.ts',
  testing: 'testing/index.ts',
  're2-wasm': 'regex/re2-wasm.ts',
  sql: 'sql/index.ts',
  workers: 'workers/index.ts',
} as const;

/**
 * The bundles that only commands import: `testing` with fast-check, which is a peer dependency of `proviso/testing`, and yaml. Minified, since they
 * contain packages.
 */
export const MINIFIED = {
  'conformance-kit': 'src/cli/conformance/kit.ts',
  // The CommonJS build that `yaml` has for Node cannot be bundled as ESM; its other build is ESM.
  yaml: 'node_modules/yaml/browser/index.js',
} as const;

/** The entries of `proviso-server`, by name: files in `src`. */
export const SERVER_ENTRIES = {
  service: 'service/index.ts',
  http: 'http/index.ts',
  system: 'system/index.ts',
  sqlite: 'stores/sqlite/index.ts',
  postgres: 'stores/postgres/index.ts',
} as const;

/**
 * The packages that `proviso-server` depends on, besides `proviso`. It bundles all others. `kysely` is one of them because the type declarations
 * import it; the command bundles it as well.
 */
export const SERVER_DEPENDENCIES = [
  '@noble/hashes',
  'commander',
  'jose',
  'kysely',
  'libsql',
  'pg',
  'pino',
  'prom-client',
  're2js',
];

/** The packages that extend `proviso-server` if they are installed. */
export const SERVER_PEERS = ['@duckdb/node-api'];

/** The layers that `proviso` contains. */
const ENGINE_LAYERS =
  /^(?:analysis|builder|client|codegen|convert|describe|engine|policy-set|policy-tests|re2-syntax|regex|sql|testing|workers)\//;

/** The files of other layers that `proviso` exports: a second copy would have other classes. */
const ENGINE_FILES: readonly string[] = [
  'index.ts',
  'engine/index.ts',
  'regex/re2js.ts',
  'util/proviso-error.ts',
];

/**
 * Returns the specifier by which `proviso-server` imports a source file.
 *
 * @param path - From `src`.
 * @returns `undefined` for a file that `proviso-server` contains.
 */
export function engineSpecifier(path: string): string | undefined {
  if (ENGINE_FILES.includes(path)) return 'proviso';
  const entry = Object.entries(ENGINE_ENTRIES).find(([, file]) => file === path);
  if (entry !== undefined) return `proviso/${entry[0]}`;
  return ENGINE_LAYERS.test(path) ? 'proviso/internal' : undefined;
}

const INTERNAL = readFileSync(resolve(SRC, 'internal.ts'), 'utf8');

/** Imports the sources of `proviso` from the package, so that there is one engine: one class of each name. */
export const importEngine: Plugin = {
  name: 'import-engine',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^\./ }, ({ importer, path }) => {
      const file = relative(SRC, resolve(dirname(importer), path)).replaceAll('\\', '/');
      const specifier = engineSpecifier(file.replace(/\.js$/, '.ts'));
      if (specifier === undefined) return undefined;
      if (specifier === 'proviso/internal' && !INTERNAL.includes(`'./${file}'`))
        return {
          errors: [{ text: `src/internal.ts must export './${file}', since proviso-server imports it` }],
        };
      return { path: specifier, external: true };
    });
  },
};

/** Imports the bundles in {@link MINIFIED} from the package. */
export const importMinified: Plugin = {
  name: 'import-minified',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^yaml$|\/kit\.js$/ }, ({ importer, path }) => {
      if (!relative(SRC, importer).startsWith('cli')) return undefined;
      return { path: `proviso/${path === 'yaml' ? 'yaml' : 'conformance-kit'}`, external: true };
    });
  },
};

/** Returns the manifest of `proviso-server`. */
export function serverManifest(): Readonly<Record<string, unknown>> {
  const versions = { ...MANIFEST.devDependencies, ...MANIFEST.dependencies };
  const versionsOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, versions[name]]));
  const exports = Object.keys(SERVER_ENTRIES).map((name) => [
    `./${name}`,
    {
      import: { types: `./types/${typesOf(name)}`, default: `./${name}.js` },
      require: { types: `./types-commonjs/${typesOf(name)}`, default: `./${name}.cjs` },
    },
  ]);
  return {
    name: 'proviso-server',
    description:
      'The OAuth 2.0 and OpenID Connect server of Proviso: consent, credentials, queries, on SQLite or PostgreSQL.',
    keywords: ['oauth2', 'openid-connect', 'authorization-server', 'consent', 'claims', 'credentials'],
    ...Object.fromEntries(SHARED.map((name) => [name, MANIFEST[name]])),
    bin: { 'proviso-server': './bin.cjs' },
    exports: { ...Object.fromEntries(exports), './cli': './cli.js', './package.json': './package.json' },
    dependencies: { proviso: MANIFEST.version, ...versionsOf(SERVER_DEPENDENCIES) },
    peerDependencies: versionsOf(SERVER_PEERS),
    peerDependenciesMeta: Object.fromEntries(SERVER_PEERS.map((name) => [name, { optional: true }])),
  };
}

function typesOf(name: string): string {
  const files: Readonly<Record<string, string>> = SERVER_ENTRIES;
  return files[name]?.replace(/\.ts$/, '.d.ts') ?? '';
}
