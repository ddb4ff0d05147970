/**
 * Builds both packages: entry points, type declarations, commands. `proviso` into `dist`, with the JSON Schema; `proviso-server` into
 * `dist/server`, with the playground. `build/pack-server.ts` adds the manifest of `proviso-server`.
 *
 *   npm run build
 *   npm run dev     rebuilds on each change in `src`, and restarts `proviso serve`
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { brotliCompressSync } from 'node:zlib';
import { build, type Metafile, transformSync } from 'esbuild';
import { rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { build as buildEntries } from 'tsup';
import type { JsonValue } from '../src/index.js';
import { writeJson } from '../src/testing/write-json.js';
import { readVectorFiles } from '../test/vectors/vector-files.js';
import { SERVER_COMMAND } from '../tsup.config.js';
import { ENGINE_ENTRIES, engineSpecifier, MANIFEST, MINIFIED, ROOT, SERVER_ENTRIES } from './packages.js';

const WEB = join(ROOT, 'src/web');
const DIST = join(ROOT, 'dist');
const SERVER = join(DIST, 'server');
const COMMAND = join(DIST, 'cli.js');
/** TypeScript 7 is ten times as fast as `typescript`, which is also installed for its JavaScript API. */
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');
const FOLDER = join(SERVER, 'playground');
const ASSETS = join(FOLDER, 'assets');

/** Lists the packages in the minified bundles, for the list of licenses. */
const MINIFIED_METAFILE = 'metafile-minified.json';

/** The folders of declarations: for `import` and for `require`. */
const TYPE_FOLDERS = ['types', 'types-commonjs'] as const;

/** A relative specifier in a declaration. */
const IMPORT = /(?<=(?:from |import\()['"])\.[^'"]+(?=['"])/g;

const STYLESHEETS = [
  'design/tokens.css',
  'design/base.css',
  'design/components.css',
  'playground/playground.css',
];

const { values } = parseArgs({
  options: {
    watch: { type: 'boolean', default: false },
  },
});
if (values.watch) await serveOnChange();
else await buildPackages();

async function buildPackages(): Promise<void> {
  rmSync(DIST, { recursive: true, force: true });
  await buildEntries({ silent: true });
  await writeTypeDeclarations();
  await buildMinified();
  writeVectors();
  for (const folder of [DIST, SERVER]) {
    writeLicenses(folder);
    writeBin(folder);
  }
  linkServerPackage();
  await buildPlayground();
  const schemaOf = (...args: readonly string[]) =>
    execFileSync(process.execPath, [COMMAND, 'schema', ...args]);
  writeFileSync(join(DIST, 'policy-test.schema.json'), schemaOf('--tests'));
  writeFileSync(join(DIST, 'schema.json'), schemaOf());
}

/** Writes the licenses of the packages that are bundled, as the bundler lists them. */
function writeLicenses(folder: string): void {
  const paths = ['metafile-esm.json', MINIFIED_METAFILE].map((name) => join(folder, name)).filter(existsSync);
  const bundles = paths.map((path) => JSON.parse(readFileSync(path, 'utf8')) as Metafile);
  writeFileSync(join(folder, 'licenses.txt'), renderLicenses(bundles));
  for (const path of paths) rmSync(path);
}

/** Writes the bundles that only commands import. */
async function buildMinified(): Promise<void> {
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: MINIFIED,
    outdir: DIST,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync(join(DIST, MINIFIED_METAFILE), JSON.stringify(metafile));
}

/** Writes the vectors as `src/vectors` reads them. */
function writeVectors(): void {
  // The files were parsed from JSON.
  const vectors = writeJson(readVectorFiles().map(({ json }) => json as JsonValue));
  writeFileSync(join(DIST, 'vectors-v1.json.br'), brotliCompressSync(vectors));
}

/** Makes `proviso-server` importable by name in this checkout, as an installed package is: its entries re-export the built files. */
function linkServerPackage(): void {
  const folder = join(ROOT, 'node_modules/proviso-server');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const names = Object.keys(SERVER_ENTRIES);
  const exports = Object.fromEntries(names.map((name) => [`./${name}`, `./${name}.js`]));
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'proviso-server', type: 'module', exports }),
  );
  for (const name of names)
    writeFileSync(join(folder, `${name}.js`), `export * from '../../dist/server/${name}.js';\n`);
}

/** Writes the file that npm links as the command. It checks the version of Node before it loads files with newer syntax. */
function writeBin(folder: string): void {
  const check = readFileSync(join(ROOT, 'build/check-node.cjs'), 'utf8')
    .replace("require('../package.json').engines.node", `'${MANIFEST.engines.node}'`)
    .replace(/^\/\/ biome.*\n/gm, '');
  writeFileSync(join(folder, 'bin.cjs'), `#!/usr/bin/env node\n${check}require('./import-command.cjs');\n`, {
    mode: 0o755,
  });
  writeFileSync(join(folder, 'import-command.cjs'), "import('./cli.js');\n");
}

/**
 * Writes the type declarations that the entries of each package need.
 *
 * In `proviso-server`, types of the engine are imported from `proviso`: a copy of a class with private members is another type.
 */
async function writeTypeDeclarations(): Promise<void> {
  const all = join(DIST, 'types-of-all');
  execFileSync(process.execPath, [TSC, '-p', join(ROOT, 'tsconfig.types.json'), '--outDir', all], {
    stdio: 'inherit',
  });
  writeClientTypes(all);
  await bundleDeclarations(all);
  copyDeclarations(all, SERVER, Object.values(SERVER_ENTRIES), engineSpecifier);
  for (const folder of [DIST, SERVER])
    writeFileSync(join(folder, 'types-commonjs/package.json'), '{ "type": "commonjs" }\n');
  rmSync(all, { recursive: true });
}

/** Bundles the declarations of `proviso`: a file per entry, and files for declarations that entries share. A file per module would take twice the space. */
async function bundleDeclarations(all: string): Promise<void> {
  const names = Object.values(ENGINE_ENTRIES).map((path) => path.replace(/\.ts$/, ''));
  const bundle = await rollup({
    input: Object.fromEntries(names.map((name) => [name, join(all, `${name}.d.ts`)])),
    plugins: [dts()],
    logLevel: 'silent',
  });
  for (const types of TYPE_FOLDERS) {
    await bundle.write({
      dir: join(DIST, types),
      format: 'es',
      entryFileNames: '[name].d.ts',
      chunkFileNames: ({ name }) => `shared/${name.replace(/\.d$/, '')}.d.ts`,
    });
  }
  await bundle.close();
}

/** Copies the declarations that the entries reach: for `import`, and in a CommonJS folder for `require`. */
function copyDeclarations(
  all: string,
  folder: string,
  entries: readonly string[],
  specifierOf: (path: string) => string | undefined,
): void {
  const pending = new Set(entries);
  // A set also iterates over what is added meanwhile.
  for (const path of pending) {
    const file = path.replace(/\.ts$/, '.d.ts');
    const text = readFileSync(join(all, file), 'utf8').replace(IMPORT, (specifier) => {
      const target = relative(all, join(all, dirname(path), specifier))
        .replaceAll('\\', '/')
        .replace(/\.js$/, '.ts');
      const external = specifierOf(target);
      if (external === undefined) pending.add(target);
      return external ?? specifier;
    });
    for (const types of TYPE_FOLDERS) {
      mkdirSync(dirname(join(folder, types, file)), { recursive: true });
      writeFileSync(join(folder, types, file), text);
    }
  }
}

/** Copies the declarations of oauth4webapi, which `proviso/client` bundles. Leaves out their comments, which take most of the space. */
function writeClientTypes(all: string): void {
  const folder = join(all, 'client');
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace("from 'oauth4webapi'", "from './oauth4webapi.js'"),
    );
  }
  const declarations = readFileSync(join(ROOT, 'node_modules/oauth4webapi/build/index.d.ts'), 'utf8');
  writeFileSync(join(folder, 'oauth4webapi.d.ts'), declarations.replace(/^ *\/\*\*[\s\S]*?\*\/\n/gm, ''));
}

/** Builds the command and the playground, and runs the service; repeats this on each change. */
async function serveOnChange(): Promise<void> {
  await buildEntries({
    ...SERVER_COMMAND,
    config: false,
    silent: true,
    watch: 'src',
    onSuccess: async () => {
      await buildPlayground();
      const service = spawn(process.execPath, [join(SERVER, 'cli.js'), 'serve'], { stdio: 'inherit' });
      return () => void service.kill();
    },
  });
}

/** Writes the playground as static files: `index.html`, and content-hashed files under `assets`. */
async function buildPlayground(): Promise<void> {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(ASSETS, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/web/playground/main.tsx'],
    outdir: ASSETS,
    bundle: true,
    splitting: true,
    format: 'esm',
    minify: true,
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryNames: 'playground-[hash]',
    chunkNames: 'playground-[name]-[hash]',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const [entry, output] =
    Object.entries(metafile.outputs).find(([, { entryPoint }]) => entryPoint?.endsWith('main.tsx')) ?? [];
  if (entry === undefined || output === undefined) throw new Error('the playground has no entry');
  const chunks = output.imports
    .filter(({ kind }) => kind === 'import-statement')
    .map(({ path }) => basename(path));
  const page = readFileSync(join(WEB, 'playground/index.html'), 'utf8')
    .replace('{{style}}', writeStyle())
    .replace(
      '{{preload}}',
      chunks.map((name) => `<link rel="modulepreload" href="assets/${name}">\n`).join(''),
    )
    .replace('{{script}}', basename(entry));
  writeFileSync(join(FOLDER, 'index.html'), page);
  copyFileSync(join(WEB, 'design/mark.svg'), join(ASSETS, 'mark.svg'));
  writeFileSync(join(FOLDER, 'licenses.txt'), renderLicenses([metafile]));
}

/** Writes the stylesheet. @returns Its file name. */
function writeStyle(): string {
  const text = STYLESHEETS.map((path) => readFileSync(join(WEB, path), 'utf8')).join('\n');
  const { code } = transformSync(text, { loader: 'css', minify: true, target: 'chrome123' });
  const name = `playground-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.css`;
  writeFileSync(join(ASSETS, name), code);
  return name;
}

/** Renders the licenses of the packages in bundles. */
function renderLicenses(bundles: readonly Metafile[]): string {
  const packages = bundles
    .flatMap(({ inputs }) => Object.keys(inputs))
    .flatMap((path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(packages)]
    .sort()
    .map((path) => {
      const file = readdirSync(join(ROOT, path)).find((name) => /^licen[cs]e/i.test(name));
      const text =
        file === undefined || !existsSync(join(ROOT, path, file))
          ? ''
          : readFileSync(join(ROOT, path, file), 'utf8');
      return `${path.replace('node_modules/', '')}\n\n${text.trim()}\n`;
    })
    .join('\n---\n\n');
}
