/** Builds projections, each with the scope that it requires (L5, L20, L23). */
import { type Projection, parse, type Query } from '../engine/index.js';

/** A claim and its lens. */
export interface ClaimProjection<Path extends string, Scope extends string> {
  readonly projection: Projection;
  readonly claim: Path;
  readonly scope: Scope;
}

/** A query of projections, with the scopes that it requires; `JSON.stringify` gives the query itself. */
export interface ProjectionQuery<Scope extends string = string> {
  readonly query: Query;
  readonly scopes: readonly Scope[];
  toJSON(): Query;
}

/** Creates a projection of a claim. */
export function projection<Scope extends string>(
  source: Projection,
  scope: Scope,
): ClaimProjection<string, Scope> {
  const copy = Object.freeze(
    'fields' in source ? { ...source, fields: Object.freeze([...source.fields]) } : source,
  );
  return Object.freeze({ projection: copy, claim: source.claim, scope });
}

/**
 * Creates a query of projections.
 *
 * @throws {RangeError} When a claim is projected twice: a result has one value per claim (L5).
 */
export function projectionQuery<Scope extends string>(
  projections: readonly ClaimProjection<string, Scope>[],
): ProjectionQuery<Scope> {
  const seen = new Set<string>();
  for (const { claim } of projections) {
    if (seen.has(claim)) throw new RangeError(`duplicate projection of claim \`${claim}\``);
    seen.add(claim);
  }
  const query: Query = parse({ projections: projections.map((one) => one.projection) });
  const scopes = Object.freeze([...new Set(projections.map(({ scope }) => scope))]);
  return Object.freeze({ query, scopes, toJSON: () => query });
}
