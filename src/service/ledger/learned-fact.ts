/** What an application learns from a result: the outcome of a query, or the value of a claim (S360, S361). */
import { type CompiledQuery, canonicalText, type QueryResult } from '../../engine/index.js';
import { checksOf } from '../../engine/query/query.js';
import { queryOf } from '../conditions/condition.js';
import type { PresetOutcome } from '../queries/presets.js';

/** One thing that an application learned. */
export type LearnedFact =
  | {
      /** The canonical text of a check or a policy (L25). */
      readonly query: string;
      readonly passed: boolean;
      /** The outcome of each check, in document order, if the result had them. */
      readonly checks?: readonly boolean[];
    }
  /** A claim whose value was shown. The ledger does not contain the value. */
  | { readonly value: string }
  /** A claim about which the application learned more than is recorded. */
  | { readonly moreAbout: string };

/** Returns what the result of a query discloses. */
export function factsOfResult(json: string, compiled: CompiledQuery): readonly LearnedFact[] {
  // Written by the engine.
  const result = JSON.parse(json) as QueryResult;
  if (result.type === 'projection') {
    // A claim whose value does not fit its lens is used, with the value null.
    const used = result.claimsUsed.map(({ path }) => path);
    const missing = compiled.claims.filter((claim) => !used.includes(claim));
    return [...factsOfValues(used), ...missing.map(factOfMissing)];
  }
  const { claimsUsed, checkResults } = result.evidence;
  const shown = [...new Set(claimsUsed.map(({ path }) => path))];
  // The outcomes of checks follow from the values of all claims.
  if (shown.length > 0 && compiled.claims.every((claim) => shown.includes(claim)))
    return factsOfValues(shown);
  const answer: LearnedFact = {
    query: textOf(compiled),
    passed: result.passed,
    ...(checkResults.length === 0 ? {} : { checks: checkResults.map(({ passed }) => passed) }),
  };
  return [answer, ...factsOfValues(shown)];
}

/** Returns what the outcome of a preset discloses: its value, or that the claim is not defined. */
export function factsOfPreset(outcome: PresetOutcome, claim: string | undefined): readonly LearnedFact[] {
  if (claim === undefined) return [];
  if ('result' in outcome) return factsOfValues([claim]);
  const { subcode } = outcome.error;
  if (subcode !== 'preset_unavailable' && subcode !== 'preset_expired') return [];
  return [factOfMissing(claim)];
}

/** Returns the fact that a claim is not defined. */
function factOfMissing(claim: string): LearnedFact {
  return { query: canonicalText({ check: { claim, operator: 'isDefined' } }), passed: false };
}

/** Returns the facts of claims whose values were shown. */
export function factsOfValues(claims: readonly string[]): readonly LearnedFact[] {
  return [...new Set(claims)].map((value) => ({ value }));
}

/** Returns the paths of the claims that a fact is about. */
export function claimsOfFact(fact: LearnedFact): readonly string[] {
  if ('query' in fact) return checksOf(queryOf(fact)).map(({ claim }) => claim);
  return ['value' in fact ? fact.value : fact.moreAbout];
}

/** Returns what a fact is about: of two facts about one query, the later replaces the earlier. */
export function subjectOf(fact: LearnedFact): string {
  return 'query' in fact ? fact.query : JSON.stringify(fact);
}

const texts = new WeakMap<CompiledQuery, string>();

/** Returns the canonical text of a query, cached. */
function textOf(compiled: CompiledQuery): string {
  const text = texts.get(compiled) ?? canonicalText(compiled.query);
  texts.set(compiled, text);
  return text;
}
