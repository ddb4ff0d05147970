/** The checks and groups of all policies of a set, each stored once and decided at most once per match. */
import type { ClaimSet } from '../engine/claims/claim-set.js';
import { parseInstant } from '../engine/claims/instant.js';
import type { JsonPrimitive, JsonValue } from '../engine/claims/json-value.js';
import { patternOf } from '../engine/compile/plan.js';
import { OPERATORS, type ValueTest } from '../engine/operators/operators.js';
import type { ParseContext } from '../engine/query/parse-context.js';
import { type Check, combinationOf, type PolicyItem } from '../engine/query/query.js';
import type { CompiledPattern } from '../engine/regex-engine.js';
import { FORM, type Form, formOf, GROUP, type Group, operatorOf } from './check-forms.js';
import { AMOUNT, type ClaimNumber, ClaimTable, INSTANT, SLOTS, type Slot, VALUE } from './claim-table.js';
import { codeOf, holdsComparison, holdsList } from './comparing.js';
import { grow } from './growing.js';
import { ItemLookup } from './item-lookup.js';
import { estimateShare } from './necessary-conditions.js';
import { ShareEstimates } from './share-estimates.js';
import { type ValueNumber, ValueTable } from './value-table.js';

/** The number of an item, reused after its last use is released. */
export type ItemNumber = number;

/** A check that is tested by the function of its operator. */
interface TestedCheck {
  readonly check: Check;
  readonly pattern: CompiledPattern | undefined;
  /** Created by the first test: most checks of a large set are never reached. */
  test: ValueTest | undefined;
}

/** In place of the kind of an item, for one that was released. */
const FREE = 0;

/** An item is a record of these integers, which are together in memory: a match reads most of them. */
const KIND = 0;
/** Where the members of a group, or the values of a list, start in `#members`; the number of a check's operand. */
const START = 1;
const LENGTH = 2;
const SLOT = 3;
const USES = 4;
const HASH = 5;
/** Sum of the program sizes of an item's patterns, each as often as it occurs (S156). */
const PROGRAM_SIZE = 6;
const RECORD_SIZE = 7;

/** Matches are numbered up to here, so that the number and an outcome fit into a byte. */
const LAST_EPOCH = 127;
const GREATEST_INTEGER = 2 ** 31 - 1;

/** The cost of a check that is tested by a function, beyond what the function takes. */
const COST_OF_TEST = 5;
/** Added to shares before division, so that members that never decide their group come last. */
const LEAST_SHARE = 1e-6;

/**
 * Stores items by number, each distinct one once, with the number of its uses. Equal checks have the same claim, operator and
 * operand; equal groups combine the same members in any order.
 */
export class ItemTable {
  readonly #values = new ValueTable();
  readonly #claims = new ClaimTable(this.#values);
  readonly #shares = new ShareEstimates();
  #records = new Int32Array(64 * RECORD_SIZE);
  /** By item: the match in which it was decided last, and the outcome in the lowest bit. Bytes, which stay in the processor's cache. */
  #decisions = new Uint8Array(64);
  /** Approximate time of a decision, in comparisons of two numbers. */
  #costs = new Float32Array(64);
  /** Estimated share of people for whom an item held when it was added, which orders the members of groups. */
  #sharesWhenAdded = new Float32Array(64);
  #members = new Int32Array(256);
  #memberCount = 0;
  #releasedMembers = 0;
  readonly #tested = new Map<ItemNumber, TestedCheck>();
  readonly #lookup = new ItemLookup((item) => this.#field(item, HASH));
  readonly #freed: ItemNumber[] = [];
  #count = 0;
  #checkCount = 0;
  #epoch = 0;

  /** Number of distinct items. */
  get size(): number {
    return this.#lookup.size;
  }

  /** Number of distinct checks. */
  get checkCount(): number {
    return this.#checkCount;
  }

  /** Approximate memory of the items, in bytes. */
  get bytes(): number {
    const columns = [this.#records, this.#decisions, this.#costs, this.#sharesWhenAdded, this.#members];
    const inColumns = columns.reduce((sum, { byteLength }) => sum + byteLength, this.#lookup.bytes);
    return inColumns + this.#values.bytes + this.#tested.size * BYTES_PER_TESTED_CHECK;
  }

  /** The claims of the checks. */
  get claims(): ClaimTable {
    return this.#claims;
  }

  /**
   * Adds a use of a group, which takes over one use of each member. A group of one member is that member, and a double negation
   * the item inside.
   */
  addGroup(kind: Group, members: readonly ItemNumber[]): ItemNumber {
    const [first = 0] = members;
    if (kind !== GROUP.not && members.length === 1) return first;
    if (kind === GROUP.not && this.#field(first, KIND) === GROUP.not) {
      const inner = this.use(this.memberOf(first, 0));
      this.release(first);
      return inner;
    }
    const sorted = this.#inDecisiveOrder(members, kind);
    const hash = hashOf(kind, 0, sorted);
    const known = this.#lookup.find(
      hash,
      (item) => this.#field(item, KIND) === kind && this.#hasMembers(item, sorted),
    );
    if (known !== undefined) {
      this.use(known);
      for (const member of members) this.release(member);
      return known;
    }
    const item = this.#create(kind, hash);
    this.#setMembers(item, sorted);
    let cost = 0;
    let programSize = 0;
    let share = 1;
    for (const member of sorted) {
      const passing = this.#sharesWhenAdded[member] as number;
      cost += this.#costs[member] as number;
      programSize += this.programSize(member);
      share *= kind === GROUP.allOf ? passing : 1 - passing;
    }
    this.#costs[item] = cost;
    this.#sharesWhenAdded[item] = kind === GROUP.anyOf ? 1 - share : share;
    this.#setField(item, PROGRAM_SIZE, Math.min(programSize, GREATEST_INTEGER));
    this.#lookup.add(item);
    return item;
  }

  /** Adds a use of a parsed item. @param context - The state of parsing it. */
  addItem(item: PolicyItem, context: ParseContext): ItemNumber {
    if ('check' in item) return this.#addCheck(item.check, patternOf(item.check, context));
    const [kind, items] = combinationOf(item.policy);
    return this.addGroup(
      GROUP[kind],
      items.map((inner) => this.addItem(inner, context)),
    );
  }

  /** Adds a use of an item. */
  use(item: ItemNumber): ItemNumber {
    this.#setField(item, USES, this.#field(item, USES) + 1);
    return item;
  }

  /** Ends a use of an item. The last one removes it, and the uses of its members. */
  release(item: ItemNumber): void {
    const left = this.#field(item, USES) - 1;
    this.#setField(item, USES, left);
    if (left > 0) return;
    this.#lookup.delete(item);
    const kind = this.#field(item, KIND);
    const members = this.membersOf(item).slice();
    this.#setField(item, KIND, FREE);
    this.#freed.push(item);
    this.#releasedMembers += members.length;
    if (kind <= GROUP.not) for (const member of members) this.release(member);
    else {
      this.#checkCount -= 1;
      if (!this.#tested.delete(item) && kind !== FORM.defined)
        this.#releaseOperand(kind < FORM.defined ? members : [this.#field(item, START)]);
    }
    if (this.#releasedMembers > 1_024 && this.#releasedMembers * 2 > this.#memberCount)
      this.#compactMembers();
  }

  /** Returns whether an item is a check. */
  isCheck(item: ItemNumber): boolean {
    return this.#field(item, KIND) > GROUP.not;
  }

  /** Returns a check. */
  check(item: ItemNumber): Check {
    const tested = this.#tested.get(item);
    if (tested !== undefined) return tested.check;
    const form = this.#field(item, KIND) as Exclude<Form, typeof FORM.tested>;
    const { path: claim } = this.#claims.reference(this.claimOf(item));
    const operator = operatorOf(form);
    if (form === FORM.defined) return { claim, operator };
    const value =
      form < FORM.defined
        ? Array.from(this.membersOf(item), (number) => this.#values.get(number))
        : this.#values.get(this.#field(item, START));
    return { claim, operator, value };
  }

  /** Returns the kind of a group, or the form of a check. */
  kindOf(item: ItemNumber): Group | Form {
    // An item in use has one of these codes.
    return this.#field(item, KIND) as Group | Form;
  }

  /** Returns the members of a group, or the numbers of the values of a list, as a view; empty for other checks. */
  membersOf(item: ItemNumber): Int32Array {
    const start = this.#field(item, START);
    return this.#members.subarray(start, start + this.#field(item, LENGTH));
  }

  /** Returns the number of members of a group, or of values of a list. */
  memberCount(item: ItemNumber): number {
    return this.#field(item, LENGTH);
  }

  /** Returns a member of a group in the order in which they are decided, or the number of a value of a list. */
  memberOf(item: ItemNumber, index: number): number {
    return this.#members[this.#field(item, START) + index] as number;
  }

  /** Returns the number of the operand of a comparison. */
  operandOf(check: ItemNumber): ValueNumber {
    return this.#field(check, START);
  }

  /** Returns the number of a check's claim. */
  claimOf(check: ItemNumber): ClaimNumber {
    return Math.floor(this.#field(check, SLOT) / SLOTS);
  }

  /** Returns the slot of what a check compares. */
  slotOf(check: ItemNumber): Slot {
    return this.#field(check, SLOT);
  }

  /** The numbers of the person of the match, by slot. */
  get numbers(): Float64Array {
    return this.#claims.numbers;
  }

  /** The numbers of operands of ordering operators, by the number of the value. */
  get bounds(): Float64Array {
    return this.#values.bounds;
  }

  /** Estimates the share of people who pass a check, from 0 to 1. */
  shareOf(check: ItemNumber): number {
    const form = this.#field(check, KIND) as Form;
    const claim = this.claimOf(check);
    const operand = this.#field(check, START);
    switch (form) {
      case FORM.equals:
        return typeof this.#values.get(operand) === 'boolean' ? 0.5 : this.#shares.shareOfValues(claim, 1);
      case FORM.in:
        return this.#shares.shareOfValues(claim, this.#field(check, LENGTH));
      case FORM.differs:
        return 1 - this.#shares.shareOfValues(claim, 1);
      case FORM.notIn:
        return 1 - this.#shares.shareOfValues(claim, this.#field(check, LENGTH));
      case FORM.above:
      case FORM.from:
        return this.#shares.shareFrom(claim, this.bounds[operand] as number);
      case FORM.below:
      case FORM.to:
        return 1 - this.#shares.shareFrom(claim, this.bounds[operand] as number);
      case FORM.defined:
        return SHARE_OF_DEFINED;
      case FORM.tested:
        return estimateShare(this.check(check), (count) => this.#shares.shareOfValues(claim, count));
    }
  }

  /** Returns the sum of the program sizes of an item's patterns, each as often as it occurs. */
  programSize(item: ItemNumber): number {
    return this.#field(item, PROGRAM_SIZE);
  }

  /** Returns the items in use: checks first, then groups, each after its members; otherwise by number. */
  inOrder(): readonly ItemNumber[] {
    const depths = new Int32Array(this.#count);
    const depthOf = (item: ItemNumber): number => {
      if (depths[item] === 0) {
        let depth = 0;
        if (!this.isCheck(item))
          for (const member of this.membersOf(item)) depth = Math.max(depth, depthOf(member));
        depths[item] = depth + 1;
      }
      return depths[item] as number;
    };
    return Array.from(depths, (_, item) => item)
      .filter((item) => this.#field(item, KIND) !== FREE)
      .sort((one, other) => depthOf(one) - depthOf(other) || one - other);
  }

  /** Returns the distinct claim paths of the checks. */
  claimPaths(): readonly string[] {
    const numbers = new Set<ClaimNumber>();
    for (let item = 0; item < this.#count; item += 1) if (this.isCheck(item)) numbers.add(this.claimOf(item));
    return Array.from(numbers, (number) => this.#claims.reference(number).path);
  }

  /**
   * Returns the cost of matching an item's patterns on the claims of the match: program size × code units of the claim, each as often as
   * it occurs (S156).
   */
  matchCost(item: ItemNumber): number {
    if (this.programSize(item) === 0) return 0;
    if (!this.isCheck(item))
      return this.membersOf(item).reduce((sum, member) => sum + this.matchCost(member), 0);
    const value = this.#claims.value(this.claimOf(item));
    return typeof value === 'string' ? this.programSize(item) * value.length : 0;
  }

  /** Starts a match: no item is decided. */
  begin(claims: ClaimSet): void {
    if (this.#epoch === LAST_EPOCH) {
      this.#decisions.fill(0);
      this.#epoch = 0;
    }
    this.#epoch += 1;
    this.#claims.begin(claims);
  }

  /** Ends a match, so that no claims are retained. */
  end(): void {
    this.#claims.end();
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
    const kind = this.kindOf(item);
    if (kind === FORM.tested) return this.#test(item, this.#claims.value(this.claimOf(item)));
    const { numbers, bounds } = this;
    const slot = this.slotOf(item);
    if (kind >= FORM.defined)
      return holdsComparison(codeOf(kind, slot), this.operandOf(item), numbers, bounds);
    const count = this.memberCount(item);
    if (kind > FORM.tested)
      return holdsList(kind, numbers[slot] as number, this.#members, this.#field(item, START), count);
    if (kind === GROUP.not) return !this.holds(this.memberOf(item, 0));
    // The outcome of a member that decides the group.
    const deciding = kind === GROUP.anyOf;
    for (let index = 0; index < count; index += 1)
      if (this.holds(this.memberOf(item, index)) === deciding) return deciding;
    return !deciding;
  }

  #test(item: ItemNumber, value: JsonValue | undefined): boolean {
    if (value === undefined) return false;
    const tested = this.#tested.get(item) as TestedCheck;
    const { check, pattern } = tested;
    // Parsing checked the operand's type, which the type of the table cannot express.
    tested.test ??= OPERATORS[check.operator].test((pattern ?? check.value) as never);
    return tested.test(value);
  }

  #addCheck(check: Check, pattern: CompiledPattern | undefined): ItemNumber {
    const form = formOf(check);
    const claim = this.#claims.numberOf(check.claim);
    const operand = this.#useOperand(form, check);
    const slot = claim * SLOTS + slotFor(form, check);
    const hash = hashOf(form, slot, operand);
    const known = this.#lookup.find(
      hash,
      (item) =>
        this.#field(item, KIND) === form &&
        this.slotOf(item) === slot &&
        this.#hasOperand(item, check, operand),
    );
    if (known !== undefined) {
      if (form !== FORM.tested) this.#releaseOperand(operand);
      return this.use(known);
    }
    const item = this.#create(form, hash);
    this.#checkCount += 1;
    this.#setField(item, SLOT, slot);
    this.#setField(item, PROGRAM_SIZE, Math.min(pattern?.programSize ?? 0, GREATEST_INTEGER));
    if (form === FORM.tested) this.#tested.set(item, { check, pattern, test: undefined });
    else if (form < FORM.defined) this.#setMembers(item, operand);
    else this.#setField(item, START, operand[0] ?? 0);
    this.#recordOperand(form, claim, operand);
    this.#costs[item] = form === FORM.tested ? costOfTest(check, pattern) : 1 + operand.length / 8;
    this.#sharesWhenAdded[item] = this.shareOf(item);
    this.#lookup.add(item);
    return item;
  }

  /** Adds a use of the values of an operand. Returns their numbers; those of a list in ascending order. */
  #useOperand(form: Form, { value }: Check): Int32Array {
    switch (form) {
      case FORM.defined:
        return new Int32Array(0);
      case FORM.tested:
        return Int32Array.of(hashOfText(JSON.stringify(value)));
      case FORM.in:
      case FORM.notIn:
        // The form states that the operand is a list of such values.
        return new Int32Array(
          Array.from(new Set(value as readonly JsonPrimitive[]), (each) => this.#values.use(each)),
        ).sort();
      default: {
        // The form states that the operand is such a value.
        const number = this.#values.use(value as JsonPrimitive);
        if (form >= FORM.above)
          this.#values.setBound(
            number,
            typeof value === 'number' ? value : (parseInstant(value as string) ?? Number.NaN),
          );
        return Int32Array.of(number);
      }
    }
  }

  #releaseOperand(numbers: Iterable<number>): void {
    for (const number of numbers) this.#values.release(number);
  }

  #hasOperand(item: ItemNumber, check: Check, operand: Int32Array): boolean {
    const form = this.#field(item, KIND);
    if (form === FORM.tested) {
      const other = this.check(item);
      // Operands are in canonical form.
      return other.operator === check.operator && JSON.stringify(other.value) === JSON.stringify(check.value);
    }
    if (form < FORM.defined) return this.#hasMembers(item, operand);
    return form === FORM.defined || this.#field(item, START) === operand[0];
  }

  /** Records what a new check compares its claim with, for estimates. */
  #recordOperand(form: Form, claim: ClaimNumber, operand: Int32Array): void {
    if (form >= FORM.above) this.#shares.addBound(claim, this.bounds[operand[0] as number] as number);
    else if (form !== FORM.defined) for (const value of operand) this.#shares.addValue(claim, value);
  }

  /** Returns members in the order in which a group decides them: those that are likely to decide it for the least time first. */
  #inDecisiveOrder(members: readonly ItemNumber[], kind: number): Int32Array {
    const time = (member: ItemNumber) => this.#timeToDecide(member, kind);
    return Int32Array.from([...members].sort((one, other) => time(one) - time(other) || one - other));
  }

  /** Returns the time of a decision by the share of people for whom it decides the group. */
  #timeToDecide(item: ItemNumber, kind: number): number {
    const share = this.#sharesWhenAdded[item] as number;
    return (this.#costs[item] as number) / ((kind === GROUP.anyOf ? share : 1 - share) + LEAST_SHARE);
  }

  #create(kind: number, hash: number): ItemNumber {
    const item = this.#freed.pop() ?? this.#count++;
    if (item >= this.#costs.length) {
      this.#costs = grow(this.#costs, item + 1);
      this.#decisions = grow(this.#decisions, item + 1);
      this.#sharesWhenAdded = grow(this.#sharesWhenAdded, item + 1);
      this.#records = grow(this.#records, this.#costs.length * RECORD_SIZE);
    }
    this.#records.fill(0, item * RECORD_SIZE, (item + 1) * RECORD_SIZE);
    this.#decisions[item] = 0;
    this.#setField(item, KIND, kind);
    this.#setField(item, HASH, hash);
    this.#setField(item, USES, 1);
    return item;
  }

  #field(item: ItemNumber, field: number): number {
    return this.#records[item * RECORD_SIZE + field] as number;
  }

  #setField(item: ItemNumber, field: number, value: number): void {
    this.#records[item * RECORD_SIZE + field] = value;
  }

  #hasMembers(item: ItemNumber, members: Int32Array): boolean {
    const start = this.#field(item, START);
    if (this.#field(item, LENGTH) !== members.length) return false;
    for (let index = 0; index < members.length; index += 1)
      if (this.#members[start + index] !== members[index]) return false;
    return true;
  }

  #setMembers(item: ItemNumber, members: Int32Array): void {
    const start = this.#memberCount;
    this.#memberCount += members.length;
    if (this.#memberCount > this.#members.length) this.#members = grow(this.#members, this.#memberCount);
    this.#members.set(members, start);
    this.#setField(item, START, start);
    this.#setField(item, LENGTH, members.length);
  }

  #compactMembers(): void {
    const members = new Int32Array(this.#members.length);
    let end = 0;
    for (let item = 0; item < this.#count; item += 1) {
      const length = this.#field(item, LENGTH);
      if (this.#field(item, KIND) === FREE || length === 0) continue;
      members.set(this.membersOf(item), end);
      this.#setField(item, START, end);
      end += length;
    }
    this.#members = members;
    this.#memberCount = end;
    this.#releasedMembers = 0;
  }
}

/** Approximate memory of a check that is tested by a function, in bytes. */
const BYTES_PER_TESTED_CHECK = 220;

const SHARE_OF_DEFINED = 0.9;

/** Returns which number of a claim a check compares. */
function slotFor(form: Form, { value }: Check): number {
  if (form < FORM.above) return VALUE;
  return typeof value === 'number' ? AMOUNT : INSTANT;
}

function costOfTest({ operator, value }: Check, pattern: CompiledPattern | undefined): number {
  // Parsing checked the operand's type, which the type of the table cannot express.
  return COST_OF_TEST + OPERATORS[operator].cost((pattern ?? value) as never);
}

/** Returns the hash of an item's contents. */
function hashOf(kind: number, slot: Slot, numbers: Int32Array): number {
  let hash = mix(kind, slot);
  for (const number of numbers) hash = mix(hash, number);
  return hash >>> 1;
}

function mix(hash: number, number: number): number {
  const mixed = Math.imul(hash ^ number, 0x9e_37_79_b1);
  return mixed ^ (mixed >>> 15);
}

function hashOfText(text: string): number {
  let hash = 0;
  for (let index = 0; index < text.length; index += 1) hash = mix(hash, text.charCodeAt(index));
  return hash;
}
