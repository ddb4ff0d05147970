/** A policy in negation normal form with numbered checks, the input of the search (L19). */
import {
  type Check,
  type CompileOptions,
  canonicalText,
  type PolicyItem,
  parse,
  type Query,
} from '../engine/index.js';
import { foldItem, type ItemFold } from '../engine/query/query.js';

/** A check, and the outcome that it must have. */
export interface Literal {
  readonly kind: 'literal';
  /** The check's number. */
  readonly atom: number;
  readonly mustPass: boolean;
}

/** A condition with negations in its literals only. */
export type Formula =
  | Literal
  | { readonly kind: 'all'; readonly items: readonly Formula[] }
  | { readonly kind: 'any'; readonly items: readonly Formula[] };

/** The distinct checks of one analysis. */
export class Atoms {
  readonly checks: Check[] = [];
  /** By check, and by its text, which takes long to write for a long list. */
  readonly #numbers = new Map<Check | string, number>();

  /** Returns the number of a check, equal for equal checks. */
  numberOf(check: Check): number {
    const known = this.#numbers.get(check);
    if (known !== undefined) return known;
    const text = canonicalText({ check });
    const number = this.#numbers.get(text) ?? this.checks.push(check) - 1;
    this.#numbers.set(check, number).set(text, number);
    return number;
  }
}

/** Converts an item, or its negation, to a formula. */
export function toFormula(item: PolicyItem, mustPass: boolean, atoms: Atoms): Formula {
  const fold: ItemFold<Formula> = {
    check: (check, negated) => ({ kind: 'literal', atom: atoms.numberOf(check), mustPass: !negated }),
    all: (items) => ({ kind: 'all', items }),
    any: (items) => ({ kind: 'any', items }),
  };
  return foldItem(item, fold, !mustPass);
}

/** Negates a formula. */
export function negationOf(formula: Formula): Formula {
  if (formula.kind === 'literal') return { ...formula, mustPass: !formula.mustPass };
  return { kind: formula.kind === 'all' ? 'any' : 'all', items: formula.items.map(negationOf) };
}

/**
 * Parses a check or a policy.
 *
 * @throws {QueryError} As `parse` does.
 * @throws {RangeError} When a limit is out of range or does not exist.
 * @throws {TypeError} For projections, which have no outcome, or when an option has the wrong type or does not exist.
 */
export function readPredicate(query: unknown, options: CompileOptions): PolicyItem {
  const parsed: Query = parse(query, options);
  if ('projections' in parsed) {
    throw new TypeError('an analysis requires a check or a policy, not projections');
  }
  return parsed;
}
