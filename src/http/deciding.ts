/** Who may decide on an authorization by a program, and look at what it is about (V1, V2, S71). */
import type { IncomingMessage } from 'node:http';
import { type Service, ServiceError } from '../service/index.js';
import { assertSameOrigin, authorizationBegunAt, knownPerson, type PersonAtBrowser } from './browser.js';
import { assertAdministrator } from './callers.js';

/**
 * Passes in the sandbox for whoever knows the id; in production for the administrator, and for who is signed in at the browser that
 * began the authorization, unless another person has approved it there.
 *
 * @returns The person, where it is one who decides for themselves.
 * @throws {ServiceError} `token_missing`, `token_invalid`, `access_denied`, `not_found`, `rate_limited` …
 */
export async function assertMayDecide(
  id: string,
  request: IncomingMessage,
  service: Service,
): Promise<PersonAtBrowser | undefined> {
  if (service.environment.seeded) return undefined;
  const person =
    request.headers.authorization === undefined ? await knownPerson(request, service) : undefined;
  if (person === undefined) {
    await assertAdministrator(request, service);
    return undefined;
  }
  assertSameOrigin(request, service);
  const detail = await authorizationBegunAt(person.browserKey, id, service);
  const approvedBy = detail?.authorization.userId ?? person.userId;
  if (detail === undefined || approvedBy !== person.userId) throw new ServiceError('not_found');
  return person;
}
