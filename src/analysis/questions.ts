/** What a policy means, whoever it is asked about: can it pass, must it pass, does one follow from another. */
import { ClaimSet, type CompileOptions, compile, type PolicyItem } from '../engine/index.js';
import { Atoms, type Formula, readPredicate, toFormula } from './formula.js';
import {
  type AnalysisOptions,
  compileOptions,
  DEFAULT_STEPS,
  type Verdict,
  type Witness,
} from './options.js';
import { Search, type SearchOutcome } from './search.js';

/** An item that has to come out in a certain way. */
export interface Demand {
  readonly item: PolicyItem;
  readonly passes: boolean;
}

/**
 * Whether there are claims on which a query passes; they are shown.
 *
 * @throws {QueryError} When it is no query.
 * @throws {TypeError} For projections: they neither pass nor fail.
 */
export function satisfiable(query: unknown, options: AnalysisOptions = {}): Verdict {
  const item = readPredicate(query, compileOptions(options));
  return yesIfFound(findClaims([{ item, passes: true }], options));
}

/** Whether a query passes on all claims; where not, claims are shown on which it does not. Throws as {@link satisfiable} does. */
export function tautology(query: unknown, options: AnalysisOptions = {}): Verdict {
  const item = readPredicate(query, compileOptions(options));
  return noIfFound(findClaims([{ item, passes: false }], options));
}

/**
 * Whether one query passes wherever another does; where not, claims are shown on which the first passes and the second does not. Throws as
 * {@link satisfiable} does.
 */
export function implies(query: unknown, other: unknown, options: AnalysisOptions = {}): Verdict {
  const [first, second] = [query, other].map((one) => readPredicate(one, compileOptions(options)));
  return noIfFound(
    findClaims(
      [
        { item: first as PolicyItem, passes: true },
        { item: second as PolicyItem, passes: false },
      ],
      options,
    ),
  );
}

/** Whether two queries pass on the same claims; where not, claims are shown that tell them apart. Throws as {@link satisfiable} does. */
export function equivalent(query: unknown, other: unknown, options: AnalysisOptions = {}): Verdict {
  const forwards = implies(query, other, options);
  return forwards.answer === 'no' ? forwards : conjunctionOf(implies(other, query, options), forwards);
}

/** Looks for claims on which each item comes out as demanded. What is found has been shown to the engine. */
export function findClaims(demands: readonly Demand[], options: AnalysisOptions): SearchOutcome {
  const atoms = new Atoms();
  const formulas = demands.map(({ item, passes }): Formula => toFormula(item, passes, atoms));
  const engine = compileOptions(options);
  const outcome = new Search(atoms.checks, engine, options.steps ?? DEFAULT_STEPS).find(formulas);
  if (outcome.kind !== 'found') return outcome;
  if (isConfirmed(outcome.witness, demands, engine)) return outcome;
  return { kind: 'unknown', reason: 'what was found does not show it' };
}

/** Whether the engine agrees that claims are as demanded. */
function isConfirmed(witness: Witness, demands: readonly Demand[], options: CompileOptions): boolean {
  const claims = ClaimSet.at(witness, 0);
  return demands.every(({ item, passes }) => compile(item, options).test(claims) === passes);
}

function yesIfFound(outcome: SearchOutcome): Verdict {
  switch (outcome.kind) {
    case 'found':
      return { answer: 'yes', witness: outcome.witness };
    case 'none':
      return { answer: 'no' };
    case 'unknown':
      return { answer: 'unknown', reason: outcome.reason };
  }
}

function noIfFound(outcome: SearchOutcome): Verdict {
  switch (outcome.kind) {
    case 'found':
      return { answer: 'no', witness: outcome.witness };
    case 'none':
      return { answer: 'yes' };
    case 'unknown':
      return { answer: 'unknown', reason: outcome.reason };
  }
}

/** Of two verdicts on halves of a question, the one that holds for the whole. */
function conjunctionOf(one: Verdict, other: Verdict): Verdict {
  if (one.answer === 'no' || other.answer === 'yes') return one;
  return other;
}
