/** The ledger: what each application has learned about a person, for that person (S360–S367). */
import { type Answer, type ClaimKnowledge, inferKnowledge, toKnownQuery } from '../../analysis/index.js';
import type { PolicyItem, RegexEngine } from '../../engine/index.js';
import { checksOf } from '../../engine/query/query.js';
import type { ServiceCatalogue } from '../catalogue/service-catalogue.js';
import { LIMITS_OF_ACCEPTED_QUERIES, queryOf } from '../conditions/condition.js';
import type { Store } from '../ports/store/store.js';
import { type LearnedFact, subjectOf } from './learned-fact.js';
import { type LedgerRecorder, parseFact } from './ledger-recorder.js';

/** What an application has learned about a person. Instants in epoch milliseconds. */
export interface ApplicationLedger {
  /** The queries that were answered with a verdict, the latest first. */
  readonly answers: readonly LearnedAnswer[];
  /** The claims whose values were shown, by path. */
  readonly values: readonly LearnedValue[];
  /** What the application can infer about other claims from the answers, by path. */
  readonly inferred: readonly ClaimKnowledge[];
  /** Claims about which the application learned more than is recorded. */
  readonly moreAbout: readonly string[];
}

/** A query, and the latest answer to it. */
export interface LearnedAnswer {
  /** The canonical text. */
  readonly query: string;
  readonly passed: boolean;
  /** When the query was first answered, with any outcome. */
  readonly firstAt: number;
  /** When the latest answer was given; at most an hour too early. */
  readonly lastAt: number;
  /** How often the answer changed. */
  readonly changes: number;
}

/** A claim whose value was shown. */
export interface LearnedValue {
  readonly claim: string;
  readonly firstAt: number;
  /** When the value was last shown; at most an hour too early. */
  readonly lastAt: number;
}

/** Ports of the ledger. */
export interface LedgerPorts {
  readonly store: Pick<Store, 'listPersonGrants' | 'listLearned' | 'deleteLearned'>;
  /** Absent if nothing is recorded. */
  readonly ledger?: LedgerRecorder | undefined;
  readonly regex: RegexEngine;
}

/** Maximum number of grants considered; `listPersonGrants` determines which. */
const MAX_GRANTS = 500;
/** Maximum number of steps of each search. A search that exceeds it may leave impossible values in the result. */
const ANALYSIS_STEPS = 500;

/** Creates the use cases of the ledger. */
export function createLedger({ store, ledger, regex }: LedgerPorts) {
  return {
    /** Whether what applications learn is recorded. */
    isRecorded: ledger !== undefined,

    /** Reads what each application has learned about a person under the considered grants, by client id. Applications that learned nothing are absent. */
    async read(userId: string, now: number): Promise<ReadonlyMap<string, ApplicationLedger>> {
      const grants = await store.listPersonGrants(userId, MAX_GRANTS, now);
      const clients = new Map(
        grants.map(({ authorizationId, application }) => [authorizationId, application.clientId]),
      );
      const facts = new Map<string, RecordedFact[]>();
      for (const { authorizationId, detail, firstAt, lastAt, changes } of await store.listLearned([
        ...clients.keys(),
      ])) {
        const clientId = clients.get(authorizationId) ?? '';
        const recorded = { fact: parseFact(detail), firstAt, lastAt, changes };
        const known = facts.get(clientId) ?? [];
        facts.set(clientId, known);
        known.push(recorded);
      }
      return new Map([...facts].map(([clientId, all]) => [clientId, toLedger(all, regex)]));
    },

    /** Deletes what an application, or every application, has learned about a person. @returns Number of deleted records. */
    async delete(userId: string, clientId?: string): Promise<number> {
      const deleted = await store.deleteLearned(clientId === undefined ? { userId } : { userId, clientId });
      ledger?.forget();
      return deleted;
    },
  };
}

/** A fact, and when it was learned. */
export interface RecordedFact {
  readonly fact: LearnedFact;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly changes: number;
}

/** Summarizes the facts of an application. */
function toLedger(facts: readonly RecordedFact[], regex: RegexEngine): ApplicationLedger {
  const bySubject = new Map<string, RecordedFact[]>();
  for (const recorded of facts) {
    const subject = subjectOf(recorded.fact);
    const known = bySubject.get(subject) ?? [];
    bySubject.set(subject, known);
    known.push(recorded);
  }
  const latest = [...bySubject.values()].map((all) => ({
    ...all.reduce((one, other) => (other.lastAt > one.lastAt ? other : one)),
    firstAt: Math.min(...all.map(({ firstAt }) => firstAt)),
    changes: all.reduce((sum, { changes }) => sum + changes, 0),
  }));
  const values = latest
    .flatMap(({ fact, firstAt, lastAt }) => ('value' in fact ? [{ claim: fact.value, firstAt, lastAt }] : []))
    .sort((one, other) => (one.claim < other.claim ? -1 : 1));
  const shown = new Set(values.map(({ claim }) => claim));
  return {
    answers: latest
      .flatMap(({ fact, firstAt, lastAt, changes }) =>
        'query' in fact ? [{ query: fact.query, passed: fact.passed, firstAt, lastAt, changes }] : [],
      )
      .sort((one, other) => other.lastAt - one.lastAt || (one.query < other.query ? -1 : 1)),
    values,
    inferred: inferKnowledge(facts.flatMap(toAnswers), {
      regex,
      limits: LIMITS_OF_ACCEPTED_QUERIES,
      steps: ANALYSIS_STEPS,
    }).filter(({ claim }) => !shown.has(claim)),
    moreAbout: latest.flatMap(({ fact }) => ('moreAbout' in fact ? [fact.moreAbout] : [])).sort(),
  };
}

/** Returns what can be inferred about a claim as a query that passes for the person; `undefined` if nothing can be. */
export function inferredQuery(known: ClaimKnowledge, catalogue: ServiceCatalogue): PolicyItem | undefined {
  return toKnownQuery(known, catalogue.findClaim(known.claim));
}

/**
 * Returns the answers that a fact contains: to its query, and to each check of it with a recorded outcome. Facts that later ones replaced are included;
 * `inferKnowledge` considers the latest answers only, up to one that contradicts later ones.
 */
function toAnswers({ fact, lastAt: at }: RecordedFact): readonly Answer[] {
  if (!('query' in fact)) return [];
  const { passed, checks: outcomes = [] } = fact;
  const query = queryOf(fact);
  const checks = checksOf(query).flatMap((check, index): readonly Answer[] => {
    const outcome = outcomes[index];
    return outcome === undefined ? [] : [{ query: { check }, passed: outcome, at }];
  });
  return [{ query, passed, at }, ...checks];
}
