/** A subject's claims at one instant: which credential speaks for each (L10–L13). */
import type { Carrier, ClaimReference } from './claim-path.js';
import { NO_SLOT, slotCount, slotOf } from './claim-slots.js';
import { type Credential, isActiveAt } from './credential.js';
import { FIRST_INSTANT, formatInstant, LAST_INSTANT } from './instant.js';
import { canonicalCopy, isJsonObject, type JsonValue } from './json-value.js';

/** A defined claim: its value, and the credential that speaks for it. */
export interface DefinedClaim {
  readonly value: JsonValue;
  readonly credential: Credential;
}

/** A subject's claim values by slot; `undefined` where a claim is not defined. */
export type ClaimValues = readonly (JsonValue | undefined)[];

/** What compiled queries read of a claim set. Not to be changed by anyone. */
export interface ClaimIndex {
  readonly values: ClaimValues;
  /** By slot: the credential that speaks for the claim. */
  readonly credentials: readonly (Credential | undefined)[];
  /** The claims whose paths have no slot. */
  readonly others: ReadonlyMap<string, DefinedClaim>;
  /** In code units, over all texts in the values, however deep. */
  readonly longestText: number;
}

/** What a claim set has written of itself so far: texts that every answer on it has in common. */
interface Written {
  expiry: number;
  expiryText: string;
  atText: string;
  /** By slot: the value as JSON. */
  readonly values: (string | undefined)[];
  readonly speakers: Map<Credential, string>;
}

/** A {@link ClaimIndex} while it is filled. */
interface Filling {
  readonly values: (JsonValue | undefined)[];
  readonly credentials: (Credential | undefined)[];
  readonly others: Map<string, DefinedClaim>;
  longestText: number;
}

/**
 * One subject's credentials, indexed for one instant.
 *
 * Holds copies of the claims' values, so later changes to the credentials do not show. Immutable: safe to share between
 * queries and requests.
 *
 * @see L10–L13
 */
export class ClaimSet implements ClaimIndex {
  /** The instant for which the claims are indexed, epoch milliseconds. */
  readonly at: number;
  /** @internal */
  readonly values: ClaimValues;
  /** @internal */
  readonly credentials: readonly (Credential | undefined)[];
  /** @internal */
  readonly others: ReadonlyMap<string, DefinedClaim>;
  /** @internal */
  readonly longestText: number;

  readonly #written: Written = {
    expiry: Number.NaN,
    expiryText: '',
    atText: '',
    values: [],
    speakers: new Map(),
  };

  private constructor(at: number, { values, credentials, others, longestText }: ClaimIndex) {
    this.at = at;
    this.values = values;
    this.credentials = credentials;
    this.others = others;
    this.longestText = longestText;
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
    const slots = slotCount();
    const filling: Filling = {
      values: new Array<undefined>(slots).fill(undefined),
      credentials: new Array<undefined>(slots).fill(undefined),
      others: new Map(),
      longestText: 0,
    };
    for (const credential of credentials) {
      if (isActiveAt(credential, now)) addClaims(filling, credential);
    }
    return new ClaimSet(now, filling);
  }

  /**
   * The instant for which the claims are indexed, as text: written once, however many queries ask.
   *
   * @internal
   */
  get atText(): string {
    if (this.#written.atText === '') this.#written.atText = formatInstant(this.at);
    return this.#written.atText;
  }

  /**
   * An instant at which an answer on these claims expires, as text: most answers on one claim set expire together.
   *
   * @internal
   */
  writeExpiry(at: number): string {
    const written = this.#written;
    if (written.expiry !== at) {
      written.expiry = at;
      written.expiryText = formatInstant(at);
    }
    return written.expiryText;
  }

  /**
   * The value in a slot as JSON: written once, however many answers show it.
   *
   * @internal
   */
  writeValue(slot: number): string {
    const { values } = this.#written;
    const known = values[slot];
    if (known !== undefined) return known;
    const text = JSON.stringify(this.values[slot]);
    values[slot] = text;
    return text;
  }

  /**
   * The end of a used claim's entry: which credential speaks for it.
   *
   * @internal
   */
  writeSpeaker(credential: Credential, nameOf: ((id: string) => string) | undefined): string {
    if (nameOf !== undefined) return speakerText(nameOf(credential.id), credential.source);
    const { speakers } = this.#written;
    const known = speakers.get(credential);
    if (known !== undefined) return known;
    const text = speakerText(credential.id, credential.source);
    speakers.set(credential, text);
    return text;
  }

  /** The claim at a path, as one of its own or as a member of a shorter claim (L13); `undefined` where it is not defined. */
  find(reference: ClaimReference): DefinedClaim | undefined {
    return findClaim(this, reference);
  }
}

function speakerText(id: string, source: string): string {
  return `,"credentialId":${JSON.stringify(id)},"source":${JSON.stringify(source)}}`;
}

/** As `ClaimSet.find`, on what a claim set holds. */
function findClaim(index: ClaimIndex, reference: ClaimReference): DefinedClaim | undefined {
  const value = findValue(index, reference);
  return value === undefined ? undefined : { value, credential: findCredential(index, reference) };
}

/** The value of the claim that `find` finds, without allocating anything. */
export function findValue(index: ClaimIndex, reference: ClaimReference): JsonValue | undefined {
  const own = ownValue(index, reference);
  if (own !== undefined) return own;
  for (const carrier of reference.carriers) {
    const value = ownValue(index, carrier);
    if (value !== undefined) return reachInto(value, carrier);
  }
  return undefined;
}

/** Who speaks for a claim that is defined: its own credential, or that of the claim which carries it. */
export function findCredential(index: ClaimIndex, reference: ClaimReference): Credential {
  const own = ownCredential(index, reference);
  if (own !== undefined) return own;
  const carried = reference.carriers.map((carrier) => ownCredential(index, carrier));
  // A claim that is defined is spoken for.
  return carried.find((credential) => credential !== undefined) as Credential;
}

function ownCredential(
  { credentials, others }: ClaimIndex,
  { path, slot }: Pick<ClaimReference, 'path' | 'slot'>,
): Credential | undefined {
  return slot === NO_SLOT ? others.get(path)?.credential : credentials[slot];
}

function ownValue(
  { values, others }: ClaimIndex,
  { path, slot }: Pick<ClaimReference, 'path' | 'slot'>,
): JsonValue | undefined {
  return slot === NO_SLOT ? others.get(path)?.value : values[slot];
}

function addClaims(filling: Filling, credential: Credential): void {
  for (const path of Object.keys(credential.claims)) {
    const slot = slotOf(path);
    const spoken = slot === NO_SLOT ? filling.others.get(path)?.credential : filling.credentials[slot];
    if (spoken !== undefined && !speaksBefore(credential, spoken)) continue;
    const value = canonicalCopy(credential.claims[path] as JsonValue);
    if (value === undefined) continue;
    filling.longestText = Math.max(filling.longestText, longestText(value));
    if (slot === NO_SLOT) {
      filling.others.set(path, { value, credential });
    } else {
      filling.values[slot] = value;
      filling.credentials[slot] = credential;
    }
  }
}

function speaksBefore(candidate: Credential, current: Credential): boolean {
  if (candidate.issuedAt !== current.issuedAt) return candidate.issuedAt > current.issuedAt;
  return candidate.id < current.id;
}

function reachInto(carried: JsonValue, carrier: Carrier): JsonValue | undefined {
  let value = carried;
  for (const member of carrier.members) {
    if (!isJsonObject(value) || !Object.hasOwn(value, member)) return undefined;
    value = value[member] as JsonValue;
  }
  return value;
}

/** The code units of a value's longest text; members nest at most sixteen deep (S152). */
function longestText(value: JsonValue): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let longest = 0;
  for (const member of Object.values(value) as readonly JsonValue[]) {
    longest = Math.max(longest, longestText(member));
  }
  return longest;
}
