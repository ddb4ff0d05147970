/** Claims with an inference bound: their values, divided into pieces on which the outcomes of questions are constant (S346–S353). */
import { UTCDateMini } from '@date-fns/utc/date/mini';
import { subYears } from 'date-fns/subYears';
import {
  type CatalogueClaim,
  type Check,
  ClaimSet,
  formatInstant,
  type InferenceBound,
  type JsonValue,
  parseInstant,
} from '../../engine/index.js';
import { DATE_LENGTH, MS_PER_DAY } from '../../util/time.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import { COUNTRY_CODES, type DerivedClaims } from '../claims/derived-claims.js';

/** A check at an instant, on which derived claims depend. */
export interface TimedCheck {
  readonly check: Check;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** Values of a claim for which every given check has the same outcome. */
export interface Piece {
  /** One of the values. */
  readonly value: JsonValue;
  /** How much the piece contributes to a set, in the unit of {@link BoundedClaim.smallest}. */
  readonly size: number;
}

/** A claim with a bound, and the claims that are derived from it. Pure. */
export interface BoundedClaim {
  readonly path: string;
  /** The smallest permitted size of a set of values. */
  readonly smallest: number;
  /** Whether the outcome of a check depends on the instant. */
  isTimed(check: Check): boolean;
  /** Whether the values can be divided by the outcomes of a check. False for a check on a claim that is no longer derived from this one. */
  isDivisible(check: Check): boolean;
  /** Divides all values into pieces. */
  divide(checks: readonly TimedCheck[], now: number): readonly Piece[];
  /** Returns a claim set of the claim with a value and the claims that are derived from it at an instant. */
  claimsAt(value: JsonValue, at: number): ClaimSet;
}

/** Average number of days of a year in the Gregorian calendar. */
const DAYS_PER_YEAR = 365.2425;
/** Days around an anniversary on which the outcome of a check on years may change: 28 February, 29 February, 1 March. */
const DAYS_AROUND = [-2, -1, 0, 1, 2];
const MAX_YEARS = 10_000;
/** Maximum number of cached claim sets of each bounded claim. */
const MAX_CLAIM_SETS = 5_000;
/** Operators whose operands do not divide strings into ranges of constant outcome. */
const TEXT_OPERATORS: readonly string[] = ['startsWith', 'matchRegex', 'contains'];

/** Creates the bounded claims of a catalogue, by the path of each claim to which the bound applies: the claim itself, and those derived from it. */
export function createBoundedClaims(
  { definition, findClaim }: ServiceCatalogue,
  derivedClaims: DerivedClaims,
): ReadonlyMap<string, BoundedClaim> {
  return new Map(
    definition.claims.flatMap((parent) => {
      const { inferenceBound: bound } = parent;
      if (bound === undefined) return [];
      const derived = definition.claims.filter(({ derived: rule }) => rule?.parent === parent.path);
      const members = [parent, ...derived];
      const claimsAt = createClaimsAt(members, derivedClaims);
      const isMember = ({ claim }: Check) => members.some(({ path }) => `${claim}.`.startsWith(`${path}.`));
      const created = createBoundedClaim(parent, bound, { claimsAt, findClaim, isMember });
      return members.map(({ path }) => [path, created] as const);
    }),
  );
}

function createClaimsAt(
  [parent, ...derived]: readonly CatalogueClaim[],
  derivedClaims: DerivedClaims,
): BoundedClaim['claimsAt'] {
  const path = parent?.path ?? '';
  const paths = derived.map((claim) => claim.path);
  const known = new Map<string, ClaimSet>();
  return (value, at) => {
    const key = `${at} ${JSON.stringify(value)}`;
    const found = known.get(key);
    if (found !== undefined) return found;
    const credential = { id: 'possible', source: 'possible', issuedAt: at, claims: { [path]: value } };
    const credentials = derivedClaims.addTo([credential], at, paths);
    const claims = ClaimSet.of(Object.assign({}, ...credentials.map((each) => each.claims)));
    if (known.size >= MAX_CLAIM_SETS) known.clear();
    known.set(key, claims);
    return claims;
  };
}

function createBoundedClaim(
  { path, type, values }: CatalogueClaim,
  bound: InferenceBound,
  {
    claimsAt,
    findClaim,
    isMember,
  }: Pick<BoundedClaim, 'claimsAt'> &
    Pick<ServiceCatalogue, 'findClaim'> & { readonly isMember: (check: Check) => boolean },
): BoundedClaim {
  const derivationOf = ({ claim }: Check) => findClaim(claim)?.derived;
  const shared = {
    path,
    claimsAt,
    isTimed: (check: Check) => {
      const derived = derivationOf(check);
      if (derived === undefined) return false;
      return 'check' in derived ? 'yearsBeforeNow' in derived.check : derived.rule === 'full_years';
    },
  };
  /** The values of the parent next to which the outcome of a check changes. */
  const operandsOf = ({ check }: TimedCheck): readonly JsonValue[] => {
    const derived = derivationOf(check);
    if (derived === undefined) return [check.value ?? null].flat();
    return 'check' in derived && 'value' in derived.check ? [derived.check.value].flat() : [];
  };
  if ('values' in bound) {
    const all = type === 'boolean' ? [true, false] : type === 'enum' ? (values ?? []) : COUNTRY_CODES;
    const pieces = all.map((value) => ({ value, size: 1 }));
    return { ...shared, smallest: bound.values, isDivisible: isMember, divide: () => pieces };
  }
  if ('width' in bound) {
    const { width: smallest, from, to } = bound;
    const numbersOf = (checks: readonly TimedCheck[]) =>
      checks.flatMap(operandsOf).filter((value) => typeof value === 'number');
    const divide = (checks: readonly TimedCheck[]) =>
      type === 'integer'
        ? divideIntegers(Math.ceil(from), Math.floor(to), numbersOf(checks).flatMap(integersAround))
        : divideNumbers(from, to, numbersOf(checks));
    return { ...shared, smallest, isDivisible: isMember, divide };
  }
  /** The numbers of years that must have passed since a date for the outcome of a check to change. */
  const yearsOf = ({ check }: TimedCheck): readonly number[] => {
    const derived = derivationOf(check);
    if (derived === undefined) return [];
    if ('check' in derived) return 'yearsBeforeNow' in derived.check ? [derived.check.yearsBeforeNow] : [];
    const numbers = [check.value ?? null].flat().filter((value) => typeof value === 'number');
    return numbers.map(Math.floor).flatMap((years) => [years, years + 1]);
  };
  const daysOf = (timed: TimedCheck): readonly number[] => [
    ...operandsOf(timed).flatMap((value) => {
      const instant = typeof value === 'string' ? parseInstant(value) : undefined;
      return instant === undefined ? [] : integersAround(instant / MS_PER_DAY);
    }),
    ...yearsOf(timed)
      .filter((years) => Math.abs(years) < MAX_YEARS)
      .flatMap((years) => {
        const day = dayOf(subYears(new UTCDateMini(timed.at), years).getTime());
        return DAYS_AROUND.map((offset) => day + offset);
      }),
  ];
  return {
    ...shared,
    smallest: Math.floor(bound.years * DAYS_PER_YEAR),
    isDivisible: (check) => {
      const derived = derivationOf(check);
      // The check that reads the date; none for an age.
      const reading = derived === undefined ? check : 'check' in derived ? derived.check : undefined;
      return isMember(check) && (reading === undefined || !TEXT_OPERATORS.includes(reading.operator));
    },
    divide: (checks, now) => {
      const last = bound.to === undefined ? dayOf(now) : dayOf(parseInstant(bound.to) ?? 0);
      const days = divideIntegers(dayOf(parseInstant(bound.from) ?? 0), last, checks.flatMap(daysOf));
      return days.map(({ value, size }) => ({ value: toDate(value), size }));
    },
  };
}

/** Returns the integers next to a number, on both sides. */
function integersAround(value: number): readonly number[] {
  const integer = Math.floor(value);
  return [integer - 1, integer, integer + 1, integer + 2];
}

/** Divides integers into the given ones and the ranges between. */
function divideIntegers(
  from: number,
  to: number,
  at: readonly number[],
): readonly { readonly value: number; readonly size: number }[] {
  const points = [...new Set(at)].filter((point) => point >= from && point <= to).sort((a, b) => a - b);
  return [...points, to + 1].flatMap((point, index) => {
    const start = index === 0 ? from : (points[index - 1] as number) + 1;
    const before = start < point ? [{ value: start, size: point - start }] : [];
    return point > to ? before : [...before, { value: point, size: 1 }];
  });
}

/** Divides numbers into the given ones, which have no size, and the intervals between. */
function divideNumbers(from: number, to: number, at: readonly number[]): readonly Piece[] {
  const inside = at.filter((point) => point > from && point < to);
  const points = [...new Set([from, ...inside, to])].sort((a, b) => a - b);
  return points.flatMap((point, index) => {
    const next = points[index + 1];
    const own = { value: point, size: 0 };
    if (next === undefined) return [own];
    const middle = point + (next - point) / 2;
    // Without a number between two neighbors, there is no interval.
    return middle > point && middle < next ? [own, { value: middle, size: next - point }] : [own];
  });
}

function dayOf(at: number): number {
  return Math.floor(at / MS_PER_DAY);
}

function toDate(day: number): string {
  return formatInstant(day * MS_PER_DAY).slice(0, DATE_LENGTH);
}
