/** Approving, denying and looking at an authorization (V3, V4, V6, S69–S76). */
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import type { Session } from '../people/session.js';
import type { TransitionOutcome } from '../ports/store/authorization-store.js';
import { effectiveScopes } from '../scopes/effective-scopes.js';
import { invalidScope } from '../scopes/understood-scopes.js';
import { createOpaqueToken } from '../tokens/opaque-token.js';
import type { User } from '../users/user.js';
import type { Authorization } from './authorization.js';
import { isPalmVerified } from './palm-verification.js';
import { isAuthenticatedFor } from './reauthentication.js';

/** An authorization with the application that asks, as the consent page and the context endpoint show them. */
export interface AuthorizationDetail {
  readonly authorization: Authorization;
  readonly application: Application;
  readonly requiresPalmVerification: boolean;
}

/** What the person agreed to, with the code: shown this once. */
export interface Approved extends AuthorizationDetail {
  readonly userId: string;
  readonly scopes: readonly string[];
  readonly code: string;
  readonly codeExpiresAt: number;
  /** Whether the palm verification that the scopes need was only simulated. */
  readonly palmSimulated: boolean;
}

const MS_PER_SECOND = 1_000;

/**
 * Finds an authorization by its id.
 *
 * @throws {ServiceError} `not_found`, with one answer for an unknown and a malformed id (S70).
 */
export async function readAuthorization(
  id: string,
  { store, catalogue, environment }: ServiceContext,
): Promise<AuthorizationDetail> {
  const found = await store.findAuthorization(id);
  const application = found && (await store.findApplication(found.clientId));
  if (found === undefined || application === undefined) throw new ServiceError('not_found');
  // Scopes withdrawn from the application since the request can no longer be granted.
  const authorization =
    found.status === 'pending_admin'
      ? { ...found, requestedScopes: effectiveScopes(found.requestedScopes, application, environment) }
      : found;
  return {
    authorization,
    application,
    requiresPalmVerification: requiresPalm(authorization.requestedScopes, catalogue),
  };
}

/**
 * Approves a pending authorization for a person.
 *
 * @param scopes - A part of those that were asked for; all of them where absent (V4).
 * @param session - The person's session; absent where somebody approves for them, which counts as their sign-in.
 * @param palm - `simulated` passes for a palm verification that the scopes need (V1).
 * @throws {ServiceError} `not_found`, `invalid_client` for a revoked application, `invalid_scope`, `reauthentication_required` for a
 *   session that is older than the client allows, `palm_verification_required` unless this person's palm was verified,
 *   `invalid_transition`.
 */
export async function approveAuthorization(
  id: string,
  user: User,
  scopes: readonly string[] | undefined,
  context: ServiceContext,
  session?: Session,
  palm: 'required' | 'simulated' = 'required',
): Promise<Approved> {
  const detail = await readAuthorization(id, context);
  const { authorization, application } = detail;
  if (application.revokedAt !== undefined) throw new ServiceError('invalid_client');
  const granted = grantedScopes(authorization, scopes);
  if (granted.length === 0) throw new ServiceError('invalid_scope');
  if (session !== undefined && !isAuthenticatedFor(authorization, session))
    throw new ServiceError('reauthentication_required');
  const lacksPalm = requiresPalm(granted, context.catalogue) && !isPalmVerified(authorization, user);
  if (lacksPalm && palm === 'required') throw new ServiceError('palm_verification_required');
  const { token: code, tokenHash: codeHash } = createOpaqueToken(context.random, context.digest);
  const { identifiers } = context;
  const { organizationId } = application;
  const at = context.clock.now();
  const codeExpiresAt = at + context.settings.codeLifetimeSeconds * MS_PER_SECOND;
  const authenticatedAt = session === undefined ? at : session.authenticatedAt;
  settle(
    await context.store.approve({
      authorizationId: id,
      userId: user.id,
      subject: identifiers.index(organizationId, identifiers.subject(organizationId, user.id)),
      scopes: granted,
      codeHash,
      codeExpiresAt,
      ...(authenticatedAt === undefined ? {} : { authenticatedAt }),
      at,
    }),
  );
  return { ...detail, userId: user.id, scopes: granted, code, codeExpiresAt, palmSimulated: lacksPalm };
}

/** Denies a pending authorization. @throws {ServiceError} `not_found`, `invalid_transition` */
export async function denyAuthorization(id: string, context: ServiceContext): Promise<AuthorizationDetail> {
  const detail = await readAuthorization(id, context);
  settle(await context.store.deny(id, context.clock.now()));
  return detail;
}

/** Whether scopes, or scopes that they imply, are so sensitive that the person must be present (V6). */
function requiresPalm(scopes: readonly string[], catalogue: ServiceCatalogue): boolean {
  const sensitivity = catalogue.sensitivityOf(scopes);
  return sensitivity === 'high' || sensitivity === 'critical';
}

function grantedScopes(
  { requestedScopes }: Authorization,
  scopes: readonly string[] | undefined,
): readonly string[] {
  if (scopes === undefined) return requestedScopes;
  const notRequested = scopes.filter((scope) => !requestedScopes.includes(scope));
  if (notRequested.length > 0) throw invalidScope('scope not requested', notRequested);
  if (scopes.length === 0) throw new ServiceError('invalid_scope');
  return requestedScopes.filter((scope) => scopes.includes(scope));
}

function settle(outcome: TransitionOutcome | undefined): void {
  if (outcome === undefined) throw new ServiceError('not_found');
  if (!outcome.done) throw new ServiceError('invalid_transition', { status: outcome.status });
}
