/** A policy as the search reads it: negations at the checks alone, and each check by its number (L19). */
import {
  type Check,
  type CompileOptions,
  canonicalText,
  type PolicyItem,
  parse,
  type Query,
} from '../engine/index.js';
import { foldItem, type ItemFold } from '../engine/query/query.js';

/** A check, with whether it is wanted to pass. */
export interface Literal {
  readonly kind: 'literal';
  /** The check's number. */
  readonly atom: number;
  readonly wanted: boolean;
}

/** A condition without negations but those of its literals. */
export type Formula =
  | Literal
  | { readonly kind: 'all'; readonly items: readonly Formula[] }
  | { readonly kind: 'any'; readonly items: readonly Formula[] };

/** The distinct checks of the formulas of one question. */
export class Atoms {
  readonly checks: Check[] = [];
  readonly #numbers = new Map<string, number>();

  /** A check's number: the same for two checks that are written alike. */
  numberOf(check: Check): number {
    const key = canonicalText({ check });
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.checks.length);
    this.checks.push(check);
    return this.checks.length - 1;
  }
}

/** The item, or its negation, as a formula. */
export function toFormula(item: PolicyItem, wanted: boolean, atoms: Atoms): Formula {
  const fold: ItemFold<Formula> = {
    check: (check, negated) => ({ kind: 'literal', atom: atoms.numberOf(check), wanted: !negated }),
    all: (items) => ({ kind: 'all', items }),
    any: (items) => ({ kind: 'any', items }),
  };
  return foldItem(item, fold, !wanted);
}

/** The negation of a formula. */
export function negationOf(formula: Formula): Formula {
  if (formula.kind === 'literal') return { ...formula, wanted: !formula.wanted };
  return { kind: formula.kind === 'all' ? 'any' : 'all', items: formula.items.map(negationOf) };
}

/**
 * Reads a query that passes or does not.
 *
 * @throws {QueryError} As `parse` does.
 * @throws {TypeError} For projections: they neither pass nor fail.
 */
export function readPredicate(query: unknown, options: CompileOptions): PolicyItem {
  const parsed: Query = parse(query, options);
  if ('projections' in parsed) {
    throw new TypeError('projections neither pass nor fail; an analysis takes a check or a policy');
  }
  return parsed;
}
