/** The lock file holds every platform's packages and no address, so that `npm ci` works wherever it is run (S203). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

interface LockedPackage {
  readonly version?: string;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly hasInstallScript?: boolean;
  readonly dev?: boolean;
  readonly resolved?: string;
}

const root = new URL('../../', import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL('package-lock.json', root), 'utf8')) as {
  packages: Readonly<Record<string, LockedPackage>>;
};

it('every optional package of another platform is locked', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) =>
        packages[`${path}/node_modules/${name}`] === undefined &&
        packages[`node_modules/${name}`] === undefined,
    ),
  );
  expect(missing).toEqual([]);
});

it('no address of a registry stands in it', () => {
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
});

it('no package that runs in production has an install script', () => {
  const scripted = Object.entries(packages).filter(([, one]) => one.hasInstallScript && !one.dev);
  expect(scripted.map(([path]) => path)).toEqual([]);
});

it('every dependency is pinned exactly', () => {
  const { dependencies, devDependencies } = JSON.parse(
    readFileSync(new URL('package.json', root), 'utf8'),
  ) as {
    dependencies: Readonly<Record<string, string>>;
    devDependencies: Readonly<Record<string, string>>;
  };
  const loose = Object.entries({ ...dependencies, ...devDependencies }).filter(
    ([, range]) => !/^\d+\.\d+\.\d+/.test(range),
  );
  expect(loose).toEqual([]);
});
