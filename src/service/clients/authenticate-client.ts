/** Who a client is: by its secret, by its signature, or as a public one by its id alone, with PKCE behind it (RFC 6749 §2.3, S84, S90–S92). */
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { Application } from './application.js';

/** What a client showed of itself. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret?: string;
  /** What it signed, in place of a secret (RFC 7523 §2.2). */
  readonly assertion?: string;
}

/** Any hash will do: it is compared with where there is none, so that an unknown client takes as long as a wrong secret (S121). */
const NO_HASH = 'A'.repeat(43);

/**
 * Authenticates a client. A confidential one shows its secret or signs, a public one shows nothing.
 *
 * @throws {ServiceError} `invalid_client`, with one answer for an unknown client, a revoked one and a wrong secret or signature.
 */
export async function authenticateClient(
  credentials: ClientCredentials | undefined,
  context: ServiceContext,
): Promise<Application> {
  if (credentials === undefined) throw new ServiceError('invalid_client');
  const application = await context.store.findApplication(credentials.clientId);
  const secretFits = isProvenBySecret(credentials, application, context);
  if (application === undefined) throw new ServiceError('invalid_client');
  if (application.revokedAt !== undefined) throw refusal(application, context);
  const proven =
    application.keys === undefined
      ? secretFits
      : await isProvenBySignature(credentials, application, context);
  if (!proven) throw refusal(application, context);
  return application;
}

/** As {@link authenticateClient}, for what only a confidential client may do (S118). @throws {ServiceError} `invalid_client` */
export async function authenticateConfidentialClient(
  credentials: ClientCredentials | undefined,
  context: ServiceContext,
): Promise<Application> {
  const application = await authenticateClient(credentials, context);
  if (application.secretHash === undefined && application.keys === undefined) {
    throw refusal(application, context);
  }
  return application;
}

/** Recorded of applications that are known: an id that is not may be anything that a stranger wrote, and as often as they like. */
function refusal({ clientId, revokedAt }: Application, { audit, clock }: ServiceContext): ServiceError {
  const reason = revokedAt === undefined ? 'not_proven' : 'revoked';
  audit?.note({ at: clock.now(), kind: 'client_refused', clientId, reason });
  return new ServiceError('invalid_client');
}

/** Compares whatever was shown, so that a client that is not known takes as long (S121). */
function isProvenBySecret(
  { clientSecret: shown, assertion }: ClientCredentials,
  application: Application | undefined,
  { digest }: ServiceContext,
): boolean {
  const matches = digest.equal(digest.sha256(shown ?? ''), application?.secretHash ?? NO_HASH);
  if (assertion !== undefined) return false;
  return application?.secretHash === undefined ? shown === undefined : shown !== undefined && matches;
}

/** One that signs has no other way, and each of its assertions is good once, on all instances together (RFC 7523 §3). */
async function isProvenBySignature(
  { assertion }: ClientCredentials,
  { clientId, keys = [] }: Application,
  { clientAssertions, store, digest, clock, settings, cursorKey }: ServiceContext,
): Promise<boolean> {
  if (assertion === undefined || clientAssertions === undefined) return false;
  const said = await clientAssertions.verify(assertion, clientId, keys, settings.issuer, clock.now());
  if (said === undefined) return false;
  const use = digest.hmacSha256(cursorKey, JSON.stringify(['client-assertion', clientId, said.id]));
  return await store.useAssertion(use, said.expiresAt);
}
