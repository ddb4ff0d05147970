/** What is known about a claim, as a query that passes on every possible value, and in words (L12–L19). */
import { describe, expect, it } from 'vitest';
import { type Answer, inferKnowledge, toKnownQuery } from '../../src/analysis/index.js';
import { describeFacts } from '../../src/describe/index.js';
import {
  ClaimSet,
  DEFAULT_CLAIMS,
  type JsonValue,
  type OperatorName,
  type PolicyItem,
} from '../../src/index.js';
import { compile } from '../support/with-re2js.js';

function answer(claim: string, operator: OperatorName, value: JsonValue, passed: boolean): Answer {
  return { query: { check: { claim, operator, value } }, passed, at: 0 };
}

/** Returns whether a query passes on a value. An absent query passes on every value. */
function passesOn(query: PolicyItem | undefined, claim: string, value: JsonValue): boolean {
  return query === undefined || compile(query).test(ClaimSet.of({ [claim]: value }));
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
  ])('follow from the answers %j', (answers, expected) => {
    expect(statements(...(answers as readonly Answer[]))).toEqual(expected);
  });

  it('are empty if nothing is known', () => {
    expect(statements(answer(AGE, 'contains', 18, false))).toEqual([]);
  });

  it('require a check or a policy, not projections', () => {
    const query = { projections: [{ claim: AGE, lens: 'pluck' }] };
    expect(() => describeFacts(query)).toThrow('facts require a check or a policy, not projections');
  });
});

describe('the query of what is known about a claim', () => {
  // S366
  it.each(['datetime', 'string'] as const)(
    'passes on every spelling of the only possible instant of a claim of type %s',
    (type) => {
      const at = '2026-01-01T00:00:00.000Z';
      const bounds = (['>=', '<='] as const).map((operator) => ({ claim: 'k.t', operator, value: at }));
      const answers = bounds.map((check): Answer => ({ query: { check }, passed: true, at: 0 }));
      const [known] = inferKnowledge(answers);
      expect(known && toKnownQuery(known, { type })).toEqual({
        policy: { allOf: bounds.map((check) => ({ check })) },
      });
    },
  );

  // S366
  it('excludes the arrays that a claim does not equal, except those that elements exclude', () => {
    const queryOf = (...answers: readonly Answer[]) => {
      const [known] = inferKnowledge(answers);
      return known && toKnownQuery(known, { type: 'array' });
    };
    expect(queryOf(answer('k.a', '!=', ['x'], true))).toEqual({
      check: { claim: 'k.a', operator: '!=', value: ['x'] },
    });
    expect(queryOf(answer('k.a', 'in', [['x'], ['y']], false))).toEqual({
      policy: { not: { check: { claim: 'k.a', operator: 'in', value: [['x'], ['y']] } } },
    });
    const contains = answer('k.a', 'contains', 'x', true);
    expect(queryOf(contains, answer('k.a', 'notIn', [['x'], ['y']], true))).toEqual({
      policy: {
        allOf: [
          { check: { claim: 'k.a', operator: '!=', value: ['x'] } },
          { check: { claim: 'k.a', operator: 'contains', value: 'x' } },
        ],
      },
    });
  });

  // S366
  it('compares instants only if no other string is possible', () => {
    const [known] = inferKnowledge([
      answer('k.t', '>=', '2026-01-01', false),
      { query: { check: { claim: 'k.t', operator: 'isDefined' } }, passed: true, at: 0 },
    ]);
    if (known === undefined) throw new Error('nothing is known');
    for (const type of ['string', 'enum'] as const)
      expect(passesOn(toKnownQuery(known, { type }), 'k.t', 'hello')).toBe(true);
    const dates = toKnownQuery(known, { type: 'datetime' });
    expect(passesOn(dates, 'k.t', '2026-01-01T00:00:00Z')).toBe(false);
    expect(passesOn(dates, 'k.t', '2025-12-31T23:59:59+01:00')).toBe(true);
  });

  // S366
  it('passes on a possible value that is not a date, in addition to a range of instants', () => {
    const after = { claim: 'k.t', operator: '>', value: '2026-01-01' } as const;
    const either = { policy: { anyOf: [{ claim: 'k.t', operator: '==', value: 'hello' }, after] } };
    const [known] = inferKnowledge([
      { query: either, passed: true, at: 0 },
      answer('k.t', '<=', '2026-01-01', false),
    ]);
    const query = known && toKnownQuery(known, { type: 'string' });
    const values = ['hello', '2026-02-01', '2025-02-01', 'other'];
    expect(values.map((value) => passesOn(query, 'k.t', value))).toEqual([true, true, false, false]);
  });

  // S366
  it.each([
    [2 ** 53, 2 ** 53 + 2],
    [2 ** 53 + 2, 2 ** 53 + 4],
    [-(2 ** 53) - 2, -(2 ** 53)],
  ])('passes on the integers %d and %d, between which there is no double', (low, high) => {
    const checks = [
      { claim: 'k.n', operator: '<=', value: low },
      { claim: 'k.n', operator: '>=', value: high },
    ];
    const [known] = inferKnowledge([{ query: { policy: { anyOf: checks } }, passed: true, at: 0 }]);
    const query = known && toKnownQuery(known, { type: 'integer' });
    expect([low, high].map((value) => passesOn(query, 'k.n', value))).toEqual([true, true]);
  });

  // S366
  it.each(['date', 'datetime', 'string'] as const)(
    'omits a bound beyond the year 9999 of a claim of type %s',
    (type) => {
      const last = '9999-12-31T23:59:59.999Z';
      const [known] = inferKnowledge([
        answer('k.t', '<=', last, false),
        answer('k.t', 'startsWith', '', true),
        answer('k.t', 'in', [last], false),
      ]);
      const query = known && toKnownQuery(known, { type });
      expect(passesOn(query, 'k.t', '9999-12-31T23:59:59.999-00:01')).toBe(true);
    },
  );
});
