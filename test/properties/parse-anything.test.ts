/** Checks that any input gives a query, or a `QueryError` with problems. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalText, QueryError } from '../../src/index.js';
import { arbitraryJsonQuery, mutatedQuery } from '../../src/testing/index.js';
import { parse } from '../support/with-re2js.js';
import { holdsForAll, regex } from './law.js';

/** RFC 6901. */
const JSON_POINTER = /^(?:\/(?:[^~/]|~[01])*)*$/u;

/** Whether the input can be parsed. Throws for any error other than a `QueryError` with problems. */
function canBeParsed(input: unknown): boolean {
  try {
    const text = canonicalText(parse(input, { regex }));
    expect(canonicalText(parse(JSON.parse(text), { regex }))).toBe(text);
    return true;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    expect(error.problems.length).toBeGreaterThan(0);
    for (const { pointer } of error.problems) expect(pointer).toMatch(JSON_POINTER);
    expect(error.problemCount).toBeGreaterThanOrEqual(error.problems.length);
    const onlyLimits = error.problems.every(({ code }) => code.startsWith('limit_'));
    expect(error.code).toBe(onlyLimits ? 'query_too_large' : 'invalid_query');
    return false;
  }
}

// L6, L8
it('a mutated query is accepted, or rejected with problems, each with a pointer', () => {
  let [accepted, rejected] = [0, 0];
  holdsForAll(mutatedQuery(), (drawn) => {
    if (canBeParsed(drawn)) accepted += 1;
    else rejected += 1;
  });
  expect(Math.min(accepted, rejected)).toBeGreaterThan(150);
});

// L1, L8
it('arbitrary JSON gives a query, or a `QueryError` with problems', () => {
  holdsForAll(fc.oneof(arbitraryJsonQuery(), fc.jsonValue()), (drawn) => void canBeParsed(drawn));
});

// L1, L8
it('arbitrary JavaScript values give a query, or a `QueryError` with problems', () => {
  const anything = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withNullPrototype: true,
    withSet: true,
    withSparseArray: true,
    withTypedArray: true,
  });
  const input = fc.oneof(
    anything,
    anything.map((value) => ({ check: { claim: 'x.a', operator: '==', value } })),
    anything.map((value) => ({ check: { claim: value, operator: value, value } })),
    anything.map((value) => ({ policy: { allOf: [value, value], anyOf: value } })),
    anything.map((value) => ({ policy: { not: value } })),
    anything.map((value) => ({ projections: [{ claim: 'x.a', lens: 'pick', fields: value }, value] })),
  );
  holdsForAll(input, (drawn) => void canBeParsed(drawn));
});
