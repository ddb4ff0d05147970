/** Failing checks as sentences for the person: each operator, formats of values, and replaced messages. */
import { describe, expect, it } from 'vitest';
import {
  describeFacts,
  describeFailures,
  describeQuery,
  MESSAGES,
  type Messages,
} from '../../../src/describe/index.js';
import {
  type CatalogueClaim,
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

/** For each operator: an operand, a value that fails, a value that passes, and the sentences for the failing check and for its failing negation. */
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

  it('words the ordering of dates and date-times as “after” and “before”, in UTC', () => {
    const sinceSentences = (operator: string, value = '2008-01-01') =>
      sentences({ anyOf: [{ claim: 'club.since', operator, value }] }, { 'club.since': 0 });
    expect(['>', '>=', '<', '<='].flatMap((operator) => sinceSentences(operator))).toEqual([
      'Your since must be after 1 January 2008, 00:00 UTC.',
      'Your since must be 1 January 2008, 00:00 UTC or later.',
      'Your since must be before 1 January 2008, 00:00 UTC.',
      'Your since must be 1 January 2008, 00:00 UTC or earlier.',
    ]);
    expect(sinceSentences('>=', '2008-01-01T01:30:00+02:00')).toEqual([
      'Your since must be 31 December 2007, 23:30 UTC or later.',
    ]);
    const before = { claim: 'kyc.document_expiry_date', operator: '<', value: '2008-01-01' };
    expect(sentences({ not: before }, { 'kyc.document_expiry_date': '2007-01-01' })).toEqual([
      'Your document expiry date must be 1 January 2008 or later.',
    ]);
  });

  it('does not format a prefix as a date, nor an unknown country code as a country', () => {
    const prefix = { claim: 'club.since', operator: 'startsWith', value: '2008-01-01' };
    const country = { claim: 'identity.nationality', operator: 'in', value: ['PT', 'Portugal', 'toString'] };
    expect(sentences({ anyOf: [prefix, country] }, { 'club.since': '', 'identity.nationality': '' })).toEqual(
      [
        'Your since must start with “2008-01-01”, or you must be a national of Portugal, “Portugal” or “toString”.',
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
      'Your level must be recorded as yes.',
      'Your level must be recorded as no.',
      'Your level must be empty.',
      'Your level must be “”.',
      'Your level must be [].',
      'Your level must be ["a","b",3].',
      'Your level must be {"a":1}.',
      'Your level must be 1 January 2008.',
    ]);
  });

  it.each([
    ['a zero width space', '\u200b', '"gold\\u200b"'],
    ['a no-break space', '\u00a0', '"gold\\u00a0"'],
    ['a Hangul filler', '\u3164', '"gold\\u3164"'],
    ['a combining grapheme joiner', '\u034f', '"gold\\u034f"'],
    ['a variation selector', '\u{e0100}', '"gold\\udb40\\udd00"'],
    ['a blank Braille pattern', '\u2800', '"gold\\u2800"'],
  ])('escapes %s in an operand, which quotation marks do not show', (_name, character, shown) => {
    const check = { claim: 'club.tier', operator: '==', value: `gold${character}` };
    expect(sentences({ allOf: [check] }, { 'club.tier': 'gold' })).toEqual([`Your tier must be ${shown}.`]);
  });

  it('describes a list of one value as that value', () => {
    const check = { claim: 'identity.country_of_residence', operator: 'in', value: ['PT'] };
    expect(sentences({ allOf: [check] }, { 'identity.country_of_residence': 'FR' })).toEqual([
      'You must live in Portugal.',
    ]);
  });

  it.each([
    ['GB', 'the United Kingdom'],
    ['IM', 'the Isle of Man'],
    ['MP', 'the Northern Mariana Islands'],
    ['PT', 'Portugal'],
  ])('names the country or territory %s as “%s”', (value, name) => {
    const check = { claim: 'identity.country_of_residence', operator: '==', value };
    expect(sentences({ allOf: [check] }, { 'identity.country_of_residence': 'FR' })).toEqual([
      `You must live in ${name}.`,
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

  it('names two claims with the same name by their paths, so that neither requirement is lost', () => {
    const statuses = ['gym.status', 'library.status'].map((claim) => ({
      claim,
      operator: '==',
      value: 'active',
    }));
    const claims = { 'gym.status': 'paused', 'library.status': 'paused' };
    expect(sentences({ allOf: statuses }, claims)).toEqual([
      'Your status (“gym.status”) must be “active”.',
      'Your status (“library.status”) must be “active”.',
    ]);
    expect(sentences({ anyOf: statuses }, claims)).toEqual([
      'Your status (“gym.status”) must be “active”, or your status (“library.status”) must be “active”.',
    ]);
    expect(sentences({ allOf: statuses }, {})).toEqual([
      'We have no verified record of your status (“gym.status”).',
      'We have no verified record of your status (“library.status”).',
    ]);
  });

  it('writes alternatives as one sentence, so that they do not read as obligations', () => {
    const tier = { claim: 'gym.tier', operator: 'in', value: ['plus', 'elite'] };
    const visits = { claim: 'gym.visits', operator: '>=', value: 8 };
    const adult = { claim: 'identity.age', operator: '>=', value: 18 };
    const claims = { 'gym.tier': 'basic', 'gym.visits': 2, 'identity.age': 15 };
    expect(sentences({ allOf: [adult, { anyOf: [tier, visits] }] }, claims)).toEqual([
      'You must be 18 or older.',
      'Your tier must be “plus” or “elite”, or your visits must be at least 8.',
    ]);
    expect(sentences({ anyOf: [tier, { allOf: [adult, visits] }] }, claims)).toEqual([
      'Your tier must be “plus” or “elite”, or (you must be 18 or older, and your visits must be at least 8).',
    ]);
    expect(
      sentences({ anyOf: [tier, { allOf: [adult, { anyOf: [visits, { not: tier }] }] }] }, claims),
    ).toEqual(['Your tier must be “plus” or “elite”, or you must be 18 or older.']);
    const nested = {
      anyOf: [tier, { allOf: [adult, { anyOf: [visits, { claim: 'gym.age', operator: '>', value: 1 }] }] }],
    };
    expect(sentences(nested, claims)).toEqual([
      'Your tier must be “plus” or “elite”, or (you must be 18 or older, and (your visits must be at least 8, or your age (“gym.age”) must be more than 1 (we have no verified record of this))).',
    ]);
    // `not` of an `allOf` passes if one item fails, so its items are alternatives as well.
    const low = {
      not: {
        allOf: [
          { claim: 'gym.visits', operator: '<', value: 8 },
          { claim: 'gym.tier', operator: '==', value: 'basic' },
        ],
      },
    };
    expect(sentences(low, claims)).toEqual([
      'Your visits must be at least 8, or your tier must not be “basic”.',
    ]);
  });

  it('states what is required if the claim of an alternative is not defined, in every language', () => {
    const policy = {
      anyOf: [
        { claim: 'identity.age', operator: '>=', value: 18 },
        { claim: 'identity.country_of_residence', operator: '==', value: 'PT' },
        { claim: 'identity.email', operator: 'isDefined' },
      ],
    };
    const inLocale = (locale: string) =>
      sentences(policy, { 'identity.country_of_residence': 'DE' }, { locale });
    expect(Object.keys(MESSAGES).flatMap(inLocale)).toEqual([
      'You must be 18 or older (we have no verified record of this), or you must live in Portugal, or there must be a verified record of your e-mail address.',
      'Sie müssen 18 Jahre oder älter sein (nicht nachgewiesen), oder Ihr Wohnsitzland muss Portugal sein, oder Ihre E-Mail-Adresse muss nachgewiesen sein.',
      'Vous devez avoir 18 ans ou plus (nous n’en avons pas de preuve vérifiée), ou votre pays de résidence doit être Portugal, ou il doit exister une preuve vérifiée de votre adresse e-mail.',
      'Debe tener 18 años o más (no consta de forma verificada), o debe residir en Portugal, o debe constar de forma verificada su dirección de correo electrónico.',
      'Você deve ter 18 anos ou mais (não temos registro verificado disso), ou seu país de residência deve ser Portugal, ou deve haver um registro verificado de seu endereço de e-mail.',
      'يجب أن يكون عمرك 18 سنة أو أكثر (لا يوجد لدينا إثبات موثّق لذلك)، أو يجب أن يكون بلد إقامتك البرتغال، أو يجب أن يوجد إثبات موثّق عن بريدك الإلكتروني.',
    ]);
  });

  it('words booleans of a custom catalogue so that any claim name fits, in every language', () => {
    const claim = {
      path: 'gym.banned',
      type: 'boolean',
      scope: 'g',
      sensitivity: 'low',
      description: '',
    } as const;
    const policy = { not: { claim: 'gym.banned', operator: '==', value: true } };
    const only = { claim: 'gym.banned', operator: '==', value: false };
    const ban = (own: Partial<CatalogueClaim>, locale = 'en') => {
      const options = { catalogue: { claims: [{ ...claim, ...own }] }, locale };
      return [policy, { allOf: [only] }].flatMap((one) => sentences(one, { 'gym.banned': true }, options));
    };
    expect(ban({})).toEqual([
      'Your “banned” status must not be recorded as yes.',
      'Your “banned” status must be recorded as no.',
    ]);
    expect(ban({ displayName: 'ban' })[1]).toBe('Your ban must be recorded as no.');
    const texts = { en: { label: 'your ban', values: { true: 'active', false: 'lifted' } } };
    expect(ban({ texts })).toEqual(['Your ban must not be active.', 'Your ban must be lifted.']);
    expect(Object.keys(MESSAGES).map((locale) => ban({}, locale)[1])).toEqual([
      'Your “banned” status must be recorded as no.',
      'Ihre Angabe „banned“ muss als „nein“ erfasst sein.',
      'Votre donnée « banned » doit figurer comme « non ».',
      'Su dato «banned» debe constar como «no».',
      'Seu dado “banned” deve constar como “não”.',
      'يجب أن تكون قيمة بيانك «banned» المسجّلة «لا».',
    ]);
  });

  it('distinguishes a string from a value whose name has quotation marks, alone and in a list', () => {
    const text = (locale: string, claim: string, value: JsonValue) => {
      const operator = Array.isArray(value) ? 'in' : '==';
      return describeQuery({ check: { claim, operator, value } }, { locale }).learned.text;
    };
    expect([
      text('de', 'kyc.pep_status', true),
      text('de', 'kyc.pep_status', 'gegeben'),
      text('es', 'kyc.level', ['basic', 'none']),
      text('es', 'kyc.level', ['básico', 'ninguno']),
    ]).toEqual([
      'Ob Ihre politische Exponiertheit „gegeben“ ist.',
      'Ob Ihre politische Exponiertheit "gegeben" ist.',
      'Si su nivel de verificación de identidad es «básico» o «ninguno».',
      'Si su nivel de verificación de identidad es "básico" o "ninguno".',
    ]);
    const texts = { en: { label: 'your tier', values: { plus: '“Plus”' } } };
    const tier = { path: 'gym.tier', type: 'enum', values: ['plus'], scope: 'g', texts } as const;
    const catalogue = { claims: [{ ...tier, sensitivity: 'low', description: '' } as const] };
    const failing = (value: string) =>
      sentences({ allOf: [{ claim: 'gym.tier', operator: '==', value }] }, { 'gym.tier': '' }, { catalogue });
    expect([failing('plus'), failing('Plus')]).toEqual([
      ['Your tier must be “Plus”.'],
      ['Your tier must be "Plus".'],
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

  // S434
  it('rejects the content of a catalogue file, whose members have other names, and claims without a path', () => {
    const catalogue = { claims: [{ path: 'a.level', type: 'integer', display_name: 'rank' }] } as never;
    const message =
      '`display_name` is a member of catalogue files: a catalogue file must be passed to `parseCatalogue` first';
    const check = { claim: 'a.level', operator: '>=', value: 3 } as const;
    expect(() => sentences({ allOf: [check] }, {}, { catalogue })).toThrow(new TypeError(message));
    for (const describeIt of [describeQuery, describeFacts])
      expect(() => describeIt({ check }, { catalogue })).toThrow(new TypeError(message));
    for (const claims of [[1], [null]])
      expect(() => describeQuery({ check }, { catalogue: { claims } as never })).toThrow(
        'each of `claims` of the catalogue must be an object',
      );
    expect(() => describeQuery({ check }, { catalogue: { claims: [{}] } as never })).toThrow(
      new TypeError('`path` of each claim of the catalogue must be a string (got undefined)'),
    );
  });

  it('rejects the result of `evaluate`; the message says what to pass instead', () => {
    const policy = compile({ check: { claim: 'a.b', operator: '==', value: 1 } }, { catalogue: 'none' });
    const result = policy.evaluate(ClaimSet.of({}), { now: 0 });
    const required = '`outcome` must be the outcome that `check` of a compiled query returns';
    expect(() => describeFailures(result as never)).toThrow(`${required}, not that of \`evaluate\``);
    expect(() => describeFailures([] as never)).toThrow(`${required} (got an array)`);
  });

  it('rejects an invalid outcome, a missing message and an unknown placeholder', () => {
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
    expect(() => describeFailures(outcome('=='), claims('{claim, date}'))).toThrow(
      'the message `phrases.is` of `a.b` cannot be formatted (Invalid time value)',
    );
    expect(() => describeFailures(outcome('=='), claims('{claim'))).toThrow(
      'the message `phrases.is` of `a.b` must be valid ICU MessageFormat',
    );
    const misspelled = { 'a.b': { phrases: { atLeest: 'x' } } } as never;
    expect(() =>
      describeFailures(outcome('=='), { messages: { ...MESSAGES.en, claims: misspelled } }),
    ).toThrow('`phrases` of `a.b` must not have `atLeest`, which is not known. Did you mean `atLeast`?');
    const part = { ...MESSAGES.en, claim: {} };
    expect(() => describeFailures(outcome('=='), { messages: part })).toThrow('Did you mean `claims`?');
    const named = { ...MESSAGES.en, failures: { ...MESSAGES.en.failures, sentense: 'x' } };
    expect(() => describeFailures(outcome('=='), { messages: named })).toThrow('Did you mean `sentence`?');
    expect(() => describeFailures(outcome('=='), { locale: 'nl' })).toThrow(
      'without `messages`, the language of `locale` must be one of en, de, fr, es, pt, ar (got nl)',
    );
    expect(() => describeFailures(outcome('=='), { locale: 'x' })).toThrow('`locale` must be a BCP 47 tag');
  });
});
