/** The rules of inference bounds: which questions a query asks about bounded claims, and what its answer discloses (S346–S352). Pure. */
import { fitsClaimType } from '../../engine/claims/claim-type.js';
import type {
  CompiledQuery,
  EvidenceLevel,
  JsonValue,
  PolicyItem,
  PredicateResult,
} from '../../engine/index.js';
import { checksOf } from '../../engine/query/query.js';
import { MS_PER_DAY } from '../../util/time.js';
import { findEnclosing } from '../catalogue/known-claims.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import type { DerivedClaims } from '../claims/derived-claims.js';
import {
  addObservations,
  type CompileItem,
  type Decision,
  decide,
  type Observation,
  type Question,
} from './admission.js';
import { type BoundedClaim, createBoundedClaims } from './bounded-claim.js';

/** A query that reads bounded claims. */
export interface BoundedRequest {
  readonly query: CompiledQuery;
  readonly level: Exclude<EvidenceLevel, 'full'>;
  readonly now: number;
}

/** The decision on a request. */
export interface Consideration {
  /** The bounded claims that an answer could narrow too far; empty if the request may be answered. */
  readonly refused: readonly string[];
  /**
   * Returns the answers so far and this one as a JSON text; `undefined` if this one adds nothing. An answer adds nothing about a claim that was not
   * defined. Such an answer says nothing about the values of the claim while it is defined. If the same value is attested again, earlier answers hold
   * again, which it would contradict.
   *
   * @param isDefined - Whether a claim was defined in the evaluation.
   */
  record(result: Answer, isDefined: (path: string) => boolean): string | undefined;
}

/** What an answer discloses. */
export type Answer = Pick<PredicateResult, 'passed' | 'evidence'>;

/** An answer, and whether a claim was defined when it was evaluated. */
export interface EvaluatedAnswer<Result extends Answer> {
  readonly result: Result;
  readonly isDefined: (path: string) => boolean;
}

/** Inference bounds of a catalogue. */
export interface InferenceRules {
  /** Whether a query reads bounded claims, or claims that are derived from them. */
  readsBoundedClaims(query: CompiledQuery): boolean;
  /**
   * Decides on a request. Depends on the request and the answers only.
   *
   * @param answers - The answers so far, as returned by `record`.
   */
  consider(request: BoundedRequest, answers: string | undefined): Consideration;
  /** Returns the question whose answer discloses the value of a bounded claim; `undefined` for other claims, and for values of another type. */
  questionOfValue(path: string, value: JsonValue): CompiledQuery | undefined;
}

/** The questions about one claim that a query asks. */
interface ClaimQuestions {
  readonly claim: BoundedClaim;
  readonly questions: readonly Question[];
  /** Returns the outcomes of the questions that an answer discloses. */
  readonly outcomesOf: (result: Answer) => readonly (boolean | undefined)[];
}

/** Creates the rules. @param compile - Compiles questions about one claim; called often with the same ones. */
export function createInferenceRules(
  catalogue: ServiceCatalogue,
  derivedClaims: DerivedClaims,
  compile: CompileItem,
): InferenceRules {
  const bounded = createBoundedClaims(catalogue, derivedClaims);
  return {
    readsBoundedClaims: ({ claims }) =>
      bounded.size > 0 && claims.some((path) => claimOf(path, bounded) !== undefined),
    consider: ({ query, level, now }, answers) => {
      const known = parseAnswers(answers);
      const claims = new Set(query.claims.flatMap((path) => claimOf(path, bounded) ?? []));
      const asked = [...claims].map((claim) => toQuestions(claim, query, level, now, bounded));
      const decisions = asked.map(({ claim, questions }) =>
        decide(claim, known.get(claim.path) ?? [], questions, { compile, now }),
      );
      return {
        refused: asked
          .filter((_, index) => decisions[index]?.admitted !== true)
          .map(({ claim }) => claim.path)
          .sort(),
        record: (result, isDefined) => {
          const next = addAnswers(known, asked, decisions, { result, isDefined });
          return next === known ? undefined : JSON.stringify(Object.fromEntries(next));
        },
      };
    },
    questionOfValue: (path, value) => {
      const claim = bounded.has(path) ? catalogue.findClaim(path) : undefined;
      if (claim === undefined || !fitsClaimType(value, claim)) return undefined;
      return compile({ check: { claim: path, operator: '==', value } });
    },
  };
}

/** Finds the bounded claim that a path names, is nested in, or is derived from. */
function claimOf(path: string, bounded: ReadonlyMap<string, BoundedClaim>): BoundedClaim | undefined {
  return findEnclosing(path, (claim) => bounded.get(claim));
}

/**
 * Divides a query into questions about one claim. At the level `checks`, each check on the claim is a question whose outcome is disclosed. At the level
 * `none`, a query that reads no other claim is one question. Otherwise, each check on the claim is a question with an unknown outcome: the verdict
 * depends on other claims too, and may determine the outcome together with other answers.
 */
function toQuestions(
  claim: BoundedClaim,
  { query, claims }: CompiledQuery,
  level: 'checks' | 'none',
  now: number,
  bounded: ReadonlyMap<string, BoundedClaim>,
): ClaimQuestions {
  if ('projections' in query) throw new TypeError('projections have no verdict');
  const toQuestion = (item: PolicyItem): Question => {
    const isTimed = checksOf(item).some(claim.isTimed);
    return { item, at: isTimed ? Math.floor(now / MS_PER_DAY) * MS_PER_DAY : 0 };
  };
  const isAlone = claims.every((path) => claimOf(path, bounded) === claim);
  if (isAlone && level === 'none')
    return { claim, questions: [toQuestion(query)], outcomesOf: ({ passed }) => [passed] };
  const own = checksOf(query).flatMap((check, position) =>
    claimOf(check.claim, bounded) === claim ? [{ check, position }] : [],
  );
  return {
    claim,
    questions: own.map(({ check }) => toQuestion({ check })),
    outcomesOf: ({ evidence: { checkResults } }) =>
      own.map(({ position }) => (level === 'checks' ? checkResults[position]?.passed : undefined)),
  };
}

/** The answers about each bounded claim, by its path. */
type KnownAnswers = ReadonlyMap<string, readonly Observation[]>;

/** A recorded answer about a claim with a bound. */
export interface RecordedAnswer extends Observation {
  readonly claim: string;
}

/** Lists recorded answers, from the first to the latest about each claim. @param answers - As returned by `record`. */
export function listRecordedAnswers(answers: string): readonly RecordedAnswer[] {
  return [...parseAnswers(answers)].flatMap(([claim, observations]) =>
    observations.map((observation) => ({ claim, ...observation })),
  );
}

function parseAnswers(answers: string | undefined): KnownAnswers {
  // Written by `record`.
  return new Map(
    answers === undefined ? [] : Object.entries(JSON.parse(answers) as Record<string, Observation[]>),
  );
}

/** Adds what a result answers about the claims that were defined. Returns the same map if this adds nothing. */
function addAnswers(
  known: KnownAnswers,
  asked: readonly ClaimQuestions[],
  decisions: readonly Decision[],
  { result, isDefined }: EvaluatedAnswer<Answer>,
): KnownAnswers {
  let isChanged = false;
  const next = new Map(known);
  for (const [index, { claim, questions, outcomesOf }] of asked.entries()) {
    const [before, decision] = [known.get(claim.path) ?? [], decisions[index]];
    if (decision === undefined || !isDefined(claim.path)) continue;
    const { isTimed } = claim;
    const after = addObservations(before, questions, outcomesOf(result), { decision, isTimed });
    next.set(claim.path, after);
    isChanged ||= after !== before;
  }
  return isChanged ? next : known;
}
