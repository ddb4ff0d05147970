/** Registers commands. Each is loaded on demand: loading all of them takes most of a second. */
import type { Command } from 'commander';

/** The environment of a command. */
export interface CliContext {
  readonly variables: NodeJS.ProcessEnv;
  /** Version of this program. */
  readonly version: string;
}

export type AddCommand = (program: Command, context: CliContext) => Promise<void>;

/** Commands by name, in the order of the help. */
export type Commands = Readonly<Record<string, AddCommand>>;

/** The commands that need no service: those of the package `proviso`. */
export const ENGINE_COMMANDS: Commands = {
  eval: async (program) => (await import('./commands/eval.js')).addEval(program),
  match: async (program) => (await import('./commands/match.js')).addMatch(program),
  explain: async (program, { variables }) =>
    (await import('./commands/explain.js')).addExplain(program, variables),
  lint: async (program) => (await import('./commands/lint.js')).addLint(program),
  test: async (program, { variables }) => (await import('./commands/test.js')).addTest(program, variables),
  fmt: async (program) => (await import('./commands/fmt.js')).addFmt(program),
  compile: async (program) => (await import('./commands/compile.js')).addCompile(program),
  catalogue: async (program) => (await import('./commands/catalogue.js')).addCatalogue(program),
  bench: async (program) => (await import('./commands/bench.js')).addBench(program),
  conformance: async (program, { variables }) =>
    (await import('./commands/conformance.js')).addConformance(program, variables),
  completion: async (program) => (await import('./commands/completion.js')).addCompletion(program),
  schema: async (program) => (await import('./commands/schema.js')).addSchema(program),
};

/** The option that needs no registered command. */
const VERSION_FLAG = '--version';

/** The command that needs all commands to be registered, since its output lists them. */
const NEEDS_ALL_COMMANDS = 'completion';

/** Whether `name` is a command that can run without the other commands being registered. */
export function runsAlone(commands: Commands, name: string | undefined): name is string {
  return name !== undefined && name !== NEEDS_ALL_COMMANDS && Object.hasOwn(commands, name);
}

/**
 * Adds the command that is called. Adds all commands for `completion`, and without a known command, so that the help and the error list them. Adds
 * none for `--version`.
 *
 * @param name - The first argument.
 */
export async function addCommands(
  program: Command,
  commands: Commands,
  name: string | undefined,
  context: CliContext,
): Promise<void> {
  if (name === VERSION_FLAG) return;
  const alone = runsAlone(commands, name);
  for (const [command, add] of Object.entries(commands)) {
    if (!alone || command === name) await add(program, context);
  }
}
