/** Options of the checks that `npm run check` runs. A wrong value ends the process with status 2, so that no check passes without checking. */

/** Returns the names in `--only`, separated by commas and in any case; all names if the option is absent. */
export function selectNames<Name extends string>(
  kind: string,
  only: string | undefined,
  names: readonly Name[],
): readonly Name[] {
  if (only === undefined) return names;
  return only.split(',').map((given) => {
    const found = names.find((name) => name.toLowerCase() === given.toLowerCase());
    return found ?? reject(`unknown ${kind} "${given}" in --only; must be one of ${names.join(', ')}`);
  });
}

/** Returns `--runs` and `--seed`, by default a random seed. */
export function parseRunsAndSeed(
  values: { readonly runs?: string | undefined; readonly seed?: string | undefined },
  defaultRuns: number,
): { readonly runs: number; readonly seed: number } {
  const runs = Number(values.runs ?? defaultRuns);
  const seed = Number(values.seed ?? Date.now() | 0);
  if (!Number.isSafeInteger(runs) || !Number.isSafeInteger(seed) || runs < 1)
    reject('--runs must be a positive integer, and --seed an integer');
  return { runs, seed };
}

function reject(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
