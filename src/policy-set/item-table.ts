/** The checks and groups of all policies of a set, each stored once and decided at most once per person. */
import { type ClaimReference, toClaimReference } from '../engine/claims/claim-path.js';
import { type ClaimSet, findValue } from '../engine/claims/claim-set.js';
import { patternOf } from '../engine/compile/plan.js';
import { OPERATORS, type ValueTest } from '../engine/operators/operators.js';
import type { ParseContext } from '../engine/query/parse-context.js';
import { type Check, combinationOf, type PolicyItem } from '../engine/query/query.js';
import type { CompiledPattern } from '../engine/regex-engine.js';
import { growFloats, growIntegers } from './growing.js';

/** The number of an item, reused after its last use is released. */
export type ItemNumber = number;

/** A check that policies share. */
export interface SharedCheck {
  readonly check: Check;
  readonly claim: ClaimReference;
  readonly pattern: CompiledPattern | undefined;
  /** Created by the first test: most checks of a large set are never reached. */
  test: ValueTest | undefined;
}

export type GroupKind = 'allOf' | 'anyOf' | 'not';

/** A stored item: a check, or a group of items. */
export type StoredItem = SharedCheck | { readonly kind: GroupKind; readonly members: readonly ItemNumber[] };

const FREE = 0;
const CHECK = 1;
const ALL_OF = 2;
const ANY_OF = 3;
const NOT = 4;
const KINDS: Readonly<Record<GroupKind, number>> = { allOf: ALL_OF, anyOf: ANY_OF, not: NOT };
const GROUPS = ['allOf', 'anyOf', 'not'] as const;

/** Matches are numbered up to here, so that the number and an outcome fit into 31 bits. */
const LAST_EPOCH = 2 ** 30 - 1;

/** Additional cost of a claim that may be a member of another claim. */
const COST_OF_SEARCH = 5;

/**
 * Stores items by number, each distinct one once, with the number of its uses. Equal checks have the same claim, operator and
 * operand; equal groups combine the same members in any order.
 *
 * Columns of numbers instead of objects: a set has millions of members.
 */
export class ItemTable {
  #kinds = new Int32Array(64);
  #uses = new Int32Array(64);
  /** Where the members of a group start in `#members`, and how many there are. */
  #starts = new Int32Array(64);
  #lengths = new Int32Array(64);
  #members = new Int32Array(256);
  #memberCount = 0;
  #releasedMembers = 0;
  /** Approximate time of a decision, in comparisons of two numbers. */
  #costs = new Float64Array(64);
  /** Sum of the program sizes of an item's patterns, each as often as it occurs (S156). */
  #programSizes = new Float64Array(64);
  readonly #checks: (SharedCheck | undefined)[] = [];
  readonly #claimReferences = new Map<string, ClaimReference>();
  readonly #numbers = new Map<string, ItemNumber>();
  readonly #freed: ItemNumber[] = [];
  #count = 0;
  #checkCount = 0;
  /** By item: the match in which it was decided last, and the outcome in the lowest bit. */
  #decisions = new Int32Array(64);
  #epoch = 0;
  #claims: ClaimSet | undefined;

  /** Number of distinct items. */
  get size(): number {
    return this.#numbers.size;
  }

  /** Number of distinct checks. */
  get checkCount(): number {
    return this.#checkCount;
  }

  /** Approximate memory of the items, in bytes. */
  get bytes(): number {
    const columns = this.#kinds.length * 20 + this.#costs.length * 16 + this.#members.length * 4;
    return (
      columns +
      this.#numbers.size * BYTES_PER_KEY +
      this.#checks.length * 8 +
      this.checkCount * BYTES_PER_CHECK
    );
  }

  /**
   * Adds a use of a group, which takes over one use of each member. A group of one member is that member, and a double negation
   * the item inside.
   */
  addGroup(kind: GroupKind, members: readonly ItemNumber[]): ItemNumber {
    const [first = 0] = members;
    if (kind !== 'not' && members.length === 1) return first;
    if (kind === 'not' && this.#kinds[first] === NOT) {
      const inner = this.use(this.#member(first, 0));
      this.release(first);
      return inner;
    }
    // The cheapest member is decided first.
    const sorted = Int32Array.from(members).sort(
      (one, other) => this.#cost(one) - this.#cost(other) || one - other,
    );
    const key = keyOfGroup(KINDS[kind], sorted);
    const known = this.#numbers.get(key);
    if (known !== undefined) {
      this.use(known);
      for (const member of members) this.release(member);
      return known;
    }
    let cost = 0;
    let programSize = 0;
    for (const member of sorted) {
      cost += this.#cost(member);
      programSize += this.programSize(member);
    }
    const item = this.#create(key, KINDS[kind], cost);
    this.#programSizes[item] = programSize;
    this.#starts[item] = this.#appendMembers(sorted);
    this.#lengths[item] = sorted.length;
    return item;
  }

  /** Adds a use of a parsed item. @param context - The state of parsing it. */
  addItem(item: PolicyItem, context: ParseContext): ItemNumber {
    if ('check' in item) return this.#addCheck(item.check, patternOf(item.check, context));
    const [kind, items] = combinationOf(item.policy);
    return this.addGroup(
      kind,
      items.map((inner) => this.addItem(inner, context)),
    );
  }

  /** Adds a use of an item. */
  use(item: ItemNumber): ItemNumber {
    this.#uses[item] = (this.#uses[item] as number) + 1;
    return item;
  }

  /** Ends a use of an item. The last one removes it, and the uses of its members. */
  release(item: ItemNumber): void {
    const left = (this.#uses[item] as number) - 1;
    this.#uses[item] = left;
    if (left > 0) return;
    const shared = this.#checks[item];
    if (shared === undefined) {
      const members = this.#membersOf(item).slice();
      this.#numbers.delete(keyOfGroup(this.#kinds[item] as number, members));
      this.#releasedMembers += members.length;
      for (const member of members) this.release(member);
    } else {
      this.#numbers.delete(keyOfCheck(shared.check));
      this.#checks[item] = undefined;
      this.#checkCount -= 1;
    }
    this.#kinds[item] = FREE;
    this.#freed.push(item);
    if (this.#releasedMembers > 1_024 && this.#releasedMembers * 2 > this.#memberCount)
      this.#compactMembers();
  }

  /** Returns a stored item. */
  get(item: ItemNumber): StoredItem {
    const shared = this.#checks[item];
    if (shared !== undefined) return shared;
    const kind = GROUPS[(this.#kinds[item] as number) - ALL_OF] as GroupKind;
    return { kind, members: [...this.#membersOf(item)] };
  }

  /** Returns the sum of the program sizes of an item's patterns, each as often as it occurs. */
  programSize(item: ItemNumber): number {
    return this.#programSizes[item] as number;
  }

  /** Iterates over the distinct items, each after its members. */
  *inOrder(roots: Iterable<ItemNumber>): Generator<ItemNumber, void> {
    const seen = new Set<ItemNumber>();
    const table = this;
    function* visit(item: ItemNumber): Generator<ItemNumber, void> {
      if (seen.has(item)) return;
      seen.add(item);
      for (const member of table.#membersOf(item)) yield* visit(member);
      yield item;
    }
    for (const root of roots) yield* visit(root);
  }

  /** Returns the distinct checks. */
  checks(): readonly SharedCheck[] {
    return this.#checks.filter((shared) => shared !== undefined);
  }

  /** Returns the cost of matching an item's patterns: program size × code units of the claim, each as often as it occurs (S156). */
  matchCost(item: ItemNumber, claims: ClaimSet): number {
    if (this.programSize(item) === 0) return 0;
    const shared = this.#checks[item];
    if (shared === undefined)
      return this.#membersOf(item).reduce((sum, member) => sum + this.matchCost(member, claims), 0);
    const value = findValue(claims, shared.claim);
    return typeof value === 'string' ? this.programSize(item) * value.length : 0;
  }

  /** Asserts that no match is under way: a regular-expression engine must not change the set that calls it. */
  assertIdle(): void {
    if (this.#claims !== undefined) throw new TypeError('a policy set must not be used while it matches');
  }

  /** Starts a match: no item is decided. */
  begin(claims: ClaimSet): void {
    this.assertIdle();
    if (this.#epoch === LAST_EPOCH) {
      this.#decisions.fill(0);
      this.#epoch = 0;
    }
    this.#epoch += 1;
    this.#claims = claims;
  }

  /** Ends a match, so that no claims are retained. */
  end(): void {
    this.#claims = undefined;
  }

  /** Decides an item on the claims of the match, at most once per match. */
  holds(item: ItemNumber): boolean {
    const decision = this.#decisions[item] as number;
    if (decision >> 1 === this.#epoch) return (decision & 1) === 1;
    const outcome = this.#decide(item);
    this.#decisions[item] = (this.#epoch << 1) | Number(outcome);
    return outcome;
  }

  #decide(item: ItemNumber): boolean {
    const kind = this.#kinds[item] as number;
    if (kind === CHECK) return this.#decideCheck(this.#checks[item] as SharedCheck);
    const start = this.#starts[item] as number;
    if (kind === NOT) return !this.holds(this.#members[start] as number);
    const end = start + (this.#lengths[item] as number);
    // The outcome of a member that decides the group.
    const deciding = kind === ANY_OF;
    for (let index = start; index < end; index += 1) {
      if (this.holds(this.#members[index] as number) === deciding) return deciding;
    }
    return !deciding;
  }

  #decideCheck(shared: SharedCheck): boolean {
    const value = findValue(this.#claims as ClaimSet, shared.claim);
    if (value === undefined) return false;
    shared.test ??= OPERATORS[shared.check.operator].test((shared.pattern ?? shared.check.value) as never);
    return shared.test(value);
  }

  #addCheck(check: Check, pattern: CompiledPattern | undefined): ItemNumber {
    const key = keyOfCheck(check);
    const known = this.#numbers.get(key);
    if (known !== undefined) return this.use(known);
    const claim = this.#claimOf(check.claim);
    // Parsing checked the operand's type, which the type of the table cannot express.
    const cost = OPERATORS[check.operator].cost((pattern ?? check.value) as never);
    const item = this.#create(key, CHECK, cost + (claim.parents.length > 0 ? COST_OF_SEARCH : 0));
    this.#programSizes[item] = pattern?.programSize ?? 0;
    this.#checks[item] = { check, claim, pattern, test: undefined };
    this.#checkCount += 1;
    return item;
  }

  /** Returns the reference of a claim, one for all of its checks. */
  #claimOf(path: string): ClaimReference {
    let claim = this.#claimReferences.get(path);
    if (claim === undefined) {
      claim = toClaimReference(path);
      this.#claimReferences.set(path, claim);
    }
    return claim;
  }

  #create(key: string, kind: number, cost: number): ItemNumber {
    const item = this.#freed.pop() ?? this.#count++;
    if (item >= this.#kinds.length) this.#grow();
    this.#numbers.set(key, item);
    this.#kinds[item] = kind;
    this.#uses[item] = 1;
    this.#lengths[item] = 0;
    this.#costs[item] = cost;
    this.#decisions[item] = 0;
    return item;
  }

  #cost(item: ItemNumber): number {
    return this.#costs[item] as number;
  }

  #member(item: ItemNumber, index: number): ItemNumber {
    return this.#members[(this.#starts[item] as number) + index] as number;
  }

  #membersOf(item: ItemNumber): Int32Array {
    const start = this.#starts[item] as number;
    return this.#members.subarray(start, start + (this.#lengths[item] as number));
  }

  #appendMembers(members: Int32Array): number {
    const start = this.#memberCount;
    this.#memberCount += members.length;
    if (this.#memberCount > this.#members.length)
      this.#members = growIntegers(this.#members, this.#memberCount);
    this.#members.set(members, start);
    return start;
  }

  #compactMembers(): void {
    const members = new Int32Array(this.#members.length);
    let end = 0;
    for (let item = 0; item < this.#count; item += 1) {
      if ((this.#kinds[item] as number) <= CHECK) continue;
      members.set(this.#membersOf(item), end);
      this.#starts[item] = end;
      end += this.#lengths[item] as number;
    }
    this.#members = members;
    this.#memberCount = end;
    this.#releasedMembers = 0;
  }

  #grow(): void {
    const size = this.#kinds.length * 2;
    this.#kinds = growIntegers(this.#kinds, size);
    this.#uses = growIntegers(this.#uses, size);
    this.#starts = growIntegers(this.#starts, size);
    this.#lengths = growIntegers(this.#lengths, size);
    this.#decisions = growIntegers(this.#decisions, size);
    this.#costs = growFloats(this.#costs, size);
    this.#programSizes = growFloats(this.#programSizes, size);
  }
}

/** Approximate memory of a key and its entry, in bytes. */
const BYTES_PER_KEY = 96;
/** Approximate memory of a check with a short operand, in bytes. */
const BYTES_PER_CHECK = 200;

/** Returns a text that equal checks have in common. Operands are in canonical form. */
function keyOfCheck({ claim, operator, value }: Check): string {
  return `${claim} ${operator} ${JSON.stringify(value)}`;
}

/** Returns a text that equal groups have in common. @param members - Sorted. */
function keyOfGroup(kind: number, members: Int32Array): string {
  return `${kind}:${members.join()}`;
}
