/** Checks any implementation of the language: our vectors, then random scenarios against the reference (L1–L25). */
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
export interface Counterexample extends JsonScenario {
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
    // What is found is made smaller below, all of its parts at once.
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

/** What an implementation answers otherwise than the reference on one scenario, one line each; none where they agree. */
function differencesOn(scenario: Scenario, evaluate: EvaluateVector, regex: RegexEngine): readonly string[] {
  const expected = evaluateReference(scenario, regex);
  const { query, credentials, context } = toJsonScenario(scenario);
  try {
    const verdict = compareOutcome(expected, evaluate(query, credentials, context));
    return verdict.holds ? [] : verdict.differences;
  } catch (error) {
    return [`it threw ${String(error)}`];
  }
}

/** A scenario as any implementation is asked: JSON only, instants as RFC 3339 texts. */
export interface JsonScenario {
  readonly query: Scenario['query'];
  readonly credentials: readonly VectorCredential[];
  readonly context: EvaluationContext;
}

/** The scenario as a question. Never throws for scenarios of ours. */
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
 * What the specification answers. Of a refusal the code and the missing scopes count: where each problem stands in a query
 * is for the vectors to say, since reference and engine share their parser.
 */
export function evaluateReference(
  { query, credentials, ...options }: Scenario,
  regex: RegexEngine,
): Expectation {
  try {
    const result = interpret(query, credentials, { ...options, regex });
    // A result is JSON by construction; its type has names for its members instead of an index.
    return { result: result as unknown as Extract<Expectation, { result: unknown }>['result'] };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { code, missing } = error;
    return { error: missing.length > 0 ? { code, missing } : { code } };
  }
}

const MAX_CACHED = 1_000;

/** The same engine, compiling each of the last patterns once. Holds up to 1,000 patterns. */
export function cachePatterns(regex: RegexEngine): RegexEngine {
  const cached = new Map<string, PatternOutcome>();
  const { estimateWork } = regex;
  return {
    ...(estimateWork === undefined ? {} : { estimateWork }),
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
 * Takes away parts of a scenario, one after the other, while it still shows what it showed.
 *
 * Deterministic. Nothing can be taken away from what it returns without losing what it shows.
 *
 * @param shows - Whether a scenario shows it; called often. It must hold for `found`.
 */
function shrinkScenario(found: Scenario, shows: (smaller: Scenario) => boolean): Scenario {
  let smallest = found;
  for (;;) {
    const smaller = firstThat(shrinkCandidates(smallest), shows);
    if (smaller === undefined) return smallest;
    smallest = smaller;
  }
}

function firstThat<Value>(values: Iterable<Value>, holds: (value: Value) => boolean): Value | undefined {
  for (const value of values) if (holds(value)) return value;
  return undefined;
}

/** Scenarios that are a step smaller, those with less to them first. */
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

/** What a value holds, then the value with less in it. */
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
