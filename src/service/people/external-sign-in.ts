/**
 * Sign-in at an external login of the deployment (V2), which sends the browser back with a signed assertion.
 *
 * The assertion is valid once, for the browser and sign-in that it was requested for. This prevents login CSRF and the reuse of an assertion from
 * a browser history or log.
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

/** The result of an external sign-in. */
export interface ExternalSignInResult {
  readonly person: Person;
  /** When the person authenticated at the external login or provider, epoch milliseconds; absent if it did not state this. */
  readonly authenticatedAt?: number;
  /** Whether the login verified the person by palm (V6). */
  readonly palmVerified: boolean;
  /** When the sign-in began, epoch milliseconds. */
  readonly startedAt: number;
}

/** The external sign-in that an assertion must belong to. */
export interface ExpectedAssertion extends ExternalSignInAttempt {
  /** The pending authorization; absent without one. */
  readonly authorization?: Authorization | undefined;
}

/** Creates the use case of external sign-ins. */
export function createExternalSignIn(context: ServiceContext) {
  return {
    /**
     * Verifies an assertion and returns the person, who is created if unknown.
     *
     * @returns `undefined` without an external login, and for an assertion that is invalid, was already used, belongs to another sign-in, or
     *   belongs to a sign-in that may have started before the person's last sign-out.
     * @throws {ServiceError} `reauthentication_required` if the authorization requires an authentication after an instant, and the assertion
     *   states an earlier one or none.
     */
    async acceptAssertion(
      text: string,
      { authorization, ...expected }: ExpectedAssertion,
    ): Promise<ExternalSignInResult | undefined> {
      const { store, clock, random, digest, settings, serviceKey, externalSignIn } = context;
      const assertion = await externalSignIn?.assertions.verify(text, settings.issuer, clock.now());
      if (assertion?.nonce === undefined) return undefined;
      const times = readSignInNonce(assertion.nonce, expected, context);
      if (times === undefined) return undefined;
      const { id, expiresAt, subject, email, authenticatedAt, palmVerified } = assertion;
      const consume = (used: string, until: number) =>
        store.consumeAssertion(digest.hmacSha256(serviceKey.derive('sign-in-assertions'), used), until);
      if (!(await consume(`assertion:${id}`, expiresAt))) return undefined;
      if (!(await consume(`nonce:${assertion.nonce}`, times.rememberUntil))) return undefined;
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
      // A sign-in that may have started before the person's sign-out must not undo it.
      if (isBeforeSignOut(times.startedAt, person)) return undefined;
      return { person, ...signIn, palmVerified, startedAt: times.startedAt };
    },
  };
}
