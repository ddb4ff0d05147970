/** Who may decide on an authorization by a program, and look at what it is about (V1, V2, S71). */
import type { IncomingMessage } from 'node:http';
import type { Service } from '../service/index.js';
import { assertAdministrator } from './callers.js';

/**
 * Passes in the sandbox for whoever knows the id, and in production for the administrator.
 *
 * @throws {ServiceError} `token_missing`, `token_invalid`, `access_denied`, `rate_limited` …
 */
export async function assertMayDecide(request: IncomingMessage, service: Service): Promise<void> {
  if (service.environment.seeded) return;
  await assertAdministrator(request, service);
}
