/** Writes queries whose claims, operands and scopes TypeScript checks against a catalogue (L1–L5, L20). */
import { DEFAULT_CLAIMS, type PolicyItem, parse } from '../engine/index.js';
import { type ClaimChecks, type Condition, claimChecks, condition, type ScopesOf } from './claim-checks.js';
import type { ClaimAt, DefaultClaims, TypedClaim } from './claim-types.js';
import { type ClaimProjection, type ProjectionQuery, projectionQuery } from './projection.js';

/** One or more. */
type Some<Item> = readonly [Item, ...Item[]];

/** Builds queries over the claims of a catalogue. */
export interface QueryBuilder<Claims extends TypedClaim> {
  /**
   * What a claim can be asked.
   *
   * @throws {RangeError} When the catalogue has no such claim.
   */
  claim<Path extends Claims['path']>(path: Path): ClaimChecks<ClaimAt<Claims, Path>>;
  /** Passes where all of them do. */
  allOf<Conditions extends Some<Condition>>(...conditions: Conditions): Condition<ScopesOf<Conditions>>;
  /** Passes where any of them does. */
  anyOf<Conditions extends Some<Condition>>(...conditions: Conditions): Condition<ScopesOf<Conditions>>;
  /** Passes where it does not: also where its claim is not defined (L14). */
  not<Scope extends string>(negated: Condition<Scope>): Condition<Scope>;
  /** Asks for claims instead of for a yes or no. Throws `RangeError` where a claim stands in it twice (L5). */
  project<Projections extends Some<ClaimProjection<Claims['path'], string>>>(
    ...projections: Projections
  ): ProjectionQuery<Projections[number]['scope']>;
  /**
   * The scopes that were granted, if a query can do with them: one that is missing is an error of the types.
   *
   * Scopes that imply others, such as `profile.full`, are not looked into: name what they stand for.
   */
  withScopes<Scope extends string, const Granted extends readonly string[]>(
    query: { readonly scopes: readonly Scope[] },
    granted: Granted &
      ([Scope] extends [Granted[number]] ? unknown : MissingScope<Exclude<Scope, Granted[number]>>),
  ): Granted;
}

/** Shown by the compiler where a scope is missing. */
export interface MissingScope<Scope extends string> {
  readonly missingScope: Scope;
}

/**
 * Makes a builder.
 *
 * @param claims - A catalogue's claims, written `as const`.
 * @throws {QueryError} When the path of a claim is none that a query can ask for (L9).
 * @throws {RangeError} When a claim stands in the catalogue twice.
 */
export function createQueryBuilder<const Claims extends readonly TypedClaim[]>(
  claims: Claims,
): QueryBuilder<Claims[number]> {
  const byPath = new Map<string, ReturnType<typeof claimChecks>>();
  for (const claim of claims) {
    const { path } = claim;
    parse({ check: { claim: path, operator: 'isDefined' } });
    if (byPath.has(path)) throw new RangeError(`a claim stands in the catalogue once: \`${path}\``);
    byPath.set(path, claimChecks(claim));
  }
  const builder = {
    claim: (path: string) => {
      const checks = byPath.get(path);
      if (checks === undefined) throw new RangeError(`the catalogue has no claim \`${path}\``);
      return checks;
    },
    allOf: (...conditions: readonly Condition[]) =>
      condition({ policy: { allOf: conditions.map(itemOf) } }, conditions.flatMap(scopesOf)),
    anyOf: (...conditions: readonly Condition[]) =>
      condition({ policy: { anyOf: conditions.map(itemOf) } }, conditions.flatMap(scopesOf)),
    not: (negated: Condition) => condition({ policy: { not: negated.query } }, negated.scopes),
    project: (...projections: readonly ClaimProjection<string, string>[]) => projectionQuery(projections),
    withScopes: (_query: unknown, granted: readonly string[]) => granted,
  };
  // What each claim can be asked is known to its type alone.
  return Object.freeze(builder) as unknown as QueryBuilder<Claims[number]>;
}

/** Builds queries over the default catalogue. */
export const p: QueryBuilder<DefaultClaims> = createQueryBuilder(
  DEFAULT_CLAIMS as readonly TypedClaim[],
) as unknown as QueryBuilder<DefaultClaims>;

function itemOf({ query }: Condition): PolicyItem {
  return query;
}

function scopesOf({ scopes }: Condition): readonly string[] {
  return scopes;
}
