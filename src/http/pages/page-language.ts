/** The language of a page: chosen by the person's preferences, with its messages and formats (S380, S381). */

import { dateFormats } from '../../describe/intl-formatters.js';
import { type Language, own, textsIn, toLanguage } from '../../describe/language.js';
import { formatMessage, formatMessageToParts } from '../../describe/message-formatter.js';
import { type Direction, isolate } from '../../describe/quote.js';
import { DEFAULT_SCOPES, type ScopeTexts } from '../../engine/index.js';
import type { ServiceCatalogue } from '../../service/index.js';
import { type Html, html } from './page.js';
import { type MessageName, PAGE_TEXTS, type PageLanguageName, type PageTexts } from './page-texts.js';

/** The languages of the pages, as in `ui_locales_supported`. */
export const PAGE_LANGUAGES = Object.keys(PAGE_TEXTS) as readonly PageLanguageName[];

/** The language of a person without a preference that the pages support. */
const DEFAULT_TAG = 'en-GB';

/** Matches a language, an optional script, and an optional region. The region determines formats. */
const TAG = /^([a-z]{2})(?:-[a-z]{4})?(?:-([a-z]{2}))?(?:-|$)/i;

/** Maximum number of preferences that are read. */
const MAX_PREFERENCES = 20;

/** The texts and formats of one language and region. */
export class PageLanguage {
  readonly #language: Language;
  readonly #texts: PageTexts;
  readonly #isRequested: boolean;

  /** @param isRequested - Whether a parameter, such as `ui_locales`, names this language, and not only `Accept-Language`. */
  constructor(locale: string, name: PageLanguageName, isRequested: boolean) {
    this.#language = toLanguage({ locale });
    this.#texts = PAGE_TEXTS[name];
    this.#isRequested = isRequested;
  }

  /** The BCP 47 tag: `lang` of the page, and the `locale` of descriptions. */
  get locale(): string {
    return this.#language.locale;
  }

  get direction(): Direction {
    return this.#language.direction;
  }

  /** The language, for descriptions. */
  get language(): Language {
    return this.#language;
  }

  /** Adds `ui_locales` to a path of the service if the language was requested. @param path - With or without a query string. */
  keepIn(path: string): string {
    if (!this.#isRequested) return path;
    return `${path}${path.includes('?') ? '&' : '?'}ui_locales=${this.locale}`;
  }

  /** Returns a message as text. String values are isolated from the direction of the surrounding text. */
  text(name: MessageName, values: Readonly<Record<string, string | number>> = {}): string {
    const isolated = Object.entries(values).map(([key, value]) => [
      key,
      typeof value === 'string' ? isolate(value, this.direction) : value,
    ]);
    return formatMessage(
      `${name}`,
      this.#texts.messages[name],
      this.locale,
      Object.fromEntries(isolated) as typeof values,
    );
  }

  /** Returns a message that contains markup. */
  html(name: MessageName, values: Readonly<Record<string, number | Html>>): Html {
    const parts = formatMessageToParts(name, this.#texts.messages[name], this.locale, values);
    return html`${parts.map((part) => html`${part}`)}`;
  }

  /**
   * Returns the texts of a scope: those of the catalogue in this language, otherwise translations of the default texts, otherwise the
   * catalogue's own.
   */
  scope(name: string, { findScope }: ServiceCatalogue): ScopeTexts {
    const scope = findScope(name);
    if (scope === undefined) return { displayName: name, description: '' };
    const texts = textsIn(this.#language, scope.texts);
    return texts ?? (isDefault(name, scope) ? own(this.#texts.scopes, name) : undefined) ?? scope;
  }

  /** Renders the day of an instant, in UTC. @param at - Epoch milliseconds. */
  day(at: number): Html {
    const day = dateFormats.get(this.locale, { dateStyle: 'long', calendar: 'gregory', timeZone: 'UTC' });
    return html`<time datetime="${new Date(at).toISOString()}">${day.format(at)}</time>`;
  }
}

/** Whether a scope has the texts of the default catalogue, which are translated. */
function isDefault(name: string, { displayName, description }: ScopeTexts): boolean {
  return DEFAULT_SCOPES.some(
    (scope) => scope.name === name && scope.displayName === displayName && scope.description === description,
  );
}

/** Languages by tag, bounded, since callers choose the tag. */
const LANGUAGES = new Map<string, PageLanguage>();
const MAX_LANGUAGES = 256;

/**
 * Returns the first supported language of the preferences, otherwise of the header, otherwise English. Never throws.
 *
 * @param preferences - Values of `ui_locales` (OpenID Connect Core §3.1.2.1), the most important first.
 * @param acceptLanguage - The header of the request (RFC 9110 §12.5.4).
 */
export function chooseLanguage(
  preferences: readonly (string | undefined)[],
  acceptLanguage: string | undefined,
): PageLanguage {
  const requested = preferences.flatMap((list) => (list ?? '').split(' ', MAX_PREFERENCES));
  return (
    findLanguage(requested, true) ??
    findLanguage(acceptedTags(acceptLanguage ?? ''), false) ??
    toPageLanguage(DEFAULT_TAG, 'en', false)
  );
}

/** Returns the first supported language. */
function findLanguage(tags: readonly string[], isRequested: boolean): PageLanguage | undefined {
  for (const tag of tags) {
    const [, subtag = '', region = ''] = TAG.exec(tag) ?? [];
    const name = PAGE_LANGUAGES.find((language) => language === subtag.toLowerCase());
    if (name !== undefined)
      return toPageLanguage(region === '' ? name : `${name}-${region.toUpperCase()}`, name, isRequested);
  }
  return undefined;
}

function toPageLanguage(tag: string, name: PageLanguageName, isRequested: boolean): PageLanguage {
  const key = `${tag} ${isRequested}`;
  const found = LANGUAGES.get(key);
  if (found !== undefined) return found;
  // The locale that the formatters support: unknown regions share the formatters of one locale.
  const { locale } = new Intl.DateTimeFormat(tag).resolvedOptions();
  const created = new PageLanguage(locale, name, isRequested);
  if (LANGUAGES.size === MAX_LANGUAGES) LANGUAGES.clear();
  LANGUAGES.set(key, created);
  return created;
}

/** Returns the languages of the header `Accept-Language`, by descending weight. */
function acceptedTags(header: string): readonly string[] {
  return header
    .split(',', MAX_PREFERENCES)
    .map((entry) => {
      const [tag = '', ...parameters] = entry.split(';').map((part) => part.trim());
      const weight = parameters.find((parameter) => /^q=/i.test(parameter));
      return { tag, weight: weight === undefined ? 1 : Number(weight.slice(2)) };
    })
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight)
    .map(({ tag }) => tag);
}
