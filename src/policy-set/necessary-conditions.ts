/**
 * Necessary conditions of policies: what must be true of a person's claims for a policy to pass. A policy is only tested on people
 * who meet the rarest of its conditions.
 *
 * Conditions are weaker than the checks they come from, never stronger: every person who passes the policy meets all of them.
 */
import { isPrimitive, type JsonPrimitive, type JsonValue } from '../engine/claims/json-value.js';
import type { Check } from '../engine/query/query.js';
import { FORM, GROUP } from './check-forms.js';
import { INSTANT, SLOTS, VALUE } from './claim-table.js';
import { type KeyKind, PREFIX_LENGTHS, TRIGRAM_LENGTH, trigramsOf } from './comparison.js';
import type { ItemNumber } from './item-records.js';
import type { ItemTable } from './item-table.js';
import { requiredLiteral } from './required-literal.js';

/** A condition: at least one of its items passes. Each item is a check, or a `not` of a check. */
export interface Condition {
  readonly items: readonly ItemNumber[];
  /** Estimated share of people who meet it, from 0 to 1. */
  readonly share: number;
}

/** With more items, the time that a condition saves is not worth its memory. */
const MAX_ITEMS = 64;

/**
 * Returns the necessary condition of an item that the fewest people are estimated to meet; `undefined` if none is known.
 *
 * @param shareOf - Estimates the share of people who pass a check.
 * @param isNegated - Whether the item must fail.
 */
export function rarestCondition(
  items: ItemTable,
  item: ItemNumber,
  shareOf: (check: ItemNumber) => number,
  isNegated = false,
): Condition | undefined {
  const kind = items.kindOf(item);
  if (kind > GROUP.not) return isNegated ? undefined : { items: [item], share: shareOf(item) };
  if (kind === GROUP.not) {
    const member = items.memberOf(item, 0);
    return !isNegated && keyedForm(items, item) > 0
      ? { items: [item], share: 1 - shareOf(member) }
      : rarestCondition(items, member, shareOf, !isNegated);
  }
  // Whether every member must pass (if negated: fail); otherwise, at least one member must.
  const isConjunction = (kind === GROUP.allOf) !== isNegated;
  let best: Condition | undefined;
  const alternatives: ItemNumber[] = [];
  let share = 0;
  for (let index = 0; index < items.memberCount(item); index += 1) {
    const member = items.memberOf(item, index);
    // Skips checks that cannot be rarer than the best condition so far: most members are checks.
    if (isConjunction && best !== undefined && items.isCheck(member) && shareOf(member) >= best.share)
      continue;
    const condition = rarestCondition(items, member, shareOf, isNegated);
    if (isConjunction) {
      if (condition !== undefined && (best === undefined || condition.share < best.share)) best = condition;
    } else {
      if (condition === undefined) return undefined;
      alternatives.push(...condition.items);
      share += condition.share;
    }
  }
  if (isConjunction) return best;
  return alternatives.length > MAX_ITEMS ? undefined : { items: alternatives, share: Math.min(share, 1) };
}

/** Returns the index of the member of an `allOf` that has its {@link rarestCondition}; 0 if no member has a condition, or for another item. */
export function rarestMember(
  items: ItemTable,
  item: ItemNumber,
  shareOf: (check: ItemNumber) => number,
): number {
  if (items.kindOf(item) !== GROUP.allOf) return 0;
  // A member without a condition is never the rarest: 2 is more than any share.
  const shares = Array.from(
    items.membersOf(item),
    (member) => rarestCondition(items, member, shareOf)?.share ?? 2,
  );
  return shares.indexOf(Math.min(...shares));
}

/**
 * Returns the condition of the member at an index that {@link rarestMember} returned, without estimating shares again. The condition of every
 * member is a necessary one, so that a wrong index affects the time of a match, never its result.
 */
export function conditionOfMember(items: ItemTable, item: ItemNumber, index: number): Condition | undefined {
  const shareOf = (check: ItemNumber) => items.shareWhenAdded(check);
  const isMember = items.kindOf(item) === GROUP.allOf && index >= 0 && index < items.memberCount(item);
  const member = isMember ? items.memberOf(item, index) : item;
  return rarestCondition(items, member, shareOf) ?? rarestCondition(items, item, shareOf);
}

/** Keys of one kind of comparison. */
export type CheckKeys = readonly [kind: KeyKind, keys: readonly JsonPrimitive[]];

/** The key of a claim that has a value: see {@link KeyKind} for the complement. */
const DEFINED: CheckKeys = ['presence', [~VALUE]];

/** Returns the keys of an item of a condition. Everyone who passes the item meets at least one of them; of trigrams, all. */
export function keysOfItem(items: ItemTable, item: ItemNumber): readonly CheckKeys[] {
  const check = checkOf(items, item);
  const keys = keysOfForm(items, check, keyedForm(items, item));
  // A negated check passes where its claim has nothing to compare.
  return check === item ? [keys] : [keys, ['presence', [items.slotOf(check) % SLOTS]]];
}

/** Returns the check of an item of a condition. */
export function checkOf(items: ItemTable, item: ItemNumber): ItemNumber {
  return items.isCheck(item) ? item : items.memberOf(item, 0);
}

/** Returns the form of a check; of a negated one, that of the opposite check, or 0 where no keys express it. */
function keyedForm(items: ItemTable, item: ItemNumber): number {
  const check = checkOf(items, item);
  const form = items.kindOf(check);
  if (check === item) return form;
  // `>` and `<=`, `>=` and `<`.
  if (form >= FORM.above) return FORM.above + FORM.to - form;
  return form === FORM.notIn || form === FORM.differs ? form - 1 : 0;
}

/** @param form - The form of the check, or of the opposite check. */
function keysOfForm(items: ItemTable, check: ItemNumber, form: number): CheckKeys {
  if (form === FORM.tested) return keysOfTested(items.check(check));
  if (form === FORM.equals) return ['equals', [items.operandOf(check)]];
  if (form === FORM.in) return ['equals', [...items.membersOf(check)]];
  if (form < FORM.above) return DEFINED;
  const isInstant = items.slotOf(check) % SLOTS === INSTANT;
  const point = items.points[items.operandOf(check)] as number;
  // Keys are twice the points, so that `2 * p + 1` excludes values at an integer point `p`. Keys of upper bounds are negated.
  const isExcluded = (form === FORM.above || form === FORM.below) && Number.isInteger(point);
  return form < FORM.below
    ? [isInstant ? 'instantFrom' : 'numberFrom', [2 * point + Number(isExcluded)]]
    : [isInstant ? 'instantTo' : 'numberTo', [-2 * point + Number(isExcluded)]];
}

/** Returns whether an item of a condition passes for everyone who meets one of its keys. */
export function isDecidedByKeys(items: ItemTable, item: ItemNumber): boolean {
  const form = keyedForm(items, item);
  if (form >= FORM.above) return Number.isInteger(items.points[items.operandOf(checkOf(items, item))]);
  return form === FORM.equals || form === FORM.in || form === FORM.defined;
}

function keysOfTested({ operator, value }: Check): CheckKeys {
  // Parsing checked the operand's type, which the type of a check does not express.
  const operand = value as JsonValue;
  if (operator === 'contains' && isPrimitive(operand)) return ['element', [operand]];
  if (operator === 'startsWith') return keysOfPrefix(operand as string);
  const literal = operator === 'matchRegex' ? literalOf(operand as string) : undefined;
  return literal === undefined ? DEFINED : ['trigram', trigramsOf(literal)];
}

const SHARE_OF_DEFINED = 0.9;
const SHARE_OF_TRIGRAM = 0.1;
/** A claim that is a list is assumed to have this number of elements. */
const ELEMENTS = 3;
/** Each of the first characters of a string is assumed to be one of this many, all equally frequent. */
const CHARACTERS = 10;

/**
 * Estimates the share of people who pass a check of the form `tested` or `defined`.
 *
 * @param shareOfValues - Estimates the share of people whose value is one of `count` values.
 */
export function estimateShare({ operator, value }: Check, shareOfValues: (count: number) => number): number {
  switch (operator) {
    case 'contains':
      return shareOfValues(ELEMENTS);
    case 'startsWith':
      return Math.max(CHARACTERS ** -(value as string).length, CHARACTERS ** -3);
    case 'matchRegex':
      return literalOf(value as string) === undefined ? SHARE_OF_DEFINED : SHARE_OF_TRIGRAM;
    default:
      return SHARE_OF_DEFINED;
  }
}

function keysOfPrefix(prefix: string): CheckKeys {
  const length = PREFIX_LENGTHS.find((each) => each <= prefix.length);
  return length === undefined ? DEFINED : ['prefix', [prefix.slice(0, length)]];
}

/** Returns a literal that every match of a pattern contains; `undefined` if no literal of at least three characters is known. */
function literalOf(pattern: string): string | undefined {
  const literal = requiredLiteral(pattern);
  return literal.length < TRIGRAM_LENGTH ? undefined : literal;
}
