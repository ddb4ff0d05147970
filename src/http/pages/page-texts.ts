/** The texts of the pages, in each language: messages in ICU MessageFormat, and the scopes of the default catalogue. */
import type { MESSAGES } from '../../describe/index.js';
import { DEFAULT_SCOPES, type ScopeTexts } from '../../engine/index.js';
import { ARABIC } from './locales/ar.js';
import { GERMAN } from './locales/de.js';
import { ENGLISH_MESSAGES } from './locales/en.js';
import { SPANISH } from './locales/es.js';
import { FRENCH } from './locales/fr.js';
import { PORTUGUESE } from './locales/pt.js';

/** The name of a message: its page or topic, a period, and a word for its content. */
export type MessageName = keyof typeof ENGLISH_MESSAGES;

/** The texts in one language. */
export interface PageTexts {
  readonly messages: Readonly<Record<MessageName, string>>;
  /** Translations of the scopes of the default catalogue, by name. */
  readonly scopes: Readonly<Record<string, ScopeTexts>>;
}

/** The BCP 47 subtag of a language of the pages. Descriptions of queries have the same languages. */
export type PageLanguageName = keyof typeof MESSAGES;

/** The texts by language. */
export const PAGE_TEXTS: Readonly<Record<PageLanguageName, PageTexts>> = {
  en: {
    messages: ENGLISH_MESSAGES,
    scopes: Object.fromEntries(DEFAULT_SCOPES.map((scope) => [scope.name, scope])),
  },
  de: GERMAN,
  fr: FRENCH,
  es: SPANISH,
  pt: PORTUGUESE,
  ar: ARABIC,
};
