/** The names of the commands about the service, which only the package `proviso-server` has. */
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
