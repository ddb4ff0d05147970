/** Policy sets: which of many stored policies one person passes. */
import type { RowSet } from '../engine/bulk/row-set.js';
import type { ClaimSet } from '../engine/claims/claim-set.js';
import type { QueryLimits } from '../engine/query/parse-context.js';
import type { RegexEngine } from '../engine/regex-engine.js';
import { IndexedPolicySet } from './indexed-policy-set.js';

/** Options of {@link createPolicySet}. */
export interface PolicySetOptions {
  /** Compiles the patterns of `matchRegex`, such as `re2js`. Required by policies that match patterns. */
  readonly regex?: RegexEngine;
  /** Changes to the default limits of each policy (L7). */
  readonly limits?: Partial<QueryLimits>;
}

/** The ids of the policies whose verdict differs between two claim sets. */
export interface PolicyChanges {
  /** The policies that only the second claim set passes. */
  readonly passing: readonly string[];
  /** The policies that only the first claim set passes. */
  readonly failing: readonly string[];
}

/** Sizes of a policy set. */
export interface PolicySetStatistics {
  readonly policies: number;
  /** Number of distinct checks. */
  readonly checks: number;
  /** Number of distinct checks and groups. */
  readonly items: number;
  /** Number of policies without a necessary condition. Every match examines each of them. */
  readonly residual: number;
  /** Estimated memory, in bytes. */
  readonly bytes: number;
}

/**
 * A set of policies, each with an id. The results are exactly those of testing each policy on its own with `CompiledQuery.test`.
 *
 * Equal checks and groups are stored once. A check that takes longer than a comparison of integers is evaluated at most once per match. Policies
 * are found by necessary conditions, so that the time depends on the policies that a person may pass, and hardly on the others.
 *
 * Scopes are not checked: {@link requiredClaims} returns the claims that a match may read.
 *
 * A regular-expression engine must not use the set during a match: methods that match or change the set then throw a `TypeError`.
 */
export interface PolicySet {
  /** Number of policies. */
  readonly size: number;

  /**
   * Adds a policy.
   *
   * @param id - Not empty, and not the id of another policy of the set.
   * @param query - A check or a policy, as JSON or as returned by `parse`. Not retained.
   * @throws {QueryError} `invalid_query` or `query_too_large`, with every problem; `invalid_query` for projections.
   * @throws {PolicySetError} `policy_exists` when the set has a policy with this id.
   * @throws {TypeError} When `id` is not a string, or is empty; when the query matches a pattern and the set has no `regex`.
   */
  add(id: string, query: unknown): void;

  /** Removes a policy. Returns whether the set had it. */
  delete(id: string): boolean;

  /** Returns whether the set has a policy. */
  has(id: string): boolean;

  /**
   * Returns the ids of the policies that pass, in the order of their positions (see {@link idAt}).
   *
   * @throws {PolicySetError} `query_too_large` where matching a policy's patterns on these claims would exceed its cost limit
   *   (`limit_match_cost`, S156); `policy` is its id. Nothing is matched then.
   * @throws {TypeError} When `claims` is not a claim set.
   */
  match(claims: ClaimSet): readonly string[];

  /** Does what {@link match} does, and returns the positions of the policies; {@link idAt} returns their ids. */
  matchBitmap(claims: ClaimSet): RowSet;

  /** Returns the id of the policy at a position; `undefined` where there is none. Positions of deleted policies are reused. */
  idAt(position: number): string | undefined;

  /** Returns the ids of the policies whose verdict changes from one claim set to another. Throws as {@link match} does. */
  diff(before: ClaimSet, after: ClaimSet): PolicyChanges;

  /** Returns the ids of the policies that the index does not exclude: all that pass, and others. @throws {TypeError} When `claims` is not a claim set. */
  candidates(claims: ClaimSet): readonly string[];

  /**
   * Returns the ids of the policies whose verdict may change with the given claims: those that read one of them, or a member of one (L13).
   *
   * @throws {TypeError} When `claimPaths` is not an iterable of strings.
   * @throws {RangeError} When one is not a claim path (L9), such as a category, which no policy reads.
   */
  affectedBy(claimPaths: Iterable<string>): readonly string[];

  /** Returns the distinct claim paths that the policies read, in code-unit order. */
  requiredClaims(): readonly string[];

  /** Returns the sizes of the set. */
  stats(): PolicySetStatistics;

  /** Serializes the set, for {@link policySetFromBytes}. */
  toBytes(): Uint8Array;
}

/**
 * Creates an empty policy set.
 *
 * @throws {TypeError | RangeError} For wrong options, as `compile` does.
 * @example
 * const set = createPolicySet();
 * set.add('adults', { check: { claim: 'identity.age', operator: '>=', value: 18 } });
 * set.match(ClaimSet.of({ 'identity.age': 34 })) // ['adults']
 */
export function createPolicySet(options: PolicySetOptions = {}): PolicySet {
  return new IndexedPolicySet(options);
}

/**
 * Creates the policy set that {@link PolicySet.toBytes} serialized.
 *
 * @throws {PolicySetError} `invalid_bytes` when the bytes are damaged, or not a policy set of this version; `query_too_large` when a policy has too
 *   many checks or nests too deep; `policy_exists` when two policies have the same id.
 * @throws {QueryError} When a claim path, an operand or a pattern is not valid, or exceeds a limit of `options`.
 * @throws {TypeError | RangeError} For wrong options, as `compile` does; when `bytes` is not a `Uint8Array`; when a policy matches a pattern and
 *   `regex` is absent.
 */
export function policySetFromBytes(bytes: Uint8Array, options: PolicySetOptions = {}): PolicySet {
  const set = new IndexedPolicySet(options);
  set.addEncoded(bytes);
  return set;
}
