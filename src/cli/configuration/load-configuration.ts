/** The configuration, or the command's end with every problem of it. */
import { CommandError, EXIT } from '../output.js';
import { type ConfigurationSources, readConfiguration } from './read-configuration.js';
import type { Configuration } from './settings.js';

/** @throws {CommandError} With every problem at once. */
export function loadConfiguration(sources: ConfigurationSources): Configuration {
  const { values, problems } = readConfiguration(sources);
  if (problems.length > 0) throw new CommandError(listConfigurationProblems(problems), EXIT.usage);
  return values;
}

/** A line each, under a heading. */
export function listConfigurationProblems(problems: readonly string[]): string {
  return ['the configuration is not right:', ...problems.map((problem) => `  ${problem}`)].join('\n');
}
