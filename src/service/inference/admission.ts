/**
 * Decides which questions are answered under an inference bound: simulatable auditing (Kenthapadi, Mishra, Nissim 2005). The decision depends on
 * the questions and on the answers that the application has, never on the person's claims, so that a refusal discloses nothing. Pure.
 */
import type { Check, CompiledQuery, PolicyItem } from '../../engine/index.js';
import { checksOf } from '../../engine/query/query.js';
import type { BoundedClaim, Piece } from './bounded-claim.js';

/** A question about one bounded claim, and the claims derived from it. */
export interface Question {
  /** A check or a policy that reads no other claims. */
  readonly item: PolicyItem;
  /** The instant for which derived claims are computed; 0 if the outcome does not depend on it. */
  readonly at: number;
}

/** An answered question. */
export interface Observation extends Question {
  /** The outcome; absent if the application does not know it, since its answer combines several outcomes. */
  readonly passed?: boolean;
}

/** Compiles a question. */
export type CompileItem = (item: PolicyItem) => CompiledQuery;

/** Maximum number of relevant answers and questions about one claim of a person. With more, the questions are refused. */
const MAX_OBSERVATIONS = 64;
/**
 * Maximum cost of a decision: pieces × (checks + {@link CLAIM_SET_COST} × instants), where checks and instants are those of the known answers and
 * of the questions. A decision of this cost takes about 50 ms. Questions with a higher cost are refused; the cost does not depend on the person's
 * claims. The limit admits about 90 checks on a date, or 14 checks on an age, each on a different day.
 */
const MAX_COST = 50_000;
/** Cost of computing the claim set of a piece at an instant, in checks. */
const CLAIM_SET_COST = 20;

/** Whether questions may be answered. */
export interface Decision {
  readonly admitted: boolean;
  /**
   * The latest known answers that are consistent together: an answer that is not consistent with all later ones shows that the claim has changed. All
   * known answers if the decision costs too much, or if a check does not divide the values.
   */
  readonly relevant: readonly Observation[];
  /** The outcome of each question that follows from these answers; `undefined` where either is possible, and for all if nothing was decided. */
  readonly implied: readonly (boolean | undefined)[];
}

/**
 * Decides whether questions, which are answered together, may be answered: each possible outcome must leave a set of values that is at least as large
 * as the bound, or exclude no value.
 *
 * Claims change. Therefore the questions must be admissible given no answer, given the latest one, given the latest two, and so on: one of these sets has
 * exactly the answers since the claim got its current value. If no value is consistent with an answer and all later ones together, the claim has changed
 * since that answer.
 *
 * @param known - The known answers, from the first to the latest.
 */
export function decide(
  claim: BoundedClaim,
  known: readonly Observation[],
  asked: readonly Question[],
  { compile, now }: { readonly compile: CompileItem; readonly now: number },
): Decision {
  const checks = [...known, ...asked].flatMap(({ item, at }) =>
    checksOf(item).map((check) => ({ check, at })),
  );
  const undecided = { admitted: false, relevant: known, implied: asked.map(() => undefined) };
  // The value of a piece would not represent its other values.
  if (!checks.every(({ check }) => claim.isDivisible(check))) return undecided;
  const pieces = claim.divide(checks, now);
  const instants = new Set(checks.map(({ at }) => at));
  if (pieces.length * (checks.length + CLAIM_SET_COST * instants.size) > MAX_COST) return undecided;
  const outcomesOf = createOutcomes(claim, pieces, compile);
  const outcomes = asked.map(outcomesOf);
  // The outcomes of the questions on each piece.
  const questionKeys = pieces.map((_, index) =>
    outcomes.map((passes) => (passes[index] ? '1' : '0')).join(''),
  );
  let admitted = true;
  // The pieces that are consistent with the latest answers.
  let consistent = pieces.map((_, index) => index);
  let start = known.length;
  // For each piece: the outcomes that the answers with an unknown outcome would have if the claim had a value of the piece.
  const answerKeys = pieces.map(() => '');
  for (;;) {
    admitted &&= isAdmissible(consistent, answerKeys, questionKeys, pieces, claim.smallest);
    const observation = known[start - 1];
    if (observation === undefined) break;
    const { passed } = observation;
    const passes = outcomesOf(observation);
    const remaining = consistent.filter((index) => passed === undefined || passes[index] === passed);
    if (remaining.length === 0) break;
    if (passed === undefined) for (const index of remaining) answerKeys[index] += passes[index] ? '1' : '0';
    consistent = remaining;
    start -= 1;
  }
  const relevant = known.slice(start);
  return {
    admitted: admitted && relevant.length + asked.length <= MAX_OBSERVATIONS,
    relevant,
    implied: outcomes.map((passes) => {
      const possible = new Set(consistent.map((index) => passes[index]));
      return possible.size === 1 ? [...possible][0] : undefined;
    }),
  };
}

/**
 * Whether every part into which the questions divide a set of values with the same answers is large enough. A set that is not divided may have
 * any size.
 */
function isAdmissible(
  consistent: readonly number[],
  answerKeys: readonly string[],
  questionKeys: readonly string[],
  pieces: readonly Piece[],
  smallest: number,
): boolean {
  const before = new Map<string, number>();
  const after = new Map<string, { readonly set: string; count: number; size: number }>();
  for (const index of consistent) {
    const set = answerKeys[index] ?? '';
    before.set(set, (before.get(set) ?? 0) + 1);
    const key = `${set}/${questionKeys[index]}`;
    const part = after.get(key) ?? { set, count: 0, size: 0 };
    part.count += 1;
    part.size += pieces[index]?.size ?? 0;
    after.set(key, part);
  }
  return [...after.values()].every(({ set, count, size }) => size >= smallest || count === before.get(set));
}

/** Evaluates questions for all pieces. */
function createOutcomes(
  claim: BoundedClaim,
  pieces: readonly Piece[],
  compile: CompileItem,
): (question: Question) => readonly boolean[] {
  const claimsByInstant = new Map<number, ReturnType<BoundedClaim['claimsAt']>[]>();
  const claimsAt = (at: number) => {
    const found = claimsByInstant.get(at) ?? pieces.map(({ value }) => claim.claimsAt(value, at));
    claimsByInstant.set(at, found);
    return found;
  };
  return ({ item, at }) => {
    const compiled = compile(item);
    return claimsAt(at).map((claims) => compiled.test(claims));
  };
}

/**
 * Adds answers to the relevant ones of a decision. Returns `known` itself if that adds nothing and all known answers are relevant.
 *
 * @param passed - The outcome of each question; `undefined` for those that are not known.
 * @param isTimed - Whether the outcome of a check depends on the instant.
 */
export function addObservations(
  known: readonly Observation[],
  asked: readonly Question[],
  passed: readonly (boolean | undefined)[],
  { decision, isTimed }: { readonly decision: Decision; readonly isTimed: (check: Check) => boolean },
): readonly Observation[] {
  const { relevant, implied } = decision;
  const added = asked.reduce((list, question, index) => {
    const outcome = passed[index];
    const isKnown = implied[index] !== undefined && (outcome === undefined || outcome === implied[index]);
    // Only checks on claims derived from a date are timed, and dates are assumed not to change: an outcome that follows from earlier answers adds nothing.
    if (isKnown && checksOf(question.item).some(isTimed)) return list;
    const observation: Observation = outcome === undefined ? question : { ...question, passed: outcome };
    const same = list.findIndex((one) => keyOf(one) === keyOf(observation));
    // The order of answers about dates adds nothing either.
    if (same >= 0 && (same === list.length - 1 || checksOf(question.item).some(isTimed))) return list;
    return [...list.filter((_, position) => position !== same), observation];
  }, relevant);
  return added === relevant && relevant.length === known.length ? known : added;
}

/** Answers with the same key are the same answer. */
function keyOf({ item, at, passed }: Observation): string {
  return JSON.stringify([item, at, passed ?? null]);
}
