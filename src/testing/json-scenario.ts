/** Random scenarios in JSON, as an implementation receives them, and the outcomes of the reference interpreter. */
import { QueryError } from '../engine/errors.js';
import type { RegexEngine } from '../engine/regex-engine.js';
import type { Scenario } from './arbitraries/scenario.js';
import { interpret } from './reference-interpreter.js';
import { writeInstant } from './reference-values.js';
import type { Expectation, JsonScenario } from './vector.js';

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

/** Evaluates a scenario with the reference interpreter. */
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
    if (missing.length > 0) return { error: { code, missing } };
    const problems = error.problems.map((problem) => ({ code: problem.code, pointer: problem.pointer }));
    return { error: { code, problems } };
  }
}
