/** Who a client is: by its secret, or as a public one by its id alone, with PKCE behind it (RFC 6749 §2.3, S84, S90–S92). */
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { Application } from './application.js';

/** What a client showed of itself. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: string;
}

/** Any hash will do: it is compared with where there is none, so that an unknown client takes as long as a wrong secret (S121). */
const NO_HASH = 'A'.repeat(43);

/**
 * Authenticates a client. A confidential one shows its secret, a public one shows none.
 *
 * @throws {ServiceError} `invalid_client`, with one answer for an unknown client, a revoked one and a wrong secret.
 */
export async function authenticateClient(
  credentials: ClientCredentials | undefined,
  { store, digest }: ServiceContext,
): Promise<Application> {
  if (credentials === undefined) throw new ServiceError('invalid_client');
  const application = await store.findApplication(credentials.clientId);
  const shown = credentials.clientSecret;
  const matches = digest.equal(digest.sha256(shown ?? ''), application?.secretHash ?? NO_HASH);
  const proven = application?.secretHash === undefined ? shown === undefined : shown !== undefined && matches;
  if (application === undefined || application.revokedAt !== undefined || !proven) {
    throw new ServiceError('invalid_client');
  }
  return application;
}

/** As {@link authenticateClient}, for what only a confidential client may do (S118). @throws {ServiceError} `invalid_client` */
export async function authenticateConfidentialClient(
  credentials: ClientCredentials | undefined,
  context: ServiceContext,
): Promise<Application> {
  const application = await authenticateClient(credentials, context);
  if (application.secretHash === undefined) throw new ServiceError('invalid_client');
  return application;
}
