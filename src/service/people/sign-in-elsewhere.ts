/**
 * Signing in at a deployment's own login (V2): it sends the browser back with a signed assertion of who signed in.
 *
 * The assertion is good once, and at the browser that was sent away: what somebody finds in a history or a log opens nothing, and nobody
 * can sign another's browser in as themselves.
 */
import type { ServiceContext } from '../context.js';
import type { SignInElsewhere } from '../ports/assertion-verifier.js';
import { createOpaqueId } from '../tokens/opaque-token.js';
import type { User } from '../users/user.js';

/** Who signed in, and how. */
export interface SignedInElsewhere {
  readonly person: User;
  /** The login says that the person was verified by palm (V6). */
  readonly palmVerified: boolean;
}

type SignInContext = Pick<ServiceContext, 'store' | 'clock' | 'random' | 'digest' | 'settings' | 'cursorKey'>;

/**
 * Who signed in; a person who was not known is, from now on.
 *
 * @param nonce - What ties the browser to the attempt.
 * @returns `undefined` for an assertion that is not one, was used before, or is another browser's.
 */
export async function acceptAssertion(
  text: string,
  nonce: string,
  { assertions }: SignInElsewhere,
  { store, clock, random, digest, settings, cursorKey }: SignInContext,
): Promise<SignedInElsewhere | undefined> {
  const assertion = await assertions.verify(text, settings.issuer, clock.now());
  if (assertion?.nonce === undefined || !digest.equal(assertion.nonce, nonce)) return undefined;
  const { id, expiresAt, subject, email } = assertion;
  if (!(await store.useAssertion(digest.hmacSha256(cursorKey, `assertion:${id}`), expiresAt)))
    return undefined;
  const person = await store.recordPerson({
    id: createOpaqueId(random),
    name: subject,
    about: '',
    ...(email === undefined ? {} : { email }),
  });
  return { person, palmVerified: assertion.palmVerified };
}
