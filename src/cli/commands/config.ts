/** `proviso config`: the configuration as it takes effect, with what is secret masked; with `--check`, whether it is right. */
import type { Command } from 'commander';
import {
  formatConfigurationProblems,
  type ReadConfiguration,
  readConfiguration,
} from '../configuration/read-configuration.js';
import { type Setting, settingEntries, variableOf } from '../configuration/settings.js';
import { CommandError, EXIT, printOutput } from '../output.js';

export interface ConfigOptions {
  /** A file of JSON; `PROVISO_CONFIG` where absent. */
  readonly config?: string;
  /** Only tells whether it is right. */
  readonly check?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function addConfig(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('config')
    .description('print the settings as they take effect, or only check them')
    .option('--config <file>', 'settings as JSON; PROVISO_CONFIG where absent')
    .option('--check', 'only tell whether they are right')
    .option('--json', 'print it as JSON')
    .addHelpText(
      'after',
      `
Secrets are masked. Ends with 0, or with 2 when something is not right: then everything that is not is listed.

Example:
  PROVISO_ENVIRONMENT=production proviso config --check`,
    )
    .action((options: ConfigOptions) => config(options, variables));
}

/** @throws {CommandError} With every problem at once, as `serve` would refuse to start for. */
function config(
  { config: file, check = false, ...options }: ConfigOptions,
  variables: NodeJS.ProcessEnv,
): void {
  const read = readConfiguration({ variables, file, serving: true });
  if (!check) {
    const settings = listEffectiveSettings(read);
    // As a shell would take it, and where it comes from.
    const lines = settings.map(({ variable, value, origin }) => `${variable}=${value}  # ${origin}`);
    printOutput(options, { settings }, lines.join('\n'));
  }
  if (read.problems.length > 0)
    throw new CommandError(formatConfigurationProblems(read.problems), EXIT.usage);
  if (check) printOutput(options, { right: true }, 'the configuration is right');
}

/** Each setting that has a value. */
function listEffectiveSettings({ values, origins }: ReadConfiguration) {
  const byName: Readonly<Record<string, unknown>> = values;
  return settingEntries()
    .filter(([name]) => byName[name] !== undefined)
    .map(([name, setting]) => ({
      variable: variableOf(name),
      value: displayValue(setting, byName[name]),
      origin: origins.get(name),
    }));
}

/** What a secret's type can show without it, such as a URL without its password; otherwise only that there is one. */
function displayValue({ type, secret }: Setting<unknown>, value: unknown): string {
  if (type.show !== undefined) return type.show(value);
  return secret ? '***' : String(value);
}
