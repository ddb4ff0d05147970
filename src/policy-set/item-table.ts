/** The checks and groups of all policies of a set, each stored once. */
import { parseInstant } from '../engine/claims/instant.js';
import type { JsonPrimitive } from '../engine/claims/json-value.js';
import { type Patterns, patternOf } from '../engine/compile/plan.js';
import { OPERATORS, type ValueTest } from '../engine/operators/operators.js';
import { type Check, combinationOf, type PolicyItem } from '../engine/query/query.js';
import type { CompiledPattern } from '../engine/regex-engine.js';
import { FORM, type Form, formOf, GROUP, type Group, operatorOf } from './check-forms.js';
import { AMOUNT, type ClaimNumber, ClaimTable, INSTANT, SLOTS, type Slot, VALUE } from './claim-table.js';
import { pointOf, pointOfInstant } from './grid.js';
import { grow } from './growing.js';
import { ItemLookup } from './item-lookup.js';
import { estimateShare } from './necessary-conditions.js';
import { ShareEstimates } from './share-estimates.js';
import { type ValueNumber, ValueTable } from './value-table.js';

/** The number of an item, reused after its last use is released. */
export type ItemNumber = number;

/** A check that is stored as it is. */
interface TestedCheck {
  readonly check: Check;
  readonly pattern: CompiledPattern | undefined;
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
  /** Approximate time of a decision, in comparisons of two numbers. */
  #costs = new Float32Array(64);
  /** Estimated share of people for whom an item held when it was added, which orders the members of groups. */
  #sharesWhenAdded = new Float32Array(64);
  #members = new Int32Array(256);
  #memberCount = 0;
  #releasedMembers = 0;
  readonly #tested = new Map<ItemNumber, TestedCheck>();
  /** The functions of checks, created when they are first decided: most checks of a large set never are. */
  readonly #tests = new Map<ItemNumber, ValueTest>();
  readonly #lookup = new ItemLookup((item) => this.#field(item, HASH));
  readonly #freed: ItemNumber[] = [];
  #count = 0;
  #checkCount = 0;

  /** Number of distinct items. */
  get size(): number {
    return this.#lookup.size;
  }

  /** All items have smaller numbers. */
  get end(): ItemNumber {
    return this.#count;
  }

  /** Number of distinct checks. */
  get checkCount(): number {
    return this.#checkCount;
  }

  /** Approximate memory of the items, in bytes. */
  get bytes(): number {
    const columns = [this.#records, this.#costs, this.#sharesWhenAdded, this.#members];
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

  /** Adds a use of a parsed item. @param patterns - Those of the parsed query. */
  addItem(item: PolicyItem, patterns: Patterns): ItemNumber {
    if ('check' in item) return this.#addCheck(item.check, patternOf(item.check, patterns));
    const [kind, items] = combinationOf(item.policy);
    return this.addGroup(
      GROUP[kind],
      items.map((inner) => this.addItem(inner, patterns)),
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
    this.#tests.delete(item);
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
    const [claim, operator, values] = [this.pathOf(item), operatorOf(form), this.valuesOf(item)];
    if (form === FORM.defined) return { claim, operator };
    return { claim, operator, value: form < FORM.defined ? values : (values[0] as JsonPrimitive) };
  }

  /** Returns the claim path of a check. */
  pathOf(check: ItemNumber): string {
    return this.#claims.reference(this.claimOf(check)).path;
  }

  /** Returns the values that a check of a form other than `tested` compares with. */
  valuesOf(check: ItemNumber): readonly JsonPrimitive[] {
    const form = this.#field(check, KIND);
    if (form === FORM.defined) return [];
    const numbers = form < FORM.defined ? this.membersOf(check) : [this.#field(check, START)];
    return Array.from(numbers, (number) => this.#values.get(number));
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

  /** Returns the operand of a comparison. */
  valueOf(check: ItemNumber): JsonPrimitive {
    return this.#values.get(this.#field(check, START));
  }

  /** Returns the number of a check's claim. */
  claimOf(check: ItemNumber): ClaimNumber {
    return Math.floor(this.#field(check, SLOT) / SLOTS);
  }

  /** Returns the slot of what a check compares. */
  slotOf(check: ItemNumber): Slot {
    return this.#field(check, SLOT);
  }

  /** The points of operands of ordering operators, by the number of the value. */
  get points(): Float64Array {
    return this.#values.points;
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
        return this.#shares.shareFrom(claim, this.points[operand] as number);
      case FORM.below:
      case FORM.to:
        return 1 - this.#shares.shareFrom(claim, this.points[operand] as number);
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

  /** Returns the function that tests the value of a check's claim. */
  testOf(item: ItemNumber): ValueTest {
    const known = this.#tests.get(item);
    if (known !== undefined) return known;
    const { operator, value } = this.check(item);
    // Parsing checked the operand's type, which the type of the table cannot express.
    const test = OPERATORS[operator].test((this.#tested.get(item)?.pattern ?? value) as never);
    this.#tests.set(item, test);
    return test;
  }

  #addCheck(check: Check, pattern: CompiledPattern | undefined): ItemNumber {
    const claim = this.#claims.numberOf(check.claim);
    const { operator, value } = check;
    const form = formOf(check);
    if (form !== FORM.tested) {
      // The form states that the operand is such values.
      const values = (
        form === FORM.defined ? [] : form < FORM.defined ? value : [value]
      ) as readonly JsonPrimitive[];
      return this.addStored(form, claim, values);
    }
    // Operands are in canonical form.
    const text = JSON.stringify(value);
    return this.#addUse(
      form,
      claim * SLOTS,
      [hashOfText(text)],
      (item) => {
        const other = this.check(item);
        return other.operator === operator && JSON.stringify(other.value) === text;
      },
      (item) => {
        this.#tested.set(item, { check, pattern });
        this.#setField(item, PROGRAM_SIZE, Math.min(pattern?.programSize ?? 0, GREATEST_INTEGER));
        this.#costs[item] = costOfTest(check, pattern);
      },
    );
  }

  /** Adds a use of a check of a form other than `tested`. @param values - As the form requires; the caller must check them. */
  addStored(form: Form, claim: ClaimNumber, values: readonly JsonPrimitive[]): ItemNumber {
    const [value] = values;
    const operand = values.map((each) => this.#values.use(each));
    if (form < FORM.defined) this.#sortDistinct(operand);
    const [number = 0] = operand;
    const isOrdering = form >= FORM.above;
    if (isOrdering)
      this.#values.setPoint(
        number,
        typeof value === 'number' ? pointOf(value) : pointOfInstant(parseInstant(value as string)),
      );
    const slot = claim * SLOTS + slotFor(form, value);
    let isNew = false;
    const item = this.#addUse(
      form,
      slot,
      operand,
      (known) =>
        form < FORM.defined ? this.#hasMembers(known, operand) : this.#field(known, START) === number,
      (created) => {
        isNew = true;
        if (form < FORM.defined) this.#setMembers(created, operand);
        else this.#setField(created, START, number);
        if (isOrdering) this.#shares.addBound(claim, this.points[number] as number);
        else for (const each of operand) this.#shares.addValue(claim, each);
        this.#costs[created] = 1 + operand.length / 8;
      },
    );
    if (!isNew) this.#releaseOperand(operand);
    return item;
  }

  /** Adds a use of a check, which `create` completes if the table does not have it. */
  #addUse(
    form: Form,
    slot: Slot,
    operand: readonly number[],
    isEqual: (item: ItemNumber) => boolean,
    create: (item: ItemNumber) => void,
  ): ItemNumber {
    const hash = hashOf(form, slot, operand);
    const known = this.#lookup.find(
      hash,
      (item) => this.#field(item, KIND) === form && this.slotOf(item) === slot && isEqual(item),
    );
    if (known !== undefined) return this.use(known);
    const item = this.#create(form, hash);
    this.#checkCount += 1;
    this.#setField(item, SLOT, slot);
    create(item);
    this.#sharesWhenAdded[item] = this.shareOf(item);
    this.#lookup.add(item);
    return item;
  }

  /** Sorts the numbers of a list, and releases those that it has twice. */
  #sortDistinct(numbers: ValueNumber[]): void {
    numbers.sort((one, other) => one - other);
    for (let index = numbers.length - 1; index > 0; index -= 1)
      if (numbers[index] === numbers[index - 1]) this.#releaseOperand(numbers.splice(index, 1));
  }

  #releaseOperand(numbers: Iterable<number>): void {
    for (const number of numbers) this.#values.release(number);
  }

  /** Returns members in the order in which a group decides them: those that are likely to decide it for the least time first. */
  #inDecisiveOrder(members: readonly ItemNumber[], kind: number): readonly ItemNumber[] {
    const sorted: ItemNumber[] = [];
    const times: number[] = [];
    for (const member of members) {
      const time = this.#timeToDecide(member, kind);
      let index = sorted.length;
      // Each smaller index is one of a member.
      for (; index > 0; index -= 1) {
        const before = times[index - 1] as number;
        if (before < time || (before === time && (sorted[index - 1] as ItemNumber) <= member)) break;
        sorted[index] = sorted[index - 1] as ItemNumber;
        times[index] = before;
      }
      sorted[index] = member;
      times[index] = time;
    }
    return sorted;
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
      this.#sharesWhenAdded = grow(this.#sharesWhenAdded, item + 1);
      this.#records = grow(this.#records, this.#costs.length * RECORD_SIZE);
    }
    this.#records.fill(0, item * RECORD_SIZE, (item + 1) * RECORD_SIZE);
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

  #hasMembers(item: ItemNumber, members: readonly number[]): boolean {
    const start = this.#field(item, START);
    if (this.#field(item, LENGTH) !== members.length) return false;
    for (let index = 0; index < members.length; index += 1)
      if (this.#members[start + index] !== members[index]) return false;
    return true;
  }

  #setMembers(item: ItemNumber, members: readonly number[]): void {
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
function slotFor(form: Form, value: JsonPrimitive | undefined): number {
  if (form < FORM.above) return VALUE;
  return typeof value === 'number' ? AMOUNT : INSTANT;
}

function costOfTest({ operator, value }: Check, pattern: CompiledPattern | undefined): number {
  // Parsing checked the operand's type, which the type of the table cannot express.
  return COST_OF_TEST + OPERATORS[operator].cost((pattern ?? value) as never);
}

/** Returns the hash of an item's contents. */
function hashOf(kind: number, slot: Slot, numbers: readonly number[]): number {
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
