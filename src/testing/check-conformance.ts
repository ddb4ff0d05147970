/** Checks an implementation of the language: runs vectors, then compares random scenarios with the reference interpreter (L1–L25). */
import * as fc from 'fast-check';
import type { JsonValue } from '../engine/claims/json-value.js';
import type { RegexEngine } from '../engine/regex-engine.js';
import { wrongType } from '../engine/value-types.js';
import { type Scenario, scenario } from './arbitraries/scenario.js';
import { cachePatterns } from './cache-patterns.js';
import { comparedProblems, type Deviation, isIgnored, isSkipped } from './deviations.js';
import { evaluateReference, toJsonScenario } from './json-scenario.js';
import { readVectors } from './read-vectors.js';
import { shrinkScenario } from './shrink-scenario.js';
import {
  type ComparisonOptions,
  compareOutcome,
  type EvaluateVector,
  type Expectation,
  ImplementationError,
  type JsonScenario,
  type Outcome,
  type Vector,
} from './vector.js';

/** An implementation of the language, synchronous or asynchronous. */
export type Implementation = (...input: Parameters<EvaluateVector>) => Outcome | Promise<Outcome>;

/** Writes the canonical text of a query as `result`, or rejects the query (L25). */
export type CanonicalizeVector = (query: JsonValue) => Outcome | Promise<Outcome>;

/** Options of {@link checkConformance}. */
export interface ConformanceOptions extends ComparisonOptions {
  /** The regex engine of the reference interpreter, such as `re2js` of `proviso`. */
  readonly regex: RegexEngine;
  /** Vectors to run first: by default those of the package; `[]` for none. */
  readonly vectors?: readonly Vector[];
  /** Number of random scenarios to compare; 10,000 by default, 0 for none. */
  readonly runs?: number;
  /** Seed of the random scenarios, a 32-bit integer. Defaults to a new one for each call. */
  readonly seed?: number;
  /** The `path` of a counterexample: with its seed, the runs start at that scenario. */
  readonly path?: string;
  /** Canonical texts are compared if this is given. */
  readonly canonicalize?: CanonicalizeVector;
  /** Parts of the language that the implementation lacks; none by default. */
  readonly without?: readonly Deviation[];
  /** Ends the run at the first vector that fails. */
  readonly stopAtFirstFailure?: boolean;
  /** Called for each vector and each run. */
  readonly onProgress?: (progress: ConformanceProgress) => void;
}

/** The progress of a check. */
export interface ConformanceProgress {
  /** Number of vectors so far, skipped ones included. */
  readonly vectors: number;
  readonly vectorCount: number;
  /** Number of random scenarios so far, without skipped ones. */
  readonly runs: number;
}

/** A vector for which the outcome of the implementation differs from the expected one. */
export interface VectorFailure {
  readonly vector: Vector;
  readonly differences: readonly string[];
}

/** The smallest scenario found for which an implementation and the reference differ. */
export interface Counterexample extends JsonScenario {
  readonly expected: Expectation;
  readonly differences: readonly string[];
  /** Pass `seed` and `path` as options to reproduce the counterexample. */
  readonly seed: number;
  readonly path: string;
}

/** The result of {@link checkConformance}. */
export interface ConformanceReport {
  /** Whether the run was completed without a failed vector and without a counterexample. */
  readonly conforms: boolean;
  /** Number of vectors that ran. */
  readonly vectorCount: number;
  readonly vectorFailures: readonly VectorFailure[];
  /** Number of random scenarios compared. */
  readonly runs: number;
  readonly seed: number;
  /** Number of vectors and of random scenarios that belong to a declared deviation. */
  readonly skipped: { readonly vectors: number; readonly runs: number };
  readonly counterexample?: Counterexample;
  /** Why the run ended early: the message of an {@link ImplementationError}. */
  readonly stopped?: string;
}

/**
 * Runs vectors and random scenarios with an implementation, and shrinks the first difference to a minimal scenario.
 *
 * The implementation receives JSON: instants of `credentials` are RFC 3339 strings, as in vectors, the instant of
 * evaluation is `at`, and the catalogue is a list of scopes. It returns `{ result }` or `{ error: { code, problems?,
 * missing? } }`, or a promise of it; an exception counts as a difference. Results are compared as JSON text, including
 * the order of members; problems and missing claims in order.
 *
 * Strings may contain lone surrogates: to send them in UTF-8, write them as JSON escapes, such as `\ud800`.
 *
 * @param evaluate - The implementation.
 * @throws {TypeError | RangeError} When `runs` is not a whole number of 0 or more.
 * @throws {Error} When `path` is invalid, or the vectors of the package cannot be read.
 * @see L1–L25
 * @example
 * const report = await checkConformance(() => ({ error: { code: 'invalid_query' } }), { regex: re2js, runs: 100 });
 * report.conforms // false
 */
export async function checkConformance(
  evaluate: Implementation,
  options: ConformanceOptions,
): Promise<ConformanceReport> {
  assertRuns(options.runs);
  const vectors = options.vectors ?? (await readPackagedVectors());
  const checked = await checkVectors(vectors, evaluate, options);
  const compared = await compareScenarios(evaluate, checked.isComplete ? options : { ...options, runs: 0 }, {
    vectors: vectors.length,
    vectorCount: vectors.length,
  });
  const { vectorFailures, vectorCount } = checked;
  const { runs, seed, counterexample } = compared;
  const stopped = checked.stopped ?? compared.stopped;
  return {
    conforms: vectorFailures.length === 0 && counterexample === undefined && stopped === undefined,
    vectorCount,
    vectorFailures,
    runs,
    seed,
    skipped: { vectors: checked.skipped, runs: compared.skipped },
    ...(counterexample === undefined ? {} : { counterexample }),
    ...(stopped === undefined ? {} : { stopped }),
  };
}

/** @throws {TypeError | RangeError} Unless `runs` is `undefined` or a whole number of 0 or more. */
function assertRuns(runs: unknown): void {
  if (runs === undefined) return;
  const required = 'a whole number of 0 or more';
  if (typeof runs !== 'number') throw wrongType('`runs`', required, runs);
  if (!Number.isSafeInteger(runs) || runs < 0)
    throw new RangeError(`\`runs\` must be ${required} (got ${runs})`);
}

/** Reads the vectors that the package contains. Imports the file reader on demand, since programs that pass `vectors` do not need it. */
async function readPackagedVectors(): Promise<readonly Vector[]> {
  const { readPackagedFiles } = await import('../vectors/read-packaged-files.js');
  return (await readPackagedFiles()).flatMap(readVectors);
}

interface CheckedVectors {
  readonly vectorCount: number;
  readonly vectorFailures: readonly VectorFailure[];
  readonly skipped: number;
  readonly stopped?: string;
  /** Whether all vectors ran. */
  readonly isComplete: boolean;
}

async function checkVectors(
  vectors: readonly Vector[],
  evaluate: Implementation,
  options: ConformanceOptions,
): Promise<CheckedVectors> {
  const { without = [], stopAtFirstFailure = false, onProgress } = options;
  const vectorFailures: VectorFailure[] = [];
  let vectorCount = 0;
  let skipped = 0;
  let previous: Vector | undefined;
  for (const [index, vector] of vectors.entries()) {
    onProgress?.({ vectors: index + 1, vectorCount: vectors.length, runs: 0 });
    if (isSkipped(vector, vector.expect, without)) {
      skipped += 1;
      continue;
    }
    vectorCount += 1;
    const { query, credentials, scopes, at, catalogue, expect } = vector;
    try {
      const differences = await differencesOf(
        expect,
        () => evaluate(query, credentials, { scopes, at, catalogue }),
        options,
      );
      // The tests of a case share its query.
      const isRepeated = previous?.query === query;
      const others = isRepeated ? [] : await canonicalDifferences(vector, options);
      previous = vector;
      if (differences.length + others.length > 0)
        vectorFailures.push({ vector, differences: [...differences, ...others] });
    } catch (error) {
      if (!(error instanceof ImplementationError)) throw error;
      return { vectorCount, vectorFailures, skipped, stopped: error.message, isComplete: false };
    }
    if (stopAtFirstFailure && vectorFailures.length > 0)
      return { vectorCount, vectorFailures, skipped, isComplete: false };
  }
  return { vectorCount, vectorFailures, skipped, isComplete: true };
}

async function canonicalDifferences(
  { query, canonical }: Vector,
  { canonicalize, without = [] }: ConformanceOptions,
): Promise<readonly string[]> {
  if (canonicalize === undefined || canonical === undefined || without.includes('canonical')) return [];
  return differencesIn(async () => {
    const outcome = await canonicalize(query);
    if ('result' in outcome && outcome.result === canonical) return [];
    const got = 'result' in outcome ? outcome.result : outcome.error;
    return [`canonical text: expected ${JSON.stringify(canonical)}, got ${JSON.stringify(got)}`];
  });
}

interface ComparedScenarios {
  readonly runs: number;
  readonly seed: number;
  readonly skipped: number;
  readonly counterexample?: Counterexample;
  readonly stopped?: string;
}

async function compareScenarios(
  evaluate: Implementation,
  options: ConformanceOptions,
  progress: Omit<ConformanceProgress, 'runs'>,
): Promise<ComparedScenarios> {
  const { runs = 10_000, without = [], onProgress } = options;
  const regex = cachePatterns(options.regex);
  const differencesOn = (drawn: Scenario): Promise<readonly string[]> => {
    const { query, credentials, context } = toJsonScenario(drawn);
    return differencesOf(
      evaluateReference(drawn, regex),
      () => evaluate(query, credentials, context),
      options,
    );
  };
  const isOmitted = (drawn: Scenario): boolean =>
    without.length > 0 && isSkipped(toJsonScenario(drawn), evaluateReference(drawn, regex), without);
  let runCount = 0;
  let skipped = 0;
  let stopped: string | undefined;
  let callbackError: { readonly error: unknown } | undefined;
  /** The differences on the last scenario that has any. */
  let differences: readonly string[] = [];
  const differs = async (drawn: Scenario): Promise<boolean> => {
    try {
      const found = await differencesOn(drawn);
      if (found.length > 0) differences = found;
      return found.length > 0;
    } catch (error) {
      if (!(error instanceof ImplementationError)) throw error;
      stopped = error.message;
      return false;
    }
  };
  const property = fc.asyncProperty(scenario(), async (drawn) => {
    if (isOmitted(drawn)) {
      skipped += 1;
      return true;
    }
    runCount += 1;
    try {
      onProgress?.({ ...progress, runs: runCount });
    } catch (error) {
      callbackError = { error };
      return false;
    }
    return !(await differs(drawn)) && stopped === undefined;
  });
  const { seed, counterexample, counterexamplePath } = await fc.check(property, {
    numRuns: runs,
    // The counterexample is shrunk below, all of its parts together.
    endOnFailure: true,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.path === undefined ? {} : { path: options.path }),
  });
  if (callbackError !== undefined) throw callbackError.error;
  const compared = { runs: runCount, seed, skipped };
  if (stopped !== undefined) return { ...compared, stopped };
  if (counterexample === null) return compared;
  const smallest = await shrinkScenario(
    counterexample[0],
    async (smaller) => stopped === undefined && !isOmitted(smaller) && (await differs(smaller)),
  );
  return {
    ...compared,
    counterexample: {
      ...toJsonScenario(smallest),
      expected: evaluateReference(smallest, regex),
      differences,
      seed,
      path: counterexamplePath ?? '',
    },
  };
}

/** Compares an outcome with the expected one. @throws {ImplementationError} If the implementation cannot be used further. */
function differencesOf(
  expected: Expectation,
  evaluate: () => Outcome | Promise<Outcome>,
  { without = [], ...options }: ConformanceOptions,
): Promise<readonly string[]> {
  return differencesIn(async () => {
    const outcome = await evaluate();
    if (isIgnored(outcome, without)) return [];
    const verdict = compareOutcome(...withoutIgnored(expected, outcome, without), options);
    return verdict.holds ? [] : verdict.differences;
  });
}

function withoutIgnored(
  expected: Expectation,
  outcome: Outcome,
  without: readonly Deviation[],
): readonly [Expectation, Outcome] {
  if (!('error' in expected) || !('error' in outcome)) return [expected, outcome];
  const [error, other] = comparedProblems(expected.error, outcome.error, without);
  return [{ error }, { error: other }];
}

/** Reports an exception as a difference, unless it ends the run. */
async function differencesIn(compare: () => Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await compare();
  } catch (error) {
    if (!(error instanceof ImplementationError)) return [`it threw ${String(error)}`];
    if (error.endsRun) throw error;
    return [error.message];
  }
}
