/** Checks an implementation of the language: runs vectors, then compares random scenarios with the reference interpreter (L1–L25). */
import * as fc from 'fast-check';
import { isJsonArray, isJsonObject, type JsonValue } from '../engine/claims/json-value.js';
import { QueryError } from '../engine/errors.js';
import type { PatternOutcome, RegexEngine } from '../engine/regex-engine.js';
import { type Scenario, scenario } from './arbitraries/scenario.js';
import { interpret } from './reference-interpreter.js';
import { writeInstant } from './reference-values.js';
import {
  compareOutcome,
  type EvaluateVector,
  type EvaluationContext,
  type Expectation,
  runVector,
  type Vector,
  type VectorCredential,
} from './vector.js';

/** Options of {@link checkConformance}. */
export interface ConformanceOptions {
  /** Compiles the patterns of the reference interpreter, such as `re2js` of `proviso`. */
  readonly regex: RegexEngine;
  /** Vectors to run first, as returned by `readVectors`. Defaults to none. */
  readonly vectors?: readonly Vector[];
  /** Number of random scenarios to compare; 10,000 by default. */
  readonly runs?: number;
  /** Seed of the random scenarios, a 32-bit integer. Defaults to a new one for each call. */
  readonly seed?: number;
  /** The `path` of a counterexample: with its seed, the runs start at that scenario. */
  readonly path?: string;
  /** Called for each run with the number of runs so far. */
  readonly onProgress?: (runs: number) => void;
}

/** A vector for which an implementation gives another result. */
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
  /** Whether there is no failed vector and no counterexample. */
  readonly conforms: boolean;
  readonly vectorCount: number;
  readonly vectorFailures: readonly VectorFailure[];
  /** Number of random scenarios compared. */
  readonly runs: number;
  readonly seed: number;
  readonly counterexample?: Counterexample;
}

/**
 * Runs vectors and random scenarios with an implementation, and shrinks the first difference to a minimal scenario.
 *
 * The implementation receives JSON: instants of `credentials` are RFC 3339 strings, as in vectors, the instant of
 * evaluation is `at`, and the catalogue is a list of scopes. It returns `{ result }` or `{ error: { code, missing? }
 * }`; an exception counts as a difference. Results are compared as JSON text, including the order of members.
 *
 * Strings may contain lone surrogates; an implementation reached through UTF-8 must escape them.
 *
 * @param evaluate - The implementation.
 * @throws {Error} When an option is out of range.
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

  const regex = cachePatterns(options.regex);
  const agrees = (drawn: Scenario) => differencesOn(drawn, evaluate, regex).length === 0;
  let runCount = 0;
  const property = fc.property(scenario(), (drawn) => {
    runCount += 1;
    onProgress?.(runCount);
    return agrees(drawn);
  });
  const { seed, counterexample, counterexamplePath } = fc.check(property, {
    numRuns: runs,
    // The counterexample is shrunk below, all of its parts together.
    endOnFailure: true,
    ...(options.seed === undefined ? {} : { seed: options.seed }),
    ...(options.path === undefined ? {} : { path: options.path }),
  });

  const report = { vectorCount: vectors.length, vectorFailures, runs: runCount, seed };
  if (counterexample === null) return { ...report, conforms: vectorFailures.length === 0 };
  const smallest = shrinkScenario(counterexample[0], (smaller) => !agrees(smaller));
  return {
    ...report,
    conforms: false,
    counterexample: {
      ...toJsonScenario(smallest),
      expected: evaluateReference(smallest, regex),
      differences: differencesOn(smallest, evaluate, regex),
      seed,
      path: counterexamplePath ?? '',
    },
  };
}

/** Compares an implementation with the reference on one scenario. Returns one line per difference. */
function differencesOn(scenario: Scenario, evaluate: EvaluateVector, regex: RegexEngine): readonly string[] {
  const expected = evaluateReference(scenario, regex);
  const { query, credentials, context } = toJsonScenario(scenario);
  try {
    const verdict = compareOutcome(expected, evaluate(query, credentials, context));
    return verdict.holds ? [] : verdict.differences;
  } catch (error) {
    return [`the implementation threw ${String(error)}`];
  }
}

/** A scenario in JSON, with instants as RFC 3339 strings. */
export interface JsonScenario {
  readonly query: Scenario['query'];
  readonly credentials: readonly VectorCredential[];
  readonly context: EvaluationContext;
}

/** Converts a scenario to JSON. */
export function toJsonScenario({ query, credentials, scopes, catalogue, now }: Scenario): JsonScenario {
  const written = credentials.map(({ id, source, issuedAt, expiresAt, revokedAt, claims }) => ({
    id,
    source,
    issuedAt: writeInstant(issuedAt),
    ...(expiresAt === undefined ? {} : { expiresAt: writeInstant(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: writeInstant(revokedAt) }),
    claims,
  }));
  return { query, credentials: written, context: { scopes, at: writeInstant(now), catalogue } };
}

/**
 * Evaluates a scenario with the reference interpreter. Errors consist of the code and the missing scopes: vectors
 * cover the pointers of problems, since reference and engine share their parser.
 */
export function evaluateReference(
  { query, credentials, ...options }: Scenario,
  regex: RegexEngine,
): Expectation {
  try {
    const result = interpret(query, credentials, { ...options, regex });
    // A result is JSON by construction, which its type does not express.
    return { result: result as unknown as Extract<Expectation, { result: unknown }>['result'] };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { code, missing } = error;
    return { error: missing.length > 0 ? { code, missing } : { code } };
  }
}

const MAX_CACHED = 1_000;

/** Wraps an engine with a cache of up to 1,000 compiled patterns. */
export function cachePatterns(regex: RegexEngine): RegexEngine {
  const cached = new Map<string, PatternOutcome>();
  const { measure } = regex;
  return {
    ...(measure === undefined ? {} : { measure }),
    compile: (pattern) => {
      const known = cached.get(pattern);
      if (known !== undefined) return known;
      if (cached.size >= MAX_CACHED) cached.clear();
      const outcome = regex.compile(pattern);
      cached.set(pattern, outcome);
      return outcome;
    },
  };
}

/**
 * Shrinks a scenario step by step while it has a property.
 *
 * Deterministic. No single step can shrink the returned scenario further.
 *
 * @param hasProperty - Whether a scenario has the property; called often. Must hold for `found`.
 */
function shrinkScenario(found: Scenario, hasProperty: (smaller: Scenario) => boolean): Scenario {
  let smallest = found;
  for (;;) {
    const smaller = findFirst(shrinkCandidates(smallest), hasProperty);
    if (smaller === undefined) return smallest;
    smallest = smaller;
  }
}

function findFirst<Value>(values: Iterable<Value>, holds: (value: Value) => boolean): Value | undefined {
  for (const value of values) if (holds(value)) return value;
  return undefined;
}

/** Generates the scenarios that are one step smaller, largest steps first. */
export function* shrinkCandidates(scenario: Scenario): Iterable<Scenario> {
  const { query, credentials, scopes, catalogue } = scenario;
  for (const fewer of withoutEach(credentials)) yield { ...scenario, credentials: fewer };
  if (isJsonObject(query) && 'policy' in query) {
    for (const check of checksIn(query)) yield { ...scenario, query: { check } };
  }
  for (const smaller of smallerValues(query)) yield { ...scenario, query: smaller };
  for (const smaller of withEach(credentials, smallerCredentials))
    yield { ...scenario, credentials: smaller };
  for (const fewer of withoutEach(scopes)) yield { ...scenario, scopes: fewer };
  for (const [index, definition] of catalogue.entries()) {
    const isImplied = catalogue.some(({ implies = [] }) => implies.includes(definition.name));
    if (!isImplied) yield { ...scenario, catalogue: catalogue.toSpliced(index, 1) };
  }
  for (const smaller of withEach(catalogue, smallerDefinitions)) yield { ...scenario, catalogue: smaller };
}

function* checksIn(value: JsonValue): Iterable<JsonValue> {
  if (isJsonArray(value)) for (const inner of value) yield* checksIn(inner);
  if (!isJsonObject(value)) return;
  if ('claim' in value) yield value;
  else for (const inner of Object.values(value)) yield* checksIn(inner);
}

function* smallerDefinitions(
  definition: Scenario['catalogue'][number],
): Iterable<Scenario['catalogue'][number]> {
  const { name, implies = [], covers = [] } = definition;
  if (implies.length > 0) yield { name, covers };
  for (const fewer of withoutEach(covers)) yield { ...definition, covers: fewer };
}

function* smallerCredentials(
  credential: Scenario['credentials'][number],
): Iterable<Scenario['credentials'][number]> {
  const { expiresAt, revokedAt, ...lasting } = credential;
  if (expiresAt !== undefined) yield revokedAt === undefined ? lasting : { ...lasting, revokedAt };
  if (revokedAt !== undefined) yield expiresAt === undefined ? lasting : { ...lasting, expiresAt };
  for (const claims of withoutEach(Object.entries(credential.claims))) {
    yield { ...credential, claims: Object.fromEntries(claims) };
  }
  for (const claims of withEach(Object.entries(credential.claims), smallerMembers)) {
    yield { ...credential, claims: Object.fromEntries(claims) };
  }
}

/** Generates the parts of a value, then smaller values. */
function* smallerValues(value: JsonValue): Iterable<JsonValue> {
  if (isJsonArray(value)) {
    yield* value;
    yield* withoutEach(value);
    yield* withEach(value, smallerValues);
  } else if (isJsonObject(value)) {
    yield* Object.values(value);
    const members = Object.entries(value);
    for (const fewer of withoutEach(members)) yield Object.fromEntries(fewer);
    for (const smaller of withEach(members, smallerMembers)) yield Object.fromEntries(smaller);
  } else if (typeof value === 'string' && value !== '') {
    yield* ['', value.slice(0, value.length / 2), value.slice(0, -1)];
  } else if (typeof value === 'number' && value !== 0) {
    const half = Math.trunc(value / 2);
    yield* half === value ? [0] : [0, half];
  }
}

function* smallerMembers([name, value]: readonly [string, JsonValue]): Iterable<
  readonly [string, JsonValue]
> {
  for (const smaller of smallerValues(value)) yield [name, smaller];
}

function* withoutEach<Element>(list: readonly Element[]): Iterable<readonly Element[]> {
  for (const index of list.keys()) yield list.toSpliced(index, 1);
}

function* withEach<Element>(
  list: readonly Element[],
  smaller: (element: Element) => Iterable<Element>,
): Iterable<readonly Element[]> {
  for (const [index, element] of list.entries()) {
    for (const replacement of smaller(element)) yield list.with(index, replacement);
  }
}
