/** A language for descriptions: its messages, the tag by which values are formatted, and its direction. */
import { joinNames, quote, suggestion } from '../engine/names.js';
import { assertObject, wrongType } from '../engine/value-types.js';
import { ARABIC } from './locales/ar.js';
import { GERMAN } from './locales/de.js';
import { ENGLISH } from './locales/en.js';
import { SPANISH } from './locales/es.js';
import { FRENCH } from './locales/fr.js';
import { PORTUGUESE } from './locales/pt.js';
import { type Messages, PHRASE_NAMES } from './messages.js';
import type { Direction } from './quote.js';

/** The built-in messages of each supported language, by its BCP 47 language subtag. */
export const MESSAGES = {
  en: ENGLISH,
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  pt: PORTUGUESE,
  ar: ARABIC,
} as const satisfies Readonly<Record<string, Messages>>;

/** The default of `locale`: dates as in `31 January 2026`. */
const DEFAULT_LOCALE = 'en-GB';

/** The options that choose the language of a description. */
export interface LanguageOptions {
  /**
   * BCP 47 tag of the reader's language, in which lists, numbers, dates and countries are formatted. Defaults to
   * `en-GB`. Without `messages`, its language must be one of {@link MESSAGES}.
   */
  readonly locale?: string;
  /** The messages of that language. */
  readonly messages?: Messages;
}

/** The names of the options that all descriptions have. */
export const DESCRIPTION_OPTIONS = ['catalogue', 'locale', 'messages'];

/** A language, with everything that depends on it. */
export interface Language {
  readonly locale: string;
  /** The language subtag of the locale. */
  readonly language: string;
  readonly direction: Direction;
  readonly messages: Messages;
}

/** Scripts in use that are written from right to left, by their ISO 15924 code. */
const RIGHT_TO_LEFT: readonly (string | undefined)[] = [
  'Adlm',
  'Arab',
  'Aran',
  'Hebr',
  'Mand',
  'Nkoo',
  'Rohg',
  'Samr',
  'Syrc',
  'Thaa',
  'Yezi',
];

/**
 * Returns the language of a description.
 *
 * @throws {RangeError} When the locale is not a BCP 47 tag, or there are no messages for it.
 * @throws {TypeError} When an option has another type, or `messages` has an unknown name.
 */
export function toLanguage({ locale = DEFAULT_LOCALE, messages }: LanguageOptions): Language {
  if (typeof locale !== 'string') throw wrongType('`locale`', 'a BCP 47 tag', locale);
  if (messages !== undefined) {
    assertObject('`messages`', messages);
    for (const part of Object.keys(ENGLISH)) assertObject(`\`${part}\` of \`messages\``, messages[part]);
    assertKnownMessages(messages);
  }
  const parsed = parseLocale(locale);
  const { language } = parsed;
  const found = messages ?? own(MESSAGES, language);
  if (found === undefined) {
    const known = Object.keys(MESSAGES).join(', ');
    throw new RangeError(
      `without \`messages\`, the language of \`locale\` must be one of ${known} (got ${locale})`,
    );
  }
  // If the tag has no script, `maximize` adds the most likely one for its language and region.
  const direction = RIGHT_TO_LEFT.includes(parsed.maximize().script) ? 'rtl' : 'ltr';
  return { locale, language, direction, messages: found };
}

const CLAIM_MEMBERS = ['label', 'values', 'phrases'];

/** @throws {TypeError} For a message that no description uses: a misspelled one would have no effect. */
function assertKnownMessages(messages: Messages): void {
  assertKnownNames('`messages`', messages, Object.keys(ENGLISH));
  const { claims, ...general } = messages;
  for (const part of Object.keys(general) as (keyof typeof general)[])
    assertKnownNames(`\`${part}\` of \`messages\``, general[part], Object.keys(ENGLISH[part]));
  for (const [path, texts] of Object.entries(claims)) {
    const argument = `the messages of \`${path}\``;
    assertObject(argument, texts);
    assertKnownNames(argument, texts, CLAIM_MEMBERS);
    const phrases = claims[path]?.phrases;
    if (phrases !== undefined) assertKnownNames(`\`phrases\` of \`${path}\``, phrases, PHRASE_NAMES);
  }
}

function assertKnownNames(argument: string, texts: object, known: readonly string[]): void {
  for (const name of Object.keys(texts)) {
    if (known.includes(name)) continue;
    const hint = suggestion(name, known) || ` Known are ${joinNames(known, 'and')}.`;
    throw new TypeError(`${argument} must not have ${quote(name)}, which is not known.${hint}`);
  }
}

function parseLocale(locale: string): Intl.Locale {
  try {
    return new Intl.Locale(locale);
  } catch {
    throw new RangeError(
      `\`locale\` must be a BCP 47 tag, such as \`pt-BR\` (got ${JSON.stringify(locale)})`,
    );
  }
}

/** Returns an own member of a table; inherited ones are ignored. */
export function own<Value>(
  table: Readonly<Record<string, Value>> | undefined,
  name: string,
): Value | undefined {
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Returns the texts for the locale, or else for its language subtag, from a table by BCP 47 tags, which are case-insensitive. */
export function textsIn<Texts>(
  { locale, language }: Pick<Language, 'locale' | 'language'>,
  texts: Readonly<Record<string, Texts>> = {},
): Texts | undefined {
  const find = (tag: string) => Object.entries(texts).find(([key]) => key.toLowerCase() === tag)?.[1];
  return find(locale.toLowerCase()) ?? find(language);
}
