/**
 * The policies and people of the policy-set benchmark, drawn from a seed.
 *
 * **People** have 31 claims, independent of each other and uniformly distributed: 12 categories of 4 to 5,000 values, 8 numbers from 0 to
 * 100,000, 2 dates within 8 years, 4 booleans, 3 lists of 3 elements, an e-mail address and a postal code.
 *
 * **Policies** are `allOf` of a number of checks, uniform from 1 to 12 unless stated. A policy should pass for a share of all people: uniform
 * from 0 to twice the share that the scenario states. Each check gets a random power of that share, such that the product of all is the share:
 * most policies have a few strict checks and several loose ones, and the share does not depend on the number of checks.
 * A check of a given share is drawn from the operators that can express it: 45 % categories (`==`, `in`, `!=`, `notIn`), 30 % numbers,
 * 10 % dates, 8 % booleans, 5 % `contains`, 3 % `startsWith`, 2 % `matchRegex`, in proportion to these numbers. Of the checks, 8 % are negated,
 * and 10 % are combined with the next one by `anyOf`. No two policies are equal.
 */
import { createSeededNumbers } from './random.js';

/** A check in the benchmark. */
export interface DrawnCheck {
  readonly claim: string;
  readonly operator: string;
  readonly value: string | number | boolean | readonly string[];
}

export type DrawnItem = DrawnCheck | { readonly anyOf: readonly DrawnCheck[] } | { readonly not: DrawnCheck };

/** A policy: all of its items must hold. */
export interface DrawnPolicy {
  readonly policy: { readonly allOf: readonly DrawnItem[] };
}

export type DrawnClaims = Readonly<Record<string, string | number | boolean | readonly string[]>>;

export interface PolicyScenario {
  readonly policies: number;
  /** The share of the policies that a person passes, on average. */
  readonly passing: number;
  /** The least and the greatest number of checks; 1 and 12 by default. */
  readonly checks?: readonly [least: number, greatest: number];
  readonly seed?: number;
}

const CATEGORIES: readonly (readonly [claim: string, values: number])[] = [
  ['identity.country_of_residence', 200],
  ['identity.nationality', 200],
  ['kyc.document_type', 8],
  ['kyc.level', 4],
  ['kyc.document_country', 200],
  ['employment.sector', 40],
  ['employment.employer', 5_000],
  ['education.field', 60],
  ['education.school', 3_000],
  ['membership.club', 1_000],
  ['device.platform', 5],
  ['risk.segment', 20],
];
const NUMBERS: readonly string[] = [
  'identity.age_in_days',
  'financial.net_worth',
  'financial.income',
  'risk.score',
  'activity.logins',
  'financial.trades',
  'service.score',
  'social.followers',
];
const GREATEST_NUMBER = 100_000;
const DATES: readonly string[] = ['kyc.last_updated_at', 'account.opened_at'];
const FIRST_DATE = Date.UTC(2018, 0, 1);
const DAYS = 2_922;
const DAY_MS = 86_400_000;
const BOOLEANS: readonly string[] = [
  'kyc.passed',
  'kyc.is_high_risk',
  'financial.accredited',
  'account.verified',
];
const LISTS: readonly (readonly [claim: string, values: number])[] = [
  ['identity.badges', 12],
  ['identity.languages', 50],
  ['asset.tokens', 500],
];
const LIST_LENGTH = 3;
const HOSTS = 300;

/** Maximum number of values of `in` and `notIn`. */
const LONGEST_LIST = 12;
const SHARE_OF_GROUPS = 0.1;
const SHARE_OF_NEGATIONS = 0.08;

type Draw = ReturnType<typeof createDraw>;

/** Draws people, as objects by claim path. */
export function drawPolicySetPeople(count: number, seed = 99): readonly DrawnClaims[] {
  const draw = createDraw(seed);
  return Array.from({ length: count }, () => {
    const claims: Record<string, DrawnClaims[string]> = {};
    for (const [claim, values] of CATEGORIES) claims[claim] = `v${draw.below(values)}`;
    for (const claim of NUMBERS) claims[claim] = draw.below(GREATEST_NUMBER * 10) / 10;
    for (const claim of DATES)
      claims[claim] = new Date(FIRST_DATE + draw.below(DAYS) * DAY_MS).toISOString().slice(0, 10);
    for (const claim of BOOLEANS) claims[claim] = draw.below(2) === 1;
    for (const [claim, values] of LISTS)
      claims[claim] = Array.from({ length: LIST_LENGTH }, () => `e${draw.below(values)}`);
    claims['contact.email'] = `user${draw.below(1_000_000)}@host${draw.below(HOSTS)}.example`;
    claims['address.postal_code'] = String(draw.below(100_000)).padStart(5, '0');
    return claims;
  });
}

/** Draws distinct policies. */
export function drawPolicies({
  policies,
  passing,
  checks = [1, 12],
  seed = 1,
}: PolicyScenario): readonly DrawnPolicy[] {
  const draw = createDraw(seed);
  const drawn = new Map<string, DrawnPolicy>();
  while (drawn.size < policies) {
    const length = checks[0] + draw.below(checks[1] - checks[0] + 1);
    const allOf = drawItems(draw, Math.min(2 * passing * draw.unit(), 0.999), length);
    drawn.set(JSON.stringify(allOf), { policy: { allOf } });
  }
  return [...drawn.values()];
}

/** Draws items with `length` checks in total, so that about the given share of people pass all items. */
function drawItems(draw: Draw, share: number, length: number): readonly DrawnItem[] {
  const weights = Array.from({ length }, () => -Math.log(draw.unit()));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const shares = weights.map((weight) => share ** (weight / total));
  const items: DrawnItem[] = [];
  while (shares.length > 0) {
    const first = shares.pop() as number;
    if (shares.length > 0 && draw.unit() < SHARE_OF_GROUPS) {
      const each = 1 - Math.sqrt(1 - first * (shares.pop() as number));
      items.push({ anyOf: [drawCheck(draw, each), drawCheck(draw, each)] });
    } else if (draw.unit() < SHARE_OF_NEGATIONS) items.push({ not: drawCheck(draw, 1 - first) });
    else items.push(drawCheck(draw, first));
  }
  return items;
}

/** Draws checks of a share until one can express it: a number always can. */
function drawCheck(draw: Draw, share: number): DrawnCheck {
  for (;;) {
    const check = tryCheck(draw, Math.min(Math.max(share, 1e-5), 0.9999));
    if (check !== undefined) return check;
  }
}

function tryCheck(draw: Draw, share: number): DrawnCheck | undefined {
  const kind = draw.unit() * 103;
  if (kind < 45) return categoryCheck(draw, share);
  if (kind < 75) return numberCheck(draw, share);
  if (kind < 85) return dateCheck(draw, share);
  if (kind < 93)
    return isNear(share, 0.5, 1.4) ? equals(draw.pick(BOOLEANS), draw.below(2) === 1) : undefined;
  if (kind < 98) return listCheck(draw, share);
  if (kind < 101) return prefixCheck(draw, share);
  return isNear(share, 1 / HOSTS, 2)
    ? { claim: 'contact.email', operator: 'matchRegex', value: `@host${draw.below(HOSTS)}\\.example$` }
    : undefined;
}

function categoryCheck(draw: Draw, share: number): DrawnCheck | undefined {
  const [claim, values] = draw.pick(CATEGORIES);
  const listed = Math.round(values * share);
  if (listed < 1 || listed >= values || !isNear(listed / values, share, 1.3)) return undefined;
  const list = (length: number) => draw.sample(values, length).map((value) => `v${value}`);
  if (listed === 1) return equals(claim, `v${draw.below(values)}`);
  if (listed <= LONGEST_LIST) return { claim, operator: 'in', value: list(listed) };
  if (listed === values - 1) return { claim, operator: '!=', value: `v${draw.below(values)}` };
  return values - listed <= LONGEST_LIST
    ? { claim, operator: 'notIn', value: list(values - listed) }
    : undefined;
}

/** The distance of the bound from the end of the range has two significant digits, as in bounds that people write. */
function numberCheck(draw: Draw, share: number): DrawnCheck {
  const claim = draw.pick(NUMBERS);
  const width = Number((GREATEST_NUMBER * share).toPrecision(2));
  return draw.below(2) === 0
    ? { claim, operator: '<', value: width }
    : { claim, operator: '>=', value: GREATEST_NUMBER - width };
}

function dateCheck(draw: Draw, share: number): DrawnCheck | undefined {
  const days = Math.round(DAYS * share);
  if (days < 3 || days > DAYS - 3) return undefined;
  const claim = draw.pick(DATES);
  const isLeast = draw.below(2) === 0;
  const bound = new Date(FIRST_DATE + (isLeast ? DAYS - days : days) * DAY_MS);
  return { claim, operator: isLeast ? '>=' : '<', value: bound.toISOString().slice(0, 10) };
}

function listCheck(draw: Draw, share: number): DrawnCheck | undefined {
  const [claim, values] = draw.pick(LISTS);
  if (!isNear(share, LIST_LENGTH / values, 1.4)) return undefined;
  return { claim, operator: 'contains', value: `e${draw.below(values)}` };
}

function prefixCheck(draw: Draw, share: number): DrawnCheck | undefined {
  const digits = Math.round(-Math.log10(share));
  if (digits < 1 || digits > 5 || !isNear(share, 10 ** -digits, 1.5)) return undefined;
  const value = String(draw.below(10 ** digits)).padStart(digits, '0');
  return { claim: 'address.postal_code', operator: 'startsWith', value };
}

function equals(claim: string, value: string | boolean): DrawnCheck {
  return { claim, operator: '==', value };
}

function isNear(one: number, other: number, factor: number): boolean {
  return one <= other * factor && other <= one * factor;
}

function createDraw(seed: number) {
  const { below, pick } = createSeededNumbers(seed);
  return {
    below,
    pick,
    /** A number above 0, and at most 1. */
    unit: () => (below(2 ** 30) + 1) / 2 ** 30,
    /** `count` distinct integers below `end`, in ascending order. */
    sample: (end: number, count: number) => {
      const chosen = new Set<number>();
      while (chosen.size < count) chosen.add(below(end));
      return [...chosen].sort((one, other) => one - other);
    },
  };
}
