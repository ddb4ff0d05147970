/** Conformance vectors: queries in JSON with the expected results, and their comparison with an implementation's. */
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

/** A claim that the granted scopes do not cover, and the scopes of which any one would cover it. */
export interface ExpectedMissing {
  readonly claim: string;
  readonly scopes: readonly string[];
}

/** The error of a rejected query. Where `problems` or `missing` is absent, only `code` is compared. */
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

/** Compares an outcome with the expected one, for implementations that are asynchronous or remote. Never throws. */
export function compareOutcome(expected: Expectation, outcome: Outcome): Verdict {
  if ('error' in expected) {
    if ('error' in outcome) return verdict(errorDifferences(expected.error, outcome.error));
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

function errorDifferences(expected: ExpectedError, error: ExpectedError): readonly string[] {
  const differences = [...difference('error.code', expected.code, error.code)];
  if (expected.problems !== undefined) {
    differences.push(
      ...setDifferences(places(expected.problems), places(error.problems ?? []), 'the problem'),
    );
  }
  if (expected.missing !== undefined) {
    const missing = writeMissing(error.missing ?? []);
    differences.push(...difference('error.missing', writeMissing(expected.missing), missing));
  }
  return differences;
}

/** Problems are compared as a set: the language does not define their order. */
function places(problems: readonly ExpectedProblem[]): ReadonlySet<string> {
  return new Set(problems.map(({ code, pointer }) => `${code} at ${JSON.stringify(pointer)}`));
}

function setDifferences(
  expected: ReadonlySet<string>,
  got: ReadonlySet<string>,
  what: string,
): readonly string[] {
  return [
    ...[...expected].filter((entry) => !got.has(entry)).map((entry) => `expected ${what} ${entry}`),
    ...[...got].filter((entry) => !expected.has(entry)).map((entry) => `did not expect ${what} ${entry}`),
  ];
}

/** Claims are compared in order; the scopes of a claim have no order. */
function writeMissing(missing: readonly ExpectedMissing[]): string {
  return JSON.stringify(missing.map(({ claim, scopes }) => ({ claim, scopes: [...scopes].sort() })));
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
