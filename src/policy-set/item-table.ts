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
import { ItemLookup } from './item-lookup.js';
import { FREE, type ItemNumber, ItemRecords, KIND, PROGRAM_SIZE, SLOT, START } from './item-records.js';
import { estimateShare } from './necessary-conditions.js';
import { requiredLiteral } from './required-literal.js';
import { ShareEstimates } from './share-estimates.js';
import { type ValueNumber, ValueTable } from './value-table.js';

/** A check that is stored as it is. */
interface TestedCheck {
  readonly check: Check;
  readonly pattern: CompiledPattern | undefined;
}

const GREATEST_INTEGER = 2 ** 31 - 1;

/** The cost of a check that is tested by a function, beyond what the function takes. */
const COST_OF_TEST = 5;
/** Added to shares before division, so that members that never decide their group come last. */
const LEAST_SHARE = 1e-6;

/**
 * Stores items by number, with the number of their uses. Each distinct item that is added is stored once; loaded items may be equal.
 * Equal checks have the same claim, operator and operand; equal groups combine the same members in any order.
 */
export class ItemTable extends ItemRecords {
  readonly #values = new ValueTable();
  readonly #claims = new ClaimTable(this.#values);
  readonly #shares = new ShareEstimates();
  readonly #tested = new Map<ItemNumber, TestedCheck>();
  /** The functions of checks, created when they are first decided: most checks of a large set never are. */
  readonly #tests = new Map<ItemNumber, ValueTest>();
  /** Has all items; `undefined` after loading, until an item is added or a share is estimated. */
  #lookup: ItemLookup | undefined = new ItemLookup((item) => this.#hashOf(item));
  #checkCount = 0;
  /** The times to decide the members of the group that is being sorted. */
  readonly #times: number[] = [];

  /** Number of distinct checks. */
  get checkCount(): number {
    return this.#checkCount;
  }

  override get bytes(): number {
    return (
      super.bytes +
      (this.#lookup?.bytes ?? 0) +
      this.#values.bytes +
      this.#tested.size * BYTES_PER_TESTED_CHECK
    );
  }

  /** The claims of the checks. */
  get claims(): ClaimTable {
    return this.#claims;
  }

  /**
   * Adds a use of a group, which takes over one use of each member. An `allOf` or `anyOf` of one member is that member, and a double
   * negation the item inside.
   */
  #addGroup(kind: Group, members: ItemNumber[]): ItemNumber {
    const [first = 0] = members;
    if (kind !== GROUP.not && members.length === 1) return first;
    if (kind === GROUP.not && this.field(first, KIND) === GROUP.not) {
      const inner = this.use(this.memberOf(first, 0));
      this.release(first);
      return inner;
    }
    this.#sortDecisive(members, kind);
    const known = this.#ensureLookup().find(
      hashOf(kind, 0, members),
      (item) => this.field(item, KIND) === kind && this.hasMembers(item, members),
    );
    if (known === undefined) return this.#enter(this.#createGroup(kind, members));
    this.use(known);
    for (const member of members) this.release(member);
    return known;
  }

  /** Adds a use of a parsed item. @param patterns - Those of the parsed query. */
  addItem(item: PolicyItem, patterns: Patterns): ItemNumber {
    if ('check' in item) return this.#addCheck(item.check, patternOf(item.check, patterns));
    const [kind, items] = combinationOf(item.policy);
    return this.#addGroup(
      GROUP[kind],
      items.map((inner) => this.addItem(inner, patterns)),
    );
  }

  /**
   * Prepares an empty table for items that the following methods create, each after its members. Loaded items may be equal, which only
   * takes memory: each is used and released by its number. An item that is added later and equals several of them uses one.
   *
   * The lookup, the estimates, and the order of members, which depends on estimates, are created when an item is first added or a
   * share first estimated: evaluation does not need them.
   */
  startLoading(items: number, members: number): void {
    this.reserve(items, members);
    this.#lookup = undefined;
  }

  /** Adds a use of a value. Returns its number. */
  loadValue(value: JsonPrimitive): ValueNumber {
    const number = this.#values.use(value);
    this.#values.setPoint(number, pointOfValue(value));
    return number;
  }

  /**
   * Creates a check of a form other than `tested`, with one use.
   *
   * @param operand - Numbers of values, as the form requires, each greater than the one before. The caller must check them.
   */
  loadStored(form: Form, claim: ClaimNumber, operand: readonly ValueNumber[]): void {
    for (let index = 0; index < operand.length; index += 1)
      this.#values.useNumber(operand[index] as ValueNumber);
    const value = operand.length === 0 ? null : this.value(operand[0] as ValueNumber);
    this.#createStored(form, claim * SLOTS + slotFor(form, value), operand);
  }

  /** Creates a check of the form `tested`, which permits any check, with one use. */
  loadTested(check: Check, pattern: CompiledPattern | undefined): void {
    this.#createTested(this.#claims.numberOf(check.claim) * SLOTS, check, pattern);
  }

  /** Creates a group, with one use. Adds a use of each member. */
  loadGroup(kind: Group, members: readonly ItemNumber[]): void {
    for (let index = 0; index < members.length; index += 1) this.use(members[index] as ItemNumber);
    this.#createGroup(kind, members);
  }

  /** Ends uses of values. */
  releaseValues(numbers: Iterable<ValueNumber>): void {
    for (const number of numbers) this.#values.release(number);
  }

  /** Ends a use of an item. The last one removes it, and the uses of its members. */
  release(item: ItemNumber): void {
    if (!this.endUse(item)) return;
    this.#lookup?.delete(item);
    const kind = this.kindOf(item);
    const numbers = [...this.#numbersOf(item)];
    this.remove(item);
    this.#tests.delete(item);
    this.#tested.delete(item);
    if (kind <= GROUP.not) for (const member of numbers) this.release(member);
    else {
      this.#checkCount -= 1;
      this.releaseValues(numbers);
    }
  }

  /** Returns a check. */
  check(item: ItemNumber): Check {
    const tested = this.#tested.get(item);
    if (tested !== undefined) return tested.check;
    const form = this.field(item, KIND) as Exclude<Form, typeof FORM.tested>;
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
    return Array.from(this.#numbersOf(check), (number) => this.value(number));
  }

  /** Returns a value by its number. */
  value(number: ValueNumber): JsonPrimitive {
    return this.#values.get(number);
  }

  /** The points of operands of ordering operators, by the number of the value. */
  get points(): Float64Array {
    return this.#values.points;
  }

  /** Estimates the share of people who pass a check, from 0 to 1. */
  shareOf(check: ItemNumber): number {
    this.#ensureLookup();
    const form = this.field(check, KIND) as Form;
    const claim = this.claimOf(check);
    const operand = this.field(check, START);
    switch (form) {
      case FORM.equals:
        return typeof this.#values.get(operand) === 'boolean' ? 0.5 : this.#shares.shareOfValues(claim, 1);
      case FORM.in:
        return this.#shares.shareOfValues(claim, this.memberCount(check));
      case FORM.differs:
        return 1 - this.#shares.shareOfValues(claim, 1);
      case FORM.notIn:
        return 1 - this.#shares.shareOfValues(claim, this.memberCount(check));
      case FORM.above:
      case FORM.from:
        return this.#shares.shareFrom(claim, this.points[operand] as number);
      case FORM.below:
      case FORM.to:
        return 1 - this.#shares.shareFrom(claim, this.points[operand] as number);
      case FORM.defined:
      case FORM.tested:
        return estimateShare(this.check(check), (count) => this.#shares.shareOfValues(claim, count));
    }
  }

  /** Returns the distinct claim paths of the checks. */
  claimPaths(): readonly string[] {
    const numbers = new Set<ClaimNumber>();
    for (let item = 0; item < this.end; item += 1) if (this.isCheck(item)) numbers.add(this.claimOf(item));
    return Array.from(numbers, (number) => this.#claims.reference(number).path);
  }

  /**
   * Returns the cost of matching an item's patterns on the claims of the match: program size × code units of the claim, summed over all
   * checks of the item, including equal ones (S156).
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
    const matches = OPERATORS[operator].test((this.#tested.get(item)?.pattern ?? value) as never);
    // A literal is found in less time than a pattern.
    const literal = operator === 'matchRegex' && requiredLiteral(value as string);
    const test: ValueTest = literal
      ? (tested) => typeof tested === 'string' && tested.includes(literal) && matches(tested)
      : matches;
    this.#tests.set(item, test);
    return test;
  }

  #addCheck(check: Check, pattern: CompiledPattern | undefined): ItemNumber {
    const claim = this.#claims.numberOf(check.claim);
    const { operator, value } = check;
    const form = formOf(check);
    if (form !== FORM.tested) {
      // A form other than `tested` has a primitive value as its operand, or a list of them.
      const values = (
        form === FORM.defined ? [] : form < FORM.defined ? value : [value]
      ) as readonly JsonPrimitive[];
      return this.#addStored(form, claim, values);
    }
    // Operands are in canonical form.
    const text = JSON.stringify(value);
    const slot = claim * SLOTS;
    const known = this.#ensureLookup().find(hashOf(form, slot, [hashOfText(text)]), (item) => {
      if (this.field(item, KIND) !== form || this.slotOf(item) !== slot) return false;
      const other = this.check(item);
      return other.operator === operator && JSON.stringify(other.value) === text;
    });
    return known === undefined ? this.#enter(this.#createTested(slot, check, pattern)) : this.use(known);
  }

  /** Adds a use of a check of a form other than `tested`. @param values - As the form requires. */
  #addStored(form: Form, claim: ClaimNumber, values: readonly JsonPrimitive[]): ItemNumber {
    const operand = values.map((each) => this.#values.use(each));
    if (form < FORM.defined) this.#sortDistinct(operand);
    const [number = 0] = operand;
    const [value = null] = values;
    if (form >= FORM.above) this.#values.setPoint(number, pointOfValue(value));
    const slot = claim * SLOTS + slotFor(form, value);
    const known = this.#ensureLookup().find(
      hashOf(form, slot, operand),
      (item) =>
        this.field(item, KIND) === form &&
        this.slotOf(item) === slot &&
        (form < FORM.defined ? this.hasMembers(item, operand) : this.operandOf(item) === number),
    );
    if (known === undefined) return this.#enter(this.#createStored(form, slot, operand));
    this.releaseValues(operand);
    return this.use(known);
  }

  #createTested(slot: Slot, check: Check, pattern: CompiledPattern | undefined): ItemNumber {
    const item = this.#createCheck(FORM.tested, slot);
    this.#tested.set(item, { check, pattern });
    this.setField(item, PROGRAM_SIZE, Math.min(pattern?.programSize ?? 0, GREATEST_INTEGER));
    return item;
  }

  /** Creates a check, which takes over a use of each value of its operand. */
  #createStored(form: Form, slot: Slot, operand: readonly ValueNumber[]): ItemNumber {
    const item = this.#createCheck(form, slot);
    if (form < FORM.defined) this.setMembers(item, operand);
    else if (operand.length > 0) this.setField(item, START, operand[0] as ValueNumber);
    return item;
  }

  #createCheck(form: Form, slot: Slot): ItemNumber {
    const item = this.create(form);
    this.#checkCount += 1;
    if (form > FORM.tested) this.#claims.useSlot(slot);
    this.setField(item, SLOT, slot);
    return item;
  }

  /** Creates a group, which takes over a use of each member. @param members - In the order in which they are decided. */
  #createGroup(kind: Group, members: readonly ItemNumber[]): ItemNumber {
    const item = this.create(kind);
    this.setMembers(item, members);
    let programSize = 0;
    for (let index = 0; index < members.length; index += 1)
      programSize += this.programSize(members[index] as ItemNumber);
    this.setField(item, PROGRAM_SIZE, Math.min(programSize, GREATEST_INTEGER));
    return item;
  }

  /** Estimates the cost and the share of a created item, and adds it to the lookup. */
  #enter(item: ItemNumber): ItemNumber {
    const kind = this.kindOf(item);
    let cost = 0;
    if (kind <= GROUP.not) {
      let share = 1;
      for (const member of this.membersOf(item)) {
        const passing = this.sharesWhenAdded[member] as number;
        cost += this.costs[member] as number;
        share *= kind === GROUP.allOf ? passing : 1 - passing;
      }
      this.sharesWhenAdded[item] = kind === GROUP.anyOf ? 1 - share : share;
    } else {
      const numbers = this.#numbersOf(item);
      const claim = this.claimOf(item);
      if (kind >= FORM.above) this.#shares.addBound(claim, this.points[this.operandOf(item)] as number);
      else for (const number of numbers) this.#shares.addValue(claim, number);
      cost = kind === FORM.tested ? this.#costOfTest(item) : 1 + numbers.length / 8;
      this.sharesWhenAdded[item] = this.shareOf(item);
    }
    this.costs[item] = cost;
    this.#ensureLookup().add(item);
    return item;
  }

  /** Returns the lookup. The first call after loading creates it, sorts the members of groups, and estimates costs and shares. */
  #ensureLookup(): ItemLookup {
    if (this.#lookup === undefined) {
      this.#lookup = new ItemLookup((item) => this.#hashOf(item), this.size);
      for (let item = 0; item < this.end; item += 1) {
        if (this.field(item, KIND) === FREE) continue;
        if (!this.isCheck(item)) this.#sortDecisive(this.membersOf(item), this.kindOf(item));
        this.#enter(item);
      }
    }
    return this.#lookup;
  }

  #hashOf(item: ItemNumber): number {
    const kind = this.kindOf(item);
    const numbers =
      kind === FORM.tested ? [hashOfText(JSON.stringify(this.check(item).value))] : this.#numbersOf(item);
    return hashOf(kind, this.slotOf(item), numbers);
  }

  /** Returns the numbers of the members of a group, or of the values that a check compares with; none for a check of the form `tested`. */
  #numbersOf(item: ItemNumber): ArrayLike<number> & Iterable<number> {
    return this.kindOf(item) > FORM.defined ? [this.operandOf(item)] : this.membersOf(item);
  }

  #costOfTest(check: ItemNumber): number {
    const { operator, value } = this.check(check);
    // Parsing checked the operand's type, which the type of the table cannot express.
    return COST_OF_TEST + OPERATORS[operator].cost((this.#tested.get(check)?.pattern ?? value) as never);
  }

  /** Sorts the numbers of a list, and removes duplicates, whose uses it ends. */
  #sortDistinct(numbers: ValueNumber[]): void {
    numbers.sort((one, other) => one - other);
    for (let index = numbers.length - 1; index > 0; index -= 1)
      if (numbers[index] === numbers[index - 1]) this.releaseValues(numbers.splice(index, 1));
  }

  /** Sorts members in the order in which a group decides them: by {@link #timeToDecide}, the least first. */
  #sortDecisive(members: ItemNumber[] | Int32Array, kind: number): void {
    const times = this.#times;
    for (let end = 0; end < members.length; end += 1) {
      const member = members[end] as ItemNumber;
      const time = this.#timeToDecide(member, kind);
      let index = end;
      // Indexes below `end` exist in both lists.
      for (; index > 0; index -= 1) {
        const before = times[index - 1] as number;
        if (before < time || (before === time && (members[index - 1] as ItemNumber) <= member)) break;
        members[index] = members[index - 1] as ItemNumber;
        times[index] = before;
      }
      members[index] = member;
      times[index] = time;
    }
  }

  /** Returns the time to decide an item, divided by the share of people for whom its outcome decides the group. */
  #timeToDecide(item: ItemNumber, kind: number): number {
    const share = this.sharesWhenAdded[item] as number;
    return (this.costs[item] as number) / ((kind === GROUP.anyOf ? share : 1 - share) + LEAST_SHARE);
  }
}

/** Approximate memory of a check that is tested by a function, in bytes. */
const BYTES_PER_TESTED_CHECK = 220;

/** Returns which slot of a claim a check compares: `VALUE`, `AMOUNT` or `INSTANT`. */
function slotFor(form: Form, value: JsonPrimitive): Slot {
  if (form < FORM.above) return VALUE;
  return typeof value === 'number' ? AMOUNT : INSTANT;
}

/** Returns the point at which ordering operators compare a value; NaN if they do not. */
function pointOfValue(value: JsonPrimitive): number {
  if (typeof value === 'number') return pointOf(value);
  return pointOfInstant(typeof value === 'string' ? parseInstant(value) : undefined);
}

/** Returns the hash of an item's contents. */
function hashOf(kind: number, slot: Slot, numbers: ArrayLike<number>): number {
  let hash = mix(kind, slot);
  for (let index = 0; index < numbers.length; index += 1) hash = mix(hash, numbers[index] as number);
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
