/** A smaller query that passes on the same claims: what others already say is left out. */
import { canonicalText, type PolicyItem } from '../engine/index.js';
import { combinationOf } from '../engine/query/query.js';
import { Atoms, type Formula, negationOf, readPredicate, toFormula } from './formula.js';
import { combine, constant, firstClaim, type Simplified } from './items.js';
import { type AnalysisOptions, compileOptions, DEFAULT_STEPS } from './options.js';
import { Search } from './search.js';

/**
 * Leaves out what makes no difference: items that the others imply, alternatives that imply others, what always or never passes, twofold
 * negations, groups of one. What cannot be shown to make no difference stays.
 *
 * @returns The query in canonical form; one that always passes, or never does, in its shortest form that a query can have.
 * @throws {QueryError} When it is no query.
 * @throws {TypeError} For projections: they neither pass nor fail.
 */
export function simplify(query: unknown, options: AnalysisOptions = {}): PolicyItem {
  const item = readPredicate(query, compileOptions(options));
  const simplified = simplifyItem(item, options);
  return typeof simplified === 'boolean' ? constant(simplified, firstClaim(item)) : simplified;
}

/** As {@link simplify}, for an item; what always comes out alike becomes that. */
export function simplifyItem(item: PolicyItem, options: AnalysisOptions): Simplified {
  return new Simplifier(item, options).simplify(item);
}

/** Simplifies items of one query, whose claims are worked out once. */
class Simplifier {
  readonly #atoms = new Atoms();
  readonly #search: Search;

  constructor(item: PolicyItem, options: AnalysisOptions) {
    this.#formulaOf(item);
    this.#search = new Search(this.#atoms.checks, compileOptions(options), options.steps ?? DEFAULT_STEPS);
  }

  /** Until there is nothing left to leave out: what goes late may have kept what stands before it. */
  simplify(item: PolicyItem): Simplified {
    let current: Simplified = this.#prune(item, []);
    while (typeof current !== 'boolean') {
      const next: Simplified = this.#prune(current, []);
      if (typeof next !== 'boolean' && canonicalText(next) === canonicalText(current)) return next;
      current = next;
    }
    return current;
  }

  /** @param known - What holds wherever the item's outcome makes a difference. */
  #prune(item: PolicyItem, known: readonly Formula[]): Simplified {
    const formula = this.#formulaOf(item);
    if (this.#isImpossible([...known, formula])) return false;
    if (this.#isImpossible([...known, negationOf(formula)])) return true;
    if ('check' in item) return item;
    const [kind, items] = combinationOf(item.policy);
    return this.#pruneGroup(kind, items, known);
  }

  /** An item of a group makes a difference only where none of the others decides. The last goes first: what is said first stays. */
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
