/** The texts of the pages: complete in each language, with the same arguments; and the choice of the language (S380, S382). */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { MESSAGES } from '../../../src/describe/index.js';
import { DEFAULT_CLAIMS, DEFAULT_SCOPES } from '../../../src/engine/index.js';
import { chooseLanguage, PAGE_LANGUAGES } from '../../../src/http/pages/page-language.js';
import { type MessageName, PAGE_TEXTS } from '../../../src/http/pages/page-texts.js';
import { createServiceCatalogue } from '../../../src/service/index.js';
import { argumentsOf, pluralsOf } from '../../support/message-arguments.js';

const HTTP = fileURLToPath(new URL('../../../src/http', import.meta.url));
const SOURCE = readdirSync(HTTP, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !path.includes('locales'))
  .map((path) => readFileSync(`${HTTP}/${path}`, 'utf8'))
  .join('\n');

/** Messages that are the same as in English. */
const SAME: readonly string[] = ['es learned.no', 'fr consent.minutes', 'es sensitivity.medium'];

/** The punctuation of a label, which differs from English in French only. */
const LABELED = 'page.labeled';

const NAMES = Object.keys(PAGE_TEXTS.en.messages) as MessageName[];
const TRANSLATIONS = PAGE_LANGUAGES.filter((language) => language !== 'en');

// S382
describe('the messages of the pages', () => {
  it('exist in the languages of descriptions', () => {
    expect(PAGE_LANGUAGES).toEqual(Object.keys(MESSAGES));
  });

  it('are used', () => {
    const built = /^(?:sensitivity|expired|denied|answered|revoked)\./;
    const unused = NAMES.filter((name) => !SOURCE.includes(`'${name}'`) && !built.test(name));
    expect(unused).toEqual([]);
  });

  it.each(TRANSLATIONS)('are translated to %s, with the arguments of the English ones', (language) => {
    const { messages } = PAGE_TEXTS[language];
    expect(Object.keys(messages)).toEqual(NAMES);
    for (const name of NAMES) {
      expect([name, argumentsOf(messages[name])]).toEqual([name, argumentsOf(PAGE_TEXTS.en.messages[name])]);
      const isSame = messages[name] === PAGE_TEXTS.en.messages[name];
      expect([name, isSame && name !== LABELED && !SAME.includes(`${language} ${name}`)]).toEqual([
        name,
        false,
      ]);
    }
  });

  it.each(PAGE_LANGUAGES)('have each plural form of %s', (language) => {
    const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions();
    // No form is needed for zero or, in languages other than Arabic, for `many` (multiples of a million): pages do not show these numbers.
    const required = pluralCategories.filter(
      (category) => category !== 'zero' && !(category === 'many' && language !== 'ar'),
    );
    for (const [name, message] of Object.entries(PAGE_TEXTS[language].messages))
      for (const forms of pluralsOf(message))
        expect([name, required.filter((form) => !forms.includes(form))]).toEqual([name, []]);
  });

  it.each(TRANSLATIONS)('include each scope and claim of the default catalogue in %s', (language) => {
    const { scopes } = PAGE_TEXTS[language];
    expect(Object.keys(scopes).sort()).toEqual(DEFAULT_SCOPES.map(({ name }) => name).sort());
    for (const { name, displayName, description } of DEFAULT_SCOPES) {
      expect(scopes[name]?.displayName).not.toBe(displayName);
      expect(scopes[name]?.description).not.toBe(description);
    }
    const labels = MESSAGES[language].claims;
    expect(DEFAULT_CLAIMS.filter(({ path }) => labels[path]?.label === undefined)).toEqual([]);
  });
});

describe('the texts of a scope', () => {
  const scope = {
    name: 'club',
    category: 'club',
    sensitivity: 'low',
    displayName: 'Club',
    description: 'Your membership.',
    texts: { de: { displayName: 'Verein', description: 'Ihre Mitgliedschaft.' } },
  } as const;
  const openid = { ...scope, name: 'openid', texts: {} };
  const catalogue = createServiceCatalogue({ scopes: [scope, openid], claims: [], presets: [] });
  const german = chooseLanguage(['de-AT'], undefined);

  // S382
  it('are those of the catalogue in the language of the page, or else those without a language', () => {
    expect(german.scope('club', catalogue)).toEqual(scope.texts.de);
    expect(chooseLanguage(['fr'], undefined).scope('club', catalogue).displayName).toBe('Club');
  });

  it('are not the translations of the default catalogue, where a deployment has its own text', () => {
    expect(german.scope('openid', catalogue).displayName).toBe('Club');
    expect(german.scope('openid', createServiceCatalogue()).displayName).toBe('Sie anmelden');
  });
});

// S380
describe('the language', () => {
  it.each([
    [['pt-BR en'], 'de', 'pt-BR'],
    [['xx de-CH'], 'fr', 'de-CH'],
    [[undefined, 'es-419'], 'fr', 'es'],
    [[undefined], 'nl, fr-CA;q=0.8, ar;q=0.9', 'ar'],
    [[undefined], 'de;q=0, fr', 'fr'],
    [[], 'en-US,en;q=0.5', 'en-US'],
    [[], 'de-XX', 'de'],
    [[], '*', 'en-GB'],
    [[], undefined, 'en-GB'],
    [['__proto__ constructor'], ';;;q=x,,', 'en-GB'],
  ] as const)('of %j and Accept-Language %j is %s', (preferences, accepted, locale) => {
    expect(chooseLanguage(preferences, accepted).locale).toBe(locale);
  });

  it('is kept by the paths of links if `ui_locales` has it, and not if only the browser has it', () => {
    expect(chooseLanguage(['pt-BR'], 'de').keepIn('/grants')).toBe('/grants?ui_locales=pt-BR');
    expect(chooseLanguage(['ar'], 'ar').keepIn('/sign-in?prompt=login')).toBe(
      '/sign-in?prompt=login&ui_locales=ar',
    );
    expect(chooseLanguage(['xx'], 'ar').keepIn('/grants')).toBe('/grants');
    expect(chooseLanguage([], undefined).keepIn('/grants')).toBe('/grants');
  });

  it('has few locales over all regions, so that the number of cached objects is bounded', () => {
    const regions = Array.from({ length: 676 }, (_, index) =>
      String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26)),
    );
    const locales = new Set(regions.map((region) => chooseLanguage([`de-${region}`], undefined).locale));
    expect(locales.size).toBeLessThan(20);
  });
});
