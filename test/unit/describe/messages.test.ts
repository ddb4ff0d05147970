/** The messages of each language: complete, used, and distinct. The descriptions of the examples are files, for translators to check. */
import { describe, expect, it } from 'vitest';
import {
  describeFailures,
  describeQuery,
  MESSAGES,
  type Messages,
  renderDescription,
} from '../../../src/describe/index.js';
import {
  type CatalogueClaim,
  ClaimSet,
  compile,
  DEFAULT_CLAIMS,
  type JsonValue,
} from '../../../src/index.js';
import { argumentsOf } from '../../support/message-arguments.js';
import { QUERIES } from './queries.js';

const LANGUAGES = Object.keys(MESSAGES) as (keyof typeof MESSAGES)[];

const adult = { claim: 'identity.age', operator: '>=', value: 18 } as const;

/** All languages but English, whose labels are the display names of the catalogue. */
const TRANSLATIONS = LANGUAGES.filter((language) => language !== 'en');

const LOCALES = { en: 'en-GB', de: 'de', fr: 'fr', es: 'es', pt: 'pt', ar: 'ar' } as const;

/** The texts of a nested table, each with its path. */
function leaves(table: object, around = ''): readonly (readonly [name: string, text: string])[] {
  return Object.entries(table).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [[around + name, value] as const]
      : leaves(value as object, `${around}${name}/`),
  );
}

/** The arguments that a message reads, without numbers, which some languages need for plurals. */
function textArgumentsOf(message: string): readonly string[] {
  return argumentsOf(message).filter((name) => name !== 'number' && name !== 'count');
}

/** Checks of a claim with each operator, and with each of the claim's named values. */
function checksOf(claim: CatalogueClaim, messages: Messages): readonly object[] {
  const { path, type, values = [] } = claim;
  const named = Object.keys(messages.claims[path]?.values ?? {});
  const own: readonly JsonValue[] =
    type === 'boolean' ? [true, false] : type === 'enum' ? values : [...named, 'x', 'y'];
  const entries = type === 'integer' || type === 'number' ? [2, 3, 11, 100] : own;
  const bounds =
    type === 'date'
      ? ['2026-01-31', '2026-02-01']
      : type === 'datetime'
        ? ['2026-01-31T10:00:00Z']
        : // 18 and 21 are the ages that names of values state.
          [1, 2, 3, 11, 18, 21, 100];
  return [
    { claim: path, operator: 'isDefined' },
    ...entries.flatMap((value) =>
      ['==', '!=', 'contains'].map((operator) => ({ claim: path, operator, value })),
    ),
    ...bounds.flatMap((value) =>
      ['>', '>=', '<', '<='].map((operator) => ({ claim: path, operator, value })),
    ),
    ...['in', 'notIn'].map((operator) => ({ claim: path, operator, value: entries.slice(0, 2) })),
    ...['startsWith', 'matchRegex'].map((operator) => ({ claim: path, operator, value: 'a' })),
  ];
}

describe.each(LANGUAGES)('the messages in %s', (language) => {
  const messages: Messages = MESSAGES[language];
  const locale = LOCALES[language];

  it('describe the examples', async () => {
    const texts = Object.entries(QUERIES).map(
      ([name, query]) => `${name}\n${renderDescription(describeQuery(query, { locale }))}\n`,
    );
    await expect(texts.join('\n')).toMatchFileSnapshot(`examples/${language}.txt`);
  });

  it('give different checks different descriptions', () => {
    const checks = DEFAULT_CLAIMS.flatMap((claim) => checksOf(claim, messages));
    const queries = checks.flatMap((check) => [{ check }, { policy: { not: { check } } }]);
    const texts = new Map<string, unknown>();
    const repeated = queries.flatMap((query) => {
      const { text } = describeQuery(query, { locale }).learned;
      const other = texts.get(text);
      texts.set(text, query);
      return other === undefined ? [] : [[text, other, query]];
    });
    expect(repeated).toEqual([]);
  });

  it('are all used', () => {
    const used = new Set<string>();
    const recording = recordUse(messages, used);
    const options = { locale, messages: recording };
    for (const query of Object.values(QUERIES)) describeQuery(query, options);
    for (const claim of DEFAULT_CLAIMS)
      for (const check of checksOf(claim, messages)) {
        describeQuery({ check }, options);
        describeQuery({ policy: { not: { check } } }, options);
      }
    describeQuery({ check: { claim: 'club.a', operator: '==', value: false } }, options);
    describeQuery({ check: { claim: 'club.a', operator: '!=', value: false } }, options);
    const failing = [
      { claim: 'club.a', operator: '==', expectedValue: 1, passed: false },
      { claim: 'club.a', operator: '==', expectedValue: 1, actualValue: 1, passed: true },
    ];
    describeFailures({ passed: false, failing } as never, options);
    const alternatives = compile(
      {
        policy: {
          anyOf: [
            { allOf: [adult, { claim: 'kyc.passed', operator: '==', value: true }] },
            { claim: 'club.a', operator: '==', value: 1 },
          ],
        },
      },
      { catalogue: 'none' },
    );
    describeFailures(alternatives.check(ClaimSet.of({})), options);
    const unused = leaves(messages).filter(([name]) => !used.has(name));
    expect(unused).toEqual([]);
  });

  it('have the arguments of the English ones, all their claims, and no claim that the catalogue does not have', () => {
    const { claims: ownClaims, ...general } = messages;
    const { claims: englishClaims, ...english } = MESSAGES.en as Messages;
    const of = (table: object) => leaves(table).map(([name, message]) => [name, textArgumentsOf(message)]);
    const unknownClaims = Object.keys(ownClaims).filter(
      (path) => !DEFAULT_CLAIMS.some((claim) => claim.path === path),
    );
    expect(unknownClaims).toEqual([]);
    expect(of(general)).toEqual(of(english));
    expect(Object.keys(englishClaims).filter((path) => ownClaims[path] === undefined)).toEqual([]);
  });
});

describe.each(TRANSLATIONS)('the translation into %s', (language) => {
  const { claims }: Messages = MESSAGES[language];

  it('has a label for each claim of the default catalogue, and a name for each of its values', () => {
    const missing = DEFAULT_CLAIMS.flatMap(({ path, type, values = [] }) => {
      const { label, values: names = {} } = claims[path] ?? {};
      const required = type === 'boolean' ? ['true', 'false'] : type === 'enum' ? values : [];
      return [
        ...(label === undefined ? [path] : []),
        ...required.filter((name) => names[name] === undefined),
      ];
    });
    expect(missing).toEqual([]);
  });
});

/** Wraps a table, to record the names of the texts that are read. */
function recordUse<Table extends object>(table: Table, used: Set<string>, around = ''): Table {
  const copy = {};
  for (const [name, value] of Object.entries(table)) {
    const place = around + name;
    const inner = typeof value === 'object' ? recordUse(value as object, used, `${place}/`) : undefined;
    Object.defineProperty(copy, name, {
      enumerable: true,
      get: () => {
        if (inner === undefined) used.add(place);
        return inner ?? value;
      },
    });
  }
  return copy as Table;
}

describe('the direction of a description', () => {
  const directionOf = (locale: string) => {
    const own = MESSAGES.en;
    return describeQuery({ check: adult }, { locale, messages: own }).direction;
  };

  it.each([
    'ar',
    'he',
    'fa',
    'ur',
    'yi',
    'dv',
    'ckb',
    'ks',
    'syr',
    'nqo',
    'az-Arab',
    'pa-PK',
    'ff-Adlm',
    'en-Hebr',
  ])('is right to left for %s', (locale) => {
    expect(directionOf(locale)).toBe('rtl');
  });

  it.each(['en', 'de', 'pt-BR', 'az', 'ar-Latn', 'ur-Latn-PK', 'pa', 'sd-Deva', 'ja'])(
    'is left to right for %s',
    (locale) => {
      expect(directionOf(locale)).toBe('ltr');
    },
  );
});

it('the Arabic noun for two years has the case that its verb requires', () => {
  const age = (operator: string) => ({ claim: 'identity.age', operator, value: 2 });
  for (const operator of ['>=', '<=']) {
    const question = renderDescription(describeQuery({ check: age(operator) }, { locale: 'ar' }));
    expect(question).toContain('سنتان أو');
    const policy = compile({ check: age(operator) }, { catalogue: 'none' });
    const person = ClaimSet.of({ 'identity.age': operator === '>=' ? 1 : 3 });
    expect(describeFailures(policy.check(person), { locale: 'ar' }).join()).toContain('سنتين أو');
  }
});

/** Articles that contract with a preposition before them: “de el”, “de o”, “de le”. */
const CONTRACTED = { es: /^el /, pt: /^[oa]s? /, fr: /^les? / } as const;

it.each(Object.entries(CONTRACTED))(
  'labels in %s begin with no article that “de” contracts',
  (language, article) => {
    const messages: Messages = MESSAGES[language as keyof typeof CONTRACTED];
    const ownLabels = Object.values(messages.claims).flatMap(({ label }) => label ?? []);
    expect(ownLabels.length).toBeGreaterThan(30);
    const labels = [...ownLabels, ...Object.values(messages.labels)];
    expect(labels.filter((label) => article.test(label))).toEqual([]);
  },
);

describe('a boolean and a text that equals its name', () => {
  it.each(LANGUAGES)('have different descriptions in the language %s', (locale) => {
    const describeCheck = (operator: string, value: JsonValue) =>
      describeQuery({ check: { claim: 'gym.status', operator, value } }, { locale }).learned.text;
    const { values } = MESSAGES[locale];
    for (const [boolean, name] of [[true, values.true] as const, [false, values.false] as const]) {
      const text = name.replaceAll(/[„“”«»]/g, '').trim();
      for (const operator of ['==', 'contains'])
        expect(describeCheck(operator, text)).not.toBe(describeCheck(operator, boolean));
      expect(describeCheck('in', [text, 'other'])).not.toBe(describeCheck('in', [boolean, 'other']));
      expect(describeCheck('contains', text)).toContain(locale === 'en' ? `“${text}”` : `"${text}"`);
    }
  });
});

it('the names of a claim are found by its locale in upper and lower case', () => {
  const texts = {
    pt: { label: 'o seu nível' },
    'pt-BR': { label: 'seu nível' },
    'pt-ao': { label: 'o vosso nível' },
  };
  const claim = { path: 'gym.tier', type: 'string', scope: 'gym', sensitivity: 'low', texts } as const;
  const label = (locale: string) =>
    describeQuery(
      { projections: [{ claim: 'gym.tier', lens: 'pluck' }] },
      { locale, catalogue: { claims: [{ ...claim, description: 'Tier.' }] } },
    ).learned.text;
  expect(['pt-PT', 'pt-BR', 'pt-br', 'PT-BR', 'pt-AO', 'PT'].map(label)).toEqual([
    label('pt'),
    label('pt-BR'),
    label('pt-BR'),
    label('pt-BR'),
    label('pt-ao'),
    label('pt'),
  ]);
  expect(new Set(['pt', 'pt-BR', 'pt-ao'].map(label)).size).toBe(3);
});

it('what an answer does not disclose has no claim that another claim of the query reveals', () => {
  const codes = { claim: 'identity.address_postal_code', operator: 'in', value: ['1100-148', '1000-000'] };
  const address = { claim: 'identity.address_full', operator: '==', value: { postal_code: '1100-148' } };
  const hidden = (...allOf: readonly object[]) =>
    describeQuery({ policy: { allOf } }).notLearned.map(({ claim }) => claim);
  expect(hidden(codes)).toContain('identity.address_postal_code');
  expect(hidden(address, codes)).not.toContain('identity.address_postal_code');
});
