/** `proviso config`: the configuration as it takes effect, with what is secret masked; with `--check`, whether it is right. */
import { listConfigurationProblems } from '../configuration/load-configuration.js';
import { type ReadConfiguration, readConfiguration } from '../configuration/read-configuration.js';
import { type Setting, settingEntries, variableOf } from '../configuration/settings.js';
import { CommandError, EXIT, printResult } from '../output.js';

export interface ConfigOptions {
  /** A file of JSON; `PROVISO_CONFIG` where absent. */
  readonly config?: string;
  /** Only tells whether it is right. */
  readonly check?: boolean;
}

/** @throws {CommandError} With every problem at once, as `serve` would refuse to start for. */
export function config({ config: file, check = false }: ConfigOptions, variables: NodeJS.ProcessEnv): void {
  const read = readConfiguration({ variables, file, serving: true });
  if (!check) printResult(effective(read));
  if (read.problems.length > 0) throw new CommandError(listConfigurationProblems(read.problems), EXIT.usage);
  if (check) printResult('the configuration is right');
}

/** A line for each setting that has a value: as a shell would take it, and where it comes from. */
function effective({ values, origins }: ReadConfiguration): string {
  const byName: Readonly<Record<string, unknown>> = values;
  return settingEntries()
    .filter(([name]) => byName[name] !== undefined)
    .map(([name, setting]) => {
      const value = shownValue(setting, byName[name]);
      return `${variableOf(name)}=${value}  # ${origins.get(name)}`;
    })
    .join('\n');
}

/** What a secret's type can show without it, such as a URL without its password; otherwise only that there is one. */
function shownValue({ type, secret }: Setting<unknown>, value: unknown): string {
  if (type.show !== undefined) return type.show(value);
  return secret ? '***' : String(value);
}
