/** Writes what is known about a claim as a query that passes on every possible value (L12–L19). */
import {
  type CatalogueClaim,
  type Check,
  CLAIM_TYPES,
  formatInstant,
  type JsonValue,
  type OperatorName,
  type PolicyItem,
} from '../engine/index.js';
import { assertName } from '../engine/names.js';
import { assertObject } from '../engine/value-types.js';
import type { Interval, PossibleStrings, PossibleValues } from './domains/possible-values.js';
import { combine, firstClaim } from './items.js';
import type { ClaimKnowledge } from './knowledge.js';

/** The type of a claim, which narrows its possible values further. */
type ClaimType = Pick<CatalogueClaim, 'type' | 'values'>;

/** More intervals are described by the range that contains them. */
const MAX_INTERVALS = 3;
const DAY_MS = 86_400_000;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

/**
 * Returns a query that passes on every possible value of a claim, and on as few others as it can express; `undefined` if nothing is known.
 *
 * @param knowledge - An element of the result of `inferKnowledge`.
 * @param type - The claim of the catalogue; without it, values of every type are possible.
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
    assertName('`type` of `type`', CLAIM_TYPES, type.type);
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
      ? withinRanges(claim, numbers.flatMap(wholeNumbers), (value) => value, true)
      : withinRanges(claim, numbers, (value) => value),
  string: (claim, { strings }, type) => stringChecks(claim, strings, type),
  array: (claim, { arrays: { named, others, contains, lacks } }) => [
    ...(others ? [] : oneOf(claim, named)),
    ...contains.map((value): PolicyItem => ({ check: { claim, operator: 'contains', value } })),
    ...lacks.map(
      (value): PolicyItem => ({ policy: { not: { check: { claim, operator: 'contains', value } } } }),
    ),
  ],
  object: (claim, { objects: { named, excluded, others } }) =>
    others ? noneOf(claim, excluded) : oneOf(claim, named),
};

function stringChecks(
  claim: string,
  strings: PossibleStrings,
  type: ClaimType | undefined,
): readonly PolicyItem[] {
  const { named, excluded, others, prefixes, instants, matches, mismatches } = strings;
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
  const ranges =
    instants === undefined || type === undefined ? [] : instantChecks(claim, instants, type.type === 'date');
  return [
    ...(typeof beginning === 'boolean' ? [] : [beginning]),
    ...ranges,
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

/** @param isDay - Whether values are days, so that bounds are the first and the last possible day. */
function instantChecks(claim: string, instants: readonly Interval[], isDay: boolean): readonly PolicyItem[] {
  if (!isDay) return withinRanges(claim, instants, formatInstant);
  const days = instants.flatMap((interval) => {
    const [low, high] = [Math.ceil(interval.low / DAY_MS), Math.floor(interval.high / DAY_MS)];
    return low <= high ? [{ ...interval, low: low * DAY_MS, high: high * DAY_MS }] : [];
  });
  return withinRanges(claim, days, (at) => formatInstant(at).slice(0, DAY_LENGTH));
}

/** Returns the whole numbers of an interval, as an interval that includes its bounds; none if it has no whole number. */
function wholeNumbers({ low, includesLow, high, includesHigh }: Interval): readonly Interval[] {
  const first = includesLow ? Math.ceil(low) : Math.floor(low) + 1;
  const last = includesHigh ? Math.floor(high) : Math.ceil(high) - 1;
  return first <= last ? [{ low: first, includesLow: true, high: last, includesHigh: true }] : [];
}

/** @param areWhole - Whether all values are whole numbers, so that no value lies between 1 and 2. */
function withinRanges(
  claim: string,
  intervals: readonly Interval[],
  format: (bound: number) => JsonValue,
  areWhole = false,
): readonly PolicyItem[] {
  const [first, last] = [intervals[0], intervals.at(-1)];
  if (first === undefined || last === undefined) return [];
  const gaps = intervals
    .slice(1)
    .map((next, index) => pointBetween(intervals[index] as Interval, next, areWhole));
  const points = gaps.flatMap((gap) => gap ?? []);
  if (points.length === gaps.length || intervals.length > MAX_INTERVALS) {
    const hull = { ...last, low: first.low, includesLow: first.includesLow };
    return [...withinRange(claim, hull, format), ...noneOf(claim, points.map(format))];
  }
  const ranges = intervals.map((interval) => combine('allOf', withinRange(claim, interval, format)));
  const any = combine('anyOf', ranges);
  return typeof any === 'boolean' ? [] : [any];
}

/** Returns the only value between two intervals; `undefined` if there are more. */
function pointBetween(one: Interval, next: Interval, areWhole: boolean): number | undefined {
  if (areWhole) return one.high + 2 === next.low ? one.high + 1 : undefined;
  return one.high === next.low ? one.high : undefined;
}

function withinRange(
  claim: string,
  { low, includesLow, high, includesHigh }: Interval,
  format: (bound: number) => JsonValue,
): readonly PolicyItem[] {
  if (low === high) return oneOf(claim, [format(low)]);
  const check = (operator: Check['operator'], bound: number): readonly PolicyItem[] =>
    Number.isFinite(bound) ? [{ check: { claim, operator, value: format(bound) } }] : [];
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
