/** The lock files contain the packages of every platform and no registry address, so that `npm ci` works everywhere (S203). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
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
      ([, range]) => !/^(?:npm:[\w@/-]+@)?\d+\.\d+\.\d+/.test(range),
    );
    expect(unpinned).toEqual([]);
  });
});

it('no package that runs in production has an install script', () => {
  const scripted = Object.entries(packagesOf('')).filter(([, one]) => one.hasInstallScript && !one.dev);
  expect(scripted.map(([path]) => path)).toEqual([]);
});
