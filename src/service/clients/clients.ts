/** Client authentication: by secret, by signature, or by client id alone for public clients (RFC 6749 §2.3, S84, S90–S92). */
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import {
  type Application,
  authMethodsOf,
  credentialMethodsOf,
  type TokenEndpointAuthMethod,
} from './application.js';

/** Credentials that a client sent to authenticate. */
export interface ClientCredentials {
  readonly clientId: string;
  /** How the credentials were sent: in the header, in the body, as an assertion, or the id alone. */
  readonly method: TokenEndpointAuthMethod;
  readonly clientSecret?: string;
  /** A JWT signed by the client, in place of a secret (RFC 7523 §2.2). */
  readonly assertion?: string;
}

/** Hash to compare with if there is none, so that an unknown client takes as long as a wrong secret (S121). */
const NO_HASH = 'A'.repeat(43);

/** Creates the use cases of clients. */
export function createClients(context: ServiceContext) {
  return {
    /** Whether pages of an origin may call the service (CORS): an active application has a redirect URI there. */
    async isRegisteredOrigin(origin: string): Promise<boolean> {
      return await context.store.isRegisteredOrigin(origin);
    },

    /**
     * Authenticates a client by its registered method only, or without one, by a method that its keys or its secret allow.
     *
     * @throws {ServiceError} `invalid_client`, indistinguishably for absent credentials, an unknown or revoked client, another method, and a wrong secret
     *   or signature.
     */
    async authenticate(credentials: ClientCredentials | undefined): Promise<Application> {
      return await authenticateBy(authMethodsOf, credentials, context);
    },

    /** Like `authenticate`, for confidential clients only (S118). @throws {ServiceError} `invalid_client` */
    async authenticateConfidential(credentials: ClientCredentials | undefined): Promise<Application> {
      const isConfidential = (method: TokenEndpointAuthMethod) => method !== 'none';
      return await authenticateBy((one) => authMethodsOf(one).filter(isConfidential), credentials, context);
    },

    /**
     * Authenticates a client by its secret or signature, regardless of the method registered for the token endpoint: a client that exchanges
     * codes with PKCE alone uses its secret for user tokens and the list of grants.
     *
     * @throws {ServiceError} `invalid_client`
     */
    async authenticateBySecretOrKey(credentials: ClientCredentials | undefined): Promise<Application> {
      return await authenticateBy(credentialMethodsOf, credentials, context);
    },
  };
}

async function authenticateBy(
  methodsOf: (application: Application) => readonly TokenEndpointAuthMethod[],
  credentials: ClientCredentials | undefined,
  context: ServiceContext,
): Promise<Application> {
  if (credentials === undefined) throw new ServiceError('invalid_client');
  const application = await context.store.findApplication(credentials.clientId);
  const secretMatches = matchesSecret(credentials, application, context);
  if (application === undefined) throw new ServiceError('invalid_client');
  if (application.revokedAt !== undefined) throw rejectClient(application, context);
  const accepted = methodsOf(application).includes(credentials.method);
  if (!accepted || !(await isProven(credentials, application, secretMatches, context)))
    throw rejectClient(application, context);
  return application;
}

async function isProven(
  credentials: ClientCredentials,
  application: Application,
  secretMatches: boolean,
  context: ServiceContext,
): Promise<boolean> {
  switch (credentials.method) {
    case 'none':
      return true;
    case 'client_secret_basic':
    case 'client_secret_post':
      return secretMatches;
    case 'private_key_jwt':
      return await isProvenBySignature(credentials, application, context);
  }
}

/** Records the rejection, for known applications only: unknown ids are text of unauthenticated callers. */
function rejectClient({ clientId, revokedAt }: Application, { audit, clock }: ServiceContext): ServiceError {
  const reason = revokedAt === undefined ? 'not_proven' : 'revoked';
  audit?.recordInBackground({ at: clock.now(), kind: 'client_refused', clientId, reason });
  return new ServiceError('invalid_client');
}

/** Always compares, so that an unknown client takes as long as a wrong secret (S121). */
function matchesSecret(
  { clientSecret }: ClientCredentials,
  application: Application | undefined,
  { digest }: ServiceContext,
): boolean {
  const matches = digest.equal(digest.sha256(clientSecret ?? ''), application?.secretHash ?? NO_HASH);
  return clientSecret !== undefined && application?.secretHash !== undefined && matches;
}

/** Whether an assertion proves the client. Each assertion is valid once, across all instances (RFC 7523 §3). */
async function isProvenBySignature(
  { assertion }: ClientCredentials,
  { clientId, keys = [] }: Application,
  { clientAssertions, store, digest, clock, settings, serviceKey }: ServiceContext,
): Promise<boolean> {
  if (assertion === undefined || clientAssertions === undefined) return false;
  const claims = await clientAssertions.verify(assertion, clientId, keys, settings.issuer, clock.now());
  if (claims === undefined) return false;
  const key = serviceKey.derive('client-assertions');
  const use = digest.hmacSha256(key, JSON.stringify([clientId, claims.id]));
  return await store.consumeAssertion(use, claims.expiresAt);
}
