/** Checks that `!=` and `notIn` negate `==` and `in` on defined claims only. */
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { check, credentialDrafts } from '../../src/testing/index.js';
import { claimsFor, holdsForAll, passes } from './law.js';

const OPPOSITE = { '==': '!=', in: 'notIn' } as const;

// L14
it('exactly one of an operator and its opposite passes on a defined claim, and neither on an undefined one', () => {
  let undefinedCount = 0;
  let count = 0;
  const checkAndDrafts = fc.tuple(
    check().filter(({ operator }) => operator in OPPOSITE),
    credentialDrafts(),
  );
  holdsForAll(checkAndDrafts, ([drawn, drafts]) => {
    const claims = claimsFor(drawn, drafts);
    const opposite = { ...drawn, operator: OPPOSITE[drawn.operator as keyof typeof OPPOSITE] };
    const isDefined = passes({ claim: drawn.claim, operator: 'isDefined' }, claims);
    const passing = [drawn, opposite].filter((item) => passes(item, claims));
    expect(passing).toHaveLength(isDefined ? 1 : 0);
    expect(passes({ not: drawn }, claims) === passes(opposite, claims)).toBe(isDefined);
    count += 1;
    if (!isDefined) undefinedCount += 1;
  });
  expect(undefinedCount).toBeGreaterThan(count / 20);
  expect(undefinedCount).toBeLessThan(count / 2);
});
