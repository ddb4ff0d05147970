/** SQL fragments with their bound values, which never become SQL text. */

/** A parameter of a type that every driver supports. */
export type SqlParameter = string | number;

/** A fragment of a statement: text, bound values and other fragments. These are not copied, since they can nest and occur several times. */
export interface Fragment {
  readonly parts: readonly (string | Bound | Fragment)[];
}

interface Bound {
  readonly value: SqlParameter;
}

/** The text and the parameters of a statement, to be passed to a driver. */
export interface WrittenSql {
  readonly text: string;
  readonly parameters: readonly SqlParameter[];
}

/** Longer lists of operands are nested, since SQLite limits the depth of expressions to a thousand. */
const MAX_OPERANDS = 32;

/** Creates a fragment from a template. Only fragments can be inserted, so that no value becomes SQL text. */
export function sql(texts: TemplateStringsArray, ...inner: readonly Fragment[]): Fragment {
  return { parts: texts.flatMap((text, index) => [text, inner[index] ?? '']) };
}

/** Creates a fragment that binds a value. */
export function bind(value: SqlParameter): Fragment {
  return { parts: [{ value }] };
}

/** Creates a fragment from trusted SQL text: a quoted name or a computed number, never caller input. */
export function verbatim(text: string): Fragment {
  return { parts: [text] };
}

export const TRUE = verbatim('TRUE');
export const FALSE = verbatim('FALSE');

/** Joins fragments. */
export function list(pieces: readonly Fragment[], separator = ', '): Fragment {
  return { parts: pieces.flatMap((piece, index) => (index === 0 ? piece : [separator, piece])) };
}

/** Combines conditions with AND; TRUE for none. */
export function allOf(conditions: readonly Fragment[]): Fragment {
  return joined(
    conditions.filter((condition) => condition !== TRUE),
    ' AND ',
    TRUE,
    FALSE,
  );
}

/** Combines conditions with OR; FALSE for none. */
export function anyOf(conditions: readonly Fragment[]): Fragment {
  return joined(
    conditions.filter((condition) => condition !== FALSE),
    ' OR ',
    FALSE,
    TRUE,
  );
}

/** Negates a condition: true where it is false or unknown (L19). `NOT` would be unknown where it is unknown. */
export function isNot(condition: Fragment): Fragment {
  if (condition === TRUE) return FALSE;
  if (condition === FALSE) return TRUE;
  return sql`(${condition}) IS NOT TRUE`;
}

/** Renders a statement. @param placeholder - Returns the placeholder of a parameter, by position from 1. */
export function write(fragment: Fragment, placeholder: (position: number) => string): WrittenSql {
  let text = '';
  const parameters: SqlParameter[] = [];
  const add = (part: Fragment['parts'][number]) => {
    if (typeof part === 'string') text += part;
    else if ('parts' in part) part.parts.forEach(add);
    else text += placeholder(parameters.push(part.value));
  };
  add(fragment);
  return { text, parameters };
}

function joined(
  conditions: readonly Fragment[],
  separator: string,
  neutral: Fragment,
  absorbing: Fragment,
): Fragment {
  const [first = neutral, ...more] = conditions;
  if (conditions.includes(absorbing)) return absorbing;
  if (more.length === 0) return first;
  if (conditions.length <= MAX_OPERANDS) return sql`(${list(conditions, separator)})`;
  const middle = Math.ceil(conditions.length / 2);
  const halves = [conditions.slice(0, middle), conditions.slice(middle)];
  return sql`(${list(
    halves.map((half) => joined(half, separator, neutral, absorbing)),
    separator,
  )})`;
}
