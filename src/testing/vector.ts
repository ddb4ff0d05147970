/** Conformance vectors: queries in JSON with the expected results, and the comparison of an implementation's results with these. */
import type { JsonObject, JsonValue } from '../engine/claims/json-value.js';
import type { ScopeDefinition } from '../engine/scopes/catalogue.js';

/** A credential of a vector, with instants as RFC 3339 strings. */
export interface VectorCredential {
  readonly id: string;
  readonly source: string;
  readonly issuedAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly claims: { readonly [path: string]: JsonValue };
}

/** A problem that must be reported. */
export interface ExpectedProblem {
  readonly code: string;
  /** JSON Pointer into the vector's query. */
  readonly pointer: string;
}

/** A claim that the granted scopes do not cover, and the scopes that would each cover it. */
export interface ExpectedMissing {
  readonly claim: string;
  readonly scopes: readonly string[];
}

/** The error of a rejected query. `code` is always compared, `problems` and `missing` only if they are present. */
export interface ExpectedError {
  readonly code: string;
  readonly problems?: readonly ExpectedProblem[];
  readonly missing?: readonly ExpectedMissing[];
}

/** Parts of a result that a vector specifies; each one is compared, regardless of member order. */
export interface ExpectedParts {
  readonly passed?: boolean;
  readonly evidence?: JsonObject;
  readonly data?: JsonObject;
  readonly claimsUsed?: readonly JsonValue[];
  readonly evaluatedAt?: string;
  readonly expiresAt?: string;
}

/** The expected outcome: parts of a result, a byte-exact result, or an error. */
export type Expectation = ExpectedParts | { readonly result: JsonObject } | { readonly error: ExpectedError };

/** The context of an evaluation: granted scopes, instant and catalogue. */
export interface EvaluationContext {
  /** The scopes that the person granted. */
  readonly scopes: readonly string[];
  /** Instant of evaluation, as an RFC 3339 string. */
  readonly at: string;
  readonly catalogue: readonly ScopeDefinition[];
}

/** One test with all defaults resolved. */
export interface Vector extends EvaluationContext {
  readonly id: string;
  /** The description of its case and of the test. */
  readonly description: string;
  /** The requirements that the test covers: those of its case, otherwise those of its file. */
  readonly decisions: readonly string[];
  readonly query: JsonValue;
  /** The query's canonical text, where the vector specifies it (L25). */
  readonly canonical?: string;
  readonly credentials: readonly VectorCredential[];
  readonly expect: Expectation;
}

/** The outcome of an implementation: a result in the wire format, or an error. */
export type Outcome = { readonly result: unknown } | { readonly error: ExpectedError };

/** An implementation of the language. */
export type EvaluateVector = (
  query: JsonValue,
  credentials: readonly VectorCredential[],
  context: EvaluationContext,
) => Outcome;

/** How outcomes are compared. */
export interface ComparisonOptions {
  /** Compares the codes of problems, but not their pointers. */
  readonly codesOnly?: boolean;
}

/**
 * Thrown by an implementation that gives no outcome: its process crashed, or it does not support the request.
 * `checkConformance` reports the message as the difference, or as the reason why the run ended.
 */
export class ImplementationError extends Error {
  override readonly name = 'ImplementationError';
  /** Whether the implementation cannot be used further: the run ends. */
  readonly endsRun: boolean;

  constructor(message: string, { endsRun = false }: { readonly endsRun?: boolean } = {}) {
    super(message);
    this.endsRun = endsRun;
  }
}

/** The inputs of an evaluation, as an implementation receives them. */
export interface JsonScenario {
  readonly query: JsonValue;
  readonly credentials: readonly VectorCredential[];
  readonly context: EvaluationContext;
}

/** Whether an implementation gave the expected outcome; otherwise the differences, one line each. */
export type Verdict =
  | { readonly holds: true }
  | { readonly holds: false; readonly differences: readonly string[] };

/**
 * Runs a vector with an implementation and compares the outcomes.
 *
 * @param evaluate - The implementation. An exception counts as a difference.
 * @returns The verdict. Never throws.
 * @see L1–L25
 * @example
 * runVector(vector, () => ({ result: { passed: true } })).holds // true where the vector expects `{ passed: true }`
 */
export function runVector(vector: Vector, evaluate: EvaluateVector): Verdict {
  const { query, credentials, scopes, at, catalogue } = vector;
  try {
    return compareOutcome(vector.expect, evaluate(query, credentials, { scopes, at, catalogue }));
  } catch (error) {
    return verdict([`it threw ${String(error)}`]);
  }
}

/**
 * Compares an outcome with the expected one, for implementations that are asynchronous or remote.
 *
 * @throws {TypeError} For an outcome that is not JSON or has another form, such as an error whose `problems` is not an array.
 */
export function compareOutcome(
  expected: Expectation,
  outcome: Outcome,
  options: ComparisonOptions = {},
): Verdict {
  if ('error' in expected) {
    if ('error' in outcome) return verdict(errorDifferences(expected.error, outcome.error, options));
    return verdict([`expected the error ${JSON.stringify(expected.error)}, got ${write(outcome.result)}`]);
  }
  if ('error' in outcome) {
    return verdict([`expected ${JSON.stringify(expected)}, got the error ${JSON.stringify(outcome.error)}`]);
  }
  if ('result' in expected) {
    return verdict(difference('result', JSON.stringify(expected.result), write(outcome.result)));
  }
  return verdict(partDifferences(expected, outcome.result));
}

function partDifferences(expected: ExpectedParts, result: unknown): readonly string[] {
  // Outcomes are untrusted; a value that is not an object has none of the parts.
  const parts = (typeof result === 'object' && result !== null ? result : {}) as Readonly<
    Record<string, unknown>
  >;
  return Object.entries(expected).flatMap(([name, part]) =>
    difference(name, writeSorted(part), writeSorted(parts[name])),
  );
}

function errorDifferences(
  expected: ExpectedError,
  error: ExpectedError,
  { codesOnly = false }: ComparisonOptions,
): readonly string[] {
  const differences = [...difference('error.code', expected.code, error.code)];
  if (expected.problems !== undefined) {
    const write = codesOnly ? codeOf : writeProblem;
    const [problems, others] = [expected.problems.map(write), (error.problems ?? []).map(write)];
    differences.push(...listDifferences(problems, others));
  }
  if (expected.missing !== undefined) {
    const missing = writeMissing(error.missing ?? []);
    differences.push(...difference('error.missing', writeMissing(expected.missing), missing));
  }
  return differences;
}

function writeProblem({ code, pointer }: ExpectedProblem): string {
  return `${code} at ${JSON.stringify(pointer)}`;
}

function codeOf({ code }: ExpectedProblem): string {
  return code;
}

/** Compares problems in order. Lists missing and unexpected problems; if there are none, a difference in the order. */
function listDifferences(expected: readonly string[], got: readonly string[]): readonly string[] {
  const differences = [
    ...without(expected, got).map((problem) => `expected the problem ${problem}`),
    ...without(got, expected).map((problem) => `did not expect the problem ${problem}`),
  ];
  if (differences.length > 0) return differences;
  return difference('the order of problems', expected.join(', '), got.join(', '));
}

/** Returns a list without the strings of another one. Each occurrence there removes one occurrence. */
function without(list: readonly string[], others: readonly string[]): readonly string[] {
  const left = [...others];
  return list.filter((entry) => {
    const index = left.indexOf(entry);
    if (index >= 0) left.splice(index, 1);
    return index < 0;
  });
}

/** Writes claims and their scopes, both in order. */
function writeMissing(missing: readonly ExpectedMissing[]): string {
  return JSON.stringify(missing.map(({ claim, scopes }) => ({ claim, scopes })));
}

function difference(what: string, expected: string, got: string): readonly string[] {
  return expected === got ? [] : [`${what}: expected ${expected}, got ${got}`];
}

function verdict(differences: readonly string[]): Verdict {
  return differences.length === 0 ? { holds: true } : { holds: false, differences };
}

function write(value: unknown): string {
  return JSON.stringify(value) ?? 'nothing';
}

/** Serializes a value with sorted members, so that values compare regardless of member order. */
function writeSorted(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => sortMembers(inner)) ?? 'nothing';
}

function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
