/** A subject’s claims at one instant, and the credential that attests each (L10–L13). */
import { assertOptions } from '../options.js';
import { assertArray, assertObject, wrongType } from '../value-types.js';
import { Attestation, ClaimJsonCache } from './claim-json.js';
import {
  assertClaimPath,
  type ClaimReference,
  findSlot,
  NO_SLOT,
  slotCount,
  slotOf,
  toClaimReference,
} from './claim-path.js';
import { assertCredential, assertMembers, type Credential, isActive } from './credential.js';
import { assertInstant, FIRST_INSTANT, LAST_INSTANT } from './instant.js';
import { assertJsonClaim, canonicalCopy, isJsonObject, type JsonValue } from './json-value.js';

/** A defined claim: its value, and the credential that attests it. */
export interface DefinedClaim {
  readonly value: JsonValue;
  readonly credential: Credential;
}

/**
 * The claims of one subject at one instant, created by {@link ClaimSet.at} or {@link ClaimSet.of}.
 *
 * Holds copies of the values, so later changes to the credentials or claims have no effect. Immutable: safe to share between
 * queries and requests.
 *
 * The object is a list of values by slot, `undefined` where a claim is not defined, which saves a check one pointer
 * dereference compared with an object that holds such a list.
 *
 * @see L10–L13
 */
export interface ClaimSet {
  /** @internal */
  readonly [slot: number]: JsonValue | undefined;
  /** Missing in a copy such as `{ ...claims }`, which has the other properties. @internal */
  readonly length: number;
  /** @internal */
  readonly metadata: ClaimSetMetadata;
}

/** Metadata of a claim set, apart from the values in its slots. */
export interface ClaimSetMetadata {
  /** The instant of the claim set, epoch milliseconds; `NaN` for plain claims without one. */
  readonly at: number;
  /** The interval, with exclusive end, during which the same credentials are active. */
  readonly from: number;
  readonly until: number;
  /** The attestation of each claim, by slot. */
  readonly attestations: readonly (Attestation | undefined)[];
  /** The claims whose paths have no slot. */
  readonly others: ReadonlyMap<string, AttestedClaim>;
  /** Length of the longest string in any value, in code units. */
  readonly longestString: number;
  /** The JSON that results on these claims have in common. */
  readonly json: ClaimJsonCache;
  /** Identifies the engine that checked the claims against its catalogue; `undefined` if the claims were not checked. */
  readonly checkedBy?: object | undefined;
  /** Finds the claim at a path, for generated modules, which import nothing. */
  readonly find: (claims: ClaimSet, path: string) => DefinedClaim | undefined;
}

/** A claim without a slot. */
interface AttestedClaim {
  readonly value: JsonValue;
  readonly attestation: Attestation;
}

/** State while a claim set is built. */
interface ClaimSetBuilder {
  readonly at: number;
  readonly attestations: (Attestation | undefined)[];
  others: Map<string, AttestedClaim>;
  longestString: number;
  from: number;
  until: number;
}

/** Creates claim sets. */
export const ClaimSet: {
  /**
   * Indexes the credentials that are active at an instant. Where several attest a claim, the one issued last takes
   * precedence, and of those issued together the one with the smallest `id` by code units (L11).
   *
   * A claim whose value nests deeper than 16 arrays and objects counts as not defined (S152), as does one whose value
   * is `undefined`.
   *
   * @param credentials - Credentials of one subject as {@link parseCredentials} returns them, in any order, with
   *   distinct `id`s. Not modified.
   * @param now - Epoch milliseconds, as of `Date.now()`: an instant in seconds is in January 1970, when credentials of
   *   today are not yet active.
   * @throws {RangeError} When `now` is not a whole number of milliseconds in the years 0000 to 9999, or the path of a
   *   claim is malformed (L9).
   * @throws {TypeError} When `credentials` is not an array of parsed credentials, one has an unknown member, two have the
   *   same `id`, or the value of a claim is not JSON. Claims of credentials that are not active are not examined.
   */
  at(credentials: readonly Credential[], now: number): ClaimSet;
  /**
   * Indexes plain claims, for programs that have claims but no credentials. They are valid at every instant; the
   * evidence of an evaluation has an empty `credentialId` and `source`.
   *
   * A claim whose value nests deeper than 16 arrays and objects, or contains itself, counts as not defined (S152);
   * `claims.of` of an engine with a catalogue rejects it.
   *
   * @param claims - Claim path → JSON value, or `undefined` for a claim that is not defined. Not modified.
   * @param options.now - The instant of the claim set, epoch milliseconds, as of `Date.now()`. Without it, `evaluate` requires `now`.
   * @throws {RangeError} When `now` is not a whole number of milliseconds in the years 0000 to 9999, or the path of a
   *   claim is malformed (L9).
   * @throws {TypeError} When `claims` is not a plain object, the value of a claim is not JSON, or an option is not known.
   * @example
   * compile({ check: { claim: 'identity.age', operator: '>=', value: 18 } }).test(ClaimSet.of({ 'identity.age': 34 })) // true
   */
  of(claims: Readonly<Record<string, unknown>>, options?: { readonly now?: number }): ClaimSet;
  /**
   * Moves a claim set to another instant, for a fraction of the time of indexing again. Cached JSON is shared.
   *
   * @returns `undefined` where other credentials are active at that instant, so that the claims must be indexed
   *   again, and where `now` is not an instant that {@link ClaimSet.at} accepts.
   * @throws {TypeError} When `claims` is not a claim set, or `now` is not a number.
   */
  move(claims: ClaimSet, now: number): ClaimSet | undefined;
} = Object.freeze({ at: indexDistinctCredentials, of: indexPlainClaims, move: moveClaims });

/** Returns its argument, so that a derived class adds its private field to an existing object. */
class Existing {
  constructor(value: object) {
    // biome-ignore lint/correctness/noConstructorReturn: a derived class can only add its private field to an object that is returned here.
    return value;
  }
}

/**
 * Marks claim sets by a private field, which no other value can have. Without it, on a value that is not a claim set, every
 * claim would be undefined, and every negated check would pass. Where all values are claim sets, V8 needs no instructions
 * for the look-up beyond its check of the hidden class, and none for `catch`; `typeof` in front would need some.
 */
class Brand extends Existing {
  readonly #claimSet = true;

  static isOn(value: unknown): value is ClaimSet {
    try {
      return #claimSet in (value as object);
    } catch {
      // `in` throws for values that are not objects.
      return false;
    }
  }

  /** Repeats the look-up: a call of {@link isOn} would add a comparison of the callee to each check of a claim. */
  static assertOn(claims: ClaimSet): void {
    try {
      if (#claimSet in claims) return;
    } catch {
      // As above.
    }
    throw wrongType('`claims`', 'a claim set, created by `ClaimSet.at` or `ClaimSet.of`', claims);
  }
}

/** Returns whether a value is a claim set of this copy of the package. Never throws. */
export const isClaimSet: (value: unknown) => value is ClaimSet = Brand.isOn;

/**
 * Asserts that a value is a claim set of this copy of the package.
 *
 * @throws {TypeError} For any other value.
 */
export const assertClaimSet: (claims: ClaimSet) => void = Brand.assertOn;

/**
 * Finds the claim at a path, directly or as a member of a shorter claim (L13); `undefined` where it is not defined.
 *
 * @throws {TypeError} When `claims` is not a claim set, or `reference` is not a claim reference.
 */
export function findClaim(claims: ClaimSet, reference: ClaimReference): DefinedClaim | undefined {
  assertClaimSet(claims);
  if (!Array.isArray((reference as Partial<ClaimReference> | undefined | null)?.parents))
    throw wrongType('`reference`', 'a claim reference, created by `toClaimReference`', reference);
  const value = findValue(claims, reference);
  return value === undefined
    ? undefined
    : { value, credential: getAttestation(claims.metadata, reference).credential };
}

function findByPath(claims: ClaimSet, path: string): DefinedClaim | undefined {
  return findClaim(claims, toClaimReference(path));
}

/** Finds the value of the claim that {@link findClaim} finds, without allocating. */
export function findValue(claims: ClaimSet, reference: ClaimReference): JsonValue | undefined {
  const own = ownValue(claims, reference);
  if (own !== undefined) return own;
  for (const parent of reference.parents) {
    const value = ownValue(claims, parent);
    if (value !== undefined) return readMember(value, parent.members);
  }
  return undefined;
}

/** Returns the attestation of a defined claim: its own, or that of its parent claim. */
export function getAttestation(metadata: ClaimSetMetadata, reference: ClaimReference): Attestation {
  const own = ownAttestation(metadata, reference);
  if (own !== undefined) return own;
  const ofParents = reference.parents.map((parent) => ownAttestation(metadata, parent));
  // A defined claim has an attestation.
  return ofParents.find((attestation) => attestation !== undefined) as Attestation;
}

function indexDistinctCredentials(credentials: readonly Credential[], now: number): ClaimSet {
  const claims = indexCredentials(credentials, now);
  const ids = new Set<string>();
  for (const credential of credentials) {
    assertMembers(credential);
    const { id } = credential;
    if (ids.size === ids.add(id).size)
      throw new TypeError(`\`id\` of each credential must be unique (got \`${id}\` twice)`);
  }
  return claims;
}

/**
 * Does what {@link ClaimSet.at} does, for a list in which the claims of one credential may be distributed over several
 * entries with the same `id`, such as derived claims that expire earlier.
 */
export function indexCredentials(credentials: readonly Credential[], now: number): ClaimSet {
  assertInstant(now);
  assertArray('`credentials`', credentials);
  const values = createValues();
  const builder = createBuilder(now, values.length);
  for (const credential of credentials as readonly Credential[]) {
    assertCredential(credential);
    const { issuedAt, expiresAt = issuedAt, revokedAt = issuedAt } = credential;
    if (isActive(credential, now)) addClaims(builder, values, credential);
    narrowInterval(builder, issuedAt);
    narrowInterval(builder, expiresAt);
    narrowInterval(builder, revokedAt);
  }
  return toClaimSet(values, builder);
}

function indexPlainClaims(
  claims: Readonly<Record<string, unknown>>,
  options?: { readonly now?: number },
): ClaimSet {
  assertOptions(options, ['now']);
  if (options?.now !== undefined) assertInstant(options.now);
  assertObject('`claims`', claims);
  const now = options?.now ?? Number.NaN;
  const values = createValues();
  const builder = createBuilder(now, values.length);
  // Each value is asserted to be JSON when it is added.
  const plain = claims as Credential['claims'];
  addClaims(builder, values, { id: '', source: '', issuedAt: FIRST_INSTANT, claims: plain });
  return toClaimSet(values, builder);
}

/**
 * Creates the values of an empty claim set. The spread turns holes into `undefined`: elements of a list that may
 * have holes are read more slowly.
 */
function createValues(): (JsonValue | undefined)[] {
  return [...new Array<undefined>(slotCount())];
}

/** Shared by claim sets whose claims all have slots, which is the usual case. */
const NO_OTHERS: Map<string, AttestedClaim> = new Map();

function createBuilder(at: number, slots: number): ClaimSetBuilder {
  return {
    at,
    attestations: new Array<undefined>(slots).fill(undefined),
    others: NO_OTHERS,
    longestString: 0,
    from: FIRST_INSTANT,
    until: LAST_INSTANT + 1,
  };
}

/** Narrows the interval in which the same credentials are active by an instant at which a credential starts or ends. */
function narrowInterval(builder: ClaimSetBuilder, boundary: number): void {
  if (boundary <= builder.at) builder.from = Math.max(builder.from, boundary);
  else builder.until = Math.min(builder.until, boundary);
}

function moveClaims(claims: ClaimSet, now: number): ClaimSet | undefined {
  assertClaimSet(claims);
  const { metadata } = claims;
  if (typeof now !== 'number') throw wrongType('`now`', 'a number', now);
  if (!Number.isSafeInteger(now) || now < metadata.from || now >= metadata.until) return undefined;
  const values = Array.prototype.slice.call(claims) as (JsonValue | undefined)[];
  return toClaimSet(values, { ...metadata, at: now }, metadata.json);
}

/** Creates every claim set, so that all have the same hidden class. */
function toClaimSet<Values extends readonly (JsonValue | undefined)[]>(
  values: Values,
  {
    at,
    from,
    until,
    attestations,
    others,
    longestString,
    checkedBy,
  }: Omit<ClaimSetMetadata, 'json' | 'find'>,
  earlier?: ClaimJsonCache,
): Values & ClaimSet {
  const json = new ClaimJsonCache(at, values, earlier);
  const metadata: ClaimSetMetadata = {
    at,
    from,
    until,
    attestations,
    others,
    longestString,
    json,
    checkedBy,
    find: findByPath,
  };
  // The result is used, since Rollup removes a call of the constructor alone.
  return Object.assign(new Brand(values) as unknown as Values, { metadata });
}

function ownAttestation(
  { attestations, others }: ClaimSetMetadata,
  { path, slot }: Pick<ClaimReference, 'path' | 'slot'>,
): Attestation | undefined {
  return slot === NO_SLOT ? others.get(path)?.attestation : attestations[slot];
}

function ownValue(
  claims: ClaimSet,
  { path, slot }: Pick<ClaimReference, 'path' | 'slot'>,
): JsonValue | undefined {
  return slot === NO_SLOT ? claims.metadata.others.get(path)?.value : claims[slot];
}

function addClaims(
  builder: ClaimSetBuilder,
  values: (JsonValue | undefined)[],
  credential: Credential,
): void {
  const attestation = new Attestation(credential);
  for (const path of Object.keys(credential.claims)) {
    const slot = findSlot(path) ?? slotOf(assertClaimPath(path));
    const given: unknown = credential.claims[path];
    if (given === undefined) continue;
    assertJsonClaim(path, given);
    const current = slot === NO_SLOT ? builder.others.get(path)?.attestation : builder.attestations[slot];
    if (current !== undefined && !takesPrecedenceOver(credential, current.credential)) continue;
    const value = canonicalCopy(given);
    if (value === undefined) continue;
    builder.longestString = Math.max(builder.longestString, longestString(value));
    if (slot === NO_SLOT) {
      if (builder.others === NO_OTHERS) builder.others = new Map();
      builder.others.set(path, { value, attestation });
    } else {
      values[slot] = value;
      builder.attestations[slot] = attestation;
    }
  }
}

function takesPrecedenceOver(candidate: Credential, current: Credential): boolean {
  if (candidate.issuedAt !== current.issuedAt) return candidate.issuedAt > current.issuedAt;
  return candidate.id < current.id;
}

/** Returns the member of a parent claim's value; `undefined` where it has none. */
export function readMember(parentValue: JsonValue, members: readonly string[]): JsonValue | undefined {
  let value = parentValue;
  for (const member of members) {
    if (!isJsonObject(value) || !Object.hasOwn(value, member)) return undefined;
    value = value[member] as JsonValue;
  }
  return value;
}

/** Returns the length of a value's longest string. Values nest at most 16 deep (S152). */
function longestString(value: JsonValue): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  let longest = 0;
  for (const member of Object.values(value) as readonly JsonValue[]) {
    longest = Math.max(longest, longestString(member));
  }
  return longest;
}
