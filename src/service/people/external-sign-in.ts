/**
 * Signing in at a deployment's own login (V2): it sends the browser back with a signed assertion of who signed in.
 *
 * The assertion is valid once, at the browser that was sent away and for that trip: what somebody finds in a history or a log opens
 * nothing, and nobody can sign another's browser in as themselves.
 */
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Authorization } from '../authorization/authorization.js';
import { type ExternalSignInAttempt, readSignInNonce } from '../authorization/browser-binding.js';
import { isAuthenticatedFor } from '../authorization/reauthentication.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { createOpaqueId } from '../tokens/opaque-token.js';
import type { Person } from './people.js';
import { isBeforeSignOut } from './sessions.js';

/** Who signed in, and how. */
export interface ExternalSignInResult {
  readonly person: Person;
  /** When the person signed in there, epoch milliseconds; absent where the login does not say. */
  readonly authenticatedAt?: number;
  /** The login says that the person was verified by palm (V6). */
  readonly palmVerified: boolean;
}

/** The trip that an assertion must come back from. */
export interface ExpectedAssertion extends ExternalSignInAttempt {
  /** The pending authorization itself; absent where there is none. */
  readonly authorization?: Authorization | undefined;
}

/** Signing in at an external login. */
export function createExternalSignIn(context: ServiceContext) {
  return {
    /**
     * Accepts an assertion and returns who signed in; a person who was not known is recorded.
     *
     * @returns `undefined` for an assertion that is invalid, was used before, is of another trip or a used one, or of a trip that began before
     *   the person's last sign-out.
     * @throws {ServiceError} `reauthentication_required` where the authorization asks for a later sign-in than the one that is asserted, or
     *   the assertion does not say when that was.
     */
    async acceptAssertion(
      text: string,
      { authorization, ...expected }: ExpectedAssertion,
    ): Promise<ExternalSignInResult | undefined> {
      const { store, clock, random, digest, settings, serviceKey, externalSignIn } = context;
      const assertion = await externalSignIn?.assertions.verify(text, settings.issuer, clock.now());
      if (assertion?.nonce === undefined) return undefined;
      const trip = readSignInNonce(assertion.nonce, expected, context);
      if (trip === undefined) return undefined;
      const { id, expiresAt, subject, email, authenticatedAt, palmVerified } = assertion;
      const use = (used: string, until: number) =>
        store.consumeAssertion(digest.hmacSha256(serviceKey, used), until);
      if (!(await use(`assertion:${id}`, expiresAt))) return undefined;
      if (!(await use(`nonce:${assertion.nonce}`, trip.rememberUntil))) return undefined;
      const signIn = authenticatedAt === undefined ? {} : { authenticatedAt };
      if (
        authorization !== undefined &&
        !isAuthenticatedFor(authorization, { ...signIn, authorizationId: authorization.id })
      )
        throw new ServiceError('reauthentication_required');
      const person = await store.getOrCreatePerson({
        id: createOpaqueId(random),
        name: subject,
        about: '',
        ...omitUndefined({ email }),
      });
      // An assertion is made after its trip began; one that may be older than the person's sign-out must not undo it.
      if (isBeforeSignOut(trip.startedAt, person)) return undefined;
      return { person, ...signIn, palmVerified };
    },
  };
}
