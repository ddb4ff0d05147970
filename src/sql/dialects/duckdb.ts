/** DuckDB 1.3 and later, whose regular expressions are RE2. */
import type { JsonObject, JsonValue } from '../../engine/index.js';
import { escapeSegment } from '../../util/json-pointer.js';
import { allOf, bind, type Fragment, list, sql, verbatim } from '../fragment.js';
import { CALENDAR_DATE, ordersInTime } from '../instants.js';
import { jsonPath } from '../names.js';
import { toRe2Pattern } from '../patterns/re2-pattern.js';
import {
  type Dialect,
  isAmong,
  looksLikeJson,
  mayPrefixJson,
  type Ordering,
  type SqlValue,
  type TextConditions,
} from './dialect.js';

const DATE = `'${CALENDAR_DATE}'`;
const DATE_TIME = `'[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})'`;
const NUMBERS = `('UBIGINT', 'BIGINT', 'DOUBLE', 'HUGEINT', 'UHUGEINT', 'DECIMAL')`;

const texts: TextConditions = {
  isDate: (text) => sql`regexp_full_match(${text}, ${verbatim(DATE)})`,
  isDateTime: (text) => sql`regexp_full_match(${text}, ${verbatim(DATE_TIME)})`,
  slice: (text, from, length) => sql`substr(${text}, ${from}, ${verbatim(String(length))})`,
  integer: (digits) => sql`TRY_CAST(${digits} AS BIGINT)`,
  divide: (dividend, divisor) => sql`(${dividend} // ${verbatim(String(divisor))})`,
  binary: (text) => text,
  // A one-element list, since a subquery would become a join.
  withParts: (text, parts, condition) => {
    const fields = Object.entries<Fragment>(parts(verbatim('t.t'))).map(
      ([name, part]) => sql`${verbatim(`'${name}'`)}: ${part}`,
    );
    const read = condition((name) => verbatim(`p."${name}"`));
    return sql`list_transform(list_transform([{'t': ${text}}], lambda t: {${list(fields)}}), lambda p: ${read})[1]`;
  },
  instant: (at) => sql`CAST(${bind(at)} AS BIGINT)`,
  // Needs no cast, since the other operand is text: DuckDB would plan a prepared statement again if its parameters had casts.
  text: bind,
  isAmong: (text, values) => sql`${text} IN (${list(values.map(texts.text))})`,
  startsWith: (text, beginning) => sql`starts_with(${text}, ${texts.text(beginning)})`,
  matches: (text, pattern) => sql`regexp_matches(${text}, ${texts.text(toRe2Pattern(pattern))})`,
};

export const duckdb: Dialect = {
  name: 'duckdb',
  maxParameters: 65_535,
  placeholder: (position) => `$${position}`,
  texts,
  asJson: (column) => column,
  json: (document, path) =>
    atPath(document, verbatim(`'${jsonPath(path)}'`), verbatim(`'${jsonPath(path)}[*]'`), 1),
  hasMember: (document, name) => sql`json_exists(${document}, ${verbatim(`'${jsonPath([name])}'`)})`,
  integer: (value) => sql`CAST(${bind(value)} AS BIGINT)`,
  // As text: drivers infer the type of a number, and take a large one for an integer.
  double: (value) => sql`CAST(${bind(String(value))} AS DOUBLE)`,
  boolean: (value) => verbatim(value ? 'TRUE' : 'FALSE'),
  dates: {
    literal: (text) => sql`CAST(${bind(text)} AS DATE)`,
    text: (column) => sql`strftime(${column}, '%Y-%m-%d')`,
    ofType: (column, condition) => ofType('DATE', column, condition),
  },
  timestamps: {
    literal: (text) => sql`CAST(${bind(text)} AS TIMESTAMPTZ)`,
    text: (column) => sql`strftime(make_timestamp(epoch_us(${column})), '%Y-%m-%dT%H:%M:%S.%gZ')`,
    ofType: (column, condition) => ofType('TIMESTAMP WITH TIME ZONE', column, condition),
  },
  textColumn: (column) => column,
  // U+E000 to U+FFFF sort after surrogate pairs by code unit, and before them by byte.
  codeUnitOrder: (text) =>
    sql`regexp_replace(replace(${text}, chr(1114111), chr(1114111) || chr(1)), ${verbatim(`'([\\x{E000}-\\x{FFFF}])', chr(1114111) || '\\1'`)}, 'g')`,
  once: (rows) => rows,
  listedTexts: (array) =>
    sql`SELECT unnest(CAST(json_extract_string(CAST(${bind(array)} AS VARCHAR), '$[*]') AS VARCHAR[]))`,
};

/** Makes a statement fail where the column has another type. `typeof(column)` is constant when the statement is planned, so only one branch remains. */
function ofType(type: string, column: Fragment, condition: Fragment): Fragment {
  const message = verbatim(`'the layout declares a column of type ${type}, and the column has another type'`);
  return sql`CASE WHEN typeof(${column}) = ${verbatim(`'${type}'`)} THEN ${condition} ELSE error(${message}) END`;
}

interface JsonExpression {
  readonly json: Fragment;
  readonly type: Fragment;
  readonly text: Fragment;
  /** The elements as JSON; empty if the value is not an array. */
  readonly elements: Fragment;
  /** The elements as strings. */
  readonly elementTexts: Fragment;
  readonly depth: number;
}

function atPath(document: Fragment, path: Fragment, elements: Fragment, depth: number): SqlValue {
  return toValue({
    json: sql`json_extract(${document}, ${path})`,
    type: sql`json_type(${document}, ${path})`,
    text: sql`json_extract_string(${document}, ${path})`,
    elements: sql`json_extract(${document}, ${elements})`,
    elementTexts: sql`json_extract_string(${document}, ${elements})`,
    depth,
  });
}

function toValue(expression: JsonExpression): SqlValue {
  const { json, type, text } = expression;
  const isString = sql`${type} = 'VARCHAR'`;
  const requireString = (impliesString: boolean, condition: Fragment) =>
    impliesString ? condition : allOf([isString, condition]);
  const value: SqlValue = {
    isDefined: sql`${json} IS NOT NULL`,
    equals: (operand) => {
      switch (typeof operand) {
        case 'string':
          return requireString(!looksLikeJson(operand), sql`${text} = ${texts.text(operand)}`);
        case 'number':
          return orders(expression, '=', operand);
        case 'boolean':
          return allOf([sql`${type} = 'BOOLEAN'`, sql`${text} = ${verbatim(`'${operand}'`)}`]);
      }
      if (operand === null) return sql`${type} = 'NULL'`;
      return Array.isArray(operand)
        ? equalsArray(expression, operand)
        : equalsObject(expression, operand as JsonObject);
    },
    isAmong: (operands) =>
      isAmong(operands, value.equals, (strings) =>
        requireString(!strings.some(looksLikeJson), texts.isAmong(text, strings)),
      ),
    contains: (operand) => {
      if (typeof operand === 'string' && !looksLikeJson(operand)) {
        return sql`list_contains(${expression.elementTexts}, ${texts.text(operand)})`;
      }
      const name = verbatim(`e${expression.depth}`);
      const element = atPath(name, verbatim(`'$'`), verbatim(`'$[*]'`), expression.depth + 1);
      return sql`len(list_filter(${expression.elements}, lambda ${name}: coalesce(${element.equals(operand)}, FALSE))) > 0`;
    },
    orders: (ordering, operand) => orders(expression, ordering, operand),
    ordersInTime: (ordering, instant) => ordersInTime(text, ordering, instant, texts),
    startsWith: (beginning) => requireString(!mayPrefixJson(beginning), texts.startsWith(text, beginning)),
    matches: (pattern) => requireString(false, texts.matches(text, pattern)),
  };
  return value;
}

function orders({ json, type }: JsonExpression, ordering: Ordering | '=', operand: number): Fragment {
  const exact = sql`TRY_CAST(${json} AS DOUBLE) ${verbatim(ordering)} ${duckdb.double(operand)}`;
  return allOf([sql`${type} IN ${verbatim(NUMBERS)}`, exact]);
}

function equalsArray(expression: JsonExpression, operand: readonly JsonValue[]): Fragment {
  const elements = operand.map((element, index) => memberAt(expression, bind(`/${index}`)).equals(element));
  const length = sql`json_array_length(${expression.json}) = ${verbatim(String(operand.length))}`;
  return allOf([sql`${expression.type} = 'ARRAY'`, length, ...elements]);
}

function equalsObject(expression: JsonExpression, operand: JsonObject): Fragment {
  const members = Object.entries(operand).map(([name, member]) =>
    memberAt(expression, bind(`/${escapeSegment(name)}`)).equals(member),
  );
  const count = sql`len(json_keys(${expression.json})) = ${verbatim(String(members.length))}`;
  return allOf([sql`${expression.type} = 'OBJECT'`, count, ...members]);
}

function memberAt({ json, depth }: JsonExpression, pointer: Fragment): SqlValue {
  const path = sql`CAST(${pointer} AS VARCHAR)`;
  const document = json;
  return toValue({
    json: sql`json_extract(${document}, ${path})`,
    type: sql`json_type(${document}, ${path})`,
    text: sql`json_extract_string(${document}, ${path})`,
    elements: sql`json_extract(json_extract(${document}, ${path}), '$[*]')`,
    elementTexts: sql`json_extract_string(json_extract(${document}, ${path}), '$[*]')`,
    depth,
  });
}
