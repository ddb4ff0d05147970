/** Scope values that are not understood are ignored when others are (OpenID Connect Core §3.1.2.1, S54, S240). */
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import { ServiceError } from '../errors.js';
import { isStandardScope } from './standard-scopes.js';

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
