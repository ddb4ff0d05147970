/** Scopes (RFC 6749 §3.3): parses them, and decides which an application may request, which are in effect, and which cover a claim. */
import type { ScopeCatalogue } from '../../engine/index.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { mayRequestAllScopes } from '../sandbox/applications.js';
import type { Environment } from '../settings.js';

/** `scope-token`: printable ASCII except space, `"` and `\`. */
const SCOPE_LIST = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** Parses a list of scopes, without duplicates, in order; `undefined` if malformed. Never throws. */
export function parseScopes(list: string | undefined): readonly string[] | undefined {
  if (list === undefined || !SCOPE_LIST.test(list)) return undefined;
  return [...new Set(list.split(' '))];
}

/** Standard scopes of OpenID Connect, and those of their claims that user information can have (OpenID Connect Core §5.4, §11). */
const CLAIMS_OF_SCOPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['profile', ['name', 'birthdate']],
  ['email', ['email', 'email_verified']],
  ['phone', ['phone_number', 'phone_number_verified']],
  ['address', ['address']],
  // Accepted without effect: every redeemed code yields a refresh token.
  ['offline_access', []],
]);

/** Whether a scope is a standard scope, which client libraries may request by default. */
function isStandardScope(scope: string): boolean {
  return CLAIMS_OF_SCOPES.has(scope);
}

/** Returns the standard scope of a member of user information; `undefined` without one. */
export function standardScopeOf(claim: string): string | undefined {
  for (const [scope, claims] of CLAIMS_OF_SCOPES) if (claims.includes(claim)) return scope;
  return undefined;
}

/** The members of an application that determine its scopes. */
type ScopeHolder = Pick<Application, 'clientId' | 'scopes'>;

/**
 * Returns the granted scopes that the application may still request, in order; the same array if it lost none. Scopes are compared by name, so
 * withdrawing a scope also withdraws the scopes that it implies.
 */
export function effectiveScopes(
  granted: readonly string[],
  application: ScopeHolder,
  environment: Environment,
): readonly string[] {
  const isEffective = (scope: string) => mayRequest(scope, application, environment);
  return granted.every(isEffective) ? granted : granted.filter(isEffective);
}

/** Returns the scopes that an application may have; `undefined` for all scopes (sample applications). */
export function allowedScopes(
  application: ScopeHolder,
  environment: Environment,
): readonly string[] | undefined {
  return environment.seeded && mayRequestAllScopes(application) ? undefined : application.scopes;
}

/** Whether the application may request a scope of the catalogue. */
function mayRequest(scope: string, application: ScopeHolder, environment: Environment): boolean {
  return allowedScopes(application, environment)?.includes(scope) ?? true;
}

/** Returns the scopes of the catalogue that an application may request. */
export function grantableScopes(
  application: Application,
  { catalogue, environment }: Pick<ServiceContext, 'catalogue' | 'environment'>,
): readonly string[] {
  return catalogue.scopes.scopes.filter((scope) => mayRequest(scope, application, environment));
}

/** Returns a predicate: whether the granted scopes, with their implied scopes, cover a claim path (L20). */
export function isCoveredBy(
  granted: readonly string[],
  catalogue: ScopeCatalogue,
): (path: string) => boolean {
  let expandedScopes: ReadonlySet<string> | undefined;
  return (path) => {
    const covering = catalogue.coveringScopes(path);
    // Usually, a granted scope covers the claim itself. Expanding the scopes takes longer.
    if (covering.some((scope) => granted.includes(scope))) return true;
    expandedScopes ??= catalogue.expand(granted);
    return covering.some((scope) => expandedScopes?.has(scope));
  };
}

/** Limits of the values repeated in an error description. */
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 64;

/**
 * Returns the requested scopes that the catalogue knows, in order. Unavailable standard scopes are ignored unless no scope would remain,
 * since client libraries request `profile` and `email` by default.
 *
 * @param available - Scopes that the application may request, or that were granted to it.
 * @throws {ServiceError} `invalid_scope` with the values, if all are unknown.
 */
export function understoodScopes(
  scopes: readonly string[],
  { findScope }: ServiceCatalogue,
  available: readonly string[],
): readonly string[] {
  const known = scopes.filter((scope) => findScope(scope) !== undefined);
  if (known.length === 0) throw invalidScope('unknown scope', scopes);
  const understood = known.filter((scope) => available.includes(scope) || !isStandardScope(scope));
  return understood.length === 0 ? known : understood;
}

/**
 * Creates an `invalid_scope` error whose description and context contain the offending values.
 *
 * @param fault - The fault of these values.
 */
export function invalidScope(fault: string, scopes: readonly string[]): ServiceError {
  const named = scopes.slice(0, MAX_NAMED).map((scope) => scope.slice(0, MAX_NAME_LENGTH));
  const more = scopes.length - named.length;
  const description = `${fault}: ${named.join(' ')}${more > 0 ? ` and ${more} more` : ''}`;
  return new ServiceError('invalid_scope', { scopes: named }, { description });
}
