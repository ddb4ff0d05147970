/** Claims derived from a parent claim: defined whenever the parent is, and expiring at the latest when the derived value changes. */

// UTCDate without its formatters, which take 20 ms to load.
import { UTCDateMini } from '@date-fns/utc/date/mini';
import { differenceInYears } from 'date-fns/differenceInYears';
import { subYears } from 'date-fns/subYears';
import { ClaimSet } from '../../engine/claims/claim-set.js';
import { fitsClaimType } from '../../engine/claims/claim-type.js';
import { LAST_INSTANT } from '../../engine/claims/instant.js';
import { DEFAULT_RESULT_LIFETIME_SECONDS } from '../../engine/compile/compile.js';
import {
  type CatalogueClaim,
  type CompiledQuery,
  type Credential,
  compile,
  type DerivationCheck,
  formatInstant,
  isActiveAt,
  type JsonValue,
  parseInstant,
  type RegexEngine,
} from '../../engine/index.js';
import { omitUndefined } from '../../util/omit-undefined.js';
import { DATE_LENGTH, MS_PER_DAY, MS_PER_SECOND } from '../../util/time.js';
import { findEnclosing } from '../catalogue/known-claims.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';

// Single modules of date-fns are imported, since its index loads about a hundred files.

/** Computes the derived claims of a catalogue. Safe to share between requests. */
export interface DerivedClaims {
  /**
   * Adds derived claims to a person's credentials: for each, a copy of the parent claim's credential with the same id, source and issue date, so
   * that the same credential attests both. Values of these claims that issuers attested under an earlier catalogue are omitted.
   *
   * @param now - Epoch milliseconds. Nothing is derived from credentials that are not active then.
   * @param paths - Claim paths to be read; no other claims are derived.
   * @param hiddenParents - Claims that an expiry must not disclose, such as a date of birth. A claim that is derived from one of them expires after
   *   the lifetime of a result at the latest, if its value will change.
   */
  addTo(
    credentials: readonly Credential[],
    now: number,
    paths: readonly string[],
    hiddenParents?: readonly string[],
  ): readonly Credential[];

  /** Returns the parents of those derived claims among `paths` whose values depend on the instant. */
  timedParentsOf(paths: readonly string[]): readonly string[];
}

/** The derived value at an instant, and the instant at which it changes. */
interface Derived {
  readonly value: JsonValue;
  readonly changesAt?: number;
}

/** A derived claim and its derivation. */
interface Rule {
  readonly path: string;
  readonly parent: CatalogueClaim;
  readonly derive: (value: JsonValue, now: number) => Derived;
  /** Whether the derived value depends on the instant. */
  readonly isTimed: boolean;
}

/** The check of the parent's value for an instant. */
type CompiledCheck = (now: number) => CompiledQuery;

const RESULT_LIFETIME_MS = DEFAULT_RESULT_LIFETIME_SECONDS * MS_PER_SECOND;

/** @param regex - Engine for derivations by a pattern. */
export function createDerivedClaims(catalogue: ServiceCatalogue, regex: RegexEngine): DerivedClaims {
  const rules = catalogue.definition.claims.flatMap((claim): [string, Rule][] => {
    const parent = claim.derived && catalogue.findClaim(claim.derived.parent);
    return parent === undefined ? [] : [[claim.path, toRule(claim, parent, regex)]];
  });
  const rulesByPath = new Map(rules);
  const findRule = (path: string) => rulesByPath.get(path);
  const timedParents = new Map(
    rules.flatMap(([path, { isTimed, parent }]) => (isTimed ? [[path, parent.path] as const] : [])),
  );
  return {
    addTo: (credentials, now, paths, hiddenParents = []) => {
      const found = paths.flatMap((path) => findEnclosing(path, findRule) ?? []);
      if (found.length === 0) return credentials;
      const requested = [...new Set(found)];
      const active = credentials.filter((credential) => isActiveAt(credential, now));
      return [
        ...credentials.map((credential) => withoutDerived(credential, requested)),
        ...active.flatMap((credential) =>
          requested.flatMap(
            (rule) => apply(rule, credential, now, hiddenParents.includes(rule.parent.path)) ?? [],
          ),
        ),
      ];
    },
    timedParentsOf: (paths) => {
      const parents = new Set<string>();
      // A loop: every query needs this, and array methods take twice as long.
      for (const path of paths) {
        const parent = timedParents.get(path);
        if (parent !== undefined) parents.add(parent);
      }
      return [...parents];
    },
  };
}

/** Omits claims that are derived now, with those nested in them, but were not when the credential was ingested. */
function withoutDerived(credential: Credential, rules: readonly Rule[]): Credential {
  const { claims } = credential;
  const isDerived = (name: string) => rules.some(({ path }) => `${name}.`.startsWith(`${path}.`));
  if (!Object.keys(claims).some(isDerived)) return credential;
  const attested = Object.entries(claims).filter(([name]) => !isDerived(name));
  return { ...credential, claims: Object.fromEntries(attested) };
}

function apply(
  { path, parent, derive }: Rule,
  credential: Credential,
  now: number,
  isParentHidden: boolean,
): Credential | undefined {
  const value = Object.hasOwn(credential.claims, parent.path) ? credential.claims[parent.path] : undefined;
  if (value === undefined) return undefined;
  // If the parent's value has the wrong type, the derived claim is `null`.
  const derived: Derived = fitsClaimType(value, parent) ? derive(value, now) : { value: null };
  const hiddenUntil =
    isParentHidden && derived.changesAt !== undefined ? now + RESULT_LIFETIME_MS : undefined;
  const ends = [credential.expiresAt, derived.changesAt, hiddenUntil].filter(
    (instant) => instant !== undefined,
  );
  return {
    ...credential,
    ...(ends.length === 0 ? {} : { expiresAt: Math.min(...ends) }),
    claims: { [path]: derived.value },
  };
}

function toRule(claim: CatalogueClaim, parent: CatalogueClaim, regex: RegexEngine): Rule {
  const { path, derived } = claim;
  if (derived !== undefined && 'check' in derived) {
    const isTimed = 'yearsBeforeNow' in derived.check;
    return { path, parent, derive: byCheck(derived.check, parent.path, regex), isTimed };
  }
  return derived?.rule === 'region'
    ? { path, parent, derive: region, isTimed: false }
    : { path, parent, derive: fullYears, isTimed: true };
}

/** Derives by a check of the query language on the parent (L14–L18). */
function byCheck(check: DerivationCheck, parent: string, regex: RegexEngine): Rule['derive'] {
  const compiled = compiledCheck(check, parent, regex);
  return (value, now) => {
    const passesAt = (at: number) => compiled(at).test(ClaimSet.of({ [parent]: value }));
    const passes = passesAt(now);
    const changesAt =
      'yearsBeforeNow' in check
        ? birthdays(value, check.yearsBeforeNow).find(
            (at) => at > now && at <= LAST_INSTANT && passesAt(at) !== passes,
          )
        : undefined;
    return { value: passes, ...omitUndefined({ changesAt }) };
  };
}

/** No claim is too long for a pattern of the catalogue: a query that reads the derived claim has no pattern, so it must not be rejected for the cost. */
const ANY_MATCH_COST = { matchCost: Number.MAX_SAFE_INTEGER };

/** Compiles the check once, or once for each day of evaluation if its operand depends on the day. */
function compiledCheck(check: DerivationCheck, parent: string, regex: RegexEngine): CompiledCheck {
  const { operator } = check;
  if ('value' in check) {
    const { value } = check;
    const query = compile({ check: { claim: parent, operator, value } }, { regex, limits: ANY_MATCH_COST });
    return () => query;
  }
  const queriesByDay = new Map<number, CompiledQuery>();
  return (now) => {
    const day = Math.floor(now / MS_PER_DAY);
    const cached = queriesByDay.get(day);
    if (cached !== undefined) return cached;
    const value = formatInstant(subYears(new UTCDateMini(now), check.yearsBeforeNow).getTime()).slice(
      0,
      DATE_LENGTH,
    );
    const query = compile({ check: { claim: parent, operator, value } }, { regex });
    if (queriesByDay.size === MAX_DAYS) queriesByDay.clear();
    queriesByDay.set(day, query);
    return query;
  };
}

/**
 * Maximum number of cached days. Besides today, the days are cached on which minors reach the age: for an age of 18, up to 6,600 days.
 */
const MAX_DAYS = 10_000;

/**
 * Returns the only instants at which the outcome of a check on years can change: the anniversary of a date and the next two days. With `==`, the check
 * passes on the anniversary and fails again on the next day; for a birth on 28 February, it also passes on 29 February of a leap year, so it fails again
 * on 1 March. For a birth on 29 February, it passes only if the anniversary is in a leap year.
 */
function birthdays(date: JsonValue, years: number): readonly number[] {
  const born = typeof date === 'string' ? parseInstant(date) : undefined;
  if (born === undefined) return [];
  const first = Math.floor(birthday(born, years) / MS_PER_DAY) * MS_PER_DAY;
  return [first, first + MS_PER_DAY, first + 2 * MS_PER_DAY];
}

/** Derives the age in full years, UTC, rounded down, so that it is negative before birth. A birthday on 29 February counts as 1 March in common years. */
function fullYears(date: JsonValue, now: number): Derived {
  const born = typeof date === 'string' ? parseInstant(date) : undefined;
  if (born === undefined) return { value: null };
  const years = differenceInYears(new UTCDateMini(now), new UTCDateMini(born));
  // `differenceInYears` rounds towards 0.
  const age = now < birthday(born, years) ? years - 1 : years;
  return { value: age, changesAt: birthday(born, age + 1) };
}

function birthday(born: number, years: number): number {
  const date = new Date(born);
  const at = new Date(born).setUTCFullYear(
    date.getUTCFullYear() + years,
    date.getUTCMonth(),
    date.getUTCDate(),
  );
  // In common years, 29 February has passed when 1 March starts, whatever the time of birth.
  return new Date(at).getUTCDate() === date.getUTCDate() ? at : Math.floor(at / MS_PER_DAY) * MS_PER_DAY;
}

function region(country: JsonValue): Derived {
  return { value: typeof country === 'string' ? (regionOf(country) ?? null) : null };
}

/**
 * Countries by region of the world: ISO 3166-1 alpha-2 codes, grouped as in the United Nations' M49. Antarctica and Taiwan, which M49 assigns to no region, are
 * added.
 */
const COUNTRIES: Readonly<Record<string, string>> = {
  Africa:
    'AO BF BI BJ BW CD CF CG CI CM CV DJ DZ EG EH ER ET GA GH GM GN GQ GW KE KM LR LS LY MA MG ML MR MU MW MZ NA NE NG RE RW SC SD SH SL SN SO SS ST SZ TD TG TN TZ UG YT ZA ZM ZW IO TF',
  Americas:
    'AG AI AR AW BB BL BM BO BQ BR BS BZ CA CL CO CR CU CW DM DO EC FK GD GF GL GP GT GY HN HT JM KN KY LC MF MQ MS MX NI PA PE PM PR PY SR SV SX TC TT US UY VC VE VG VI BV GS',
  Asia: 'AE AF AM AZ BD BH BN BT CN CY GE HK ID IL IN IQ IR JO JP KG KH KP KR KW KZ LA LB LK MM MN MO MV MY NP OM PH PK PS QA SA SG SY TH TJ TL TM TR TW UZ VN YE',
  Europe:
    'AD AL AT AX BA BE BG BY CH CZ DE DK EE ES FI FO FR GB GG GI GR HR HU IE IM IS IT JE LI LT LU LV MC MD ME MK MT NL NO PL PT RO RS RU SE SI SJ SK SM UA VA',
  Oceania: 'AS AU CC CK CX FJ FM GU HM KI MH MP NC NF NR NU NZ PF PG PN PW SB TK TO TV UM VU WF WS',
  Antarctica: 'AQ',
};

const REGIONS: ReadonlyMap<string, string> = new Map(
  Object.entries(COUNTRIES).flatMap(([region, codes]) =>
    codes.split(' ').map((code) => [code, region] as const),
  ),
);

/** The codes of all countries (ISO 3166-1 alpha-2). */
export const COUNTRY_CODES: readonly string[] = [...REGIONS.keys()];

/** Returns the region of a country; `undefined` for an unknown code. Never throws. */
function regionOf(country: string): string | undefined {
  return REGIONS.get(country);
}
