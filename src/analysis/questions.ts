/** Questions about policies for all possible claims: satisfiability, tautology, implication, equivalence. */
import { ClaimSet, type CompileOptions, compile, type PolicyItem } from '../engine/index.js';
import { Atoms, type Formula, readPredicate, toFormula } from './formula.js';
import {
  type AnalysisOptions,
  COMPOSED_LIMITS,
  compileOptions,
  DEFAULT_STEPS,
  type Verdict,
  type Witness,
} from './options.js';
import { Search, type SearchOutcome } from './search.js';

/** An item and its required outcome. */
export interface Demand {
  readonly item: PolicyItem;
  readonly passes: boolean;
}

/**
 * Decides whether a query can pass; if so, the witness contains claims on which it passes.
 *
 * @throws {QueryError} When the query is invalid.
 * @throws {RangeError} When `steps` or a limit is out of range, or a limit does not exist.
 * @throws {TypeError} For projections, which have no outcome; when an option is unknown or has another type.
 */
export function satisfiable(query: unknown, options: AnalysisOptions = {}): Verdict {
  const item = readPredicate(query, compileOptions(options));
  return toVerdict(findClaims([{ item, passes: true }], options), 'yes');
}

/**
 * Decides whether a query passes on all claims; if not, the witness contains claims on which it fails. Throws as
 * {@link satisfiable} does.
 */
export function tautology(query: unknown, options: AnalysisOptions = {}): Verdict {
  const item = readPredicate(query, compileOptions(options));
  return toVerdict(findClaims([{ item, passes: false }], options), 'no');
}

/**
 * Decides whether `other` passes whenever `query` does; if not, the witness contains claims on which `query` passes and
 * `other` fails. Throws as {@link satisfiable} does.
 */
export function implies(query: unknown, other: unknown, options: AnalysisOptions = {}): Verdict {
  const [first, second] = [query, other].map((one) => readPredicate(one, compileOptions(options)));
  const demands = [
    { item: first as PolicyItem, passes: true },
    { item: second as PolicyItem, passes: false },
  ];
  return toVerdict(findClaims(demands, options), 'no');
}

/**
 * Decides whether two queries pass on the same claims; if not, the witness contains claims on which only one of them passes.
 * Throws as {@link satisfiable} does.
 */
export function equivalent(query: unknown, other: unknown, options: AnalysisOptions = {}): Verdict {
  const forwards = implies(query, other, options);
  return forwards.answer === 'no' ? forwards : conjunctionOf(implies(other, query, options), forwards);
}

/** Searches for claims on which every item has its required outcome. The engine verifies what is found. */
export function findClaims(demands: readonly Demand[], options: AnalysisOptions): SearchOutcome {
  const items = demands.map(({ item }) => item);
  return new SearchSpace(items, options).find(demands);
}

/** The search space of items, for any number of searches. The items of these must have no other checks. */
export class SearchSpace {
  readonly #atoms = new Atoms();
  readonly #engine: CompileOptions;
  readonly #search: Search;

  constructor(items: readonly PolicyItem[], options: AnalysisOptions) {
    for (const item of items) this.formulaOf(item, true);
    this.#engine = { ...compileOptions(options), limits: COMPOSED_LIMITS };
    this.#search = new Search(this.#atoms.checks, this.#engine, options.steps ?? DEFAULT_STEPS);
  }

  formulaOf(item: PolicyItem, passes: boolean): Formula {
    return toFormula(item, passes, this.#atoms);
  }

  /** Searches as {@link findClaims} does. */
  find(demands: readonly Demand[]): SearchOutcome {
    const outcome = this.#search.find(demands.map(({ item, passes }) => this.formulaOf(item, passes)));
    if (outcome.kind !== 'found' || isConfirmed(outcome.witness, demands, this.#engine)) return outcome;
    return { kind: 'unknown', reason: 'the engine does not confirm the claims that were found' };
  }

  /** Returns whether no claims satisfy all formulas. */
  isImpossible(formulas: readonly Formula[]): boolean {
    return this.#search.find(formulas).kind === 'none';
  }
}

/** Returns whether the engine confirms the outcomes. */
function isConfirmed(witness: Witness, demands: readonly Demand[], options: CompileOptions): boolean {
  const claims = ClaimSet.at(witness, 0);
  return demands.every(({ item, passes }) => compile(item, options).test(claims) === passes);
}

/** Returns the verdict: with the answer `ifFound` if there is a witness, otherwise with the opposite answer. */
function toVerdict(outcome: SearchOutcome, ifFound: 'yes' | 'no'): Verdict {
  switch (outcome.kind) {
    case 'found':
      return { answer: ifFound, witness: outcome.witness };
    case 'none':
      return { answer: ifFound === 'yes' ? 'no' : 'yes' };
    case 'unknown':
      return { answer: 'unknown', reason: outcome.reason };
  }
}

/** Combines the verdicts on both directions of an equivalence. */
function conjunctionOf(one: Verdict, other: Verdict): Verdict {
  if (one.answer === 'no' || other.answer === 'yes') return one;
  return other;
}
