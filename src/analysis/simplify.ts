/** Simplifies queries without changing the claims on which they pass. */
import { canonicalText, type PolicyItem } from '../engine/index.js';
import { combinationOf } from '../engine/query/query.js';
import { Atoms, type Formula, negationOf, readPredicate, toFormula } from './formula.js';
import { combine, constant, firstClaim, type Simplified } from './items.js';
import { type AnalysisOptions, compileOptions, DEFAULT_STEPS } from './options.js';
import { Search } from './search.js';

/**
 * Removes everything that is proven to have no effect: implied items, alternatives that imply others, constants,
 * double negations, groups of one.
 *
 * @returns The query in canonical form. A constant query becomes a query with that outcome which only checks whether its first claim is defined.
 * @throws {QueryError} When the query is invalid.
 * @throws {RangeError} When `steps` or a limit is out of range, or a limit does not exist.
 * @throws {TypeError} For projections, which have no outcome.
 */
export function simplify(query: unknown, options: AnalysisOptions = {}): PolicyItem {
  const item = readPredicate(query, compileOptions(options));
  const simplified = simplifyItem(item, options);
  return typeof simplified === 'boolean' ? constant(simplified, firstClaim(item)) : simplified;
}

/** Simplifies an item as {@link simplify} does; a constant item becomes its outcome. */
export function simplifyItem(item: PolicyItem, options: AnalysisOptions): Simplified {
  return new Simplifier(item, options).simplify(item);
}

/** Simplifies the items of one query, whose search space is computed once. */
class Simplifier {
  readonly #atoms = new Atoms();
  readonly #search: Search;

  constructor(item: PolicyItem, options: AnalysisOptions) {
    this.#formulaOf(item);
    this.#search = new Search(this.#atoms.checks, compileOptions(options), options.steps ?? DEFAULT_STEPS);
  }

  /** Repeats until nothing changes: removing a later item may make an earlier one redundant. */
  simplify(item: PolicyItem): Simplified {
    let current: Simplified = this.#prune(item, []);
    while (typeof current !== 'boolean') {
      const next: Simplified = this.#prune(current, []);
      if (typeof next !== 'boolean' && canonicalText(next) === canonicalText(current)) return next;
      current = next;
    }
    return current;
  }

  /** @param known - A condition that is true wherever the item affects the outcome. */
  #prune(item: PolicyItem, known: readonly Formula[]): Simplified {
    const formula = this.#formulaOf(item);
    if (this.#isImpossible([...known, formula])) return false;
    if (this.#isImpossible([...known, negationOf(formula)])) return true;
    if ('check' in item) return item;
    const [kind, items] = combinationOf(item.policy);
    return this.#pruneGroup(kind, items, known);
  }

  /** Simplifies each item under the assumption that the others do not decide the group. The last item comes first, so that earlier ones are kept. */
  #pruneGroup(
    kind: 'allOf' | 'anyOf' | 'not',
    items: readonly PolicyItem[],
    known: readonly Formula[],
  ): Simplified {
    const kept: Simplified[] = [...items];
    for (let index = kept.length - 1; index >= 0; index -= 1) {
      const undecided = kept.flatMap((other, position) => {
        if (position === index || typeof other === 'boolean') return [];
        const formula = this.#formulaOf(other);
        return [kind === 'allOf' ? formula : negationOf(formula)];
      });
      kept[index] = this.#prune(kept[index] as PolicyItem, [...known, ...undecided]);
    }
    return combine(kind, kept);
  }

  #isImpossible(formulas: readonly Formula[]): boolean {
    return this.#search.find(formulas).kind === 'none';
  }

  #formulaOf(item: PolicyItem): Formula {
    return toFormula(item, true, this.#atoms);
  }
}
