/** The scopes that a query requires (L20). */
import { defaultScopeCatalogue, parse, type ScopeCatalogue } from '../engine/index.js';
import { checksOf } from '../engine/query/query.js';
import { wrongType } from '../engine/value-types.js';
import { type AnalysisOptions, compileOptions } from './options.js';

/** The scopes that a query requires. */
export interface RequiredScopes {
  /** Up to 32 minimal sets of scopes, each of which suffices; the smallest first. Empty if no scopes suffice. */
  readonly sets: readonly (readonly string[])[];
  /** Claims that no scope covers. */
  readonly uncovered: readonly string[];
}

/** Maximum number of sets in the result. */
const MAX_SETS = 32;

/**
 * Finds the minimal sets of scopes that cover a query.
 *
 * @param catalogue - Which scopes cover which claims. Defaults to the default catalogue.
 * @throws {QueryError} When the query is invalid.
 * @throws {RangeError} When `steps` or a limit is out of range, or a limit does not exist.
 * @throws {TypeError} When `catalogue` is not a scope catalogue.
 */
export function requiredScopes(
  query: unknown,
  catalogue: ScopeCatalogue = defaultScopeCatalogue,
  options: AnalysisOptions = {},
): RequiredScopes {
  if (typeof (catalogue as Partial<ScopeCatalogue> | null)?.coveringScopes !== 'function')
    throw wrongType(
      '`catalogue`',
      'a scope catalogue: that of `createScopeCatalogue(toScopeDefinitions(scopes, claims))`',
      catalogue,
    );
  const claims = claimsOf(query, options);
  const covering = claims.map((claim) => ({ claim, scopes: scopesFor(claim, catalogue) }));
  const uncovered = covering.filter(({ scopes }) => scopes.length === 0).map(({ claim }) => claim);
  if (uncovered.length > 0) return { sets: [], uncovered };
  // Claims that the same scopes cover are one requirement.
  const needs = [...new Map(covering.map(({ scopes }) => [scopes.join(' '), scopes])).values()];
  const sets: (readonly string[])[] = [];
  cover(needs, [], sets);
  const distinct = new Map(sets.map((set) => [[...set].sort().join(' '), set]));
  return {
    sets: [...distinct.values()].sort((one, other) => one.length - other.length).slice(0, MAX_SETS),
    uncovered,
  };
}

/** Returns the distinct claims that a query reads, in order of first use. */
function claimsOf(query: unknown, options: AnalysisOptions): readonly string[] {
  const parsed = parse(query, compileOptions(options));
  const read =
    'projections' in parsed
      ? parsed.projections.map(({ claim }) => claim)
      : checksOf(parsed).map(({ claim }) => claim);
  return [...new Set(read)];
}

/** Returns the scopes that cover a claim, each by itself: directly, or by scopes that it implies. */
function scopesFor(claim: string, catalogue: ScopeCatalogue): readonly string[] {
  const covering = catalogue.coveringScopes(claim);
  return catalogue.scopes.filter((scope) => {
    const held = catalogue.expand([scope]);
    return covering.some((name) => held.has(name));
  });
}

/**
 * Adds minimal sets that meet all requirements: chooses each scope that meets the open requirement with the fewest scopes, and recurses. Stops after
 * `MAX_SETS` squared sets, so that others may be missing then.
 */
function cover(
  needs: readonly (readonly string[])[],
  chosen: readonly string[],
  sets: (readonly string[])[],
): void {
  if (sets.length >= MAX_SETS * MAX_SETS) return;
  const [open] = needs
    .filter((scopes) => !scopes.some((scope) => chosen.includes(scope)))
    .sort((one, other) => one.length - other.length);
  if (open === undefined) {
    sets.push(minimize(chosen, needs));
    return;
  }
  for (const scope of open) cover(needs, [...chosen, scope], sets);
}

/** Removes scopes without which the others still meet all requirements, the first ones first. */
function minimize(set: readonly string[], needs: readonly (readonly string[])[]): readonly string[] {
  return set.reduce((left, removed) => {
    const others = left.filter((scope) => scope !== removed);
    return needs.every((scopes) => scopes.some((scope) => others.includes(scope))) ? others : left;
  }, set);
}
