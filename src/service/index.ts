/** The service's public names: its use cases, its ports, its errors. */
export type { Application } from './clients/application.js';
export { type Environment, type EnvironmentName, SANDBOX } from './environment.js';
export {
  ERRORS,
  type ErrorContext,
  type ErrorDefinition,
  type ErrorSubcode,
  ServiceError,
} from './errors.js';
export type { Clock } from './ports/clock.js';
export type { Digest } from './ports/digest.js';
export type { Random } from './ports/random.js';
export {
  type DirectGrant,
  type PresentedToken,
  type Seed,
  type Store,
  StoreUnavailable,
} from './ports/store.js';
export {
  SANDBOX_CLIENT_SECRET,
  SANDBOX_CONFIDENTIAL_CLIENT_ID,
  SANDBOX_PUBLIC_CLIENT_ID,
} from './sandbox/applications.js';
export { SandboxError } from './sandbox/grant-token.js';
export { createService, type Service, type ServicePorts } from './service.js';
export type { Grant } from './tokens/authenticate-bearer.js';
export type { User } from './users/user.js';
