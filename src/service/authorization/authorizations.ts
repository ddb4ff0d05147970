/** Authorizations: approving, denying and reading them (V3, V4, V6, S69–S76). */
import { omitUndefined } from '../../util/omit-undefined.js';
import { MS_PER_SECOND } from '../../util/time.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { Application } from '../clients/application.js';
import { type Condition, claimsOf, effectiveConditions } from '../conditions/condition.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { findHintedPerson, getPerson, type Person } from '../people/people.js';
import { afterSignOut, type SignedIn } from '../people/sessions.js';
import type { TransitionOutcome } from '../ports/store/authorization-store.js';
import { effectiveScopes, invalidScope } from '../scopes/scopes.js';
import { createOpaqueToken } from '../tokens/opaque-token.js';
import { type Authorization, isInForce } from './authorization.js';
import { isAuthenticatedFor } from './reauthentication.js';
import { createAuthorizationRequests } from './request.js';

/** An authorization with its application, as shown by the consent page and the context endpoint. */
export interface AuthorizationDetail {
  readonly authorization: Authorization;
  readonly application: Application;
  readonly requiresPalmVerification: boolean;
}

/** An approved authorization with its code, which is shown only once. */
export interface Approved extends AuthorizationDetail {
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly conditions: readonly Condition[];
  readonly code: string;
  readonly codeExpiresAt: number;
  /** Whether a required palm verification was only simulated. */
  readonly palmSimulated: boolean;
}

/** The part of a request that is granted. */
export interface Selection {
  /** A subset of the requested scopes (V4). Default: all. */
  readonly scopes?: readonly string[] | undefined;
  /** A subset of the requested conditions, as authorization details. Default: all. */
  readonly details?: readonly unknown[] | undefined;
}

/** Creates the use cases of authorizations: request, read, verify a palm, approve and deny. */
export function createAuthorizations(context: ServiceContext) {
  const { store, digest, environment } = context;
  return {
    ...createAuthorizationRequests(context),

    /**
     * Gets an authorization by its id.
     *
     * @throws {ServiceError} `not_found`, the same for an unknown and a malformed id (S70).
     */
    async get(id: string): Promise<AuthorizationDetail> {
      return await getAuthorization(id, context);
    },

    /**
     * Approves a pending authorization for the person of a session. The code is shown only once.
     *
     * @throws {ServiceError} `not_found`, `invalid_client` for a revoked application, `invalid_scope`, `invalid_authorization_details`,
     *   `reauthentication_required` for a session that is older than the client allows, `palm_verification_required` if the
     *   selection requires a palm verification that this person has not passed, `invalid_transition`.
     */
    async approveInSession(
      detail: AuthorizationDetail,
      session: SignedIn,
      selection: Selection,
    ): Promise<Approved> {
      return await recordApproval(detail, selection, context, { session, palm: 'required' });
    },

    /**
     * Approves a pending authorization on behalf of the person named by its `login_hint`. In production, only the administrator may call this. In the
     * sandbox, everyone may; without a hint, it approves on behalf of a sample person. Counts as the person's sign-in.
     *
     * @throws {ServiceError} As `approveInSession` without `reauthentication_required`; also `not_found` for an unknown hint, and in production
     *   `administrator_approval_disabled` if people can sign in and `administratorApproval` is not `always`.
     */
    async approveOnBehalf(detail: AuthorizationDetail, selection: Selection): Promise<Approved> {
      assertAdministratorApproves(context);
      return await recordApproval(detail, selection, context, { palm: 'required' });
    },

    /**
     * Like `approveOnBehalf`, for API clients: in the sandbox, a required palm verification is simulated (V1).
     *
     * @throws {ServiceError} As `approveOnBehalf`.
     */
    async approveByApi(id: string, selection: Selection): Promise<Approved> {
      assertAdministratorApproves(context);
      // An API client cannot present a palm.
      const palm = environment.seeded ? 'simulated' : 'required';
      return await recordApproval(await getAuthorization(id, context), selection, context, { palm });
    },

    /** Denies a pending authorization. @throws {ServiceError} `not_found`, `invalid_client` for a revoked application, `invalid_transition` */
    async deny({ authorization, application }: AuthorizationDetail): Promise<void> {
      if (application.revokedAt !== undefined) throw new ServiceError('invalid_client');
      assertTransitioned(await store.denyAuthorization(authorization.id, context.clock.now()));
    },

    /** Whether this browser started the authorization. False for an authorization that was not started in a browser. */
    isBoundToBrowser({ browserHash }: Authorization, browserBinding: string | undefined): boolean {
      return (
        browserBinding !== undefined &&
        browserHash !== undefined &&
        digest.equal(digest.sha256(browserBinding), browserHash)
      );
    },

    /** Whether a session satisfies the client's requirements on the sign-in. */
    isAuthenticatedFor,

    /** Whether this person was verified by palm for an authorization and has not signed out since. */
    isPalmVerified,

    /**
     * Records that a person was verified by palm for an authorization (V6). Without effect unless the authorization is pending.
     *
     * @throws {ServiceError} `not_found` for an unknown person.
     */
    async recordPalmVerification(id: string, userId: string): Promise<void> {
      await recordPalmVerification(id, await getPerson(userId, context), context);
    },

    /**
     * Verifies a person by palm and records the result for a pending authorization (V6); returns whether the palm matched.
     *
     * @param userId - Default: the person for whom `approveOnBehalf` would approve.
     * @param sent - The fields of the submitted form, including the proof of the palm reader.
     * @throws {ServiceError} `not_found`
     */
    async verifyPalm(
      id: string,
      userId: string | undefined,
      sent: ReadonlyMap<string, string>,
    ): Promise<boolean> {
      const person =
        userId === undefined
          ? await hintedPerson(await getAuthorization(id, context), context)
          : await getPerson(userId, context);
      const verified = await context.palm.verify(person, id, sent);
      if (verified) await recordPalmVerification(id, person, context);
      return verified;
    },
  };
}

async function getAuthorization(id: string, context: ServiceContext): Promise<AuthorizationDetail> {
  const detail = await context.store.findAuthorizationDetail(id);
  if (detail === undefined) throw new ServiceError('not_found');
  const authorization = toCurrent(detail, context);
  const { requestedScopes, requestedConditions = [] } = authorization;
  return {
    authorization,
    application: detail.application,
    requiresPalmVerification: requiresPalm(requestedScopes, requestedConditions, context.catalogue),
  };
}

/**
 * Returns the state of an authorization now: the store changes it neither when the request or its code expires nor when its application loses scopes.
 */
function toCurrent(
  { authorization, application }: Pick<AuthorizationDetail, 'authorization' | 'application'>,
  { clock, environment }: ServiceContext,
): Authorization {
  const { status, requestedScopes, requestedConditions, requestExpiresAt } = authorization;
  const now = clock.now();
  if (status === 'approved' && !isInForce(authorization, now)) return { ...authorization, status: 'revoked' };
  if (status !== 'pending_admin') return authorization;
  if (requestExpiresAt <= now) return { ...authorization, status: 'denied', updatedAt: requestExpiresAt };
  // Scopes and conditions that the application lost after the request can no longer be granted.
  return {
    ...authorization,
    requestedScopes: effectiveScopes(requestedScopes, application, environment),
    ...(requestedConditions === undefined
      ? {}
      : { requestedConditions: effectiveConditions(requestedConditions, application) }),
  };
}

/**
 * Approves an authorization.
 *
 * @param session - Absent for an approval on behalf of the person named by the hint, which counts as that person's sign-in.
 * @param palm - With `simulated`, a required palm verification is not checked (V1).
 */
async function recordApproval(
  detail: AuthorizationDetail,
  selection: Selection,
  context: ServiceContext,
  { session, palm }: { readonly session?: SignedIn; readonly palm: 'required' | 'simulated' },
): Promise<Approved> {
  const { authorization, application } = detail;
  if (application.revokedAt !== undefined) throw new ServiceError('invalid_client');
  const { status, updatedAt, requestExpiresAt } = authorization;
  // Only the store ends a request that has just expired: otherwise it would be pending again if the clock were set back.
  if (status !== 'pending_admin' && updatedAt !== requestExpiresAt)
    throw new ServiceError('invalid_transition', { status });
  const person = session?.person ?? (await hintedPerson(detail, context));
  const scopes = grantedScopes(authorization, selection.scopes);
  const { requestedConditions = [] } = authorization;
  const conditions =
    selection.details === undefined
      ? requestedConditions
      : context.conditions.select(selection.details, requestedConditions);
  if (scopes.length === 0 && conditions.length === 0) throw new ServiceError('invalid_scope');
  if (session !== undefined && !isAuthenticatedFor(authorization, session))
    throw new ServiceError('reauthentication_required');
  const lacksPalm =
    requiresPalm(scopes, conditions, context.catalogue) && !isPalmVerified(authorization, person);
  if (lacksPalm && palm === 'required') throw new ServiceError('palm_verification_required');
  const { token: code, tokenHash: codeHash } = createOpaqueToken(context.random, context.digest);
  const { identifiers } = context;
  const { organizationId } = application;
  const at = context.clock.now();
  const codeExpiresAt = at + context.settings.codeLifetimeSeconds * MS_PER_SECOND;
  const authenticatedAt = session === undefined ? at : session.authenticatedAt;
  assertTransitioned(
    await context.store.approveAuthorization({
      authorizationId: authorization.id,
      userId: person.id,
      subject: identifiers.index(organizationId, identifiers.subject(organizationId, person.id)),
      scopes,
      conditions,
      codeHash,
      codeExpiresAt,
      ...omitUndefined({ authenticatedAt }),
      at,
    }),
  );
  return { ...detail, userId: person.id, scopes, conditions, code, codeExpiresAt, palmSimulated: lacksPalm };
}

/** @throws {ServiceError} `administrator_approval_disabled` */
function assertAdministratorApproves({ environment, administratorApproves }: ServiceContext): void {
  if (!environment.seeded && !administratorApproves)
    throw new ServiceError('administrator_approval_disabled');
}

/** Returns the person named by the hint; in the sandbox, a sample person if there is no hint (V1). */
async function hintedPerson(
  { authorization }: AuthorizationDetail,
  context: ServiceContext,
): Promise<Person> {
  const { loginHint: hint } = authorization;
  const found = hint === undefined ? undefined : await findHintedPerson(hint, context.store);
  // An unknown hint is an error: a sample person in its place would disclose the claims of a person whom the client did not name.
  const acceptsSamplePerson = hint === undefined && context.environment.seeded;
  const person = found ?? (acceptsSamplePerson ? await samplePerson(authorization, context) : undefined);
  if (person === undefined) throw new ServiceError('not_found');
  return person;
}

/** Returns the person who was verified by palm, or the first sample person. */
async function samplePerson(
  { palmVerifiedPersonId }: Authorization,
  { store }: ServiceContext,
): Promise<Person | undefined> {
  if (palmVerifiedPersonId !== undefined) return await store.findPerson('id', palmVerifiedPersonId);
  const [first] = await store.listPeople(1);
  return first;
}

async function recordPalmVerification(
  id: string,
  person: Person,
  { store, clock }: ServiceContext,
): Promise<void> {
  await store.recordPalmVerification(id, person.id, afterSignOut(person, clock.now()));
}

/**
 * Whether the palm of the person must be verified (V6): for a scope that is or implies a scope of high or critical sensitivity, and for a condition
 * with a claim that only such scopes, or no scopes, cover.
 */
function requiresPalm(
  scopes: readonly string[],
  conditions: readonly Condition[],
  catalogue: ServiceCatalogue,
): boolean {
  const isSensitive = (...names: readonly string[]) => {
    const sensitivity = catalogue.sensitivityOf(names);
    return sensitivity === 'high' || sensitivity === 'critical';
  };
  return (
    isSensitive(...scopes) ||
    conditions
      .flatMap(claimsOf)
      .some((claim) => catalogue.scopes.coveringScopes(claim).every((scope) => isSensitive(scope)))
  );
}

function grantedScopes(
  { requestedScopes }: Authorization,
  scopes: readonly string[] | undefined,
): readonly string[] {
  if (scopes === undefined) return requestedScopes;
  const notRequested = scopes.filter((scope) => !requestedScopes.includes(scope));
  if (notRequested.length > 0) throw invalidScope('scope not requested', notRequested);
  return requestedScopes.filter((scope) => scopes.includes(scope));
}

function assertTransitioned(outcome: TransitionOutcome | undefined): void {
  if (outcome === undefined) throw new ServiceError('not_found');
  if (!outcome.done) throw new ServiceError('invalid_transition', { status: outcome.status });
}

function isPalmVerified(
  { palmVerifiedAt, palmVerifiedPersonId }: Authorization,
  { id, signedOutAt }: Person,
): boolean {
  if (palmVerifiedAt === undefined || palmVerifiedPersonId !== id) return false;
  return signedOutAt === undefined || palmVerifiedAt > signedOutAt;
}
