/** Formats operands in one language, so that each can be read back: no two operands of different meaning have the same text. */
import { fitsClaimType } from '../engine/claims/claim-type.js';
import { type CatalogueClaim, type JsonValue, parseInstant } from '../engine/index.js';
import { MS_PER_MINUTE, MS_PER_SECOND } from '../util/time.js';
import type { ClaimNames } from './claim-names.js';
import { dateFormats, listFormats, numberFormats } from './intl-formatters.js';
import type { Language } from './language.js';
import { formatMessage } from './message-formatter.js';
import type { Messages } from './messages.js';
import { isClean, isolate, isolateCode, toVisibleJson } from './quote.js';

/** A bare date of the years 1000 to 9999. Dates of earlier years are quoted as they are. */
const DATE = /^[1-9]\d{3}-\d{2}-\d{2}$/;
const FIRST_FORMATTED_INSTANT = Date.UTC(1000, 0, 1);
const LAST_FORMATTED_INSTANT = Date.UTC(9999, 11, 31);

/** Numbers from this one, and less than {@link MOST_DECIMAL}, are formatted without an exponent. */
const LEAST_DECIMAL = 1e-3;
const MOST_DECIMAL = 1e21;
/** Fraction digits that suffice for every number in these notations. */
const ALL_DIGITS = 20;

/** Formats values in one language. */
export class ValueFormatter {
  readonly #names: ClaimNames;
  readonly #language: Language;

  constructor(names: ClaimNames, language: Language) {
    this.#names = names;
    this.#language = language;
  }

  /** Formats a value that a claim is compared with. */
  value(value: JsonValue, claim: CatalogueClaim | undefined): string {
    return this.#value(value, claim, claim !== undefined && fitsClaimType(value, claim));
  }

  /**
   * Formats a list of which one entry suffices: the operand of `in` and `notIn`. Names are used if all entries have
   * the claim's type, since a name may resemble another value.
   */
  alternatives(values: readonly JsonValue[], claim: CatalogueClaim | undefined): string {
    if (values.length === 0) return this.#message('noValues');
    const list = listFormats.get(this.#language.locale, { type: 'disjunction' });
    const areOfType = claim !== undefined && values.every((value) => fitsClaimType(value, claim));
    return list.format(values.map((value) => this.#value(value, claim, areOfType)));
  }

  /** Formats the operand of an ordering: a number, or an instant. For a claim without times, the day suffices. */
  bound(value: JsonValue, claim: CatalogueClaim | undefined): string {
    const instant = typeof value === 'string' ? parseInstant(value) : undefined;
    if (instant === undefined || (claim?.type === 'date' && DATE.test(String(value))))
      return this.value(value, claim);
    const isCommon = instant >= FIRST_FORMATTED_INSTANT && instant <= LAST_FORMATTED_INSTANT;
    return isCommon ? this.#instant(instant) : this.text(String(value));
  }

  /** Quotes a text as it is. Unlike {@link value}, does not format a text that looks like a date: a prefix or a pattern is no date. */
  text(text: string): string {
    return isClean(text) ? isolate(this.#quoted(text), this.#language.direction) : this.code(text);
  }

  /** Formats a value as JSON. */
  code(value: JsonValue): string {
    return isolateCode(toVisibleJson(value), this.#language.direction);
  }

  /** Formats a list whose entries all apply. */
  list(texts: readonly string[]): string {
    return listFormats.get(this.#language.locale, { type: 'conjunction' }).format(texts);
  }

  #value(value: JsonValue, claim: CatalogueClaim | undefined, isOfType: boolean): string {
    if (typeof value === 'object' && value !== null) return this.code(value);
    const typed = isOfType ? claim : undefined;
    const name = typed && this.#names.valueName(typed, value);
    if (name !== undefined) return name;
    if (value === null) return this.#message('null');
    if (typeof value === 'boolean') return this.#message(value ? 'true' : 'false');
    if (typeof value === 'number') return this.#number(value, typed?.format);
    if (DATE.test(value) && parseInstant(value) !== undefined) return this.#date(value);
    // Most languages write booleans, and some languages other names, in quotation marks: „ja“ is `true`, and "ja" the text.
    const names = [this.#message('true'), this.#message('false'), ...this.#names.valueNames(claim)];
    return names.includes(this.#quoted(value)) ? this.code(value) : this.text(value);
  }

  #number(value: number, format: string | undefined): string {
    const size = Math.abs(value);
    const isDecimal = size === 0 || (size >= LEAST_DECIMAL && size < MOST_DECIMAL);
    const notation: Intl.NumberFormatOptions = isDecimal ? {} : { notation: 'scientific' };
    const money: Intl.NumberFormatOptions =
      format === undefined || format === 'country'
        ? {}
        : { style: 'currency', currency: format, currencyDisplay: 'name', minimumFractionDigits: 0 };
    const options = { ...notation, ...money, maximumFractionDigits: ALL_DIGITS };
    // Adding 0 turns −0 into 0, which it equals.
    return numberFormats.get(this.#language.locale, options).format(value + 0);
  }

  #date(at: string | number): string {
    const options = { dateStyle: 'long', calendar: 'gregory', timeZone: 'UTC' } as const;
    const instant = typeof at === 'string' ? (parseInstant(at) ?? 0) : at;
    return dateFormats.get(this.#language.locale, options).format(instant);
  }

  #instant(at: number): string {
    const { locale, messages } = this.#language;
    const time = dateFormats
      .get(locale, {
        hour: '2-digit',
        minute: '2-digit',
        ...(at % MS_PER_MINUTE === 0 ? {} : { second: '2-digit' as const }),
        ...(at % MS_PER_SECOND === 0 ? {} : { fractionalSecondDigits: 3 as const }),
        hourCycle: 'h23',
        timeZone: 'UTC',
      })
      .format(at);
    return formatMessage('values.instant', messages.values.instant, locale, { date: this.#date(at), time });
  }

  #quoted(text: string): string {
    const { messages, locale } = this.#language;
    return formatMessage('values.text', messages.values.text, locale, { text });
  }

  #message(name: Exclude<keyof Messages['values'], 'text' | 'instant'>): string {
    const { messages, locale } = this.#language;
    return formatMessage(`values.${name}`, messages.values[name], locale);
  }
}

/** Returns whether a value is a date or a date-time, which is ordered by time. */
export function isDateString(value: JsonValue | undefined): boolean {
  return typeof value === 'string' && parseInstant(value) !== undefined;
}
