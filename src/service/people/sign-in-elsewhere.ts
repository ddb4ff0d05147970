/**
 * Signing in at a deployment's own login (V2): it sends the browser back with a signed assertion of who signed in.
 *
 * The assertion is good once, and at the browser that was sent away: what somebody finds in a history or a log opens nothing, and nobody
 * can sign another's browser in as themselves.
 */
import type { Authorization } from '../authorization/authorization.js';
import { isAuthenticatedFor } from '../authorization/reauthentication.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { SignInElsewhere } from '../ports/assertion-verifier.js';
import { createOpaqueId } from '../tokens/opaque-token.js';
import type { User } from '../users/user.js';

/** Who signed in, and how. */
export interface SignedInElsewhere {
  readonly person: User;
  /** When the person signed in there, epoch milliseconds; absent where the login does not say. */
  readonly authenticatedAt?: number;
  /** The login says that the person was verified by palm (V6). */
  readonly palmVerified: boolean;
}

/** What an assertion must be for. */
export interface ExpectedAssertion {
  /** Binds the sign-in to the browser that was sent away. */
  readonly nonce: string;
  /** The authorization that waits for the person; absent where there is none. */
  readonly authorization?: Authorization | undefined;
}

type SignInContext = Pick<ServiceContext, 'store' | 'clock' | 'random' | 'digest' | 'settings' | 'cursorKey'>;

/**
 * Accepts an assertion and returns who signed in; a person who was not known is recorded.
 *
 * @returns `undefined` for an assertion that is invalid, was used before, or is another browser's.
 * @throws {ServiceError} `reauthentication_required` where the authorization asks for a later sign-in than the one that is asserted, or
 *   the assertion does not say when that was.
 */
export async function acceptAssertion(
  text: string,
  { nonce, authorization }: ExpectedAssertion,
  { assertions }: SignInElsewhere,
  { store, clock, random, digest, settings, cursorKey }: SignInContext,
): Promise<SignedInElsewhere | undefined> {
  const assertion = await assertions.verify(text, settings.issuer, clock.now());
  if (assertion?.nonce === undefined || !digest.equal(assertion.nonce, nonce)) return undefined;
  const { id, expiresAt, subject, email, authenticatedAt, palmVerified } = assertion;
  if (!(await store.useAssertion(digest.hmacSha256(cursorKey, `assertion:${id}`), expiresAt)))
    return undefined;
  const signIn = authenticatedAt === undefined ? {} : { authenticatedAt };
  if (
    authorization !== undefined &&
    !isAuthenticatedFor(authorization, { ...signIn, authorizationId: authorization.id })
  )
    throw new ServiceError('reauthentication_required');
  const person = await store.recordPerson({
    id: createOpaqueId(random),
    name: subject,
    about: '',
    ...(email === undefined ? {} : { email }),
  });
  return { person, ...signIn, palmVerified };
}
