/** Scopes: parsing lists of them, and which of them an application may request, a grant covers, and are in effect (RFC 6749 §3.3). */
import type { ScopeCatalogue } from '../../engine/index.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { Application } from '../clients/application.js';
import type { ServiceContext } from '../context.js';
import { ServiceError } from '../errors.js';
import { isSandboxApplication } from '../sandbox/applications.js';
import type { Environment } from '../settings.js';

/** Lists of scopes as OAuth writes them (RFC 6749 §3.3). */

/** `scope-token`: printable ASCII but for blank, `"` and `\`. */
const SCOPE_LIST = /^[\x21\x23-\x5b\x5d-\x7e]+(?: [\x21\x23-\x5b\x5d-\x7e]+)*$/;

/** The scopes of a list, each once, in the order in which they first stand; `undefined` where it is no list. Never throws. */
export function parseScopes(list: string | undefined): readonly string[] | undefined {
  if (list === undefined || !SCOPE_LIST.test(list)) return undefined;
  return [...new Set(list.split(' '))];
}

/** The scopes of OpenID Connect with a meaning of their own (OpenID Connect Core §5.4, §11). */

const CLAIMS_OF_SCOPES: ReadonlyMap<string, readonly string[]> = new Map([
  ['profile', ['name', 'birthdate']],
  ['email', ['email', 'email_verified']],
  ['phone', ['phone_number', 'phone_number_verified']],
  ['address', ['address']],
  // Every redeemed code gives a refresh token: the scope is accepted and changes nothing.
  ['offline_access', []],
]);

/** Whether client libraries may request a scope by default, whatever the application is registered for. */
function isStandardScope(scope: string): boolean {
  return CLAIMS_OF_SCOPES.has(scope);
}

/** The standard scope that requests a member of user information; `undefined` for a member without one. */
export function standardScopeOf(claim: string): string | undefined {
  for (const [scope, claims] of CLAIMS_OF_SCOPES) if (claims.includes(claim)) return scope;
  return undefined;
}

/** The application, as far as it decides on scopes. */
type ScopeHolder = Pick<Application, 'clientId' | 'scopes'>;

/**
 * The granted scopes that the application may still request, in their order. Scopes are compared by name: what a withdrawn scope implied
 * goes with it. Returns the same array where nothing was withdrawn.
 */
export function effectiveScopes(
  granted: readonly string[],
  application: ScopeHolder,
  environment: Environment,
): readonly string[] {
  const isEffective = (scope: string) => mayRequest(scope, application, environment);
  return granted.every(isEffective) ? granted : granted.filter(isEffective);
}

/** The scopes that an application may have; `undefined` for all of the catalogue, as the sandbox's own applications may. */
export function allowedScopes(
  application: ScopeHolder,
  environment: Environment,
): readonly string[] | undefined {
  return environment.seeded && isSandboxApplication(application) ? undefined : application.scopes;
}

/** Whether the application may request a scope of the catalogue. */
function mayRequest(scope: string, application: ScopeHolder, environment: Environment): boolean {
  return allowedScopes(application, environment)?.includes(scope) ?? true;
}

/** Those for which it is registered and that the catalogue has; the sandbox's own applications may ask for all that there are. */
export function grantableScopes(
  application: Application,
  { catalogue, environment }: Pick<ServiceContext, 'catalogue' | 'environment'>,
): readonly string[] {
  return catalogue.scopes.scopes.filter((scope) => mayRequest(scope, application, environment));
}

/** Returns whether the granted scopes, with those that they imply, cover a claim path (L20). */
export function coveredClaims(
  granted: readonly string[],
  catalogue: ScopeCatalogue,
): (path: string) => boolean {
  const held = catalogue.expand(granted);
  return (path) => catalogue.coveringScopes(path).some((scope) => held.has(scope));
}

/** How many values, and how many characters of each, an error description repeats. */
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 64;

/**
 * Returns the scopes that the catalogue has, in their order. A standard scope that is not available counts as not understood, unless it is
 * all that is requested: client libraries request `profile` and `email` by default.
 *
 * @param available - What the application may request, or what was granted to it.
 * @throws {ServiceError} `invalid_scope` with the values, where it has none of them.
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
 * An `invalid_scope` error whose description and context name the offending values.
 *
 * @param fault - What is wrong with each of them.
 */
export function invalidScope(fault: string, scopes: readonly string[]): ServiceError {
  const named = scopes.slice(0, MAX_NAMED).map((scope) => scope.slice(0, MAX_NAME_LENGTH));
  const more = scopes.length - named.length;
  const description = `${fault}: ${named.join(' ')}${more > 0 ? ` and ${more} more` : ''}`;
  return new ServiceError('invalid_scope', { scopes: named }, { description });
}
