/** Builds queries whose claims, operands and scopes TypeScript checks against a catalogue (L1–L5, L20). */
import { CLAIM_TYPES, DEFAULT_CLAIMS, type PolicyItem, parse } from '../engine/index.js';
import { assertName, quote, suggestion } from '../engine/names.js';
import { assertArray, assertObject, assertStrings, toStrings, wrongType } from '../engine/value-types.js';
import { type ClaimChecks, type Condition, claimChecks, condition, type ScopesOf } from './claim-checks.js';
import type { ClaimAt, DefaultClaims, TypedClaim } from './claim-types.js';
import {
  type ClaimProjection,
  type ProjectionQuery,
  type ProjectionsOf,
  projectionQuery,
} from './projection.js';

/** A list of one or more elements. */
type Some<Item> = readonly [Item, ...Item[]];

/** Builds queries over the claims of a catalogue. */
export interface QueryBuilder<Claims extends TypedClaim> {
  /**
   * Returns the checks and projections of a claim.
   *
   * @throws {RangeError} When the catalogue has no such claim.
   * @throws {TypeError} When `path` is not a string.
   */
  claim<Path extends Claims['path']>(path: Path): ClaimChecks<ClaimAt<Claims, Path>>;
  /**
   * Passes when every condition passes.
   *
   * @throws {QueryError} When the result exceeds a default limit (L7).
   * @throws {TypeError} For an argument that the builder did not create.
   */
  allOf<Conditions extends Some<Condition>>(...conditions: Conditions): Condition<ScopesOf<Conditions>>;
  /** Passes when at least one condition passes. Throws as {@link allOf} does. */
  anyOf<Conditions extends Some<Condition>>(...conditions: Conditions): Condition<ScopesOf<Conditions>>;
  /** Passes when the condition fails, even if only because its claim is not defined (L14). Throws as {@link allOf} does. */
  not<Scope extends string>(negated: Condition<Scope>): Condition<Scope>;
  /**
   * Requests claims instead of an outcome.
   *
   * @throws {RangeError} When a claim is projected twice (L5).
   * @throws {QueryError} When there is no projection, or an index or a list of fields is invalid.
   * @throws {TypeError} For an argument that the builder did not create.
   */
  project<Projections extends Some<ClaimProjection<Claims['path'], string>>>(
    ...projections: Projections
  ): ProjectionQuery<Projections[number]['scope'], ProjectionsOf<Projections>>;
  /**
   * Returns the granted scopes if they cover a query; a missing scope is a type error.
   *
   * Scopes that imply others, such as `profile.full`, are not expanded: pass the scopes that they imply.
   *
   * @throws {RangeError} When a scope is missing, which the compiler does not detect in a `string[]`.
   * @throws {TypeError} When an argument has another type.
   */
  withScopes<Scope extends string, const Granted extends readonly string[]>(
    query: { readonly scopes: readonly Scope[] },
    granted: Granted &
      ([Scope] extends [Granted[number]] ? unknown : MissingScope<Exclude<Scope, Granted[number]>>),
  ): Granted;
}

/** Appears in the compiler's message if a scope is missing. */
export interface MissingScope<Scope extends string> {
  readonly missingScope: Scope;
}

/**
 * Creates a query builder.
 *
 * @param claims - A catalogue's claims, declared `as const`.
 * @throws {QueryError} When a path is not a valid claim path (L9).
 * @throws {RangeError} When the catalogue has a claim twice.
 * @throws {TypeError} When `claims` is not an array of objects, or a claim has no known type, no scope, or `values` that are not strings.
 */
export function createQueryBuilder<const Claims extends readonly TypedClaim[]>(
  claims: Claims,
): QueryBuilder<Claims[number]> {
  assertArray('`claims`, such as `catalogue.claims`,', claims);
  const byPath = new Map<string, ReturnType<typeof claimChecks>>();
  for (const claim of claims) {
    assertObject('a claim', claim);
    const { path, type, scope, values } = claim;
    parse({ check: { claim: path, operator: 'isDefined' } });
    assertName(`\`type\` of \`${path}\``, CLAIM_TYPES, type);
    if (typeof scope !== 'string') throw wrongType(`\`scope\` of \`${path}\``, 'a string', scope);
    if (values !== undefined) assertStrings(`\`values\` of \`${path}\``, values);
    if (byPath.has(path)) throw new RangeError(`duplicate claim in the catalogue: \`${path}\``);
    byPath.set(path, claimChecks(claim));
  }
  const builder = {
    claim: (path: string) => {
      if (typeof path !== 'string') throw wrongType('`path`', 'a string', path);
      const checks = byPath.get(path);
      if (checks === undefined)
        throw new RangeError(
          `the catalogue has no claim ${quote(path)}.${suggestion(path, [...byPath.keys()])}`,
        );
      return checks;
    },
    allOf: (...conditions: readonly Condition[]) =>
      condition({ policy: { allOf: conditions.map(itemOf) } }, conditions.flatMap(scopesOf)),
    anyOf: (...conditions: readonly Condition[]) =>
      condition({ policy: { anyOf: conditions.map(itemOf) } }, conditions.flatMap(scopesOf)),
    not: (negated: Condition) => condition({ policy: { not: itemOf(negated) } }, negated.scopes),
    project: (...projections: readonly ClaimProjection<string, string>[]) => projectionQuery(projections),
    withScopes: (
      query: Partial<Pick<Condition, 'scopes'>> | null | undefined,
      granted: readonly string[],
    ) => {
      const given = toStrings('`granted`', granted);
      for (const scope of toStrings('`scopes` of the query', query?.scopes))
        if (!given.includes(scope))
          throw new RangeError(`\`granted\` must have the scope \`${scope}\`, which the query requires`);
      return granted;
    },
  };
  // Only the type knows which checks each claim has.
  return Object.freeze(builder) as unknown as QueryBuilder<Claims[number]>;
}

/** Builds queries over the default catalogue. */
export const p: QueryBuilder<DefaultClaims> = createQueryBuilder(
  DEFAULT_CLAIMS as readonly TypedClaim[],
) as unknown as QueryBuilder<DefaultClaims>;

/** Returns the query of a condition. @throws {TypeError} For a value without `scopes`, since a builder did not create it. */
function itemOf(given: Condition): PolicyItem {
  if (!Array.isArray((given as Partial<Condition> | undefined | null)?.scopes))
    throw wrongType('a condition', 'one that the builder created', given);
  return given.query;
}

function scopesOf({ scopes }: Condition): readonly string[] {
  return scopes;
}
