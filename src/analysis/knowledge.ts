/** What answers to queries disclose: the values of each claim that are consistent with them (L12–L19). */
import type { Check, CompileOptions, PolicyItem } from '../engine/index.js';
import { assertOptions } from '../engine/options.js';
import { checksOf, mapChecks } from '../engine/query/query.js';
import { assertArray, assertObject, assertPositiveInteger, wrongType } from '../engine/value-types.js';
import { createDomain, equalityOperands } from './domains/claim-domain.js';
import { type PossibleValues, possibleValues } from './domains/possible-values.js';
import { MAX_ELEMENTS } from './domains/representatives.js';
import { Atoms, type Formula, readPredicate, toFormula } from './formula.js';
import { ANALYSIS_OPTIONS, type AnalysisOptions, compileOptions, DEFAULT_STEPS } from './options.js';
import { Search } from './search.js';

/** An answered query. The outcome of one check of a policy is an answer to a separate query. */
export interface Answer {
  /** A check or a policy. */
  readonly query: unknown;
  readonly passed: boolean;
  /** When it was answered, epoch milliseconds. */
  readonly at: number;
}

/** Options of {@link inferKnowledge}. */
export interface KnowledgeOptions extends AnalysisOptions {
  /**
   * How many of the latest answers are considered together; 200 by default. Fewer, but at least one, if these have more than 256 different checks, or
   * compare claims with more than 4,096 values.
   */
  readonly answers?: number;
}

/** What answers disclose about one claim. */
export interface ClaimKnowledge {
  readonly claim: string;
  /** Contains the claim's value, if no claim changed since `since`. */
  readonly values: PossibleValues;
  /** The instant of the oldest answer that was considered. */
  readonly since: number;
  /** The instant of the latest answer. */
  readonly until: number;
  /** Whether older answers contradict later ones, and were not considered: claims have changed since. */
  readonly hasChanged: boolean;
  /** Why some of `values` may be impossible; absent where all of them are possible. */
  readonly incomplete?: string;
}

/** Default number of answers that are considered together. */
const DEFAULT_ANSWERS = 200;
/** Numbers of distinct checks, and of values in these, that are considered together: each check is evaluated on each value. A single answer may have more. */
const MAX_CHECKS = 256;
const MAX_VALUES = 4_096;
const OPAQUE_PATTERNS = 'patterns are not analyzed';
const OPAQUE_ELEMENTS = `checks search one claim for more than ${MAX_ELEMENTS} different elements`;

/** @throws {TypeError} For a value that is not an answer. */
function assertAnswer(answer: unknown): void {
  assertObject('an answer', answer);
  if (typeof answer['passed'] !== 'boolean')
    throw wrongType('`passed` of an answer', 'a boolean', answer['passed']);
  if (!Number.isFinite(answer['at']))
    throw wrongType('`at` of an answer', 'epoch milliseconds', answer['at']);
}

/** An answer with its parsed query, and all checks of the query. */
interface ReadAnswer {
  readonly item: PolicyItem;
  readonly passed: boolean;
  readonly at: number;
  readonly checks: readonly Check[];
}

/**
 * Infers what the recipient of these answers about one person knows, assuming that claims do not change.
 *
 * Claims do change: credentials expire, and others are issued. Answers are therefore considered from the latest backwards, up to one that
 * contradicts later ones. Queries that share a claim, directly or through other queries, are considered together; all others, separately. If
 * no claim of these queries changed since `since`, the result contains the value of each claim. If `incomplete` is present, some returned
 * values may be impossible: patterns are not analyzed, a search may exceed its steps, and only the latest answers are considered.
 *
 * @returns One entry for each claim that the queries of the considered answers read, sorted by its path.
 * @throws {QueryError} When a query is invalid.
 * @throws {RangeError} When `steps`, `answers` or a limit is out of range, or a limit does not exist.
 * @throws {TypeError} For projections, which have no outcome; when an argument, or a member of an answer, has another type.
 * @example
 * const age = (operator: string, value: number, passed: boolean) =>
 *   ({ query: { check: { claim: 'identity.age', operator, value } }, passed, at: 0 });
 * inferKnowledge([age('>=', 30, true), age('>=', 35, false)]) // numbers: from 30, included, to 35, excluded
 */
export function inferKnowledge(
  answers: readonly Answer[],
  options: KnowledgeOptions = {},
): readonly ClaimKnowledge[] {
  assertArray('`answers`', answers);
  assertOptions(options, [...ANALYSIS_OPTIONS, 'answers']);
  const { answers: maxAnswers = DEFAULT_ANSWERS, ...analysis } = options;
  const engine = compileOptions(analysis);
  assertPositiveInteger('`answers`', maxAnswers);
  for (const answer of answers as readonly unknown[]) assertAnswer(answer);
  const read = (answers as readonly Answer[])
    .map(({ query, passed, at }): ReadAnswer => {
      const item = readPredicate(query, engine);
      return { item, passed, at, checks: checksOf(item) };
    })
    // The latest first; of answers at the same instant, the last in the list first.
    .reverse()
    .sort((one, other) => other.at - one.at);
  return [...connected(read)]
    .flatMap((group) => {
      const considered = latestOf(group.slice(0, maxAnswers));
      const known = new Component(considered, engine, analysis.steps ?? DEFAULT_STEPS).infer();
      if (considered.length === group.length) return known;
      const incomplete = `only the latest ${considered.length} of ${group.length} answers were considered`;
      return known.map((claim) => ({ incomplete, ...claim }));
    })
    .sort((one, other) => (one.claim < other.claim ? -1 : 1));
}

/**
 * Returns as many of the latest answers as have at most {@link MAX_CHECKS} distinct checks and {@link MAX_VALUES} values together, but at least one.
 *
 * @param answers - The latest first.
 */
function latestOf(answers: readonly ReadAnswer[]): readonly ReadAnswer[] {
  const distinct = new Atoms();
  const end = answers.findIndex(({ checks }, index) => {
    for (const check of checks) distinct.numberOf(check);
    const { checks: all } = distinct;
    return index > 0 && (all.length > MAX_CHECKS || all.flatMap(equalityOperands).length > MAX_VALUES);
  });
  return end < 0 ? answers : answers.slice(0, end);
}

/** Divides answers into groups that have no claims in common, not even as members of each other. Keeps the order in each group. */
function connected(answers: readonly ReadAnswer[]): Iterable<readonly ReadAnswer[]> {
  /** For each name, all names of its group. The smaller of two groups is added to the larger, so that few names are moved. */
  const groups = new Map<string, string[]>();
  for (const answer of answers) {
    let group: string[] = [];
    for (const name of namesOf(answer)) {
      const other = groups.get(name) ?? [name];
      groups.set(name, other);
      if (other === group) continue;
      const [smaller, larger] = group.length < other.length ? [group, other] : [other, group];
      for (const moved of smaller) {
        larger.push(moved);
        groups.set(moved, larger);
      }
      group = larger;
    }
  }
  const members = new Map<readonly string[] | undefined, ReadAnswer[]>();
  for (const answer of answers) {
    const [name = ''] = namesOf(answer);
    const group = groups.get(name);
    const own = members.get(group) ?? [];
    members.set(group, own);
    own.push(answer);
  }
  return members.values();
}

/** Returns the namespace and name of each claim of an answer: claims overlap only below the same ones (L13). */
function namesOf({ checks }: ReadAnswer): ReadonlySet<string> {
  return new Set(checks.map(({ claim }) => claim.split('.').slice(0, 2).join('.')));
}

/** Answers that are considered together, the latest first. */
class Component {
  readonly #answers: readonly ReadAnswer[];
  readonly #engine: CompileOptions;
  readonly #atoms = new Atoms();
  readonly #formulas: readonly Formula[];
  readonly #search: Search;
  readonly #steps: number;
  readonly #opaque: OpaqueChecks;
  #incomplete: string | undefined;
  #hasChanged = false;

  constructor(answers: readonly ReadAnswer[], engine: CompileOptions, steps: number) {
    this.#answers = answers;
    this.#engine = engine;
    this.#steps = steps;
    this.#opaque = new OpaqueChecks(answers.flatMap(({ checks }) => checks));
    this.#incomplete = this.#opaque.reason;
    this.#formulas = answers.map(({ item, passed }) =>
      toFormula(
        mapChecks(item, (check) => this.#opaque.replace(check)),
        passed,
        this.#atoms,
      ),
    );
    this.#search = new Search(this.#atoms.checks, engine, steps);
  }

  infer(): readonly ClaimKnowledge[] {
    const count = this.#consistentCount();
    const known = this.#formulas.slice(0, count);
    const isPossible = (formulas: readonly Formula[]) => {
      const outcome = this.#search.find([...known, ...formulas]);
      if (outcome.kind === 'unknown') this.#incomplete ??= outcome.reason;
      return outcome.kind !== 'none';
    };
    const considered = this.#answers.slice(0, count);
    const claims = [...new Set(considered.flatMap(({ checks }) => checks.map(({ claim }) => claim)))];
    const found = claims.map((claim) => ({ claim, values: this.#valuesOf(claim, isPossible) }));
    const [latest, oldest] = [considered[0] as ReadAnswer, considered.at(-1) as ReadAnswer];
    return found.map((one) => ({
      ...one,
      since: oldest.at,
      until: latest.at,
      hasChanged: this.#hasChanged,
      ...(this.#incomplete === undefined ? {} : { incomplete: this.#incomplete }),
    }));
  }

  /** Returns how many of the latest answers are found to be consistent with each other. A single answer is not checked. */
  #consistentCount(): number {
    let [consistent, end] = [1, this.#formulas.length];
    // All answers are consistent as a rule, so that this is tried first.
    for (let tried = end; consistent < end; tried = Math.ceil((consistent + end) / 2)) {
      const outcome = this.#search.find(this.#formulas.slice(0, tried));
      if (outcome.kind === 'found') consistent = tried;
      else end = tried - 1;
      if (outcome.kind === 'none') this.#hasChanged = true;
      if (outcome.kind === 'unknown') this.#incomplete ??= outcome.reason;
    }
    return consistent;
  }

  #valuesOf(claim: string, isPossible: (formulas: readonly Formula[]) => boolean): PossibleValues {
    const literal = (check: Check, mustPass: boolean): Formula => ({
      kind: 'literal',
      atom: this.#atoms.numberOf(check),
      mustPass,
    });
    const checks = this.#atoms.checks.filter((check) => check.claim === claim);
    const { candidates, incomplete } = createDomain(claim, checks, false, this.#engine, this.#steps);
    const signatures = candidates
      .map(({ passes }) => passes)
      .filter((passes) => isPossible(checks.map((check, index) => literal(check, passes[index] as boolean))));
    /** By outcomes, which are the same for most values of a long list. */
    const possible = new Map<string, boolean>();
    return possibleValues(
      claim,
      // Opaque checks come last, and are not part of the signatures.
      [...checks, ...this.#opaque.checksOn(claim)],
      {
        isPossible: (outcomes) => {
          if (incomplete !== undefined) return true;
          const key = outcomes.join();
          const isAny =
            possible.get(key) ??
            signatures.some((passes) =>
              passes.every((passed, index) => (outcomes[index] ?? passed) === passed),
            );
          possible.set(key, isAny);
          return isAny;
        },
        outcomeOf: (check) => {
          const replaced = this.#opaque.replace(check);
          if (!isPossible([literal(replaced, false)])) return true;
          return isPossible([literal(replaced, true)]) ? undefined : false;
        },
      },
      this.#engine,
    );
  }
}

/**
 * Checks that are not analyzed: patterns, whose analysis may take a minute, and more elements of arrays than can be combined. Each is
 * replaced by a check on a separate claim, which may pass and fail independently of all others, so that every outcome remains possible.
 */
class OpaqueChecks {
  readonly reason: string | undefined;
  readonly #checks = new Atoms();
  readonly #isOpaque: (check: Check) => boolean;
  readonly #namespace: string;

  constructor(checks: readonly Check[]) {
    const elements = new Map<string, Set<string>>();
    for (const { claim, operator, value } of checks)
      if (operator === 'contains')
        elements.set(claim, (elements.get(claim) ?? new Set()).add(JSON.stringify(value)));
    const isCrowded = (claim: string) => (elements.get(claim)?.size ?? 0) > MAX_ELEMENTS;
    this.#isOpaque = ({ claim, operator }) =>
      operator === 'matchRegex' || (operator === 'contains' && isCrowded(claim));
    let namespace = 'opaque';
    while (checks.some(({ claim }) => claim.startsWith(`${namespace}.`))) namespace += 'x';
    this.#namespace = namespace;
    const opaque = checks.filter(this.#isOpaque);
    for (const check of opaque) this.#checks.numberOf(check);
    if (opaque.length > 0)
      this.reason = opaque.some(({ operator }) => operator === 'matchRegex')
        ? OPAQUE_PATTERNS
        : OPAQUE_ELEMENTS;
  }

  checksOn(claim: string): readonly Check[] {
    return this.#checks.checks.filter((check) => check.claim === claim);
  }

  replace(check: Check): Check {
    if (!this.#isOpaque(check)) return check;
    return { claim: `${this.#namespace}.c${this.#checks.numberOf(check)}`, operator: 'isDefined' };
  }
}
