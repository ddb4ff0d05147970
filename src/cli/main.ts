/**
 * The command of the package `proviso`: the commands that need no service. Runs those of `proviso-server` if that package is
 * installed; otherwise reports that it is required.
 */
import { existsSync } from 'node:fs';
import { ENGINE_COMMANDS, runsAlone } from './add-commands.js';
import { EXIT, printMessage } from './output.js';
import { runCommandLine } from './run-command-line.js';
import { SERVICE_COMMAND_NAMES } from './service-command-names.js';

const NOTE = `
The package proviso-server adds the commands of the service:
  ${SERVICE_COMMAND_NAMES.join(', ')}`;

const name = process.argv[2];
const server = name === '--version' || runsAlone(ENGINE_COMMANDS, name) ? undefined : findServerCommand();
const isServiceCommand = SERVICE_COMMAND_NAMES.some((command) => command === name);

if (server !== undefined) await import(server);
else if (isServiceCommand) {
  printMessage(`proviso: \`${name}\` requires the package proviso-server: npm install proviso-server`);
  process.exitCode = EXIT.usage;
} else await runCommandLine(ENGINE_COMMANDS, NOTE);

/** Finds the command of `proviso-server`: next to this file in a checkout, otherwise among the installed packages. */
function findServerCommand(): string | undefined {
  const built = new URL('./server/cli.js', import.meta.url);
  if (existsSync(built)) return built.href;
  try {
    return import.meta.resolve('proviso-server/cli');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND') return undefined;
    throw error;
  }
}
