/** Projections under construction, each with the scope that it needs (L5, L20, L23). */
import { type Projection, parse, type Query } from '../engine/index.js';

/** One claim through its lens. */
export interface ClaimProjection<Path extends string, Scope extends string> {
  readonly projection: Projection;
  readonly claim: Path;
  readonly scope: Scope;
}

/** A query for claims, and what it needs; `JSON.stringify` writes the query itself. */
export interface ProjectionQuery<Scope extends string = string> {
  readonly query: Query;
  readonly scopes: readonly Scope[];
  toJSON(): Query;
}

/** Makes a projection of a claim. */
export function projection<Scope extends string>(
  seen: Projection,
  scope: Scope,
): ClaimProjection<string, Scope> {
  const copy = Object.freeze('fields' in seen ? { ...seen, fields: Object.freeze([...seen.fields]) } : seen);
  return Object.freeze({ projection: copy, claim: seen.claim, scope });
}

/**
 * Joins projections to a query.
 *
 * @throws {RangeError} When a claim stands in it twice: an answer has one value for each (L5).
 */
export function projectionQuery<Scope extends string>(
  projections: readonly ClaimProjection<string, Scope>[],
): ProjectionQuery<Scope> {
  const seen = new Set<string>();
  for (const { claim } of projections) {
    if (seen.has(claim)) throw new RangeError(`a claim stands in projections once: \`${claim}\``);
    seen.add(claim);
  }
  const query: Query = parse({ projections: projections.map((one) => one.projection) });
  const scopes = Object.freeze([...new Set(projections.map(({ scope }) => scope))]);
  return Object.freeze({ query, scopes, toJSON: () => query });
}
