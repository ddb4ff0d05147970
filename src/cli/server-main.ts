/** The entry point of the command of `proviso-server`: the commands of the engine and of the service. */
import { type AddCommand, ENGINE_COMMANDS } from './add-commands.js';
import { runCommandLine } from './run-command-line.js';
import type { ServiceCommandName } from './service-command-names.js';

const SERVICE_COMMANDS: Readonly<Record<ServiceCommandName, AddCommand>> = {
  serve: async (program, { variables, version }) =>
    (await import('./commands/serve.js')).addServe(program, variables, version),
  config: async (program, { variables }) =>
    (await import('./commands/config.js')).addConfig(program, variables),
  sandbox: async (program, { variables }) =>
    (await import('./commands/sandbox-token.js')).addSandbox(program, variables),
  person: async (program, { variables }) =>
    (await import('./commands/person.js')).addPerson(program, variables),
  audience: async (program, { variables }) =>
    (await import('./commands/audience.js')).addAudience(program, variables),
  audit: async (program, { variables }) => (await import('./commands/audit.js')).addAudit(program, variables),
  keys: async (program, { variables }) =>
    (await import('./commands/keys-rotate.js')).addKeys(program, variables),
  migrate: async (program, { variables }) =>
    (await import('./commands/database.js')).addMigrate(program, variables),
  doctor: async (program, { variables }) =>
    (await import('./commands/doctor.js')).addDoctor(program, variables),
  encrypt: async (program, { variables }) =>
    (await import('./commands/database.js')).addEncrypt(program, variables),
  backup: async (program, { variables }) =>
    (await import('./commands/database.js')).addBackup(program, variables),
  client: async (program, { variables }) =>
    (await import('./commands/client.js')).addClient(program, variables),
  grants: async (program, { variables }) =>
    (await import('./commands/grants.js')).addGrants(program, variables),
  openapi: async (program, { version }) =>
    (await import('./commands/openapi.js')).addOpenapi(program, version),
};

await runCommandLine({ ...SERVICE_COMMANDS, ...ENGINE_COMMANDS });
