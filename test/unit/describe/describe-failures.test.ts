/** Failing checks as sentences for the person: each operator, formats of values, and replaced messages. */
import { describe, expect, it } from 'vitest';
import { describeFailures, MESSAGES, type Messages } from '../../../src/describe/index.js';
import {
  ClaimSet,
  compile,
  type JsonValue,
  OPERATOR_NAMES,
  type OperatorName,
  re2js,
} from '../../../src/index.js';

const NOT_DEFINED = ['We have no verified record of your level.'];

/** The sentences for a policy on claims. */
function sentences(
  policy: unknown,
  claims: Readonly<Record<string, JsonValue>>,
  options?: Parameters<typeof describeFailures>[1],
): readonly string[] {
  const compiled = compile({ policy } as { policy: never }, { catalogue: 'none', regex: re2js });
  return describeFailures(compiled.check(ClaimSet.of(claims)), options);
}

/** For each operator: an operand, a value that fails, a value that passes, and both sentences. */
const CASES: Readonly<
  Record<Exclude<OperatorName, 'isDefined'>, readonly [JsonValue, JsonValue, JsonValue, string, string]>
> = {
  '==': [3, 4, 3, 'Your level must be 3.', 'Your level must not be 3.'],
  '!=': [3, 3, 4, 'Your level must not be 3.', 'Your level must be 3.'],
  '>': [3, 3, 4, 'Your level must be more than 3.', 'Your level must be at most 3.'],
  '>=': [3, 2, 3, 'Your level must be at least 3.', 'Your level must be less than 3.'],
  '<': [3, 3, 2, 'Your level must be less than 3.', 'Your level must be at least 3.'],
  '<=': [3, 4, 3, 'Your level must be at most 3.', 'Your level must be more than 3.'],
  in: [[3, 5, 7], 4, 5, 'Your level must be 3, 5 or 7.', 'Your level must not be 3, 5 or 7.'],
  notIn: [[3, 5], 5, 4, 'Your level must not be 3 or 5.', 'Your level must be 3 or 5.'],
  contains: ['a', [], ['a'], 'Your level must include “a”.', 'Your level must not include “a”.'],
  startsWith: ['a', 'b', 'ab', 'Your level must start with “a”.', 'Your level must not start with “a”.'],
  matchRegex: [
    '^a',
    'b',
    'ab',
    'Your level must have the required form.',
    'Your level must have another form.',
  ],
};

describe('describeFailures', () => {
  it.each(Object.entries(CASES))(
    'describes a check with %s: on a value, negated, and on a claim that is not defined',
    (operator, [value, failing, passing, unmet, negated]) => {
      const check = { claim: 'club.level', operator, value };
      expect(sentences({ allOf: [check] }, { 'club.level': failing })).toEqual([unmet]);
      expect(sentences({ allOf: [check] }, {})).toEqual(NOT_DEFINED);
      expect(sentences({ allOf: [check] }, { 'club.level': passing })).toEqual([]);
      expect(sentences({ not: check }, { 'club.level': passing })).toEqual([negated]);
    },
  );

  // L14
  it('describes a check with isDefined, and its negation', () => {
    const check = { claim: 'club.level', operator: 'isDefined' };
    expect(sentences({ allOf: [check] }, {})).toEqual(NOT_DEFINED);
    expect(sentences({ not: check }, { 'club.level': 3 })).toEqual([
      'There must be no verified record of your level.',
    ]);
    expect([...Object.keys(CASES), 'isDefined'].sort()).toEqual([...OPERATOR_NAMES].sort());
  });

  it('words an ordering of dates and of date-times as such, in UTC', () => {
    const born = (operator: string, value = '2008-01-01') =>
      sentences({ anyOf: [{ claim: 'club.since', operator, value }] }, { 'club.since': 0 });
    expect(['>', '>=', '<', '<='].flatMap((operator) => born(operator))).toEqual([
      'Your since must be after 1 January 2008, 00:00 UTC.',
      'Your since must be 1 January 2008, 00:00 UTC or later.',
      'Your since must be before 1 January 2008, 00:00 UTC.',
      'Your since must be 1 January 2008, 00:00 UTC or earlier.',
    ]);
    expect(born('>=', '2008-01-01T01:30:00+02:00')).toEqual([
      'Your since must be 31 December 2007, 23:30 UTC or later.',
    ]);
    const before = { claim: 'kyc.document_expiry_date', operator: '<', value: '2008-01-01' };
    expect(sentences({ not: before }, { 'kyc.document_expiry_date': '2007-01-01' })).toEqual([
      'Your document expiry date must be 1 January 2008 or later.',
    ]);
  });

  it('does not take a prefix or a country code that is none for what it resembles', () => {
    const prefix = { claim: 'club.since', operator: 'startsWith', value: '2008-01-01' };
    const country = { claim: 'identity.nationality', operator: 'in', value: ['PT', 'Portugal', 'toString'] };
    expect(sentences({ anyOf: [prefix, country] }, { 'club.since': '', 'identity.nationality': '' })).toEqual(
      [
        'Your since must start with “2008-01-01”.',
        'You must be a national of Portugal, “Portugal” or “toString”.',
      ],
    );
  });

  it('formats every kind of value', () => {
    const equals = (value: JsonValue) =>
      sentences({ allOf: [{ claim: 'club.level', operator: '==', value }] }, { 'club.level': 'x' });
    expect(
      [12345.678901, true, false, null, '', [], ['a', 'b', 3], { a: 1 }, '2008-01-01'].flatMap(equals),
    ).toEqual([
      'Your level must be 12,345.678901.',
      'Your level must be yes.',
      'Your level must be no.',
      'Your level must be empty.',
      'Your level must be “”.',
      'Your level must be [].',
      'Your level must be ["a","b",3].',
      'Your level must be {"a":1}.',
      'Your level must be 1 January 2008.',
    ]);
  });

  it('describes a list of one value as that value', () => {
    const check = { claim: 'identity.country_of_residence', operator: 'in', value: ['PT'] };
    expect(sentences({ allOf: [check] }, { 'identity.country_of_residence': 'FR' })).toEqual([
      'You must live in Portugal.',
    ]);
  });

  it('describes each failing check once, in document order, and none that passed', () => {
    const adult = { claim: 'identity.age', operator: '>=', value: 18 };
    const policy = {
      allOf: [
        adult,
        { claim: 'identity.date_of_birth', operator: '<=', value: '2000-01-01' },
        { claim: 'kyc.passed', operator: '==', value: true },
        { not: { claim: 'kyc.is_high_risk', operator: '==', value: true } },
        adult,
        { claim: 'identity.date_of_birth', operator: 'isDefined' },
      ],
    };
    const claims = { 'identity.age': 17, 'kyc.passed': true, 'kyc.is_high_risk': true };
    expect(sentences(policy, claims)).toEqual([
      'You must be 18 or older.',
      'We have no verified record of your date of birth.',
      'Your risk level must not be high.',
    ]);
  });

  it('takes labels from the messages, then from the catalogue, then from the claim path', () => {
    const check = { allOf: [{ claim: 'club.member_since', operator: 'isDefined' }] };
    const claim = {
      path: 'club.member_since',
      type: 'date',
      scope: 'c',
      sensitivity: 'low',
      description: '',
    };
    const catalogue = { claims: [{ ...claim, displayName: 'first day' } as const] };
    const claims = { 'club.member_since': { label: 'your date of entry' } };
    const texts = { en: { label: 'your first visit' } };
    const translated = { claims: [{ ...claim, displayName: 'first day', texts } as const] };
    expect([
      sentences(check, {}, { catalogue: { claims: [] } }),
      sentences(check, {}, { catalogue } as Parameters<typeof describeFailures>[1]),
      sentences(check, {}, { messages: { ...MESSAGES.en, claims } }),
      sentences(check, {}, { catalogue: translated } as Parameters<typeof describeFailures>[1]),
    ]).toEqual([
      ['We have no verified record of your member since.'],
      ['We have no verified record of your first day.'],
      ['We have no verified record of your date of entry.'],
      ['We have no verified record of your first visit.'],
    ]);
  });

  it('uses the messages of a claim before those of all claims', () => {
    const points = { path: 'club.points', type: 'integer', scope: 'c', sensitivity: 'low', description: '' };
    const messages: Messages = {
      ...MESSAGES.en,
      claims: {
        'club.points': {
          values: { 1000: 'a thousand' },
          phrases: { atLeast: 'you need {value} {number, plural, one {point} other {points}}' },
        },
      },
    };
    const options = { messages, catalogue: { claims: [points] } } as Parameters<typeof describeFailures>[1];
    const check = { claim: 'club.points', operator: '>=', value: 1000 };
    expect(sentences({ allOf: [check] }, { 'club.points': 1 }, options)).toEqual([
      'You need a thousand points.',
    ]);
    expect(sentences({ not: check }, { 'club.points': 1000 }, options)).toEqual([
      'Your points must be less than a thousand.',
    ]);
  });

  it('is available in every language', () => {
    const policy = { allOf: [{ claim: 'identity.age', operator: '>=', value: 18 }] };
    const inLocale = (locale: string) => sentences(policy, { 'identity.age': 17 }, { locale })[0];
    expect(Object.keys(MESSAGES).map(inLocale)).toEqual([
      'You must be 18 or older.',
      'Sie müssen 18 Jahre oder älter sein.',
      'Vous devez avoir 18 ans ou plus.',
      'Debe tener 18 años o más.',
      'Você deve ter 18 anos ou mais.',
      'يجب أن يكون عمرك 18 سنة أو أكثر.',
    ]);
  });

  it('rejects what is no outcome, a missing message and an unknown placeholder', () => {
    const outcome = (operator: string) => ({
      passed: false,
      failing: [{ claim: 'a.b', operator, expectedValue: 1, actualValue: 2, passed: false }] as never,
    });
    expect(() => describeFailures(outcome('=>'))).toThrow(
      'each of `failing` must be the result of a check (got an object)',
    );
    const messages = { ...MESSAGES.en, phrases: {} } as unknown as Messages;
    expect(() => describeFailures(outcome('=='), { messages })).toThrow(
      'the message `phrases.is` must be a string (got undefined)',
    );
    const claims = (is: string) => ({ messages: { ...MESSAGES.en, claims: { 'a.b': { phrases: { is } } } } });
    expect(() => describeFailures(outcome('=='), claims('{clam}'))).toThrow(
      'arguments of the message `phrases.is` of `a.b` must be among {claim}, {value}, {number}, {form}',
    );
    expect(() => describeFailures(outcome('=='), claims('{claim'))).toThrow(
      'the message `phrases.is` of `a.b` must be valid ICU MessageFormat',
    );
    expect(() => describeFailures(outcome('=='), { locale: 'nl' })).toThrow(
      'without `messages`, the language of `locale` must be one of en, de, fr, es, pt, ar (got nl)',
    );
    expect(() => describeFailures(outcome('=='), { locale: 'x' })).toThrow('`locale` must be a BCP 47 tag');
  });
});
