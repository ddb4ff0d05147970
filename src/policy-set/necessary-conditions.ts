/**
 * Necessary conditions of policies: what must be true of a person's claims for a policy to pass. A policy is only tested on people
 * who meet them.
 *
 * Conditions are weaker than the checks they come from, never stronger: every person who passes the policy meets all of them.
 */
import { parseInstant } from '../engine/claims/instant.js';
import type { JsonPrimitive, JsonValue } from '../engine/claims/json-value.js';
import type { Check } from '../engine/query/query.js';
import { parsePattern } from '../re2-syntax/parse-pattern.js';
import { type Comparison, type KeyKind, PREFIX_LENGTHS, TRIGRAM_LENGTH } from './comparison.js';
import type { GroupKind, ItemNumber, ItemTable, SharedCheck } from './item-table.js';
import { requiredLiteral } from './required-literal.js';

/** One way to meet a condition: a comparison of a claim, and the value for which it holds. */
export interface Key {
  readonly comparison: Comparison;
  readonly value: JsonPrimitive;
}

/** A condition that is met by any of its keys. */
export interface Condition {
  readonly keys: readonly Key[];
  /** Estimated share of people who meet it, from 0 to 1. Only the order matters, since every candidate is tested. */
  readonly share: number;
}

/** The comparisons of a set. */
export interface Comparisons {
  get(claim: string, kind: KeyKind): Comparison;
  /** Returns the number of distinct values with which policies make a comparison. */
  countValues(comparison: Comparison): number;
}

/** A condition with more keys takes more memory than it saves time. */
const MAX_KEYS = 64;

const SHARE_OF_BOOLEAN = 0.5;
const SHARE_OF_RANGE = 0.5;
const SHARE_OF_PREFIX = 0.1;
const SHARE_OF_TRIGRAM = 0.2;
const SHARE_OF_DEFINED = 0.9;
/** Number of values that a claim is assumed to have at least. */
const LEAST_VALUES = 10;

/** Returns the necessary conditions of an item; none where everybody may pass. */
export function necessaryConditions(
  items: ItemTable,
  item: ItemNumber,
  comparisons: Comparisons,
  negated = false,
): readonly Condition[] {
  const stored = items.get(item);
  if (!('kind' in stored)) return negated ? [] : [conditionOfCheck(stored, comparisons)];
  const { kind, members } = stored;
  const inner = members.map((member) =>
    necessaryConditions(items, member, comparisons, negated !== (kind === 'not')),
  );
  return isConjunction(kind, negated) ? inner.flat() : anyOf(inner);
}

/** Returns the condition that the fewest people meet; `undefined` if there is none. */
export function bestCondition(conditions: readonly Condition[]): Condition | undefined {
  let best: Condition | undefined;
  for (const condition of conditions) {
    if (best === undefined || condition.share < best.share) best = condition;
  }
  return best;
}

/** Returns whether all members of a group must pass, or all must fail. */
function isConjunction(kind: GroupKind, negated: boolean): boolean {
  return kind === 'not' || (kind === 'allOf') !== negated;
}

/** Combines the best condition of each member: one of them must be met. */
function anyOf(members: readonly (readonly Condition[])[]): readonly Condition[] {
  const keys: Key[] = [];
  let share = 0;
  for (const conditions of members) {
    const best = bestCondition(conditions);
    if (best === undefined) return [];
    keys.push(...best.keys);
    share += best.share;
  }
  return keys.length > MAX_KEYS ? [] : [{ keys, share: Math.min(share, 1) }];
}

function conditionOfCheck({ check }: SharedCheck, comparisons: Comparisons): Condition {
  const [kind, values] = keysOfCheck(check);
  const comparison = comparisons.get(check.claim, kind);
  const share = shareOf(kind, values, comparisons.countValues(comparison));
  return { keys: values.map((value) => ({ comparison, value })), share };
}

/** The values of one kind of comparison, of which a person must meet one. */
type CheckKeys = readonly [kind: KeyKind, values: readonly JsonPrimitive[]];

const DEFINED: CheckKeys = ['defined', [true]];

function keysOfCheck({ operator, value: operand }: Check): CheckKeys {
  // Parsing checked the operand's type, which the type of a check does not express.
  const value = operand as JsonValue;
  switch (operator) {
    case '==':
      return keysOfValues('equals', [value]);
    case 'in':
      return keysOfValues('equals', value as readonly JsonValue[]);
    case 'contains':
      return keysOfValues('element', [value]);
    case '>':
    case '>=':
      return typeof value === 'number'
        ? ['numberFrom', [roundDown(value)]]
        : keysOfDate(value as string, 'instantFrom', 1);
    case '<':
    case '<=':
      return typeof value === 'number'
        ? ['numberTo', [roundDown(-value)]]
        : keysOfDate(value as string, 'instantTo', -1);
    case 'startsWith':
      return keysOfPrefix(value as string);
    case 'matchRegex':
      return keysOfPattern(value as string);
    case '!=':
    case 'notIn':
    case 'isDefined':
      return DEFINED;
  }
}

function keysOfValues(kind: KeyKind, values: readonly JsonValue[]): CheckKeys {
  const distinct = [...new Set(values)];
  return distinct.length <= MAX_KEYS && distinct.every(isPrimitive) ? [kind, distinct] : DEFINED;
}

/** @param sign - 1 for a least instant; −1 for a greatest, which is negated as the person's is. */
function keysOfDate(text: string, kind: KeyKind, sign: 1 | -1): CheckKeys {
  const instant = parseInstant(text);
  return instant === undefined ? DEFINED : [kind, [roundDown(sign * instant)]];
}

function keysOfPrefix(prefix: string): CheckKeys {
  const length = PREFIX_LENGTHS.find((each) => each <= prefix.length);
  return length === undefined ? DEFINED : ['prefix', [prefix.slice(0, length)]];
}

/** Returns the start of a literal that every match of a pattern contains. */
function keysOfPattern(pattern: string): CheckKeys {
  // A pattern whose classes depend on Unicode tables is not analyzed.
  const parsed = parsePattern(pattern, () => undefined);
  const literal = parsed === undefined ? '' : requiredLiteral(parsed);
  return literal.length < TRIGRAM_LENGTH ? DEFINED : ['trigram', [literal.slice(0, TRIGRAM_LENGTH)]];
}

/** Estimates the share of people who meet one of some keys. @param known - Number of distinct values that policies compare with. */
function shareOf(kind: KeyKind, values: readonly JsonPrimitive[], known: number): number {
  switch (kind) {
    case 'equals':
    case 'element': {
      const shareOfValue = 1 / Math.max(LEAST_VALUES, known);
      const share = values.reduce<number>(
        (sum, value) => sum + (typeof value === 'boolean' ? SHARE_OF_BOOLEAN : shareOfValue),
        0,
      );
      return Math.min(share, SHARE_OF_DEFINED);
    }
    case 'prefix':
      return SHARE_OF_PREFIX;
    case 'trigram':
      return SHARE_OF_TRIGRAM;
    case 'defined':
      return SHARE_OF_DEFINED;
    case 'numberFrom':
    case 'numberTo':
    case 'instantFrom':
    case 'instantTo':
      return SHARE_OF_RANGE;
  }
}

/** Bits of a bound's mantissa that are kept, so that policies with similar bounds have the same key. */
const MANTISSA_BITS = 8;

/** Returns a number that is as great or a little smaller, of few digits in base 2. */
function roundDown(bound: number): number {
  if (bound === 0) return 0;
  const unit = 2 ** (Math.floor(Math.log2(Math.abs(bound))) - MANTISSA_BITS);
  const rounded = unit === 0 ? bound : Math.floor(bound / unit) * unit;
  return Number.isFinite(rounded) ? rounded : bound;
}

function isPrimitive(value: JsonValue): value is JsonPrimitive {
  return typeof value !== 'object' || value === null;
}
