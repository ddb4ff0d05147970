/** Options of the checks that `npm run check` runs. A wrong value ends the process with status 2, so that no check passes without checking. */

/** Returns the names in `--only`, a list separated by commas, ignoring case; all names if the option is absent. */
export function selectNames<Name extends string>(
  kind: string,
  only: string | undefined,
  names: readonly Name[],
): readonly Name[] {
  if (only === undefined) return names;
  return only.split(',').map((given) => {
    const found = names.find((name) => name.toLowerCase() === given.toLowerCase());
    return found ?? rejectOptions(`unknown ${kind} "${given}" in --only; must be one of ${names.join(', ')}`);
  });
}

/** Returns `--runs` and `--seed`. The default seed is the time. */
export function parseRunsAndSeed(
  values: { readonly runs?: string | undefined; readonly seed?: string | undefined },
  defaultRuns: number,
): { readonly runs: number; readonly seed: number } {
  const runs = values.runs === undefined ? defaultRuns : parseCount('runs', values.runs);
  const seed = values.seed === undefined ? Date.now() | 0 : parseSeed(values.seed);
  return { runs, seed };
}

/** Returns an option that must be a positive integer, such as a number of rounds. */
export function parseCount(name: string, given: string): number {
  const number = Number(given);
  if (!Number.isSafeInteger(number) || number < 1)
    rejectOptions(`--${name} must be a positive integer (got "${given}")`);
  return number;
}

/** Returns `--seed`. */
export function parseSeed(given: string): number {
  const seed = Number(given);
  if (given.trim() === '' || !Number.isSafeInteger(seed))
    rejectOptions(`--seed must be an integer (got "${given}")`);
  return seed;
}

/** Returns an option that must be a positive number. */
export function parsePositiveNumber(name: string, given: string): number {
  const number = Number(given);
  if (!(Number.isFinite(number) && number > 0))
    rejectOptions(`--${name} must be a positive number (got "${given}")`);
  return number;
}

/** Returns an option that must be one of some names. */
export function parseChoice<Choice extends string>(
  name: string,
  given: string,
  choices: readonly Choice[],
): Choice {
  const found = choices.find((choice) => choice === given);
  return found ?? rejectOptions(`--${name} must be one of ${choices.join(', ')} (got "${given}")`);
}

/** Ends the process with status 2. */
export function rejectOptions(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}
