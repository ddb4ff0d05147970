/** The lock files contain the packages of every platform and no registry address, so that `npm ci` works everywhere (S203). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MANIFEST, SERVER_DEPENDENCIES } from '../../build/packages.js';

interface LockedPackage {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optional?: boolean;
  readonly engines?: { readonly node?: string };
  readonly resolved?: string;
}

const root = new URL('../../', import.meta.url);

function packagesOf(folder: string): Readonly<Record<string, LockedPackage>> {
  const lock = JSON.parse(readFileSync(new URL(`${folder}package-lock.json`, root), 'utf8')) as {
    packages: Readonly<Record<string, LockedPackage>>;
  };
  return lock.packages;
}

describe.each([
  ['the package', ''],
  ['the benchmarks', 'bench/'],
  ['the documentation site', 'docs/site/'],
])('the lock file of %s', (_, folder) => {
  const packages = packagesOf(folder);

  it('contains the optional packages of every platform', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter(
        (name) =>
          packages[`${path}/node_modules/${name}`] === undefined &&
          packages[`node_modules/${name}`] === undefined,
      ),
    );
    expect(missing).toEqual([]);
  });

  it('contains no registry address', () => {
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });

  it('pins every dependency exactly', () => {
    const { dependencies, devDependencies } = JSON.parse(
      readFileSync(new URL(`${folder}package.json`, root), 'utf8'),
    ) as {
      dependencies: Readonly<Record<string, string>>;
      devDependencies: Readonly<Record<string, string>>;
    };
    const unpinned = Object.entries({ ...dependencies, ...devDependencies }).filter(
      ([, range]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+(?:-[\w.-]+)?$/.test(range),
    );
    expect(unpinned).toEqual([]);
  });
});

it('no package that runs in production has an install script', () => {
  const packages = packagesOf('');
  const installed = new Set(
    ['commander', 're2js', ...SERVER_DEPENDENCIES].map((name) => `node_modules/${name}`),
  );
  // A set also iterates over what is added meanwhile.
  for (const path of installed) {
    const { dependencies = {}, optionalDependencies = {} } = packages[path] ?? {};
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies }))
      installed.add(resolvePackage(packages, path, name));
  }
  expect(installed.size).toBeGreaterThan(30);
  expect([...installed].filter((path) => packages[path] === undefined)).toEqual([]);
  expect([...installed].filter((path) => packages[path]?.hasInstallScript)).toEqual([]);
});

it('every package runs on Node 20.19, the oldest supported version, so that `npm ci` prints no warning', () => {
  expect(MANIFEST.engines.node).toBe('>=20.19');
  const tooNew = Object.entries(packagesOf('')).filter(
    ([, { engines }]) => !runsOnOldest(engines?.node ?? '*'),
  );
  expect(tooNew.map(([path, { engines }]) => [path, engines?.node])).toEqual([]);
});

it.each([
  ['*', true],
  ['>=18', true],
  ['^18.1.0 || >=20', true],
  ['18 || 20.x', true],
  ['^20.17.0', true],
  ['~20.19.1', true],
  ['>= 18.0.0 <21', true],
  ['>=18 <=20', true],
  ['>=18 <20', false],
  ['>=18 <20.19', false],
  ['>=18 <=20.18', false],
  ['<20', false],
  ['>20', false],
  ['>=20.20', false],
  ['~20.17', false],
  ['^18 || >=22', false],
  ['lts', false],
])('the range %s includes Node 20.19: %s', (range, includes) => {
  expect(runsOnOldest(range)).toBe(includes);
});

/** Returns where Node finds a package that the package at a path imports: in the nearest `node_modules` that has it. */
function resolvePackage(
  packages: Readonly<Record<string, LockedPackage>>,
  path: string,
  name: string,
): string {
  const folders = path.split('/node_modules/');
  const candidates = folders.map((_, depth) =>
    [...folders.slice(0, folders.length - depth), name].join('/node_modules/'),
  );
  return candidates.find((candidate) => candidate in packages) ?? `node_modules/${name}`;
}

/** A bound of a range, such as `>= 18.0.0` or `20.x`. */
const BOUND = /(\^|~|[<>]=?)?\s*(\d+)(?:\.(\d+|[x*]))?(?:\.[\dx*]+)?/g;

/** Whether an alternative of a range, such as `^18.1.0 || >=20`, includes Node 20.19. */
function runsOnOldest(range: string): boolean {
  return range.split('||').some((alternative) => {
    const bounds = [...alternative.matchAll(BOUND)];
    return alternative.trim() === '*' || (bounds.length > 0 && bounds.every(allowsOldest));
  });
}

function allowsOldest([, operator = '', majorText, minorText = '*']: RegExpMatchArray): boolean {
  const major = Number(majorText);
  const minors = /\d/.test(minorText)
    ? [Number(minorText), Number(minorText)]
    : [0, Number.POSITIVE_INFINITY];
  // How the first and the last version that the bound names compare with 20.19.
  const [first = 0, last = 0] = minors.map((minor) => major - 20 || minor - 19);
  switch (operator) {
    case '>=':
      return first <= 0;
    case '>':
      return last < 0;
    case '<':
      return first > 0;
    case '<=':
      return last >= 0;
    case '^':
      return major === 20 && first <= 0;
    default:
      return first <= 0 && last >= 0;
  }
}
