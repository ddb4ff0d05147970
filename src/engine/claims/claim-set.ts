/** A subject's claims at one instant: which credential speaks for each (L10–L13). */
import type { Carrier, ClaimReference } from './claim-path.js';
import { type Credential, isActiveAt } from './credential.js';
import { FIRST_INSTANT, LAST_INSTANT } from './instant.js';
import { canonicalCopy, isJsonObject, type JsonValue } from './json-value.js';

/** A defined claim: its value, and the credential that speaks for it. */
export interface DefinedClaim {
  readonly value: JsonValue;
  readonly credential: Credential;
}

/**
 * One subject's credentials, indexed for one instant.
 *
 * Holds copies of the claims' values, so later changes to the credentials do not show. Immutable: safe to share between
 * queries and requests.
 *
 * @see L10–L13
 */
export class ClaimSet {
  /** The instant for which the claims are indexed, epoch milliseconds. */
  readonly at: number;
  readonly #claims: ReadonlyMap<string, DefinedClaim>;

  private constructor(at: number, claims: ReadonlyMap<string, DefinedClaim>) {
    this.at = at;
    this.#claims = claims;
  }

  /**
   * Indexes the credentials that are active at an instant; of several that carry a claim, the one issued last speaks, of
   * those issued together the one with the smallest `id` by code units (L11).
   *
   * A claim whose value nests deeper than 16 arrays and objects counts as not carried (S152).
   *
   * @param credentials - Credentials of one subject, in any order, each with an `id` of its own. Not modified.
   * @param now - Epoch milliseconds.
   * @throws {RangeError} When `now` is not a whole number of milliseconds in the years 0000 to 9999.
   */
  static at(credentials: readonly Credential[], now: number): ClaimSet {
    if (!Number.isSafeInteger(now) || now < FIRST_INSTANT || now > LAST_INSTANT) {
      throw new RangeError(`an instant is a whole number of milliseconds in the years 0000 to 9999: ${now}`);
    }
    const claims = new Map<string, DefinedClaim>();
    for (const credential of credentials) {
      if (isActiveAt(credential, now)) addClaims(claims, credential);
    }
    return new ClaimSet(now, claims);
  }

  /** The claim at a path, as one of its own or as a member of a shorter claim (L13); `undefined` where it is not defined. */
  find(reference: ClaimReference): DefinedClaim | undefined {
    const own = this.#claims.get(reference.path);
    if (own !== undefined) return own;
    for (const carrier of reference.carriers) {
      const claim = this.#claims.get(carrier.path);
      if (claim !== undefined) return reachInto(claim, carrier);
    }
    return undefined;
  }
}

function addClaims(claims: Map<string, DefinedClaim>, credential: Credential): void {
  for (const path of Object.keys(credential.claims)) {
    const spoken = claims.get(path);
    if (spoken !== undefined && !speaksBefore(credential, spoken.credential)) continue;
    const value = canonicalCopy(credential.claims[path] as JsonValue);
    if (value !== undefined) claims.set(path, { value, credential });
  }
}

function speaksBefore(candidate: Credential, current: Credential): boolean {
  if (candidate.issuedAt !== current.issuedAt) return candidate.issuedAt > current.issuedAt;
  return candidate.id < current.id;
}

function reachInto(claim: DefinedClaim, carrier: Carrier): DefinedClaim | undefined {
  let value = claim.value;
  for (const member of carrier.members) {
    if (!isJsonObject(value) || !Object.hasOwn(value, member)) return undefined;
    value = value[member] as JsonValue;
  }
  return { value, credential: claim.credential };
}
