/** Compares the people that the engine and databases select, in batches, and shrinks counterexamples. */
import { type ClaimSet, type JsonValue, QueryError, re2js } from '../../../src/index.js';
import { SqlTranslationError, toSql } from '../../../src/sql/index.js';
import { shrinkCandidates } from '../../../src/testing/shrink-scenario.js';
import { compile } from '../../support/with-re2js.js';
import type { CheckedDatabase } from './databases.js';
import { hasUnfittingCheck } from './fitting-checks.js';
import { type Batch, claimSetOf, drawBatch, LAYOUT_KINDS, type Person } from './population.js';
import { load } from './tables.js';

export interface SqlReport {
  /** Number of queries, each on all people and on each database. */
  readonly runs: number;
  readonly seed: number;
  /** Counts by database. */
  readonly databases: Readonly<Record<string, Tally>>;
  readonly counterexample?: SqlCounterexample;
}

export interface Tally {
  translated: number;
  rejected: number;
  /** Number of rejected queries with a check that does not fit its column. */
  unfitting: number;
  selected: number;
  /** Number of people over all queries. */
  people: number;
}

export interface SqlCounterexample {
  readonly batchSeed: number;
  readonly dialect: string;
  readonly batch: Omit<Batch, 'queries'>;
  readonly query: JsonValue;
  readonly expected: readonly string[];
  readonly found: readonly string[] | string;
}

export interface SqlCheckOptions {
  readonly runs: number;
  readonly seed: number;
  readonly onProgress?: (runs: number) => void;
}

const QUERIES = 40;
const PEOPLE = 80;

/** Runs queries until enough are done, or a database differs from the engine. */
export async function checkSql(
  databases: readonly CheckedDatabase[],
  { runs, seed, onProgress }: SqlCheckOptions,
): Promise<SqlReport> {
  const tallies: Record<string, Tally> = Object.fromEntries(
    databases.map(({ dialect }) => [
      dialect,
      { translated: 0, rejected: 0, unfitting: 0, selected: 0, people: 0 },
    ]),
  );
  let done = 0;
  for (let index = 0; done < runs; index += 1) {
    const batchSeed = (seed + index) | 0;
    const kind = LAYOUT_KINDS[(index >>> 0) % LAYOUT_KINDS.length] ?? 'documents';
    const batch = drawBatch(batchSeed, kind, { queries: QUERIES, people: PEOPLE });
    for (const database of databases) await load(database, batch);
    const claimSets = readClaimSets(batch);
    for (const query of batch.queries) {
      if (done === runs) break;
      const expected = selectWithEngine(query, claimSets);
      if (expected === undefined) continue;
      done += 1;
      for (const database of databases) {
        const found = await selectWithDatabase(database, query, batch);
        const tally = tallies[database.dialect] as Tally;
        const isUnfitting = hasUnfittingCheck(query, batch.layout, database.dialect);
        if (found === undefined) {
          tally.rejected += 1;
          if (isUnfitting) tally.unfitting += 1;
          continue;
        }
        if (isUnfitting)
          return {
            runs: done,
            seed,
            databases: tallies,
            counterexample: unfittingTranslation(database, query, batch, batchSeed),
          };
        tally.translated += 1;
        tally.selected += expected.length;
        tally.people += batch.people.length;
        if (isSameSelection(expected, found)) continue;
        const counterexample = await shrink(database, query, batch, batchSeed);
        return { runs: done, seed, databases: tallies, counterexample };
      }
      onProgress?.(done);
    }
  }
  return { runs: done, seed, databases: tallies };
}

/** Returns the counterexample of a query that must be rejected, since one of its checks does not fit its column. */
function unfittingTranslation(
  { dialect }: CheckedDatabase,
  query: JsonValue,
  { now, layout }: Batch,
  batchSeed: number,
): SqlCounterexample {
  const found = 'translated, with a check that does not fit its column';
  return { batchSeed, dialect, batch: { now, layout, people: [] }, query, expected: [], found };
}

function isSameSelection(expected: readonly string[], found: readonly string[] | string): boolean {
  return (
    typeof found !== 'string' &&
    expected.length === found.length &&
    expected.every((id) => found.includes(id))
  );
}

/** Reads the claims of people, by id. */
function readClaimSets({ people, now }: Pick<Batch, 'people' | 'now'>): ReadonlyMap<string, ClaimSet> {
  return new Map(people.map((person) => [person.id, claimSetOf(person, now)]));
}

/** Selects with the engine. Returns `undefined` if it rejects the query, or if matching would exceed the cost limit. */
function selectWithEngine(
  query: JsonValue,
  claimSets: ReadonlyMap<string, ClaimSet>,
): readonly string[] | undefined {
  try {
    const compiled = compile(query, { regex: re2js });
    return [...claimSets].filter(([, claims]) => compiled.test(claims)).map(([id]) => id);
  } catch (error) {
    if (error instanceof QueryError) return undefined;
    throw error;
  }
}

/** Selects with a database. Returns `undefined` if the translation rejects the query, and a message if the database fails. */
async function selectWithDatabase(
  database: CheckedDatabase,
  query: JsonValue,
  { layout, now }: Omit<Batch, 'queries'>,
): Promise<readonly string[] | string | undefined> {
  try {
    return await database.select(toSql(query, { dialect: database.dialect, layout, now, regex: re2js }));
  } catch (error) {
    if (error instanceof SqlTranslationError) return undefined;
    return error instanceof Error ? error.message : String(error);
  }
}

/** Shrinks people and query as long as database and engine differ. */
async function shrink(
  database: CheckedDatabase,
  query: JsonValue,
  batch: Batch,
  batchSeed: number,
): Promise<SqlCounterexample> {
  const differs = async (candidate: JsonValue, people: readonly Person[]) => {
    const expected = selectWithEngine(candidate, readClaimSets({ people, now: batch.now }));
    if (expected === undefined) return undefined;
    await load(database, { ...batch, people });
    const found = await selectWithDatabase(database, candidate, batch);
    return found === undefined || isSameSelection(expected, found) ? undefined : { expected, found };
  };
  let current = {
    query,
    people: batch.people,
    ...((await differs(query, batch.people)) ?? {
      expected: [],
      found: 'the difference is not reproducible',
    }),
  };
  for (const person of batch.people) {
    const difference = await differs(query, [person]);
    if (difference === undefined) continue;
    current = { query, people: [person], ...difference };
    break;
  }
  for (
    let smaller = await shrinkStep(current, differs);
    smaller !== undefined;
    smaller = await shrinkStep(current, differs)
  ) {
    current = smaller;
  }
  const { people, expected, found } = current;
  return {
    batchSeed,
    dialect: database.dialect,
    batch: { now: batch.now, layout: batch.layout, people },
    query: current.query,
    expected,
    found,
  };
}

interface Difference {
  readonly query: JsonValue;
  readonly people: readonly Person[];
  readonly expected: readonly string[];
  readonly found: readonly string[] | string;
}

/** Returns a smaller query, or people with fewer claims, that still differ. */
async function shrinkStep(
  { query, people }: Difference,
  differs: (
    query: JsonValue,
    people: readonly Person[],
  ) => Promise<Pick<Difference, 'expected' | 'found'> | undefined>,
): Promise<Difference | undefined> {
  const scenario = { query, credentials: [], scopes: [], catalogue: [], now: 0 };
  for (const { query: smaller } of shrinkCandidates(scenario)) {
    const difference = await differs(smaller, people);
    if (difference !== undefined) return { query: smaller, people, ...difference };
  }
  const [person] = people;
  if (people.length !== 1 || person === undefined) return undefined;
  for (const fewer of withFewerClaims(person)) {
    const difference = await differs(query, [fewer]);
    if (difference !== undefined) return { query, people: [fewer], ...difference };
  }
  return undefined;
}

function* withFewerClaims(person: Person): Iterable<Person> {
  const { credentials } = person;
  for (const [index, credential] of credentials.entries()) {
    if (credentials.length > 1) yield { ...person, credentials: credentials.toSpliced(index, 1) };
    for (const path of Object.keys(credential.claims)) {
      const { [path]: _omitted, ...claims } = credential.claims;
      yield { ...person, credentials: credentials.with(index, { ...credential, claims }) };
    }
  }
}
