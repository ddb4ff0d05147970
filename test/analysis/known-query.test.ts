/** What is known about a claim, as a query that passes on every possible value, and in words (L12–L19). */
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Answer, inferKnowledge, toKnownQuery } from '../../src/analysis/index.js';
import { describeFacts } from '../../src/describe/index.js';
import { DEFAULT_CLAIMS, type JsonValue, type OperatorName } from '../../src/index.js';
import { ANY_COST, holdsForAll, itemsAndClaims, passes, regex } from '../properties/law.js';
import { compile } from '../support/with-re2js.js';

function answer(claim: string, operator: OperatorName, value: JsonValue, passed: boolean): Answer {
  return { query: { check: { claim, operator, value } }, passed, at: 0 };
}

/** Returns the statements about the claims of some answers. */
function statements(...answers: readonly Answer[]): readonly string[] {
  return inferKnowledge(answers).flatMap((known) => {
    const type = DEFAULT_CLAIMS.find(({ path }) => path === known.claim);
    const query = toKnownQuery(known, type);
    return query === undefined ? [] : describeFacts(query).facts.map(({ text }) => text);
  });
}

const AGE = 'identity.age';
const LEVEL = 'kyc.level';
const COUNTRY = 'identity.country_of_residence';
const BORN = 'identity.date_of_birth';

describe('the statements about a claim', () => {
  it.each([
    [
      [answer(AGE, '>=', 30, true), answer(AGE, '>=', 35, false)],
      ['you are 30 or older', 'you are 34 or younger'],
    ],
    [[answer(AGE, '>=', 30, true), answer(AGE, '<', 31, true)], ['your age is 30']],
    [[answer(AGE, '>=', 18, false)], ['you are 17 or younger (or this is unknown)']],
    [[answer(AGE, '!=', 18, true)], ['your age is not 18']],
    [[answer(COUNTRY, 'in', ['PT', 'ES'], true)], ['you live in Portugal or Spain']],
    [
      [answer(COUNTRY, 'in', ['PT', 'ES'], false)],
      ['you do not live in Portugal or Spain (or this is unknown)'],
    ],
    [
      [answer(LEVEL, '==', 'none', false), answer(LEVEL, 'startsWith', '', true)],
      ['your level of identity check is basic or enhanced'],
    ],
    [[answer('kyc.passed', '==', true, false)], ['your identity check is failed (or this is unknown)']],
    [
      [answer(BORN, '>', '1990-01-01', true), answer(BORN, '<', '1995-06-30', true)],
      ['you were born on 2 January 1990 or later', 'you were born on 29 June 1995 or earlier'],
    ],
  ])('of %j', (answers, expected) => {
    expect(statements(...(answers as readonly Answer[]))).toEqual(expected);
  });

  it('is empty if nothing is known', () => {
    expect(statements(answer(AGE, 'contains', 18, false))).toEqual([]);
  });

  it('rejects projections', () => {
    const query = { projections: [{ claim: AGE, lens: 'pluck' }] };
    expect(() => describeFacts(query)).toThrow('facts require a check or a policy, not projections');
  });
});

// S366
it('the query of what is known passes on the truth, whatever is asked', () => {
  let known = 0;
  holdsForAll(
    fc.integer({ min: 1, max: 4 }).chain(itemsAndClaims),
    ({ items, claims }) => {
      const answers = items.map((item) => ({
        query: { policy: { allOf: [item] } },
        passed: passes(item, claims),
        at: 0,
      }));
      for (const claim of inferKnowledge(answers, { regex })) {
        const query = toKnownQuery(claim);
        if (query === undefined) continue;
        known += 1;
        expect(compile(query, { regex, limits: ANY_COST }).test(claims), JSON.stringify(claim)).toBe(true);
      }
    },
    600,
  );
  expect(known).toBeGreaterThan(200);
});
