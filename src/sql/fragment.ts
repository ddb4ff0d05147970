/** Pieces of SQL with the values that belong into them: a value is bound, and never becomes text. */

/** What a statement binds; every driver takes these. */
export type SqlParameter = string | number;

/** A piece of a statement. Values stand between its texts until the whole is written. */
export interface Fragment {
  readonly parts: readonly (string | Bound)[];
}

interface Bound {
  readonly value: SqlParameter;
}

/** A statement as a driver takes it. */
export interface WrittenSql {
  readonly text: string;
  readonly parameters: readonly SqlParameter[];
}

/** More operands than this stand in brackets of their own: SQLite's expressions nest at most a thousand deep. */
const WIDEST = 32;

/** SQL with other pieces in it. Only pieces go in, so that no value can slip into the text. */
export function sql(texts: TemplateStringsArray, ...inner: readonly Fragment[]): Fragment {
  return { parts: texts.flatMap((text, index) => [text, ...(inner[index]?.parts ?? [])]) };
}

/** A value in its place. */
export function bind(value: SqlParameter): Fragment {
  return { parts: [{ value }] };
}

/** Text that is SQL already: a name that was quoted, a number that we worked out. Never what somebody sent. */
export function verbatim(text: string): Fragment {
  return { parts: [text] };
}

export const TRUE = verbatim('TRUE');
export const FALSE = verbatim('FALSE');

/** Pieces one after the other. */
export function list(pieces: readonly Fragment[], separator = ', '): Fragment {
  return { parts: pieces.flatMap(({ parts }, index) => (index === 0 ? parts : [separator, ...parts])) };
}

/** True where all of the conditions are; TRUE for none. */
export function allOf(conditions: readonly Fragment[]): Fragment {
  return joined(
    conditions.filter((condition) => condition !== TRUE),
    ' AND ',
    TRUE,
    FALSE,
  );
}

/** True where one of the conditions is; FALSE for none. */
export function anyOf(conditions: readonly Fragment[]): Fragment {
  return joined(
    conditions.filter((condition) => condition !== FALSE),
    ' OR ',
    FALSE,
    TRUE,
  );
}

/** True where the condition is false or unknown: in SQL, what is not true need not be false (L19). */
export function isNot(condition: Fragment): Fragment {
  if (condition === TRUE) return FALSE;
  if (condition === FALSE) return TRUE;
  return sql`(${condition}) IS NOT TRUE`;
}

/** Writes a statement. @param placeholder - What stands for the value at a position, counted from 1. */
export function write({ parts }: Fragment, placeholder: (position: number) => string): WrittenSql {
  const parameters: SqlParameter[] = [];
  const texts = parts.map((part) => {
    if (typeof part === 'string') return part;
    return placeholder(parameters.push(part.value));
  });
  return { text: texts.join(''), parameters };
}

function joined(
  conditions: readonly Fragment[],
  separator: string,
  none: Fragment,
  decided: Fragment,
): Fragment {
  const [first = none, ...more] = conditions;
  if (conditions.includes(decided)) return decided;
  if (more.length === 0) return first;
  if (conditions.length <= WIDEST) return sql`(${list(conditions, separator)})`;
  const middle = Math.ceil(conditions.length / 2);
  const halves = [conditions.slice(0, middle), conditions.slice(middle)];
  return sql`(${list(
    halves.map((half) => joined(half, separator, none, decided)),
    separator,
  )})`;
}
