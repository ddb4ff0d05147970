/** The reference interpreter conforms to the handwritten vectors. */
import { describe, expect, it } from 'vitest';
import { parseInstant, QueryError, re2js } from '../../src/index.js';
import { cachePatterns } from '../../src/testing/cache-patterns.js';
import { type EvaluateVector, interpret, runVector } from '../../src/testing/index.js';
import { readVectorFiles } from '../vectors/vector-files.js';

const regex = cachePatterns(re2js);

const reference: EvaluateVector = (query, credentials, { scopes, at, catalogue }) => {
  const parsed = credentials.map(({ issuedAt, expiresAt, revokedAt, ...credential }) => ({
    ...credential,
    issuedAt: instant(issuedAt),
    ...(expiresAt === undefined ? {} : { expiresAt: instant(expiresAt) }),
    ...(revokedAt === undefined ? {} : { revokedAt: instant(revokedAt) }),
  }));
  try {
    return { result: interpret(query, parsed, { now: instant(at), scopes, catalogue, regex }) };
  } catch (error) {
    if (error instanceof QueryError) return { error };
    throw error;
  }
};

describe.each(readVectorFiles())('the reference evaluates $name', ({ vectors }) => {
  // L1–L25
  it('with the outcome that each vector expects', () => {
    const failures = vectors.flatMap((vector) => {
      const comparison = runVector(vector, reference);
      return comparison.holds ? [] : [{ id: vector.id, differences: comparison.differences }];
    });
    expect(failures).toEqual([]);
  });
});

function instant(text: string): number {
  const at = parseInstant(text);
  if (at === undefined) throw new Error(`invalid instant: ${text}`);
  return at;
}
