/** Validates a catalogue as a whole: names, cycles, sensitivities, inference bounds and derivations. */
import { fitsClaimType, withOperandChecks } from '../claims/claim-type.js';
import type { JsonValue } from '../claims/json-value.js';
import { joinNames } from '../names.js';
import type { Problem } from '../problems.js';
import { safeParse } from '../query/safe-parse.js';
import type { RegexEngine } from '../regex-engine.js';
import {
  type Catalogue,
  type CatalogueClaim,
  type CataloguePreset,
  type CatalogueScope,
  type ClaimType,
  type Derivation,
  SENSITIVITIES,
} from '../scopes/catalogue.js';
import { FileError, type ShapeCode } from './json-reader.js';

/** A problem of a catalogue. */
export type CatalogueProblem = Problem<
  | ShapeCode
  | 'name_repeated'
  | 'scope_unknown'
  | 'implied_scope_unknown'
  | 'implied_scope_cycle'
  | 'implied_scope_more_sensitive'
  | 'sensitivity_above_scope'
  | 'covered_claim_unknown'
  | 'revealed_claim_unknown'
  | 'claim_nested'
  | 'parent_unknown'
  | 'derivation_malformed'
  | 'bound_malformed'
  | 'values_malformed'
  | 'preset_claim_unknown'
  | 'name_reserved'
>;

/** Thrown for an invalid catalogue; `problems` lists every problem. */
export class CatalogueError extends FileError<CatalogueProblem, 'invalid_catalogue'> {
  override readonly name = 'CatalogueError';

  constructor(problems: readonly CatalogueProblem[]) {
    super('invalid_catalogue', problems);
  }
}

/** An entry of a catalogue. */
export type CatalogueEntry = CatalogueScope | CatalogueClaim | CataloguePreset;

/** The members of scopes and claims whose names in a catalogue file differ from those in code. */
export interface MemberNames {
  readonly displayName: string;
  readonly implies: string;
  readonly alsoCovers: string;
  readonly maxEvidence: string;
  readonly inferenceBound: string;
  readonly yearsBeforeNow: string;
}

export const FILE_NAMES: MemberNames = {
  displayName: 'display_name',
  implies: 'implied_scopes',
  alsoCovers: 'also_covers',
  maxEvidence: 'max_evidence',
  inferenceBound: 'inference_bound',
  yearsBeforeNow: 'years_before_now',
};

export const CODE_NAMES: MemberNames = {
  displayName: 'displayName',
  implies: 'implies',
  alsoCovers: 'alsoCovers',
  maxEvidence: 'maxEvidence',
  inferenceBound: 'inferenceBound',
  yearsBeforeNow: 'yearsBeforeNow',
};

/** Last segment of the path of the batch endpoint, `/presets/batch`: no preset may have this name. */
const RESERVED_PRESET = 'batch';

/** The entries that a catalogue in code has. */
export type ScopesAndClaims = Pick<Catalogue, 'scopes' | 'claims'>;

/**
 * Finds the problems of a catalogue whose entries have the correct shape: those of scopes, then of claims, then of presets. Never throws.
 *
 * @param pointerOf - Returns the JSON Pointer of an entry.
 * @param regex - Compiles the patterns of derived claims; without it, patterns are not validated.
 */
export function findCatalogueProblems(
  catalogue: Catalogue,
  pointerOf: (entry: CatalogueEntry) => string,
  regex?: RegexEngine,
): readonly CatalogueProblem[] {
  const { claims, presets } = catalogue;
  return [
    ...findScopeAndClaimProblems(catalogue, pointerOf, FILE_NAMES, regex),
    ...repeated(presets, ({ name }) => name, pointerOf, 'name'),
    ...presets.flatMap((preset) => presetProblems(preset, claims, pointerOf(preset))),
  ];
}

/**
 * Finds problems as {@link findCatalogueProblems} does, of a catalogue without presets.
 *
 * @param names - The names of members in pointers.
 */
export function findScopeAndClaimProblems(
  catalogue: ScopesAndClaims,
  pointerOf: (entry: CatalogueEntry) => string,
  names: MemberNames,
  regex?: RegexEngine,
): readonly CatalogueProblem[] {
  const { scopes, claims } = catalogue;
  return [
    ...repeated(scopes, ({ name }) => name, pointerOf, 'name'),
    ...scopes.flatMap((scope) => [
      ...scopeProblems(scope, scopes, `${pointerOf(scope)}/${names.implies}`),
      ...coverageProblems(scope, claims, `${pointerOf(scope)}/${names.alsoCovers}`),
    ]),
    ...repeated(claims, ({ path }) => path, pointerOf, 'path'),
    ...claims.flatMap((claim) => claimProblems(claim, catalogue, pointerOf(claim), names, regex)),
  ];
}

function repeated<Entry extends CatalogueEntry>(
  entries: readonly Entry[],
  nameOf: (entry: Entry) => string,
  pointerOf: (entry: CatalogueEntry) => string,
  member: string,
): CatalogueProblem[] {
  const seen = new Set<string>();
  return entries.flatMap((entry) => {
    const name = nameOf(entry);
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const message = `\`${name}\` must not be defined twice.`;
    return [{ code: 'name_repeated' as const, pointer: `${pointerOf(entry)}/${member}`, message }];
  });
}

function scopeProblems(
  { name, sensitivity, implies = [] }: CatalogueScope,
  scopes: readonly CatalogueScope[],
  pointer: string,
): CatalogueProblem[] {
  return implies.flatMap((implied, index): CatalogueProblem[] => {
    const place = `${pointer}/${index}`;
    const found = scopes.find((scope) => scope.name === implied);
    if (found === undefined) {
      const message = `The implied scope \`${implied}\` is not in the catalogue.`;
      return [{ code: 'implied_scope_unknown', pointer: place, message }];
    }
    const path = findImplicationPath(name, implied, scopes);
    if (path !== undefined) {
      const message = `A scope must not imply itself: ${[name, ...path].join(' → ')}.`;
      return [{ code: 'implied_scope_cycle', pointer: place, message }];
    }
    // Checking the direct implications is enough: each implied scope is checked against the scopes that it implies.
    if (SENSITIVITIES.indexOf(found.sensitivity) <= SENSITIVITIES.indexOf(sensitivity)) return [];
    const message = `A scope must be at least as sensitive as every scope that it implies: \`${name}\` is ${sensitivity}, \`${implied}\` is ${found.sensitivity}.`;
    return [{ code: 'implied_scope_more_sensitive', pointer: place, message }];
  });
}

function coverageProblems(
  { name, sensitivity, alsoCovers = [] }: CatalogueScope,
  claims: readonly CatalogueClaim[],
  pointer: string,
): CatalogueProblem[] {
  return alsoCovers.flatMap((path, index): CatalogueProblem[] => {
    const place = `${pointer}/${index}`;
    const claim = claims.find((one) => one.path === path);
    if (claim === undefined) {
      const message = `The covered claim \`${path}\` is not in the catalogue.`;
      return [{ code: 'covered_claim_unknown', pointer: place, message }];
    }
    if (SENSITIVITIES.indexOf(claim.sensitivity) <= SENSITIVITIES.indexOf(sensitivity)) return [];
    const message = `A scope must be at least as sensitive as every claim that it covers: \`${name}\` is ${sensitivity}, \`${path}\` is ${claim.sensitivity}.`;
    return [{ code: 'sensitivity_above_scope', pointer: place, message }];
  });
}

/** Finds the chain of implied scopes from one scope to another; `undefined` without one. */
function findImplicationPath(
  target: string,
  from: string,
  scopes: readonly CatalogueScope[],
  visited = new Set<string>(),
): readonly string[] | undefined {
  if (from === target) return [from];
  if (visited.has(from)) return undefined;
  visited.add(from);
  for (const next of scopes.find(({ name }) => name === from)?.implies ?? []) {
    const path = findImplicationPath(target, next, scopes, visited);
    if (path !== undefined) return [from, ...path];
  }
  return undefined;
}

function claimProblems(
  claim: CatalogueClaim,
  { scopes, claims }: ScopesAndClaims,
  pointer: string,
  names: MemberNames,
  regex: RegexEngine | undefined,
): CatalogueProblem[] {
  const problems: CatalogueProblem[] = [];
  const report = (code: CatalogueProblem['code'], member: string, message: string) => {
    problems.push({ code, pointer: `${pointer}/${member}`, message });
  };
  const scope = scopes.find(({ name }) => name === claim.scope);
  if (scope === undefined) {
    report('scope_unknown', 'scope', `The scope \`${claim.scope}\` is not in the catalogue.`);
  } else if (SENSITIVITIES.indexOf(claim.sensitivity) > SENSITIVITIES.indexOf(scope.sensitivity)) {
    const message = `A claim must not be more sensitive than its scope: \`${claim.path}\` is ${claim.sensitivity}, \`${scope.name}\` is ${scope.sensitivity}.`;
    report('sensitivity_above_scope', 'sensitivity', message);
  }
  // A scope that covers the outer claim would disclose the inner one.
  const outer = claims.find(({ path }) => claim.path.startsWith(`${path}.`));
  if (outer !== undefined) {
    report(
      'claim_nested',
      'path',
      `A claim must not be nested in another claim: \`${outer.path}\` is a claim.`,
    );
  }
  for (const [index, path] of (claim.reveals ?? []).entries()) {
    if (claims.some((each) => each.path === path)) continue;
    const message = `The revealed claim \`${path}\` is not in the catalogue.`;
    report('revealed_claim_unknown', `reveals/${index}`, message);
  }
  if (claim.inferenceBound !== undefined && !isBound(claim, claim.inferenceBound))
    report('bound_malformed', names.inferenceBound, BOUND_FORM);
  const { derived } = claim;
  if (derived === undefined) return problems;
  const parent = claims.find(({ path }) => path === derived.parent);
  if (parent === undefined || parent.derived !== undefined) {
    const message = `The parent must be a claim that issuers attest: \`${derived.parent}\` is not in the catalogue or is derived.`;
    report('parent_unknown', 'derived/parent', message);
  }
  const fault = derivationFault(claim, derived, parent, regex);
  if (fault !== undefined)
    report('derivation_malformed', 'rule' in derived ? 'derived/rule' : 'derived/check', fault);
  return problems;
}

const BOUND_FORM =
  'The bound must be `width` with `from` and `to` (numbers), `years` with `from` (dates), or `values` of 2 or more (an enum, a boolean or a country). A derived claim must not have one: the bound of its parent applies.';

/** Returns whether a bound is valid for a claim. The members of the bound may have any type. */
function isBound({ type, format, values = [], derived }: CatalogueClaim, bound: object): boolean {
  const { width, years, values: count, from, to } = bound as Readonly<Record<string, unknown>>;
  const [size, ...others] = [width, years, count].filter((member) => member !== undefined);
  if (typeof size !== 'number' || !(size > 0) || others.length > 0 || derived !== undefined) return false;
  if (type === 'number' || type === 'integer')
    return (
      size === width && Number.isFinite(from) && Number.isFinite(to) && Number(to) - Number(from) >= size
    );
  if (type === 'date')
    return size === years && size < 1e4 && isDate(from) && (to === undefined || (isDate(to) && from < to));
  const most =
    type === 'enum'
      ? values.length
      : type === 'boolean'
        ? 2
        : type === 'string' && format === 'country'
          ? 200
          : 0;
  return (
    size === count &&
    Number.isInteger(size) &&
    size > 1 &&
    size <= most &&
    from === undefined &&
    to === undefined
  );
}

function isDate(value: unknown): value is string {
  return fitsClaimType(value as JsonValue, { type: 'date' });
}

/** By rule: the types that the parent may have, then those that the derived claim may have. */
const RULE_TYPES: Readonly<Record<'region' | 'full_years', readonly [ClaimTypes, ClaimTypes]>> = {
  region: [
    ['string', 'enum'],
    ['string', 'enum'],
  ],
  full_years: [
    ['date', 'datetime'],
    ['integer', 'number'],
  ],
};

type ClaimTypes = readonly ClaimType[];

/** Describes why a derivation is invalid, or has the same outcome on every value of the parent; `undefined` for a valid one. */
function derivationFault(
  claim: CatalogueClaim,
  derived: Derivation,
  parent: CatalogueClaim | undefined,
  regex: RegexEngine | undefined,
): string | undefined {
  if ('rule' in derived) {
    const { rule } = derived;
    const [parentTypes, claimTypes] = RULE_TYPES[rule];
    if (!claimTypes.includes(claim.type))
      return `A claim that is derived by \`${rule}\` must be of type ${joinNames(claimTypes)}, not \`${claim.type}\`.`;
    return parent === undefined || parentTypes.includes(parent.type)
      ? undefined
      : `The parent of \`${rule}\` must be of type ${joinNames(parentTypes)}, not \`${parent.type}\`.`;
  }
  if (claim.type !== 'boolean') return 'A claim that is derived by a check must be of type `boolean`.';
  const { check } = derived;
  // A sample date to test whether the operator accepts dates.
  const value = 'yearsBeforeNow' in check ? '2000-01-01' : check.value;
  const parsed = safeParse(
    { check: { claim: (parent ?? claim).path, operator: check.operator, value } },
    { regex, claims: parent && withOperandChecks([parent]) },
  );
  return parsed.ok ? undefined : parsed.problems.map(({ message }) => message).join(' ');
}

function presetProblems(
  { name, claim }: CataloguePreset,
  claims: readonly CatalogueClaim[],
  pointer: string,
): CatalogueProblem[] {
  const problems: CatalogueProblem[] = [];
  if (name === RESERVED_PRESET) {
    const message = `A preset must not be named \`${RESERVED_PRESET}\`: that is the path of an endpoint.`;
    problems.push({ code: 'name_reserved', pointer: `${pointer}/name`, message });
  }
  if (!claims.some(({ path }) => path === claim)) {
    const message = `The claim \`${claim}\` is not in the catalogue.`;
    problems.push({ code: 'preset_claim_unknown', pointer: `${pointer}/claim`, message });
  }
  return problems;
}
