/** The examples import `proviso` and `proviso-server` by name, and published packages, but no other files of the checkout. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { SERVER_ENTRIES } from '../../build/packages.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FOLDER = join(ROOT, 'docs/examples');
const { exports, dependencies, devDependencies } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
) as Readonly<Record<'exports' | 'dependencies' | 'devDependencies', Readonly<Record<string, unknown>>>>;

const {
  compilerOptions: { paths },
} = JSON.parse(readFileSync(join(FOLDER, 'tsconfig.json'), 'utf8')) as {
  readonly compilerOptions: { readonly paths: Readonly<Record<string, unknown>> };
};

const FILES = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' }).filter((name) =>
  /\.(?:ts|mjs)$/.test(name),
);

it.each(FILES)('%s imports the packages by their names', (name) => {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(FOLDER, name), 'utf8'));
  const forbiddenImports = importedFiles
    .map(({ fileName }) => fileName)
    .filter((specifier) => {
      if (specifier.startsWith('.'))
        return !normalize(join(FOLDER, name, '..', specifier)).startsWith(FOLDER);
      if (/^proviso-server\//.test(specifier))
        return !(specifier.replace('proviso-server/', '') in SERVER_ENTRIES);
      if (specifier === 'proviso' || specifier.startsWith('proviso/'))
        return exports[specifier.replace('proviso', '.')] === undefined;
      const [scope = '', rest = ''] = specifier.split('/');
      const packageName = scope.startsWith('@') ? `${scope}/${rest}` : scope;
      return !specifier.startsWith('node:') && !(packageName in { ...dependencies, ...devDependencies });
    });
  expect(forbiddenImports).toEqual([]);
});

it.each(FILES.filter((name) => name.endsWith('.ts')))(
  'the TypeScript configuration of the examples maps the packages that %s imports to the sources',
  (name) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(FOLDER, name), 'utf8'));
    const unmapped = importedFiles
      .map(({ fileName }) => fileName)
      .filter((specifier) => /^proviso(?:-server)?(?:\/|$)/.test(specifier) && !(specifier in paths));
    expect(unmapped).toEqual([]);
  },
);

it.each(FILES)('%s opens with a description', (name) => {
  expect(readFileSync(join(FOLDER, name), 'utf8')).toMatch(/^\/\*\*/);
});
