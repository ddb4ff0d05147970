/** The `claims` parameter: single claims that a client requests (OpenID Connect Core §5.5, S243). */
import { isPlainObject } from '../../util/is-plain-object.js';
import { parseStrictJson } from '../json/strict-json.js';
import { standardScopeOf } from '../scopes/scopes.js';

/** The names of the requested claims, from `userinfo` and `id_token`. */
export type ClaimsRequest = readonly string[];

const MAX_ENTRIES = 100;
const DESTINATIONS = ['userinfo', 'id_token'] as const;

/**
 * Parses the parameter. Destinations other than `userinfo` and `id_token` are ignored. Never throws.
 *
 * @returns The names of the claims, including unknown ones; an empty list if the parameter is absent; a description of the fault if it is invalid.
 */
export function parseClaimsRequest(text: string | undefined): ClaimsRequest | string {
  if (text === undefined) return [];
  const outcome = parseStrictJson(text, MAX_ENTRIES);
  if (!outcome.accepted || !isPlainObject(outcome.value))
    return `claims must be a JSON object without repeated names, of at most ${MAX_ENTRIES} members and items in total`;
  const names: string[] = [];
  for (const destination of DESTINATIONS) {
    const requested = outcome.value[destination] ?? {};
    if (!isPlainObject(requested)) return `claims.${destination} must be a JSON object`;
    for (const [name, details] of Object.entries(requested)) {
      if (details !== null && !isPlainObject(details))
        return `each member of claims.${destination} must be null or a JSON object`;
      // Such a request would select the person, which only `login_hint` may do.
      if (name === 'sub' && isPlainObject(details) && hasValue(details))
        return 'claims must not request a value of sub: use login_hint';
      // A required value that an ID token cannot have must fail (Core §5.5.1.1).
      if (
        destination === 'id_token' &&
        name === 'acr' &&
        isPlainObject(details) &&
        details['essential'] === true &&
        hasValue(details)
      )
        return 'claims must not require acr: ID tokens have no acr';
      names.push(name);
    }
  }
  return names;
}

/** Returns the standard scopes that request these claims. Unknown claims are ignored. */
export function scopesOfClaims(claims: ClaimsRequest): readonly string[] {
  return claims.flatMap((claim) => standardScopeOf(claim) ?? []);
}

function hasValue(details: Readonly<Record<string, unknown>>): boolean {
  return 'value' in details || 'values' in details;
}
