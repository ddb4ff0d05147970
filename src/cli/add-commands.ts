/** Registers the commands, in the order of the help. Each is loaded on demand: loading all of them takes most of a second. */
import type { Command } from 'commander';

/** The environment of a command. */
export interface CliContext {
  readonly variables: NodeJS.ProcessEnv;
  /** Version of this program. */
  readonly version: string;
}

type AddCommand = (program: Command, context: CliContext) => Promise<void>;

const COMMANDS: Readonly<Record<string, AddCommand>> = {
  serve: async (program, { variables, version }) =>
    (await import('./commands/serve.js')).addServe(program, variables, version),
  config: async (program, { variables }) =>
    (await import('./commands/config.js')).addConfig(program, variables),
  sandbox: async (program, { variables }) =>
    (await import('./commands/sandbox-token.js')).addSandbox(program, variables),
  person: async (program, { variables }) =>
    (await import('./commands/person.js')).addPerson(program, variables),
  eval: async (program) => (await import('./commands/eval.js')).addEval(program),
  explain: async (program, { variables }) =>
    (await import('./commands/explain.js')).addExplain(program, variables),
  lint: async (program) => (await import('./commands/lint.js')).addLint(program),
  test: async (program, { variables }) => (await import('./commands/test.js')).addTest(program, variables),
  audience: async (program, { variables }) =>
    (await import('./commands/audience.js')).addAudience(program, variables),
  audit: async (program, { variables }) => (await import('./commands/audit.js')).addAudit(program, variables),
  keys: async (program, { variables }) =>
    (await import('./commands/keys-rotate.js')).addKeys(program, variables),
  catalogue: async (program) => (await import('./commands/catalogue.js')).addCatalogue(program),
  migrate: async (program, { variables }) =>
    (await import('./commands/database.js')).addMigrate(program, variables),
  encrypt: async (program, { variables }) =>
    (await import('./commands/database.js')).addEncrypt(program, variables),
  backup: async (program, { variables }) =>
    (await import('./commands/database.js')).addBackup(program, variables),
  client: async (program, { variables }) =>
    (await import('./commands/client.js')).addClient(program, variables),
  bench: async (program) => (await import('./commands/bench.js')).addBench(program),
  openapi: async (program, { version }) =>
    (await import('./commands/openapi.js')).addOpenapi(program, version),
  completion: async (program) => (await import('./commands/completion.js')).addCompletion(program),
  schema: async (program) => (await import('./commands/schema.js')).addSchema(program),
};

/** Needs no command to be registered. */
const VERSION_FLAG = '--version';

/** Needs every command to be registered: its output lists them. */
const NEEDS_ALL_COMMANDS = 'completion';

/**
 * Adds the command that is called. Without a known command, adds all of them, so that the help and the error list them.
 *
 * @param name - The first argument.
 */
export async function addCommands(
  program: Command,
  name: string | undefined,
  context: CliContext,
): Promise<void> {
  if (name === VERSION_FLAG) return;
  const alone = name !== undefined && name !== NEEDS_ALL_COMMANDS && Object.hasOwn(COMMANDS, name);
  for (const [command, add] of Object.entries(COMMANDS)) {
    if (!alone || command === name) await add(program, context);
  }
}
