/** Formatters of `Intl`, each created once, since creating one takes longer than formatting with it. */

type Options =
  | Intl.NumberFormatOptions
  | Intl.DateTimeFormatOptions
  | Intl.ListFormatOptions
  | Intl.DisplayNamesOptions;

/** Formatters by locale and options, bounded, since the reader chooses the locale. */
class FormatterCache<FormatOptions extends Options, Formatter> {
  readonly #created = new Map<string, Formatter>();
  readonly #create: (locale: string, options: FormatOptions) => Formatter;

  constructor(create: (locale: string, options: FormatOptions) => Formatter) {
    this.#create = create;
  }

  get(locale: string, options: FormatOptions): Formatter {
    const key = `${locale} ${JSON.stringify(options)}`;
    const found = this.#created.get(key);
    if (found !== undefined) return found;
    const created = this.#create(locale, options);
    if (this.#created.size === MAX_CREATED) this.#created.clear();
    this.#created.set(key, created);
    return created;
  }
}

const MAX_CREATED = 100;

export const numberFormats = /* @__PURE__ */ new FormatterCache(
  (locale, options: Intl.NumberFormatOptions) => new Intl.NumberFormat(locale, options),
);

export const dateFormats = /* @__PURE__ */ new FormatterCache(
  (locale, options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat(locale, options),
);

export const listFormats = /* @__PURE__ */ new FormatterCache(
  (locale, options: Intl.ListFormatOptions) => new Intl.ListFormat(locale, options),
);

export const displayNames = /* @__PURE__ */ new FormatterCache(
  (locale, options: Intl.DisplayNamesOptions) => new Intl.DisplayNames(locale, options),
);
