/** Formats messages in ICU MessageFormat, each parsed once. */
import { ErrorCode, FormatError, IntlMessageFormat } from 'intl-messageformat';

/** Arguments of a message: texts, and numbers for plurals. */
export type MessageArguments = Readonly<Record<string, string | number | undefined>>;

/** Parsed messages by locale and text, bounded, since deployments may create messages. */
const PARSED = new Map<string, IntlMessageFormat>();
const MAX_PARSED = 4_096;

/**
 * Formats a message.
 *
 * @param name - Names the message in errors: `phrases.is`.
 * @throws {TypeError} When the message is not a string.
 * @throws {RangeError} When it is not an ICU message, has an argument that is not among `values`, or formats an argument as another type.
 */
export function formatMessage(
  name: string,
  message: unknown,
  locale: string,
  values: MessageArguments = {},
): string {
  if (typeof message !== 'string')
    throw new TypeError(`the message \`${name}\` must be a string (got ${typeof message})`);
  const format = parseMessage(name, message, locale);
  return withArguments(name, values, () => String(format.format(values)));
}

/**
 * Formats a message that has objects among its arguments. Returns these objects, and the texts between them.
 *
 * @throws {RangeError} As {@link formatMessage} does.
 */
export function formatMessageToParts<Part extends object>(
  name: string,
  message: string,
  locale: string,
  values: Readonly<Record<string, string | number | Part>>,
): readonly (string | Part)[] {
  const format = parseMessage(name, message, locale);
  return withArguments(name, values, () =>
    format
      .formatToParts<Part>(values)
      .map(({ value }) => (typeof value === 'number' ? String(value) : value)),
  );
}

function withArguments<Result>(name: string, values: object, format: () => Result): Result {
  try {
    return format();
  } catch (error) {
    // An argument of another type, such as a string that `{text, date}` formats as a date.
    if (!(error instanceof FormatError && error.code === ErrorCode.MISSING_VALUE))
      throw new RangeError(`the message \`${name}\` cannot be formatted (${reasonOf(error)})`);
    const known = Object.keys(values).map((each) => `{${each}}`);
    throw new RangeError(`arguments of the message \`${name}\` must be among ${known.join(', ')}`);
  }
}

function parseMessage(name: string, message: string, locale: string): IntlMessageFormat {
  const key = `${locale}\n${message}`;
  const found = PARSED.get(key);
  if (found !== undefined) return found;
  let parsed: IntlMessageFormat;
  try {
    // Messages are not HTML.
    parsed = new IntlMessageFormat(message, locale, undefined, { ignoreTag: true });
  } catch (error) {
    throw new RangeError(`the message \`${name}\` must be valid ICU MessageFormat (${reasonOf(error)})`);
  }
  if (PARSED.size === MAX_PARSED) PARSED.clear();
  PARSED.set(key, parsed);
  return parsed;
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns a text with a capital first letter. */
export function capitalize(text: string, { locale }: { readonly locale: string }): string {
  const [first = ''] = text;
  return first.toLocaleUpperCase(locale) + text.slice(first.length);
}
