/** Conditions: queries under construction, each with the scopes that it needs (L2, L3, L20). */
import { type PolicyItem, parse } from '../engine/index.js';

/**
 * A query that passes or does not, and what it needs. Immutable.
 *
 * `JSON.stringify` writes the query itself, so that a condition can be sent as it is.
 */
export interface Condition<Scope extends string = string> {
  /** Canonical: what `parse` returns for it. */
  readonly query: PolicyItem;
  /** The scopes that cover its claims, each once, in order of first use. */
  readonly scopes: readonly Scope[];
  toJSON(): PolicyItem;
}

/** The scopes that several conditions need together. */
export type ScopesOf<Conditions extends readonly Condition[]> = Conditions[number]['scopes'][number];

/**
 * Makes a condition of a query's item: a canonical copy, so that what it was made of may change.
 *
 * @throws {QueryError} When an operand is none that JSON or the operator has, such as `NaN`.
 */
export function condition<Scope extends string>(
  item: PolicyItem,
  scopes: readonly Scope[],
): Condition<Scope> {
  // An item is parsed to an item.
  const query = parse(item) as PolicyItem;
  return Object.freeze({ query, scopes: Object.freeze([...new Set(scopes)]), toJSON: () => query });
}
