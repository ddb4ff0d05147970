/**
 * Builds the package into `dist`: entry points, type declarations, command, playground, JSON Schema.
 *
 *   npm run build
 *   npm run dev     rebuilds on each change in `src`, and restarts `proviso serve`
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build, type Metafile, transformSync } from 'esbuild';
import { build as buildEntries } from 'tsup';
import { COMMAND_ENTRIES } from '../tsup.config.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const WEB = join(ROOT, 'src/web');
const DIST = join(ROOT, 'dist');
const COMMAND = join(DIST, 'cli.js');
/** TypeScript 7 is ten times as fast as `typescript`, which is also installed for its JavaScript API. */
const TSC = join(ROOT, 'node_modules/typescript-7/bin/tsc');
const FOLDER = join(DIST, 'playground');
const ASSETS = join(FOLDER, 'assets');

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
else await buildPackage();

async function buildPackage(): Promise<void> {
  rmSync(DIST, { recursive: true, force: true });
  await buildEntries({ silent: true });
  writeTypeDeclarations();
  writeLicensesOfCommand();
  await buildPlayground();
  writeFileSync(join(DIST, 'schema.json'), execFileSync(process.execPath, [COMMAND, 'schema']));
}

/** Writes the type declarations twice: for `import`, and in a CommonJS folder for `require`. */
function writeTypeDeclarations(): void {
  execFileSync(process.execPath, [TSC, '-p', join(ROOT, 'tsconfig.types.json')], { stdio: 'inherit' });
  cpSync(join(DIST, 'types'), join(DIST, 'types-commonjs'), { recursive: true });
  writeFileSync(join(DIST, 'types-commonjs/package.json'), '{ "type": "commonjs" }\n');
}

/** Writes the licenses of the packages that are bundled with the command, as the bundler lists them. */
function writeLicensesOfCommand(): void {
  const path = join(DIST, 'metafile-esm.json');
  const metafile = JSON.parse(readFileSync(path, 'utf8')) as Metafile;
  writeFileSync(join(DIST, 'licenses.txt'), renderLicenses(metafile));
  rmSync(path);
}

/** Builds the command and the playground, and runs the service; repeats this on each change. */
async function serveOnChange(): Promise<void> {
  await buildEntries({
    ...COMMAND_ENTRIES,
    config: false,
    silent: true,
    watch: 'src',
    onSuccess: async () => {
      await buildPlayground();
      const service = spawn(process.execPath, [COMMAND, 'serve'], { stdio: 'inherit' });
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
  writeFileSync(join(FOLDER, 'licenses.txt'), renderLicenses(metafile));
}

/** Writes the stylesheet. @returns Its file name. */
function writeStyle(): string {
  const text = STYLESHEETS.map((path) => readFileSync(join(WEB, path), 'utf8')).join('\n');
  const { code } = transformSync(text, { loader: 'css', minify: true, target: 'chrome123' });
  const name = `playground-${createHash('sha256').update(code).digest('hex').slice(0, 8)}.css`;
  writeFileSync(join(ASSETS, name), code);
  return name;
}

/** Renders the licenses of the packages in a bundle. */
function renderLicenses({ inputs }: Metafile): string {
  const packages = Object.keys(inputs).flatMap(
    (path) => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  );
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
