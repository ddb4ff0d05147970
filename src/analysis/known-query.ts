/** Writes what is known about a claim as a query that passes on every possible value (L12–L19). */
import { FIRST_INSTANT, LAST_INSTANT } from '../engine/claims/instant.js';
import {
  type CatalogueClaim,
  type Check,
  CLAIM_TYPES,
  formatInstant,
  type JsonArray,
  type JsonValue,
  jsonEquals,
  type OperatorName,
  type PolicyItem,
  parseInstant,
} from '../engine/index.js';
import { assertName } from '../engine/names.js';
import { assertObject } from '../engine/value-types.js';
import { DATE_LENGTH, MS_PER_DAY } from '../util/time.js';
import type { Interval, PossibleStrings, PossibleValues } from './domains/possible-values.js';
import { combine, firstClaim } from './items.js';
import type { ClaimKnowledge } from './knowledge.js';

/** The type of a claim, which narrows its possible values further. */
type ClaimType = Pick<CatalogueClaim, 'type' | 'values'>;

/** Maximum number of intervals that a query lists; more are described by the range that contains them. */
const MAX_INTERVALS = 3;

/**
 * Returns a query that passes on every possible value of a claim, and on few others; `undefined` if nothing is known that a query can express, and
 * if no value is possible. If values of several JSON types are possible, the query only requires the claim to be defined, if that is known.
 *
 * @param knowledge - An element of the result of `inferKnowledge`.
 * @param type - The claim of the catalogue, whose type excludes values of other types.
 * @throws {TypeError} When an argument has another type.
 */
export function toKnownQuery(
  knowledge: Pick<ClaimKnowledge, 'claim' | 'values'>,
  type?: ClaimType,
): PolicyItem | undefined {
  assertObject('`knowledge`', knowledge);
  assertObject('`values` of `knowledge`', knowledge.values);
  if (type !== undefined) {
    assertObject('`type`', type);
    assertName('`type.type`', CLAIM_TYPES, type.type);
  }
  const { claim, values } = knowledge;
  const isDefined: PolicyItem = { check: { claim, operator: 'isDefined' } };
  const [kind, another] = possibleKinds(values, type);
  if (kind === undefined) return values.undefined ? { policy: { not: isDefined } } : undefined;
  const checks = another === undefined ? checksOfKind[kind](claim, values, type) : [];
  const query = combine('allOf', values.undefined ? checks.map(orUndefined) : checks);
  if (typeof query !== 'boolean') return query;
  return values.undefined ? undefined : isDefined;
}

const OPPOSITES: Readonly<Partial<Record<OperatorName, OperatorName>>> = {
  '==': '!=',
  '!=': '==',
  '>': '<=',
  '>=': '<',
  '<': '>=',
  '<=': '>',
  in: 'notIn',
  notIn: 'in',
};

/** Returns an item that also passes if its claim is undefined: the negation of the opposite, if there is one (L14). */
function orUndefined(item: PolicyItem): PolicyItem {
  if ('policy' in item && 'not' in item.policy) return item;
  const operator = 'check' in item ? OPPOSITES[item.check.operator] : undefined;
  if ('check' in item && operator !== undefined)
    return { policy: { not: { check: { ...item.check, operator } } } };
  const isDefined: PolicyItem = { check: { claim: firstClaim(item), operator: 'isDefined' } };
  return { policy: { anyOf: [item, { policy: { not: isDefined } }] } };
}

type Kind = 'boolean' | 'number' | 'string' | 'array' | 'object' | 'null';

const KIND_OF_TYPE: Readonly<Record<ClaimType['type'], Kind>> = {
  boolean: 'boolean',
  integer: 'number',
  number: 'number',
  string: 'string',
  enum: 'string',
  date: 'string',
  datetime: 'string',
  array: 'array',
  object: 'object',
};

/** Returns the JSON types that a defined claim may have. */
function possibleKinds(values: PossibleValues, type: ClaimType | undefined): readonly Kind[] {
  const { strings, arrays, objects } = values;
  const isPossible: Readonly<Record<Kind, boolean>> = {
    boolean: values.booleans.length > 0,
    number: values.numbers.length > 0,
    string: strings.named.length > 0 || strings.others,
    array: arrays.named.length > 0 || arrays.others,
    object: objects.named.length > 0 || objects.others,
    null: values.null,
  };
  const kinds = Object.keys(isPossible) as Kind[];
  return kinds.filter((kind) => isPossible[kind] && (type === undefined || kind === KIND_OF_TYPE[type.type]));
}

/** For each type, returns the items that every possible value of the type passes; none if all its values are possible. */
const checksOfKind: Readonly<
  Record<Kind, (claim: string, values: PossibleValues, type?: ClaimType) => readonly PolicyItem[]>
> = {
  null: (claim) => [{ check: { claim, operator: '==', value: null } }],
  boolean: (claim, { booleans }) => (booleans.length > 1 ? [] : oneOf(claim, booleans)),
  number: (claim, { numbers }, type) =>
    type?.type === 'integer'
      ? withinRanges(claim, numbers.flatMap(wholeNumbers), WHOLE_NUMBERS)
      : withinRanges(claim, numbers, NUMBERS),
  string: (claim, { strings }, type) => stringChecks(claim, strings, type),
  array: (claim, { arrays: { named, excluded, others, contains, lacks } }) => [
    ...(others ? noneOf(claim, excluded.filter(agreesWith(contains, lacks))) : oneOf(claim, named)),
    ...contains.map((value): PolicyItem => ({ check: { claim, operator: 'contains', value } })),
    ...lacks.map(
      (value): PolicyItem => ({ policy: { not: { check: { claim, operator: 'contains', value } } } }),
    ),
  ],
  object: (claim, { objects: { named, excluded, others } }) =>
    others ? noneOf(claim, excluded) : oneOf(claim, named),
};

/** Returns a test of whether an array has all elements of `contains` and none of `lacks`. The checks on these elements exclude all other arrays. */
function agreesWith(
  contains: readonly JsonValue[],
  lacks: readonly JsonValue[],
): (array: JsonArray) => boolean {
  return (array) => {
    const has = (element: JsonValue) => array.some((one) => jsonEquals(one, element));
    return contains.every(has) && !lacks.some(has);
  };
}

function stringChecks(
  claim: string,
  strings: PossibleStrings,
  type: ClaimType | undefined,
): readonly PolicyItem[] {
  const { named, excluded, others, prefixes, matches, mismatches } = strings;
  if (!others) return oneOf(claim, named);
  if (type?.type === 'enum' && type.values !== undefined) {
    const left = type.values.filter((value) => admitsString(strings, value));
    return left.length === type.values.length ? [] : oneOf(claim, left);
  }
  const withPrefix = prefixes.map(
    (value): PolicyItem => ({ check: { claim, operator: 'startsWith', value } }),
  );
  // Every string starts with the empty prefix.
  const beginning = combine('anyOf', prefixes.includes('') ? [] : [...withPrefix, ...oneOf(claim, named)]);
  return [
    ...(typeof beginning === 'boolean' ? [] : [beginning]),
    ...(type === undefined ? [] : instantChecks(claim, strings, type)),
    ...noneOf(claim, excluded),
    ...matches.map((value): PolicyItem => ({ check: { claim, operator: 'matchRegex', value } })),
    ...mismatches.map(
      (value): PolicyItem => ({ policy: { not: { check: { claim, operator: 'matchRegex', value } } } }),
    ),
  ];
}

/** Returns whether a string is possible, apart from what patterns exclude. */
function admitsString(
  { named, excluded, prefixes, excludedPrefixes }: PossibleStrings,
  value: string,
): boolean {
  if (named.includes(value)) return true;
  const longest = [...prefixes, ...excludedPrefixes]
    .filter((prefix) => value.startsWith(prefix))
    .reduce((one, other) => (other.length > one.length ? other : one), '');
  return !excluded.includes(value) && prefixes.includes(longest);
}

/** Returns items on the order of instants; none where a string that is not named and not a date is possible. */
function instantChecks(
  claim: string,
  { named, nonDates, instants }: PossibleStrings,
  { type }: ClaimType,
): readonly PolicyItem[] {
  const areDates = type === 'date' || type === 'datetime';
  if (instants === undefined || (nonDates && !areDates)) return [];
  const ranges = type === 'date' ? withinDays(claim, instants) : withinRanges(claim, instants, INSTANTS);
  // Named dates are within the ranges; other named values have no order.
  const others = areDates ? [] : named.filter((value) => parseInstant(value) === undefined);
  if (others.length === 0 || ranges.length === 0) return ranges;
  const either = combine('anyOf', [combine('allOf', ranges), ...oneOf(claim, others)]);
  return typeof either === 'boolean' ? [] : [either];
}

/** Returns items that the days of some intervals pass: bounds are the first and the last possible day. */
function withinDays(claim: string, instants: readonly Interval[]): readonly PolicyItem[] {
  const days = instants.flatMap((interval) => {
    const [low, high] = [Math.ceil(interval.low / MS_PER_DAY), Math.floor(interval.high / MS_PER_DAY)];
    const isDay = low <= high && low * MS_PER_DAY <= LAST_INSTANT && high * MS_PER_DAY >= FIRST_INSTANT;
    return isDay ? [{ ...interval, low: low * MS_PER_DAY, high: high * MS_PER_DAY }] : [];
  });
  return withinRanges(claim, days, DAYS);
}

/** Returns the whole numbers of an interval, as an interval that includes its bounds; none if it has no whole number. */
function wholeNumbers({ low, includesLow, high, includesHigh }: Interval): readonly Interval[] {
  const first = includesLow ? Math.ceil(low) : Math.floor(low) + 1;
  const last = includesHigh ? Math.floor(high) : Math.ceil(high) - 1;
  return first <= last ? [{ low: first, includesLow: true, high: last, includesHigh: true }] : [];
}

/** How the values of an interval are written. */
interface Notation {
  /** Returns `undefined` for a bound that cannot be written, which is omitted. */
  readonly format: (bound: number) => string | number | undefined;
  /** Whether all values are whole numbers, so that no value lies between 1 and 2. */
  readonly areWhole?: boolean;
  /** Whether other values are equivalent to a formatted one, so that a check of equality would not find them. */
  readonly hasEquivalents?: boolean;
}

const NUMBERS: Notation = { format: (value) => value };
const WHOLE_NUMBERS: Notation = { ...NUMBERS, areWhole: true };
const DAYS: Notation = { format: (at) => writeInstant(at)?.slice(0, DATE_LENGTH) };
/** Date-times can have any offset. */
const INSTANTS: Notation = { format: writeInstant, hasEquivalents: true };

function writeInstant(at: number): string | undefined {
  return at >= FIRST_INSTANT && at <= LAST_INSTANT ? formatInstant(at) : undefined;
}

function withinRanges(
  claim: string,
  intervals: readonly Interval[],
  notation: Notation,
): readonly PolicyItem[] {
  const { format, areWhole = false } = notation;
  const [first, last] = [intervals[0], intervals.at(-1)];
  if (first === undefined || last === undefined) return [];
  const gaps = intervals
    .slice(1)
    .map((next, index) => pointBetween(intervals[index] as Interval, next, areWhole));
  const points = gaps.flatMap((gap) => gap ?? []);
  if (points.length === gaps.length || intervals.length > MAX_INTERVALS) {
    const hull = { ...last, low: first.low, includesLow: first.includesLow };
    return [
      ...withinRange(claim, hull, notation),
      ...noneOf(
        claim,
        points.flatMap((point) => format(point) ?? []),
      ),
    ];
  }
  const ranges = intervals.map((interval) => combine('allOf', withinRange(claim, interval, notation)));
  const any = combine('anyOf', ranges);
  return typeof any === 'boolean' ? [] : [any];
}

/** Returns the only value between two intervals; `undefined` if there is none or more than one, and for instants and days. */
function pointBetween(one: Interval, next: Interval, areWhole: boolean): number | undefined {
  if (areWhole) {
    const point = one.high + 1;
    // From 2 ** 53 on, the sum may be rounded to one of the bounds.
    return point - one.high === 1 && next.low - point === 1 ? point : undefined;
  }
  return one.high === next.low ? one.high : undefined;
}

function withinRange(
  claim: string,
  { low, includesLow, high, includesHigh }: Interval,
  { format, hasEquivalents = false }: Notation,
): readonly PolicyItem[] {
  const check = (operator: Check['operator'], bound: number): readonly PolicyItem[] => {
    const value = Number.isFinite(bound) ? format(bound) : undefined;
    return value === undefined ? [] : [{ check: { claim, operator, value } }];
  };
  if (low === high && !hasEquivalents) return check('==', low);
  return [...check(includesLow ? '>=' : '>', low), ...check(includesHigh ? '<=' : '<', high)];
}

function oneOf(claim: string, values: readonly JsonValue[]): readonly PolicyItem[] {
  const [value, another] = values;
  if (value === undefined) return [];
  return [
    {
      check:
        another === undefined ? { claim, operator: '==', value } : { claim, operator: 'in', value: values },
    },
  ];
}

function noneOf(claim: string, values: readonly JsonValue[]): readonly PolicyItem[] {
  const [value, another] = values;
  if (value === undefined) return [];
  return [
    {
      check:
        another === undefined
          ? { claim, operator: '!=', value }
          : { claim, operator: 'notIn', value: values },
    },
  ];
}
