/** Records what applications learn, before they learn it; repetitions at most once an hour (S360–S363). */
import type { CompiledQuery } from '../../engine/index.js';
import { createBatchWriter } from '../batches.js';
import type { Digest, SetImmediate } from '../ports/ports.js';
import type { LearnedRecord } from '../ports/store/ledger-store.js';
import type { Store } from '../ports/store/store.js';
import type { Grant } from '../tokens/tokens.js';
import { factsOfResult, type LearnedFact, subjectOf } from './learned-fact.js';

/** Writes records, those of one event-loop turn together. */
export interface LedgerWriter {
  /** Resolves once the records are durable. When it rejects, what they describe must not be disclosed. */
  write(records: readonly LearnedRecord[]): Promise<void>;
}

/** Records what applications learn. */
export interface LedgerRecorder {
  /**
   * Records facts. A repetition is not recorded if it was recorded within the last hour and nothing else was learned since. Resolves once all are
   * durable.
   */
  record(grant: Pick<Grant, 'authorizationId'>, facts: readonly LearnedFact[], at: number): Promise<void>;
  /**
   * Records what the result of a query discloses, like {@link record}. Recognizes a repetition of the whole result without parsing it, and then
   * returns `undefined`.
   */
  recordResult(
    grant: Pick<Grant, 'authorizationId'>,
    query: CompiledQuery,
    result: string,
    at: number,
  ): Promise<void> | undefined;
  /** Forgets what was recorded, so that it is recorded again. */
  forget(): void;
}

export interface LedgerRecorderPorts {
  readonly store: Pick<Store, 'listLearned'>;
  readonly writer: LedgerWriter;
  readonly digest: Digest;
  /** Secret, so that a copy of the store does not show which grants have the same facts. */
  readonly key: string;
  /** Returns the claims of the catalogue that a fact is about. */
  readonly claimsOf: (fact: LearnedFact) => readonly string[];
}

/** How long a repetition is not recorded: the last instant in the ledger is at most this much too early. */
const REPETITION_MS = 60 * 60 * 1_000;
/** How long a process relies on what it read or wrote: another process may record a change, or delete the record. */
const REREAD_MS = 60 * 1_000;
/** Maximum number of facts of a grant; further ones are recorded by claim only. */
const MAX_FACTS = 500;
/** Maximum length of the facts of a grant, in code units. A query may have 64 KiB. */
const MAX_FACTS_LENGTH = 262_144;
/** Maximum number of grants whose facts are kept in memory, and the length of these facts in code units. */
const MAX_GRANTS = 2_000;
const MAX_LENGTH = 33_554_432;
/** Maximum length of a grant's results in memory, in code units: those of all grants are no longer than their facts. */
const MAX_RESULTS_LENGTH = MAX_LENGTH / MAX_GRANTS;

/** A fact in the store, or about to be. */
interface Recorded {
  readonly detail: string;
  readonly at: number;
  readonly written: Promise<void>;
}

/** The latest fact about each subject of a grant. */
interface RecordedGrant {
  readonly latest: Map<string, Recorded>;
  readonly details: Set<string>;
  /** The length of the details. */
  length: number;
  /** When the facts were read from the store. */
  readonly readAt: number;
  /** When a fact was last added or changed. A repetition of an earlier fact is recorded again, so that the order of facts is known. */
  newsAt: number;
  /** The last recorded result of a query. */
  readonly results: WeakMap<CompiledQuery, RecordedResult>;
  /** The length of the results. */
  resultsLength: number;
}

/** A grant in memory. */
interface CachedGrant {
  readonly loaded: Promise<RecordedGrant>;
  /** Present once it was read. */
  grant?: RecordedGrant;
}

/** The JSON of a recorded result: the text before `evaluatedAt`, and the text from there to `expiresAt`. */
interface RecordedResult {
  readonly head: string;
  readonly tail: string;
  readonly at: number;
}

/** Creates the writer of a store. @param setImmediate - Delays a write, so that the records of one event-loop turn form one batch. */
export function createLedgerWriter(
  store: Pick<Store, 'recordLearned'>,
  setImmediate: SetImmediate,
): LedgerWriter {
  return createBatchWriter<LearnedRecord>((records) => store.recordLearned(records), setImmediate);
}

/**
 * Creates the recorder of a process. Processes with one store may record a repetition each, and notice what the others record within a minute, or before they
 * record a new fact.
 */
export function createLedgerRecorder(ports: LedgerRecorderPorts): LedgerRecorder {
  const { store, writer, digest, key, claimsOf } = ports;
  /** The least recently used one first. */
  const cached = new Map<string, CachedGrant>();
  /** The length of the facts of all cached grants that were read. */
  let length = 0;
  /** @param outdated - Facts that must be read again. */
  const load = (authorizationId: string, now: number, outdated?: RecordedGrant): Promise<RecordedGrant> => {
    const known = cached.get(authorizationId);
    const isCurrent =
      known !== undefined &&
      (known.grant === undefined || (known.grant !== outdated && isReliable(known.grant, now)));
    remove(authorizationId);
    const entry = isCurrent ? known : read(authorizationId, now, known?.grant);
    cached.set(authorizationId, entry);
    length += entry.grant?.length ?? 0;
    while (cached.size > MAX_GRANTS || (length > MAX_LENGTH && cached.size > 1))
      remove(cached.keys().next().value ?? '');
    return entry.loaded;
  };
  const read = (authorizationId: string, now: number, known: RecordedGrant | undefined): CachedGrant => {
    const loaded = readGrant(store, authorizationId, now, known);
    const entry: CachedGrant = { loaded };
    loaded.then(
      (grant) => {
        entry.grant = grant;
        if (cached.get(authorizationId) === entry) length += grant.length;
      },
      () => undefined,
    );
    return entry;
  };
  const remove = (authorizationId: string) => {
    length -= cached.get(authorizationId)?.grant?.length ?? 0;
    cached.delete(authorizationId);
  };
  const addDetail = (authorizationId: string, grant: RecordedGrant, detail: string) => {
    if (grant.details.has(detail)) return;
    grant.details.add(detail);
    grant.length += detail.length;
    if (cached.get(authorizationId)?.grant === grant) length += detail.length;
  };
  const toRecord = (authorizationId: string, detail: string, at: number, changes: number): LearnedRecord => ({
    entry: digest.hmacSha256(key, JSON.stringify([authorizationId, detail])),
    authorizationId,
    detail,
    firstAt: at,
    lastAt: at,
    changes,
  });
  /** Loads a grant for facts. If one of them is new or a change, reads the grant again: another process may have recorded it, or what it changes. */
  const loadFor = async (authorizationId: string, facts: readonly LearnedFact[], now: number) => {
    const grant = await load(authorizationId, now);
    const isNews = (fact: LearnedFact) => grant.latest.get(subjectOf(fact))?.detail !== JSON.stringify(fact);
    return grant.readAt !== now && withinLimit(facts, grant, claimsOf).some(isNews)
      ? await load(authorizationId, now, grant)
      : grant;
  };
  /** Records facts. Returns the grant, and the instant of the earliest of their records. */
  const recordFacts = async (authorizationId: string, facts: readonly LearnedFact[], now: number) => {
    const pending: Promise<void>[] = [];
    let since = now;
    try {
      const grant = await loadFor(authorizationId, facts, now);
      const records: LearnedRecord[] = [];
      const added: (readonly [subject: string, detail: string, at: number])[] = [];
      for (const fact of withinLimit(facts, grant, claimsOf)) {
        const [subject, detail] = [subjectOf(fact), JSON.stringify(fact)];
        const latest = grant.latest.get(subject);
        const isRepeated = latest?.detail === detail;
        if (isRepeated && now - latest.at < REPETITION_MS && latest.at >= grant.newsAt) {
          pending.push(latest.written);
          since = Math.min(since, latest.at);
          continue;
        }
        // Of two outcomes in one millisecond, the later one must have the later instant.
        const at = Math.max(now, latest === undefined ? now : latest.at + Number(!isRepeated));
        const isChange = latest !== undefined && isOtherAnswer(fact, latest.detail);
        records.push(toRecord(authorizationId, detail, at, Number(isChange)));
        added.push([subject, detail, at]);
        if (!isRepeated) grant.newsAt = Math.max(grant.newsAt, at);
      }
      const written = writer.write(records);
      pending.push(written);
      for (const [subject, detail, at] of added) {
        grant.latest.set(subject, { detail, at, written });
        addDetail(authorizationId, grant, detail);
      }
      await Promise.all(pending);
      return { grant, since };
    } catch (error) {
      remove(authorizationId);
      throw error;
    }
  };
  const recordNew = async (
    grant: Pick<Grant, 'authorizationId'>,
    query: CompiledQuery,
    result: string,
    at: number,
  ): Promise<void> => {
    const recorded = await recordFacts(grant.authorizationId, factsOfResult(result, query), at);
    const known = recorded.grant;
    const text = splitAtInstants(result);
    if (text === undefined) return;
    const total = known.resultsLength + lengthOf(text) - lengthOf(known.results.get(query));
    if (total > MAX_RESULTS_LENGTH) return;
    // Cached only now, since a repetition must not be returned before the first result is durable.
    known.results.set(query, { ...text, at: recorded.since });
    known.resultsLength = total;
  };
  return {
    record: async ({ authorizationId }, facts, at) => {
      await recordFacts(authorizationId, facts, at);
    },
    recordResult: (grant, query, result, at) => {
      const known = cached.get(grant.authorizationId)?.grant;
      const last = known?.results.get(query);
      const isRepeated =
        known !== undefined &&
        last !== undefined &&
        last.at >= known.newsAt &&
        isReliable(known, at) &&
        at - last.at < REPETITION_MS &&
        equalsExceptInstants(result, last);
      return isRepeated ? undefined : recordNew(grant, query, result, at);
    },
    forget: () => {
      cached.clear();
      length = 0;
    },
  };
}

/** Whether a process may rely on what it read. A clock that was set back does not extend the time. */
function isReliable({ readAt }: RecordedGrant, now: number): boolean {
  return now >= readAt && now - readAt < REREAD_MS;
}

const PREDICATE = '{"type":"predicate",';
const EVALUATED_AT = '"evaluatedAt":"';
const INSTANT_LENGTH = 'YYYY-MM-DDTHH:MM:SS.sssZ'.length;
const EXPIRES_AT_LENGTH = ',"expiresAt":""}'.length + INSTANT_LENGTH;

/** Returns the JSON of a result before and after the instant of `evaluatedAt`; `undefined` for projections, in which values come first. */
function splitAtInstants(result: string): Omit<RecordedResult, 'at'> | undefined {
  if (!result.startsWith(PREDICATE)) return undefined;
  const start = result.indexOf(EVALUATED_AT);
  const end = start + EVALUATED_AT.length + INSTANT_LENGTH;
  return { head: result.slice(0, start), tail: result.slice(end, result.length - EXPIRES_AT_LENGTH) };
}

function lengthOf({ head, tail }: Omit<RecordedResult, 'at'> = { head: '', tail: '' }): number {
  return head.length + tail.length;
}

/** Whether a result equals a recorded one, apart from the instants. Slices are compared without a copy; V8 compares with `startsWith` unit by unit. */
function equalsExceptInstants(result: string, { head, tail }: RecordedResult): boolean {
  const start = head.length + EVALUATED_AT.length + INSTANT_LENGTH;
  const end = start + tail.length;
  return (
    result.length === end + EXPIRES_AT_LENGTH &&
    result.slice(start, end) === tail &&
    result.slice(0, head.length) === head &&
    result.startsWith(EVALUATED_AT, head.length)
  );
}

/** @param known - What was known before; absent at the first read. */
async function readGrant(
  store: Pick<Store, 'listLearned'>,
  authorizationId: string,
  readAt: number,
  known?: RecordedGrant,
): Promise<RecordedGrant> {
  const before = new Map(known?.latest);
  await Promise.all([...before.values()].map((recorded) => recorded.written));
  const latest = new Map<string, Recorded>();
  const details = new Set<string>();
  const written = Promise.resolve();
  let length = 0;
  for (const { detail, lastAt: at } of await store.listLearned([authorizationId])) {
    details.add(detail);
    length += detail.length;
    const subject = subjectOf(parseFact(detail));
    if ((latest.get(subject)?.at ?? Number.NEGATIVE_INFINITY) < at)
      latest.set(subject, { detail, at, written });
  }
  // Facts that other requests of this process recorded meanwhile, which the list may lack.
  for (const [subject, recorded] of known?.latest ?? []) {
    if (before.get(subject) === recorded) continue;
    latest.set(subject, recorded);
    if (!details.has(recorded.detail)) length += recorded.detail.length;
    details.add(recorded.detail);
  }
  const news = [...latest].filter(([subject, { detail }]) => known?.latest.get(subject)?.detail !== detail);
  const newsAt = Math.max(known?.newsAt ?? Number.NEGATIVE_INFINITY, ...news.map(([, { at }]) => at));
  return { latest, details, length, readAt, newsAt, results: new WeakMap(), resultsLength: 0 };
}

/** Omits duplicates, and replaces new facts beyond the limit by the claims that they are about, so that a grant has a bounded number of records. */
function withinLimit(
  facts: readonly LearnedFact[],
  { details, length }: RecordedGrant,
  claimsOf: LedgerRecorderPorts['claimsOf'],
): readonly LearnedFact[] {
  const isWithin = details.size < MAX_FACTS && length < MAX_FACTS_LENGTH;
  const replaced = facts.flatMap((fact): readonly LearnedFact[] =>
    isWithin || details.has(JSON.stringify(fact))
      ? [fact]
      : claimsOf(fact).map((moreAbout) => ({ moreAbout })),
  );
  return [...new Map(replaced.map((fact) => [JSON.stringify(fact), fact])).values()];
}

/** Whether the answer of a fact differs from a recorded one. The same answer may have been recorded with other outcomes of checks, or with none. */
function isOtherAnswer(fact: LearnedFact, detail: string): boolean {
  const recorded = parseFact(detail);
  return 'query' in fact && 'query' in recorded && fact.passed !== recorded.passed;
}

/** Parses the detail of a record. */
export function parseFact(detail: string): LearnedFact {
  // Written by the recorder.
  return JSON.parse(detail) as LearnedFact;
}
