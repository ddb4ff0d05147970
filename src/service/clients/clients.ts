/** Client authentication: by secret, by signature, or by the id alone with PKCE behind it (RFC 6749 §2.3, S84, S90–S92). */
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import {
  type Application,
  authMethodsOf,
  credentialMethodsOf,
  type TokenEndpointAuthMethod,
} from './application.js';

/** What a client sent to authenticate. */
export interface ClientCredentials {
  readonly clientId: string;
  /** How it was sent: in the header, in the body, as an assertion, or the id alone. */
  readonly method: TokenEndpointAuthMethod;
  readonly clientSecret?: string;
  /** A JWT signed by the client, in place of a secret (RFC 7523 §2.2). */
  readonly assertion?: string;
}

/** Any hash will do: it is compared with where there is none, so that an unknown client takes as long as a wrong secret (S121). */
const NO_HASH = 'A'.repeat(43);

/** The clients: registered applications. */
export function createClients(context: ServiceContext) {
  return {
    /** Whether pages of an origin may call from a browser: an active application has a redirect URI there. */
    async isRegisteredOrigin(origin: string): Promise<boolean> {
      return await context.store.isRegisteredOrigin(origin);
    },

    /**
     * Authenticates a client by the method for which it is registered, and by no other.
     *
     * @throws {ServiceError} `invalid_client`, with one answer for an unknown client, a revoked one, another method and a wrong secret or
     *   signature.
     */
    async authenticate(credentials: ClientCredentials | undefined): Promise<Application> {
      return await authenticateBy(authMethodsOf, credentials, context);
    },

    /** As `authenticate`, for what only a confidential client may do (S118). @throws {ServiceError} `invalid_client` */
    async authenticateConfidential(credentials: ClientCredentials | undefined): Promise<Application> {
      const isConfidential = (method: TokenEndpointAuthMethod) => method !== 'none';
      return await authenticateBy((one) => authMethodsOf(one).filter(isConfidential), credentials, context);
    },

    /**
     * Authenticates a client by its secret or its signature, whatever it is registered to send to the token endpoint: a client that
     * exchanges codes by PKCE alone still has its secret for the user token.
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

/** Recorded of applications that are known: an id that is not may be anything that a stranger wrote, and as often as they like. */
function rejectClient({ clientId, revokedAt }: Application, { audit, clock }: ServiceContext): ServiceError {
  const reason = revokedAt === undefined ? 'not_proven' : 'revoked';
  audit?.recordInBackground({ at: clock.now(), kind: 'client_refused', clientId, reason });
  return new ServiceError('invalid_client');
}

/** Compares whatever was sent, so that an unknown client takes as long as a wrong secret (S121). */
function matchesSecret(
  { clientSecret }: ClientCredentials,
  application: Application | undefined,
  { digest }: ServiceContext,
): boolean {
  const matches = digest.equal(digest.sha256(clientSecret ?? ''), application?.secretHash ?? NO_HASH);
  return clientSecret !== undefined && application?.secretHash !== undefined && matches;
}

/** Each assertion is good once, on all instances together (RFC 7523 §3). */
async function isProvenBySignature(
  { assertion }: ClientCredentials,
  { clientId, keys = [] }: Application,
  { clientAssertions, store, digest, clock, settings, serviceKey }: ServiceContext,
): Promise<boolean> {
  if (assertion === undefined || clientAssertions === undefined) return false;
  const claims = await clientAssertions.verify(assertion, clientId, keys, settings.issuer, clock.now());
  if (claims === undefined) return false;
  const use = digest.hmacSha256(serviceKey, JSON.stringify(['client-assertion', clientId, claims.id]));
  return await store.consumeAssertion(use, claims.expiresAt);
}
