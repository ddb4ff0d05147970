/** A conformance vector – a question in JSON with the specification's answer – and whether an implementation gives it. */
import type { JsonObject, JsonValue } from '../engine/claims/json-value.js';
import type { ScopeDefinition } from '../engine/scopes/catalogue.js';

/** A credential as vectors write it: instants are RFC 3339 texts. */
export interface VectorCredential {
  readonly id: string;
  readonly source: string;
  readonly issuedAt: string;
  readonly expiresAt?: string;
  readonly revokedAt?: string;
  readonly claims: { readonly [path: string]: JsonValue };
}

/** One thing that an answer must refuse a query for. */
export interface ExpectedProblem {
  readonly code: string;
  /** JSON Pointer into the vector's query. */
  readonly pointer: string;
}

/** A claim that the granted scopes do not cover, and the scopes of which any one would. */
export interface ExpectedMissing {
  readonly claim: string;
  readonly scopes: readonly string[];
}

/** The refusal of a query. Where `problems` or `missing` is absent, only `code` counts. */
export interface ExpectedError {
  readonly code: string;
  readonly problems?: readonly ExpectedProblem[];
  readonly missing?: readonly ExpectedMissing[];
}

/** The parts of a result that a vector may name; each one named counts, whatever the order of members in it. */
export interface ExpectedParts {
  readonly passed?: boolean;
  readonly evidence?: JsonObject;
  readonly data?: JsonObject;
  readonly claimsUsed?: readonly JsonValue[];
  readonly evaluatedAt?: string;
  readonly expiresAt?: string;
}

/** What the specification answers: some parts of a result, a result byte for byte, or a refusal. */
export type Expectation = ExpectedParts | { readonly result: JsonObject } | { readonly error: ExpectedError };

/** For whom, when, and against which catalogue a query is evaluated. */
export interface EvaluationContext {
  /** The scopes that the person granted. */
  readonly scopes: readonly string[];
  /** Instant of evaluation, as RFC 3339 text. */
  readonly at: string;
  readonly catalogue: readonly ScopeDefinition[];
}

/** One test with everything that it needs: nothing is left to a default. */
export interface Vector extends EvaluationContext {
  readonly id: string;
  /** What its case shows, and what of that it tests. */
  readonly description: string;
  /** The decisions that it stands for: those of its case, else those of its file. */
  readonly decisions: readonly string[];
  readonly query: JsonValue;
  /** The query's canonical text, where the vector names it (L25). */
  readonly canonical?: string;
  readonly credentials: readonly VectorCredential[];
  readonly expect: Expectation;
}

/** What an implementation answered: a result as the specification writes it, or a refusal. */
export type Outcome = { readonly result: unknown } | { readonly error: ExpectedError };

/** Any implementation of the language, in its smallest form. */
export type EvaluateVector = (
  query: JsonValue,
  credentials: readonly VectorCredential[],
  context: EvaluationContext,
) => Outcome;

/** Whether an implementation gave the answer; if not, what differs, one line each. */
export type Verdict =
  | { readonly holds: true }
  | { readonly holds: false; readonly differences: readonly string[] };

/**
 * Asks an implementation what a vector asks, and compares the answers.
 *
 * @param evaluate - What it throws is a difference: data and queries never make an evaluation fail otherwise.
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

/** Compares an answer that is already there, for implementations that answer later or elsewhere. Never throws. */
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
  // Answers come from code that is not ours; what is no object has none of the parts.
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

/** Problems are a set: the order in which they are told is not part of the language. */
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

/** Claims in their order; of their scopes any one would do, so these have none. */
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

/** JSON text with sorted members, so that values compare whatever the order of their members. */
function writeSorted(value: unknown): string {
  return JSON.stringify(value, (_name, inner: unknown) => sortMembers(inner)) ?? 'nothing';
}

function sortMembers(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)));
}
