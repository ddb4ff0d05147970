/** Checks anybody's implementation of the language: our vectors, then random scenarios against the reference (L1–L25). */
import * as fc from 'fast-check';
import type { RegexEngine } from '../engine/regex-engine.js';
import { type Scenario, scenario } from './arbitraries/scenario.js';
import { askReference, type Question, toQuestion } from './ask-reference.js';
import { rememberPatterns } from './remember-patterns.js';
import { smallestScenario } from './smallest-scenario.js';
import { compareOutcome, type EvaluateVector, type Expectation, runVector, type Vector } from './vector.js';

/** What is run, and how often. */
export interface ConformanceOptions {
  /** Compiles the reference's patterns: `re2js`, which `proviso` exports. */
  readonly regex: RegexEngine;
  /** Vectors to run first, as `readVectors` gives them; none where absent. */
  readonly vectors?: readonly Vector[];
  /** How many random scenarios are compared; 10,000 where absent. */
  readonly runs?: number;
  /** Where the random scenarios begin, a 32-bit integer; another one each time where absent. */
  readonly seed?: number;
  /** A counterexample's `path`: with its seed, the runs begin at that scenario. */
  readonly path?: string;
  /** Told at each run how many there are. */
  readonly onProgress?: (runs: number) => void;
}

/** A vector that an implementation answers otherwise. */
export interface VectorFailure {
  readonly vector: Vector;
  readonly differences: readonly string[];
}

/** The smallest scenario that was found on which an implementation and the reference differ. */
export interface Counterexample extends Question {
  readonly expected: Expectation;
  readonly differences: readonly string[];
  /** Hand `seed` and `path` in as options to see it again. */
  readonly seed: number;
  readonly path: string;
}

/** What came of it. */
export interface ConformanceReport {
  /** Whether there is neither a failed vector nor a counterexample. */
  readonly conforms: boolean;
  readonly vectorCount: number;
  readonly vectorFailures: readonly VectorFailure[];
  /** Random scenarios that were compared. */
  readonly runs: number;
  readonly seed: number;
  readonly counterexample?: Counterexample;
}

/**
 * Runs vectors and random scenarios through an implementation, and finds the smallest scenario on which it errs.
 *
 * The implementation is asked in JSON: `credentials` have RFC 3339 texts for instants, as vectors have, the instant of evaluation
 * is `at`, and the catalogue is a list of scopes. It answers `{ result }` or `{ error: { code, missing? } }`; whatever it
 * throws counts as a difference. Results are compared as JSON text, members in their order.
 *
 * Strings hold lone surrogates at times; an implementation that is reached through UTF-8 has to escape them.
 *
 * @param evaluate - The implementation.
 * @throws {Error} Only where an option is out of range.
 * @see L1–L25
 * @example
 * checkConformance(() => ({ error: { code: 'invalid_query' } }), { regex: re2js, runs: 100 }).conforms // false
 */
export function checkConformance(evaluate: EvaluateVector, options: ConformanceOptions): ConformanceReport {
  const { vectors = [], runs = 10_000, onProgress } = options;
  const vectorFailures = vectors.flatMap((vector) => {
    const verdict = runVector(vector, evaluate);
    return verdict.holds ? [] : [{ vector, differences: verdict.differences }];
  });

  const regex = rememberPatterns(options.regex);
  const agrees = (drawn: Scenario) => differencesOn(drawn, evaluate, regex).length === 0;
  let tried = 0;
  const property = fc.property(scenario(), (drawn) => {
    tried += 1;
    onProgress?.(tried);
    return agrees(drawn);
  });
  const { seed, counterexample, counterexamplePath } = fc.check(property, {
    numRuns: runs,
    // What is found is made smaller below, all of its parts at once.
    endOnFailure: true,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.path === undefined ? {} : { path: options.path }),
  });

  const report = { vectorCount: vectors.length, vectorFailures, runs: tried, seed };
  if (counterexample === null) return { ...report, conforms: vectorFailures.length === 0 };
  const smallest = smallestScenario(counterexample[0], (smaller) => !agrees(smaller));
  return {
    ...report,
    conforms: false,
    counterexample: {
      ...toQuestion(smallest),
      expected: askReference(smallest, regex),
      differences: differencesOn(smallest, evaluate, regex),
      seed,
      path: counterexamplePath ?? '',
    },
  };
}

/** What an implementation answers otherwise than the reference on one scenario, one line each; none where they agree. */
function differencesOn(asked: Scenario, evaluate: EvaluateVector, regex: RegexEngine): readonly string[] {
  const expected = askReference(asked, regex);
  const { query, credentials, circumstances } = toQuestion(asked);
  try {
    const verdict = compareOutcome(expected, evaluate(query, credentials, circumstances));
    return verdict.holds ? [] : verdict.differences;
  } catch (error) {
    return [`it threw ${String(error)}`];
  }
}
