/** `proviso config`: prints the effective configuration, with secrets masked; with `--check`, only validates it. */
import type { Command } from 'commander';
import {
  formatConfigurationProblems,
  type ReadConfiguration,
  readConfiguration,
} from '../configuration/read-configuration.js';
import { type Setting, settingEntries, variableOf } from '../configuration/settings.js';
import { CommandError, EXIT, printOutput } from '../output.js';

export interface ConfigOptions {
  /** A JSON file. Default: `PROVISO_CONFIG`. */
  readonly config?: string;
  /** Whether to only validate. */
  readonly check?: boolean;
  readonly json?: boolean;
}

/** Adds the command. */
export function addConfig(program: Command, variables: NodeJS.ProcessEnv): void {
  program
    .command('config')
    .description('print the effective settings, or validate them')
    .option('--config <file>', 'settings file (JSON); default: PROVISO_CONFIG')
    .option('--check', 'only validate the settings')
    .option('--json', 'print JSON')
    .addHelpText(
      'after',
      `
Secrets are masked. Exits with 0, or with 2 when a setting is invalid: then every problem is listed.

Example:
  PROVISO_ENVIRONMENT=production proviso config --check`,
    )
    .action((options: ConfigOptions) => config(options, variables));
}

/** @throws {CommandError} With all problems for which `serve` would not start. */
function config(
  { config: file, check = false, ...options }: ConfigOptions,
  variables: NodeJS.ProcessEnv,
): void {
  const read = readConfiguration({ variables, file, serving: true });
  if (!check) {
    const settings = listEffectiveSettings(read);
    // Values are not quoted: the output is for reading, not for a shell.
    const lines = settings.map(({ variable, value, origin }) => `${variable}=${value}  # ${origin}`);
    printOutput(options, { settings }, lines.join('\n'));
  }
  if (read.problems.length > 0)
    throw new CommandError(formatConfigurationProblems(read.problems), EXIT.usage);
  if (check) printOutput(options, { valid: true }, 'the configuration is valid');
}

/** Lists the settings that have a value. */
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

/** Formats a value for display. A secret is masked, except for the parts that its type shows, such as a URL without its password. */
function displayValue({ type, secret }: Setting<unknown>, value: unknown): string {
  if (type.show !== undefined) return type.show(value);
  return secret ? '***' : String(value);
}
