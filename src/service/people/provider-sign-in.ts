/**
 * Sign-in at OpenID Connect providers of the deployment (V2, S321–S327).
 *
 * `state` is signed by the service, bound to browser, authorization and provider, and accepted once. The `nonce` of the ID token and the verifier of
 * PKCE are derived from it, so that starting a sign-in stores no row.
 */
import { omitUndefined } from '../../util/omit-undefined.js';
import type { Authorization } from '../authorization/authorization.js';
import { createSignInNonce, readSignInNonce } from '../authorization/browser-binding.js';
import { AUTH_TIME_TOLERANCE_MS, isAuthenticatedFor } from '../authorization/reauthentication.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import {
  type Assurance,
  type ProviderIdentity,
  ProviderUnavailable,
  type SignInProvider,
} from '../ports/sign-in-provider.js';
import { createOpaqueId } from '../tokens/opaque-token.js';
import { type ClaimedPerson, claimedPersonOf } from './claimed-person.js';
import type { ExternalSignInResult } from './external-sign-in.js';
import type { Person } from './people.js';
import { isBeforeSignOut } from './sessions.js';

/** A provider, as the sign-in page offers it. */
export interface ProviderChoice {
  readonly id: string;
  readonly name: string;
}

/** A sign-in to begin. */
export interface ProviderSignInRequest {
  readonly providerId: string;
  readonly browserBinding: string;
  /** The pending authorization, whose requirements on the sign-in are passed on; absent without one. */
  readonly authorization?: Authorization | undefined;
  /** Whether the provider must verify the person's palm. */
  readonly palm: boolean;
  /** Whether a person is signed in at the browser. The provider must then authenticate again, since it would otherwise return the same person. */
  readonly isSignedIn: boolean;
  /** Whether the provider must authenticate the person again and state when, also without an authorization that requires it. */
  readonly reauthenticate: boolean;
}

/** A response of a provider at a browser. */
export interface ProviderSignInResponse {
  readonly providerId: string;
  readonly browserBinding: string;
  /** The parameters of the response, each once. */
  readonly parameters: ReadonlyMap<string, string>;
  /** Finds the pending authorization that the sign-in was started for, if it belongs to this browser. */
  readonly findAuthorization: (id: string) => Promise<Authorization | undefined>;
}

/** The result of a sign-in at a provider. */
export interface ProviderSignInResult extends ExternalSignInResult {
  /** The pending authorization; absent without one. */
  readonly authorization?: Authorization;
}

/** Id of the authorization, or empty, and the nonce. */
const STATE = /^([A-Za-z0-9_-]{0,64})~(.{1,200})$/;

/** Creates the use cases of sign-ins at OpenID Connect providers. */
export function createProviderSignIn(context: ServiceContext) {
  const { signInProviders: providers, settings } = context;
  const get = (id: string): SignInProvider => {
    const provider = providers.find((one) => one.settings.id === id);
    if (provider === undefined) throw new ServiceError('not_found');
    return provider;
  };
  return {
    /** Lists the providers in their configured order; with `palm`, only those that verify palms. */
    listProviders(palm: boolean): readonly ProviderChoice[] {
      return providers
        .filter((one) => !palm || one.settings.palm !== undefined)
        .map(({ settings: { id, name } }) => ({ id, name }));
    },

    /**
     * Returns the URL of a provider's page to sign in.
     *
     * @throws {ServiceError} `not_found` for an unknown provider; `sign_in_unavailable`.
     */
    async beginProviderSignIn({
      providerId,
      browserBinding,
      authorization,
      palm,
      isSignedIn,
      reauthenticate,
    }: ProviderSignInRequest): Promise<string> {
      const provider = get(providerId);
      const authorizationId = authorization?.id ?? '';
      const attempt = { browserBinding, authorizationId, providerId };
      const state = `${authorizationId}~${createSignInNonce(attempt, context)}`;
      const assurance = palm ? provider.settings.palm : provider.settings.required;
      return await orUnavailable(() =>
        provider.createAuthorizationUrl({
          ...secretsOf(state, providerId, context),
          acrValues: assurance?.acr ?? [],
          ...omitUndefined({
            prompt: promptOf(authorization, palm || isSignedIn || reauthenticate),
            // With `max_age`, the ID token must have an `auth_time` (Core §2).
            maxAgeSeconds: authorization?.maxAgeSeconds ?? (reauthenticate ? 0 : undefined),
          }),
        }),
      );
    },

    /**
     * Validates the response of a provider and returns the person, who is created if unknown.
     *
     * @throws {ServiceError} `sign_in_rejected` for a response that is invalid, expired, already used, of another sign-in or browser, without the
     *   required assurance, or of a sign-in that started before the person's last sign-out; `reauthentication_required`; `sign_in_unavailable`; `not_found`.
     */
    async completeProviderSignIn({
      providerId,
      browserBinding,
      parameters,
      findAuthorization,
    }: ProviderSignInResponse): Promise<ProviderSignInResult> {
      const provider = get(providerId);
      const { store, digest, serviceKey } = context;
      const state = parameters.get('state') ?? '';
      const [, authorizationId = '', nonce = ''] = STATE.exec(state) ?? [];
      const times = readSignInNonce(nonce, { browserBinding, authorizationId, providerId }, context);
      if (times === undefined)
        throw rejected('The state is missing, expired, or was created for another browser or provider.');
      const used = digest.hmacSha256(serviceKey.derive('sign-in-assertions'), `state:${state}`);
      if (!(await store.consumeAssertion(used, times.rememberUntil)))
        throw rejected('This response of the sign-in provider was already used.');
      const authorization = await findAuthorization(authorizationId);
      const outcome = await orUnavailable(() =>
        provider.redeemResponse(parameters, secretsOf(state, providerId, context)),
      );
      if (!outcome.accepted) throw rejected(outcome.fault);
      const { identity } = outcome;
      const { required, palm } = provider.settings;
      if (
        required !== undefined &&
        !hasAssurance(identity, [required, ...(palm === undefined ? [] : [palm])])
      )
        throw rejected(
          'The sign-in provider did not verify the person as strictly as this service requires.',
        );
      const signIn = omitUndefined({ authenticatedAt: identity.authenticatedAt });
      if (
        authorization !== undefined &&
        !isAuthenticatedFor(authorization, { ...signIn, authorizationId: authorization.id })
      )
        throw new ServiceError('reauthentication_required');
      const claimed = claimedPersonOf(identity, provider.settings);
      if (claimed === undefined) throw rejected('The ID token is invalid: its sub is not an identifier.');
      const person = await findOrLink(claimed, provider, context);
      // A sign-in that may have started before the person's sign-out must not undo it.
      if (isBeforeSignOut(times.startedAt, person))
        throw rejected('The person signed out after this sign-in was started.');
      // An authentication from before this sign-in does not show that the person is present.
      const isFresh =
        identity.authenticatedAt !== undefined &&
        identity.authenticatedAt + AUTH_TIME_TOLERANCE_MS > times.startedAt;
      return {
        person,
        ...signIn,
        palmVerified: palm !== undefined && isFresh && hasAssurance(identity, [palm]),
        startedAt: times.startedAt,
        ...omitUndefined({ authorization }),
      };
    },

    /**
     * Returns the URL that signs a person out at the provider of their session.
     *
     * @param state - Returned to `/signed-out`.
     * @returns `undefined` without a configured provider with this id, if people stay signed in there (`endSession`), or if it has no such URL.
     * @throws {ServiceError} `sign_in_unavailable`
     */
    async createProviderLogoutUrl(
      providerId: string | undefined,
      state: string,
    ): Promise<string | undefined> {
      const provider = providers.find((one) => one.settings.id === providerId);
      if (provider === undefined || !provider.settings.endSession) return undefined;
      const returnTo = new URL('/signed-out', settings.issuer).href;
      return await orUnavailable(() => provider.createLogoutUrl(returnTo, state));
    },
  };
}

/** Returns the path of the redirect URI of a provider. Each provider has its own, against mix-up (RFC 9700 §4.4.2.2). */
export function providerCallbackPath(providerId: string): string {
  return `/sign-in/callback/${providerId}`;
}

/** Derives the values that a response must match from its `state`. */
function secretsOf(
  state: string,
  providerId: string,
  { digest, serviceKey, settings }: Pick<ServiceContext, 'digest' | 'serviceKey' | 'settings'>,
) {
  const derive = (purpose: string) =>
    digest.hmacSha256(serviceKey.derive('sign-in-providers'), JSON.stringify([purpose, providerId, state]));
  return {
    redirectUri: new URL(providerCallbackPath(providerId), settings.issuer).href,
    state,
    nonce: derive('nonce'),
    codeVerifier: derive('code-verifier'),
  };
}

/** @param mustAuthenticate - Whether the provider must authenticate the person even if they are signed in there; for example, to verify their palm. */
function promptOf(authorization: Authorization | undefined, mustAuthenticate: boolean): string | undefined {
  const requested = authorization?.prompt?.split(' ') ?? [];
  const values = [
    ...(mustAuthenticate || requested.includes('login') ? ['login'] : []),
    ...(requested.includes('select_account') ? ['select_account'] : []),
  ];
  return values.length === 0 ? undefined : values.join(' ');
}

function hasAssurance({ acr, amr }: ProviderIdentity, accepted: readonly Assurance[]): boolean {
  return accepted.some(
    (one) => (acr !== undefined && one.acr.includes(acr)) || amr.some((method) => one.amr.includes(method)),
  );
}

/** Returns the person of an account, after linking it to an existing or a new person at its first sign-in. */
async function findOrLink(
  { subject, name, email }: ClaimedPerson,
  { settings: { id, issuer, linkBy } }: SignInProvider,
  { store, random, digest, credentialKey, clock }: ServiceContext,
): Promise<Person> {
  return await store.signInWithAccount({
    // Keyed, so that the table of accounts does not contain the `sub`.
    accountHash: digest.hmacSha256(credentialKey, JSON.stringify(['account', issuer, subject])),
    issuer,
    // Without a name, `sub` becomes the name. It is unique only at the issuer, so no existing person is linked by it.
    linkBy: linkBy.filter((by) => by !== 'name' || name !== undefined),
    person: { id: createOpaqueId(random), name: name ?? subject, about: '', ...omitUndefined({ email }) },
    alternativeName: `${id}:${subject}`,
    at: clock.now(),
  });
}

async function orUnavailable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (cause) {
    throw cause instanceof ProviderUnavailable
      ? new ServiceError('sign_in_unavailable', {}, { cause })
      : cause;
  }
}

function rejected(description: string): ServiceError {
  return new ServiceError('sign_in_rejected', {}, { description });
}
