/** Which credential speaks for a claim, read off the specification (L10–L13). */
import type { Credential } from '../engine/claims/credential.js';
import type { JsonValue } from '../engine/claims/json-value.js';
import { isObject, nestsWithin, sorted } from './reference-json.js';

/** A defined claim and the credential that speaks for it. */
export interface FoundClaim {
  readonly value: JsonValue;
  readonly credential: Credential;
}

/** Claims nest at most this deep; a deeper one counts as not carried (L12). */
const DEEPEST_CLAIM = 16;

/** Whether a credential speaks at an instant (L10). Never throws. */
export function isActive(credential: Credential, now: number): boolean {
  const { issuedAt, expiresAt = Infinity, revokedAt = Infinity } = credential;
  return issuedAt <= now && now < expiresAt && now < revokedAt;
}

/** The claim at a path, among active credentials; `undefined` where it is not defined (L11–L13). Never throws. */
export function findClaim(path: string, active: readonly Credential[]): FoundClaim | undefined {
  const names = path.split('.');
  for (let count = names.length; count >= 2; count -= 1) {
    const carried = findCarried(names.slice(0, count).join('.'), active);
    if (carried !== undefined) return reachInto(carried, names.slice(count));
  }
  return undefined;
}

function findCarried(path: string, active: readonly Credential[]): FoundClaim | undefined {
  const carriers = active.filter(
    ({ claims }) => Object.hasOwn(claims, path) && nestsWithin(DEEPEST_CLAIM, claims[path] as JsonValue),
  );
  // The one issued last first; of those issued together the one with the smallest id.
  const [speaking] = carriers.sort((a, b) => b.issuedAt - a.issuedAt || (a.id < b.id ? -1 : 1));
  return speaking && { value: sorted(speaking.claims[path] as JsonValue), credential: speaking };
}

function reachInto(found: FoundClaim, [member, ...deeper]: readonly string[]): FoundClaim | undefined {
  if (member === undefined) return found;
  const { value, credential } = found;
  if (!isObject(value) || !Object.hasOwn(value, member)) return undefined;
  return reachInto({ value: value[member] as JsonValue, credential }, deeper);
}
