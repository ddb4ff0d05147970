/** The names of the commands that need a service or its store: those that only the package `proviso-server` has. */
export const SERVICE_COMMAND_NAMES = [
  'serve',
  'config',
  'sandbox',
  'person',
  'audience',
  'audit',
  'keys',
  'migrate',
  'doctor',
  'encrypt',
  'backup',
  'client',
  'grants',
  'openapi',
] as const;

export type ServiceCommandName = (typeof SERVICE_COMMAND_NAMES)[number];
