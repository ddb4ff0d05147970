/** Who may take credentials in and revoke them: whoever holds the administrator token, of which only the hash is known (S147). */
import type { ServiceContext } from './context.js';
import { ServiceError } from './errors.js';
import { authenticateBearer } from './tokens/authenticate-bearer.js';

/**
 * Passes for the administrator alone.
 *
 * @throws {ServiceError} `access_denied` for a living access token, which is a person's and never enough; otherwise `token_invalid`
 *   or `token_expired`.
 */
export async function assertAdministrator(token: string, context: ServiceContext): Promise<void> {
  const { administratorTokenHash, digest } = context;
  const held = digest.sha256(token);
  if (administratorTokenHash !== undefined && digest.equal(held, administratorTokenHash)) return;
  await authenticateBearer(token, context);
  throw new ServiceError('access_denied');
}
