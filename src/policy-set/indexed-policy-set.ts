/** The implementation of policy sets: adds policies to an index, and matches people with it. */
import { RowSet } from '../engine/bulk/row-set.js';
import { assertClaimPath, type ClaimReference } from '../engine/claims/claim-path.js';
import { assertClaimSet, type ClaimSet } from '../engine/claims/claim-set.js';
import { assertEngineForPatterns, readPredicate } from '../engine/compile/compile.js';
import { assertOptions } from '../engine/options.js';
import { ParseContext, type ParseOptions } from '../engine/query/parse-context.js';
import { toStrings, wrongType } from '../engine/value-types.js';
import { AccessIndex, type Position } from './access-index.js';
import { ComparisonWords } from './comparison-words.js';
import { divideConjuncts } from './conjuncts.js';
import { Decisions } from './decisions.js';
import { decodePolicySet, encodePolicySet } from './encoding.js';
import { invalidBytes, PolicySetError } from './errors.js';
import { FoundPolicies } from './found-policies.js';
import { grow } from './growing.js';
import type { ItemNumber } from './item-records.js';
import { ItemTable } from './item-table.js';
import { type Condition, conditionOfMember, rarestCondition, rarestMember } from './necessary-conditions.js';
import type { PolicyChanges, PolicySet, PolicySetOptions, PolicySetStatistics } from './policy-set.js';
import { Programs } from './programs.js';
import { loadItems, saveItems } from './saved-items.js';

const NO_ITEM = -1;

/** Sizes of the index, which tests reduce. */
export interface IndexSizes {
  /** Deleted policies are removed from the index once their number exceeds this, and half the size of the set. */
  readonly mostDeleted: number;
  /** The greatest number of entries in a block of a list, a power of two. */
  readonly mostRoom: number;
}

const SIZES: IndexSizes = { mostDeleted: 1_024, mostRoom: 64 };

/** The implementation of {@link PolicySet}. */
export class IndexedPolicySet implements PolicySet {
  readonly #options: ParseOptions;
  readonly #matchCost: number;
  readonly #mostDeleted: number;
  readonly #items = new ItemTable();
  readonly #shareOf = (check: ItemNumber) => this.#items.shareOf(check);
  readonly #decisions = new Decisions(this.#items);
  readonly #words = new ComparisonWords(this.#items);
  readonly #index: AccessIndex;
  readonly #programs = new Programs(this.#items, this.#words, this.#decisions);
  readonly #found = new FoundPolicies();
  readonly #positions = new Map<string, Position>();
  /** By position: the id of the policy, and its item. */
  readonly #ids: (string | undefined)[] = [];
  #roots = new Int32Array(64);
  /** The positions of policies, as a bitmap. */
  #live = new Uint32Array(4);
  /** The positions of deleted policies that the index still has. */
  readonly #deleted: Position[] = [];
  /** The positions that new policies take. */
  readonly #freed: Position[] = [];
  /**
   * The positions of policies that had no necessary condition when they were added. Stored, since an item can gain or lose its condition when other
   * policies are added.
   */
  readonly #residual = new Set<Position>();
  /** The greatest program size of any policy so far (S156). */
  #maxProgramSize = 0;

  constructor(options: PolicySetOptions, { mostDeleted, mostRoom } = SIZES) {
    assertOptions(options, ['regex', 'limits']);
    this.#mostDeleted = mostDeleted;
    this.#index = new AccessIndex(this.#items, this.#words, mostRoom);
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
    const root = this.#items.addItem(item, context.patterns);
    this.#addPolicy(id, root, rarestCondition(this.#items, root, this.#shareOf));
  }

  delete(id: string): boolean {
    const position = this.#positions.get(id);
    if (position === undefined) return false;
    this.#assertIdle();
    const root = this.#rootAt(position);
    this.#items.release(root);
    this.#positions.delete(id);
    this.#residual.delete(position);
    this.#ids[position] = undefined;
    this.#roots[position] = NO_ITEM;
    this.#live[position >>> 5] = (this.#live[position >>> 5] as number) & ~(1 << (position & 31));
    this.#deleted.push(position);
    if (this.#deleted.length > Math.max(this.#mostDeleted, this.size / 2)) this.#purge();
    return true;
  }

  has(id: string): boolean {
    return this.#positions.has(id);
  }

  match(claims: ClaimSet): readonly string[] {
    return this.#duringMatch(claims, () => {
      this.#findPassing(claims);
      return this.#found.idsOfPassing(this.#ids);
    });
  }

  matchBitmap(claims: ClaimSet): RowSet {
    return this.#duringMatch(claims, () => {
      this.#findPassing(claims);
      return new RowSet(this.#ids.length, this.#found.passing());
    });
  }

  idAt(position: number): string | undefined {
    return this.#ids[position];
  }

  diff(before: ClaimSet, after: ClaimSet): PolicyChanges {
    const first = this.matchBitmap(before);
    const second = this.matchBitmap(after);
    return { passing: this.#idsAt(except(second, first)), failing: this.#idsAt(except(first, second)) };
  }

  candidates(claims: ClaimSet): readonly string[] {
    return this.#duringMatch(claims, () => {
      this.#index.collect(this.#items.claims, this.#found);
      // Deleted policies have no id.
      return this.#idsAt(new RowSet(this.#ids.length, this.#found.all()));
    });
  }

  affectedBy(claimPaths: Iterable<string>): readonly string[] {
    const paths = new Set(toStrings('`claimPaths`', claimPaths));
    for (const path of paths) assertClaimPath(path);
    const affected = new Set<ItemNumber>();
    const items = this.#items;
    for (const item of items.inOrder()) {
      const isAffected = items.isCheck(item)
        ? claimsRead(items.claims.reference(items.claimOf(item))).some((path) => paths.has(path))
        : items.membersOf(item).some((member) => affected.has(member));
      if (isAffected) affected.add(item);
    }
    return [...this.#positions].flatMap(([id, position]) => (affected.has(this.#rootAt(position)) ? id : []));
  }

  requiredClaims(): readonly string[] {
    return this.#items.claimPaths().toSorted();
  }

  stats(): PolicySetStatistics {
    return {
      policies: this.size,
      checks: this.#items.checkCount,
      items: this.#items.size,
      residual: this.#residual.size,
      bytes:
        this.#items.bytes +
        this.#decisions.bytes +
        this.#index.bytes +
        this.#programs.bytes +
        this.#found.bytes +
        this.size * BYTES_PER_POLICY,
    };
  }

  toBytes(): Uint8Array {
    const roots = Array.from(this.#positions.values(), (position) => this.#rootAt(position));
    // Before items are saved: estimating shares may sort members.
    const conditions = roots.map((root) => rarestMember(this.#items, root, this.#shareOf));
    const { saved, numbers } = saveItems(this.#items);
    return encodePolicySet({
      ...saved,
      ids: [...this.#positions.keys()],
      // `saveItems` numbers every item in use, those of policies included.
      policies: roots.map((root) => numbers.get(root) as number),
      conditions,
    });
  }

  /** Adds the policies of a serialized set to an empty one. */
  addEncoded(bytes: Uint8Array): void {
    const { ids, policies, conditions, ...saved } = decodePolicySet(bytes);
    const { depths, counts } = loadItems(saved, this.#items, this.#options);
    const end = this.#items.end;
    const { limits } = new ParseContext(this.#options);
    for (let index = 0; index < Math.max(ids.length, policies.length); index += 1) {
      const id = ids[index];
      const item = policies[index] ?? -1;
      if (!(item >= 0 && item < end) || typeof id !== 'string' || id === '')
        throw invalidBytes('each policy must have an id and the number of an item');
      if ((depths[item] as number) > limits.depth || (counts[item] as number) > limits.checks)
        throw new PolicySetError(
          'query_too_large',
          `policy \`${id}\` must have at most ${limits.depth} levels and ${limits.checks} checks`,
          id,
        );
      this.#addPolicy(
        id,
        this.#items.use(item),
        conditionOfMember(this.#items, item, conditions[index] ?? 0),
      );
      if (this.size === index) throw policyExists(id);
    }
    // Groups before their members.
    for (let item = end - 1; item >= 0; item -= 1) this.#items.release(item);
  }

  #addPolicy(id: string, root: ItemNumber, condition: Condition | undefined): void {
    const position = this.#freed.pop() ?? this.#ids.length;
    if (position >= this.#roots.length) this.#roots = grow(this.#roots, position + 1);
    this.#ids[position] = id;
    this.#roots[position] = root;
    if (position >>> 5 >= this.#live.length) this.#live = grow(this.#live, (position >>> 5) + 1);
    this.#live[position >>> 5] = (this.#live[position >>> 5] as number) | (1 << (position & 31));
    this.#positions.set(id, position);
    if (condition === undefined) this.#residual.add(position);
    const conjuncts = divideConjuncts(this.#items, this.#words, root, condition);
    this.#index.add(position, condition, conjuncts);
    this.#programs.set(position, conjuncts.others);
    this.#maxProgramSize = Math.max(this.#maxProgramSize, this.#items.programSize(root));
  }

  /** Removes deleted policies from the index, so that their positions may be used again. */
  #purge(): void {
    const isDeleted = (position: Position) => this.#roots[position] === NO_ITEM;
    this.#index.purge(isDeleted);
    this.#programs.purge(this.#ids.length, isDeleted);
    for (const position of this.#deleted.splice(0)) this.#freed.push(position);
  }

  #assertNew(id: string): void {
    if (typeof id !== 'string') throw wrongType('`id`', 'a string', id);
    if (id === '') throw new TypeError('`id` must not be empty');
    this.#assertIdle();
    if (this.#positions.has(id)) throw policyExists(id);
  }

  /** Asserts that no match is under way: a regular-expression engine must not change the set that calls it. */
  #assertIdle(): void {
    if (this.#items.claims.isMatching) throw new TypeError('a policy set must not be used while it matches');
  }

  #rootAt(position: Position): ItemNumber {
    return this.#roots[position] as ItemNumber;
  }

  #idsAt(positions: RowSet): readonly string[] {
    const ids: string[] = [];
    for (const position of positions) {
      const id = this.#ids[position];
      if (id !== undefined) ids.push(id);
    }
    return ids;
  }

  #duringMatch<Result>(claims: ClaimSet, act: () => Result): Result {
    assertClaimSet(claims);
    this.#assertIdle();
    try {
      this.#decisions.begin(claims);
      this.#words.begin(this.#items.claims.numbers);
      this.#found.begin(this.#ids.length);
      return act();
    } finally {
      this.#items.claims.end();
      this.#words.end();
      this.#found.end();
    }
  }

  #findPassing(claims: ClaimSet): void {
    this.#assertMatchable(claims);
    this.#index.collect(this.#items.claims, this.#found);
    this.#found.decide(this.#programs, this.#live);
  }

  /** Asserts that no policy exceeds its cost limit on the claims of the match (S156). */
  #assertMatchable(claims: ClaimSet): void {
    // Where even the longest string stays within the limit of every policy, none has to be looked at.
    if (this.#maxProgramSize * claims.metadata.longestString <= this.#matchCost) return;
    for (const [id, position] of this.#positions) {
      const cost = this.#items.matchCost(this.#rootAt(position));
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

function policyExists(id: string): PolicySetError {
  return new PolicySetError(
    'policy_exists',
    `each policy must have a different id (got \`${id}\` twice)`,
    id,
  );
}

/** Returns the paths at which a claim may be defined: its own, and those of the claims that may contain it (L13). */
function claimsRead({ path, parents }: ClaimReference): readonly string[] {
  return [path, ...parents.map((parent) => parent.path)];
}

/** Returns the positions of one set that another one does not have. */
function except(one: RowSet, other: RowSet): RowSet {
  return new RowSet(
    one.size,
    one.words.map((word, index) => word & ~(other.words[index] as number)),
  );
}
