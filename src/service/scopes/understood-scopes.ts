/** Scope values that the catalogue does not have are ignored when others are understood (OpenID Connect Core §3.1.2.1, S54). */
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import { ServiceError } from '../errors.js';

/** How many values, and how many characters of each, an error description repeats. */
const MAX_NAMED = 5;
const MAX_NAME_LENGTH = 64;

/**
 * Returns the scopes that the catalogue has, in their order.
 *
 * @throws {ServiceError} `invalid_scope` with the values, where it has none of them.
 */
export function understoodScopes(
  scopes: readonly string[],
  { findScope }: ServiceCatalogue,
): readonly string[] {
  const understood = scopes.filter((scope) => findScope(scope) !== undefined);
  if (understood.length === 0) throw invalidScope('unknown scope', scopes);
  return understood;
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
