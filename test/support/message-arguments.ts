/** Lists the arguments and the plural forms of messages in ICU MessageFormat. */
import { IntlMessageFormat } from 'intl-messageformat';

/** A part of a parsed message; `value` is the name of an argument, `options` are the cases of a plural or a select. */
interface MessagePart {
  readonly type: number;
  readonly value?: string;
  readonly options?: Readonly<Record<string, { readonly value: readonly MessagePart[] }>>;
}

const LITERAL = 0;
const PLURAL = 6;
const POUND = 7;

function parse(message: string): readonly MessagePart[] {
  const format = new IntlMessageFormat(message, 'en', undefined, { ignoreTag: true });
  return format.getAst() as readonly MessagePart[];
}

function allParts(parts: readonly MessagePart[]): readonly MessagePart[] {
  return parts.flatMap((part) => [
    part,
    ...Object.values(part.options ?? {}).flatMap((option) => allParts(option.value)),
  ]);
}

/** Returns the distinct names of the arguments that a message reads, sorted. */
export function argumentsOf(message: string): readonly string[] {
  const names = allParts(parse(message)).flatMap(({ type, value = '' }) =>
    type === LITERAL || type === POUND ? [] : [value],
  );
  return [...new Set(names)].sort();
}

/** Returns the forms of each plural of a message. */
export function pluralsOf(message: string): readonly (readonly string[])[] {
  return allParts(parse(message)).flatMap(({ type, options = {} }) =>
    type === PLURAL ? [Object.keys(options)] : [],
  );
}
