/** Policy sets: which of many stored policies one person passes. */
import { RowSet } from '../engine/bulk/row-set.js';
import { assertClaimSet, type ClaimSet } from '../engine/claims/claim-set.js';
import { assertEngineForPatterns, readPredicate } from '../engine/compile/compile.js';
import { assertOptions } from '../engine/options.js';
import { ParseContext, type ParseOptions, type QueryLimits } from '../engine/query/parse-context.js';
import type { RegexEngine } from '../engine/regex-engine.js';
import { toStrings, wrongType } from '../engine/value-types.js';
import { omitUndefined } from '../util/omit-undefined.js';
import { AccessIndex } from './access-index.js';
import { decodePolicySet, type EncodedPolicySet, encodePolicySet } from './encoding.js';
import { PolicySetError } from './errors.js';
import type { Position } from './index-node.js';
import { type ItemNumber, ItemTable } from './item-table.js';

/** Options of {@link createPolicySet}. */
export interface PolicySetOptions {
  /** Compiles the patterns of `matchRegex`, such as `re2js`. Required by policies that match patterns. */
  readonly regex?: RegexEngine;
  /** Changes to the default limits of each policy (L7). */
  readonly limits?: Partial<QueryLimits>;
}

/** The policies whose verdict differs between two claim sets. */
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
  /** Number of policies that every match tests, since nothing is required of those who pass them. */
  readonly residual: number;
  /** Estimated memory, in bytes. */
  readonly bytes: number;
}

/**
 * A set of policies, each with an id. The answers are exactly those of testing each policy on its own with `CompiledQuery.test`.
 *
 * Equal checks and groups are stored once and evaluated at most once per match, and policies are found by conditions that everybody who
 * passes them meets, so that the time depends on the policies that a person may pass and hardly on the others.
 *
 * Scopes are not checked: {@link requiredClaims} returns the claims that a match may read.
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
   * @throws {TypeError} When `id` is no string or empty; when the query matches a pattern and the set has no `regex`.
   */
  add(id: string, query: unknown): void;

  /** Removes a policy. Returns whether the set had it. */
  delete(id: string): boolean;

  /** Returns whether the set has a policy. */
  has(id: string): boolean;

  /**
   * Returns the ids of the policies that pass, in the order of their positions.
   *
   * @throws {PolicySetError} `query_too_large` where matching a policy's patterns on these claims would exceed its cost limit
   *   (`limit_match_cost`, S156); `policy` is its id. Nothing is matched then.
   * @throws {TypeError} When `claims` is no claim set.
   */
  match(claims: ClaimSet): readonly string[];

  /** Does what {@link match} does, and returns the positions of the policies; {@link idAt} returns their ids. */
  matchBitmap(claims: ClaimSet): RowSet;

  /** Returns the id of the policy at a position; `undefined` where there is none. Positions of deleted policies are reused. */
  idAt(position: number): string | undefined;

  /** Returns the policies whose verdict changes from one claim set to another. Throws as {@link match} does. */
  diff(before: ClaimSet, after: ClaimSet): PolicyChanges;

  /** Returns the ids of the policies that a match tests: all that pass, and others. @throws {TypeError} When `claims` is no claim set. */
  candidates(claims: ClaimSet): readonly string[];

  /**
   * Returns the ids of the policies whose verdict may change with the given claims: those that read one of them, or a member of one (L13).
   *
   * @throws {TypeError} When `claimPaths` is no iterable of strings.
   */
  affectedBy(claimPaths: Iterable<string>): readonly string[];

  /** Returns the distinct claim paths that the policies read, in code-unit order. */
  requiredClaims(): readonly string[];

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
 * @throws {PolicySetError} `invalid_bytes` when the bytes are damaged, or not those of a policy set of this version.
 * @throws {QueryError} When a policy exceeds a limit of `options`.
 * @throws {TypeError | RangeError} For wrong options, as `compile` does; when a policy matches a pattern and `regex` is absent.
 */
export function policySetFromBytes(bytes: Uint8Array, options: PolicySetOptions = {}): PolicySet {
  const set = new IndexedPolicySet(options);
  set.addEncoded(bytes);
  return set;
}

const NO_ITEM = -1;

/** Testing a policy takes less time and memory than a node of its own. */
const NODE_CAPACITY = 128;

/** The implementation of {@link PolicySet}. */
export class IndexedPolicySet implements PolicySet {
  readonly #options: ParseOptions;
  readonly #matchCost: number;
  readonly #items = new ItemTable();
  readonly #index: AccessIndex;
  readonly #positions = new Map<string, Position>();
  /** By position: the id of the policy, and its item. */
  readonly #ids: (string | undefined)[] = [];
  readonly #roots: ItemNumber[] = [];
  readonly #freed: Position[] = [];
  /** The greatest program size of any policy so far (S156). */
  #maxProgramSize = 0;

  /** @param nodeCapacity - Number of policies that a node of the index collects before it distributes them. */
  constructor(options: PolicySetOptions, nodeCapacity = NODE_CAPACITY) {
    assertOptions(options, ['regex', 'limits']);
    this.#index = new AccessIndex(this.#items, nodeCapacity);
    this.#options = options;
    // Also asserts the options.
    this.#matchCost = new ParseContext(options).limits.matchCost;
  }

  get size(): number {
    return this.#positions.size;
  }

  add(id: string, query: unknown): void {
    this.#assertNew(id);
    const context = new ParseContext(this.#options);
    const item = readPredicate(query, context);
    assertEngineForPatterns(context);
    this.#addPolicy(id, this.#items.addItem(item, context));
  }

  delete(id: string): boolean {
    const position = this.#positions.get(id);
    if (position === undefined) return false;
    this.#items.assertIdle();
    this.#index.delete(position);
    this.#items.release(this.#roots[position] as ItemNumber);
    this.#positions.delete(id);
    this.#ids[position] = undefined;
    this.#roots[position] = NO_ITEM;
    this.#freed.push(position);
    return true;
  }

  has(id: string): boolean {
    return this.#positions.has(id);
  }

  match(claims: ClaimSet): readonly string[] {
    return this.#passing(claims).map((position) => this.#ids[position] as string);
  }

  matchBitmap(claims: ClaimSet): RowSet {
    const words = new Uint32Array(Math.ceil(this.#ids.length / 32));
    for (const position of this.#passing(claims))
      words[position >>> 5] = (words[position >>> 5] as number) | (1 << (position & 31));
    return new RowSet(this.#ids.length, words);
  }

  idAt(position: number): string | undefined {
    return this.#ids[position];
  }

  diff(before: ClaimSet, after: ClaimSet): PolicyChanges {
    const first = this.match(before);
    const second = this.match(after);
    const passedFirst = new Set(first);
    const passedSecond = new Set(second);
    return {
      passing: second.filter((id) => !passedFirst.has(id)),
      failing: first.filter((id) => !passedSecond.has(id)),
    };
  }

  candidates(claims: ClaimSet): readonly string[] {
    assertClaimSet(claims);
    return inOrder(this.#index.collect(claims)).flatMap((position) => this.#ids[position] ?? []);
  }

  affectedBy(claimPaths: Iterable<string>): readonly string[] {
    const paths = new Set(toStrings('`claimPaths`', claimPaths));
    const affected = new Set<ItemNumber>();
    for (const item of this.#items.inOrder(this.#roots.filter((root) => root !== NO_ITEM))) {
      const stored = this.#items.get(item);
      const isAffected =
        'kind' in stored
          ? stored.members.some((member) => affected.has(member))
          : [stored.claim, ...stored.claim.parents].some(({ path }) => paths.has(path));
      if (isAffected) affected.add(item);
    }
    return [...this.#positions.keys()].filter((id) => affected.has(this.#rootOf(id)));
  }

  requiredClaims(): readonly string[] {
    return [...new Set(this.#items.checks().map(({ check }) => check.claim))].sort();
  }

  stats(): PolicySetStatistics {
    return {
      policies: this.size,
      checks: this.#items.checkCount,
      items: this.#items.size,
      residual: this.#index.residualSize,
      bytes: this.#items.bytes + this.size * BYTES_PER_POLICY,
    };
  }

  toBytes(): Uint8Array {
    const numbers = new Map<ItemNumber, number>();
    const checks: EncodedPolicySet['checks'][number][] = [];
    const groups: EncodedPolicySet['groups'][number][] = [];
    const items = [...this.#items.inOrder(this.#roots.filter((root) => root !== NO_ITEM))];
    for (const item of items) {
      const stored = this.#items.get(item);
      if ('kind' in stored) continue;
      const { claim, operator, value } = stored.check;
      numbers.set(item, checks.length);
      checks.push(value === undefined ? [claim, operator] : [claim, operator, value]);
    }
    for (const item of items) {
      const stored = this.#items.get(item);
      if (!('kind' in stored)) continue;
      numbers.set(item, checks.length + groups.length);
      groups.push([stored.kind, stored.members.map((member) => numbers.get(member) as number)]);
    }
    const policies = [...this.#positions.keys()].map(
      (id) => [id, numbers.get(this.#rootOf(id)) as number] as const,
    );
    return encodePolicySet({ checks, groups, policies });
  }

  /** Adds the policies of a serialized set to an empty one. */
  addEncoded(bytes: Uint8Array): void {
    const { checks, groups, policies } = decodePolicySet(bytes);
    const items = checks.map(([claim, operator, value]) => this.#addEncodedCheck({ claim, operator, value }));
    const sizes: PolicySize[] = items.map(() => ({ depth: 0, checks: 1 }));
    for (const [kind, members] of groups) {
      sizes.push(sizeOfGroup(members.map((member) => sizes[member] as PolicySize)));
      items.push(
        this.#items.addGroup(
          kind,
          members.map((member) => this.#items.use(items[member] as ItemNumber)),
        ),
      );
    }
    const { limits } = new ParseContext(this.#options);
    for (const [id, number] of policies) {
      this.#assertNew(id);
      const { depth, checks: count } = sizes[number] as PolicySize;
      if (depth > limits.depth || count > limits.checks)
        throw new PolicySetError(
          'query_too_large',
          `policy \`${id}\` exceeds the limit of ${depth > limits.depth ? `${limits.depth} levels` : `${limits.checks} checks`}`,
          id,
        );
      this.#addPolicy(id, this.#items.use(items[number] as ItemNumber));
    }
    // Ends the uses by the list of items.
    for (const item of items) this.#items.release(item);
  }

  #addEncodedCheck(check: Readonly<Record<'claim' | 'operator' | 'value', unknown>>): ItemNumber {
    const context = new ParseContext(this.#options);
    const item = readPredicate({ check: omitUndefined(check) }, context);
    assertEngineForPatterns(context);
    return this.#items.addItem(item, context);
  }

  #addPolicy(id: string, root: ItemNumber): void {
    const position = this.#freed.pop() ?? this.#ids.length;
    this.#ids[position] = id;
    this.#roots[position] = root;
    this.#positions.set(id, position);
    this.#index.add(position, root);
    this.#maxProgramSize = Math.max(this.#maxProgramSize, this.#items.programSize(root));
  }

  #assertNew(id: string): void {
    if (typeof id !== 'string') throw wrongType('`id`', 'a string', id);
    if (id === '') throw new TypeError('`id` must not be empty');
    this.#items.assertIdle();
    if (this.#positions.has(id))
      throw new PolicySetError('policy_exists', `the set has a policy \`${id}\`; delete it first`, id);
  }

  #rootOf(id: string): ItemNumber {
    return this.#roots[this.#positions.get(id) as Position] as ItemNumber;
  }

  /** Returns the positions of the policies that pass, in ascending order. */
  #passing(claims: ClaimSet): Position[] {
    this.#assertMatchable(claims);
    const items = this.#items;
    const passing: Position[] = [];
    items.begin(claims);
    try {
      for (const position of this.#index.collect(claims)) {
        const root = this.#roots[position] as ItemNumber;
        if (root !== NO_ITEM && items.holds(root)) passing.push(position);
      }
    } finally {
      items.end();
    }
    return inOrder(passing);
  }

  /** Asserts that the claims are a claim set on which no policy exceeds its cost limit (S156). */
  #assertMatchable(claims: ClaimSet): void {
    assertClaimSet(claims);
    // Where even the longest string stays within the limit of every policy, none has to be looked at.
    if (this.#maxProgramSize * claims.metadata.longestString <= this.#matchCost) return;
    for (const id of this.#positions.keys()) {
      const cost = this.#items.matchCost(this.#rootOf(id), claims);
      if (cost <= this.#matchCost) continue;
      throw new PolicySetError(
        'query_too_large',
        `matching the patterns of policy \`${id}\` on these claims must take at most ${this.#matchCost} steps (limit_match_cost)`,
        id,
      );
    }
  }
}

/** Approximate memory of a policy without its items, in bytes. */
const BYTES_PER_POLICY = 200;

/** Sizes of an item that the limits bound (L7). */
interface PolicySize {
  readonly depth: number;
  readonly checks: number;
}

function sizeOfGroup(members: readonly PolicySize[]): PolicySize {
  return {
    depth: 1 + Math.max(...members.map(({ depth }) => depth)),
    checks: members.reduce((sum, { checks }) => sum + checks, 0),
  };
}

/** Sorts positions in ascending order, and removes repeated ones. */
function inOrder(positions: readonly Position[]): Position[] {
  const sorted = Int32Array.from(positions).sort();
  const distinct: Position[] = [];
  for (const position of sorted) if (position !== distinct.at(-1)) distinct.push(position);
  return distinct;
}
