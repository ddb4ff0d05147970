/** What the reference interpreter answers to a scenario, asked and answered in the form of vectors (L1–L25). */
import { QueryError } from '../engine/errors.js';
import type { RegexEngine } from '../engine/regex-engine.js';
import type { Scenario } from './arbitraries/scenario.js';
import { writeInstant } from './reference-instant.js';
import { interpret } from './reference-interpreter.js';
import type { Circumstances, Expectation, VectorCredential } from './vector.js';

/** A scenario as any implementation is asked: JSON only, instants as RFC 3339 texts. */
export interface Question {
  readonly query: Scenario['query'];
  readonly credentials: readonly VectorCredential[];
  readonly circumstances: Circumstances;
}

/** The scenario as a question. Never throws for scenarios of ours. */
export function toQuestion({ query, credentials, scopes, catalogue, now }: Scenario): Question {
  const written = credentials.map(({ id, source, issuedAt, expiresAt, revokedAt, claims }) => ({
    id,
    source,
    issuedAt: writeInstant(issuedAt),
    ...(expiresAt === undefined ? {} : { expiresAt: writeInstant(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: writeInstant(revokedAt) }),
    claims,
  }));
  return { query, credentials: written, circumstances: { scopes, at: writeInstant(now), catalogue } };
}

/**
 * What the specification answers. Of a refusal the code and the missing scopes count: where each problem stands in a query
 * is for the vectors to say, since reference and engine share their parser.
 */
export function askReference({ query, credentials, ...options }: Scenario, regex: RegexEngine): Expectation {
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
