/** Builds projections, each with the scope that it requires (L5, L20, L23). */
import { type Projection, parse, type Query } from '../engine/index.js';
import { toStrings, wrongType } from '../engine/value-types.js';

/** A projection of one claim, with the scope that it requires. */
export interface ClaimProjection<Path extends string, Scope extends string> {
  readonly projection: Projection;
  readonly claim: Path;
  readonly scope: Scope;
}

type ProjectionsOnly = Extract<Query, { readonly projections: unknown }>;

/** A query of projections, with the scopes that it requires; `JSON.stringify` gives the query itself. */
export interface ProjectionQuery<
  Scope extends string = string,
  Projections extends readonly Projection[] = readonly Projection[],
> {
  readonly query: { readonly projections: Projections };
  readonly scopes: readonly Scope[];
  toJSON(): { readonly projections: Projections };
}

/** The projections of a query, each with the type of its claim. */
export type ProjectionsOf<Sources extends readonly ClaimProjection<string, string>[]> = {
  readonly [Index in keyof Sources]: Projection & { readonly claim: Sources[Index]['claim'] };
};

/** Creates a projection of a claim. @throws {TypeError} When `fields` is not an iterable of strings. */
export function projection<Scope extends string>(
  source: Projection,
  scope: Scope,
): ClaimProjection<string, Scope> {
  const copy = Object.freeze(
    'fields' in source
      ? { ...source, fields: Object.freeze([...toStrings('`fields`', source.fields)]) }
      : source,
  );
  return Object.freeze({ projection: copy, claim: source.claim, scope });
}

/**
 * Creates a query of projections.
 *
 * @throws {RangeError} When a claim is projected twice: a result has one value per claim (L5).
 * @throws {TypeError} For an element that the builder did not create.
 * @throws {QueryError} When there is no projection, or an index or a list of fields is invalid.
 */
export function projectionQuery<Scope extends string>(
  projections: readonly ClaimProjection<string, Scope>[],
): ProjectionQuery<Scope> {
  const seen = new Set<string>();
  for (const each of projections) {
    if ((each as Partial<ClaimProjection<string, Scope>> | undefined | null)?.projection === undefined)
      throw wrongType('a projection', 'one that the builder created', each);
    const { claim } = each;
    if (seen.has(claim)) throw new RangeError(`duplicate projection of claim \`${claim}\``);
    seen.add(claim);
  }
  // Parsing projections gives projections.
  const query = parse({ projections: projections.map((one) => one.projection) }) as ProjectionsOnly;
  const scopes = Object.freeze([...new Set(projections.map(({ scope }) => scope))]);
  return Object.freeze({ query, scopes, toJSON: () => query });
}
