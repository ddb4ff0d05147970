/** SQLite 3.38 and later: JSON as text, no regular expressions, separate types for integers and other numbers. */
import type { JsonArray, JsonObject, JsonValue } from '../../engine/index.js';
import { UnsupportedConstruct } from '../errors.js';
import { allOf, anyOf, bind, FALSE, type Fragment, list, sql, verbatim } from '../fragment.js';
import { isRealDate, ordersInTime } from '../instants.js';
import { jsonPath } from '../names.js';
import { toGlobs } from '../patterns/glob-patterns.js';
import { type Dialect, prefixUpperBound, type SqlValue, type TextConditions } from './dialect.js';
import { hasNumbersAt, isAmongNumbers, type NumberExpression, ordersNumber } from './sqlite-numbers.js';

const DIGITS = (count: number) => '[0-9]'.repeat(count);
const DATE = `'${DIGITS(4)}-${DIGITS(2)}-${DIGITS(2)}'`;
const DATE_TIME_PREFIX = `'${DIGITS(4)}-${DIGITS(2)}-${DIGITS(2)}[Tt]${DIGITS(2)}:${DIGITS(2)}:${DIGITS(2)}'`;
const OFFSET = `'[+-]${DIGITS(2)}:${DIGITS(2)}'`;

const texts: TextConditions = {
  isDate: (text) => sql`(${text} GLOB ${verbatim(DATE)} AND ${isRealDate(text, texts)})`,
  isDateTime: (text) => {
    const isUtc = sql`substr(${text}, -1) IN ('Z','z')`;
    const fraction = sql`substr(${text}, 20, length(${text}) - 19 - CASE WHEN ${isUtc} THEN 1 ELSE 6 END)`;
    return allOf([
      sql`substr(${text}, 1, 19) GLOB ${verbatim(DATE_TIME_PREFIX)}`,
      sql`CASE WHEN ${isUtc} THEN length(${text}) >= 20 ELSE length(${text}) >= 25 AND substr(${text}, -6) GLOB ${verbatim(OFFSET)} END`,
      sql`(${fraction} = '' OR (${fraction} GLOB '.[0-9]*' AND substr(${fraction}, 2) NOT GLOB '*[^0-9]*'))`,
    ]);
  },
  slice: (text, from, length) => sql`substr(${text}, ${from}, ${verbatim(String(length))})`,
  integer: (digits) => sql`CAST(${digits} AS INTEGER)`,
  divide: (dividend, divisor) => sql`(${dividend} / ${verbatim(String(divisor))})`,
  binary: (text) => text,
  withParts: (text, parts, condition) => {
    const columns = Object.entries<Fragment>(parts(verbatim('t.t'))).map(
      ([name, part]) => sql`${part} AS ${verbatim(`"${name}"`)}`,
    );
    const rows = sql`SELECT ${list(columns)} FROM (SELECT ${text} AS t) AS t`;
    return sql`(SELECT ${condition((name) => verbatim(`p."${name}"`))} FROM (${rows}) AS p)`;
  },
  instant: (at) => sql`CAST(${bind(at)} AS INTEGER)`,
  text: bind,
  isAmong: (text, values) => sql`${text} IN (${list(values.map(bind))})`,
  startsWith: (text, beginning) => {
    const after = prefixUpperBound(beginning);
    const starts = sql`${text} >= ${bind(beginning)}`;
    return after === undefined ? starts : sql`(${starts} AND ${text} < ${bind(after)})`;
  },
  matches: (text, pattern) => anyOf(toGlobs(pattern).map((glob) => sql`${text} GLOB ${bind(glob)}`)),
};

export const sqlite: Dialect = {
  name: 'sqlite',
  maxParameters: 32_766,
  placeholder: () => '?',
  texts,
  asJson: (column) => column,
  json: (document, path) => {
    const place = verbatim(`'${jsonPath(path)}'`);
    return toValue({
      type: sql`json_type(${document}, ${place})`,
      scalar: sql`json_extract(${document}, ${place})`,
      json: sql`(${document} -> ${place})`,
      depth: 1,
    });
  },
  hasMember: (document, name) =>
    sql`json_type(${document}, ${verbatim(`'${jsonPath([name])}'`)}) IS NOT NULL`,
  integer: (value) => sql`CAST(${bind(value)} AS INTEGER)`,
  double: (value) => sql`CAST(${bind(value)} AS REAL)`,
  boolean: (value) => verbatim(value ? '1' : '0'),
  // A text in a column of numbers, such as the empty one that a CSV import writes, is greater than every number.
  isNumber: (column) => sql`typeof(${column}) IN ('integer','real')`,
  textColumn: (column) => sql`${column} COLLATE BINARY`,
  codeUnitOrder,
  once: (rows) => rows,
  listedTexts: (array) => sql`SELECT value FROM json_each(${bind(array)})`,
};

/** A JSON value. `scalar`: numbers and strings as they are; arrays and objects as their JSON. */
interface JsonExpression extends NumberExpression {
  /** Nesting depth, which makes aliases unique. */
  readonly depth: number;
}

function toValue(expression: JsonExpression): SqlValue {
  const { type, scalar } = expression;
  const isString = sql`${type} = 'text'`;
  const value: SqlValue = {
    isDefined: sql`${type} IS NOT NULL`,
    equals: (operand) => {
      switch (typeof operand) {
        case 'string':
          return allOf([sql`${scalar} = ${bind(operand)}`, isString]);
        case 'number':
          return isAmongNumbers(expression, [operand]);
        case 'boolean':
          return sql`${type} = ${verbatim(`'${operand}'`)}`;
      }
      if (operand === null) return sql`${type} = 'null'`;
      return equalsNested(expression, operand);
    },
    isAmong: (operands) => {
      const strings = operands.filter((operand) => typeof operand === 'string');
      const numbers = operands.filter((operand) => typeof operand === 'number');
      const others = operands.filter((operand) => typeof operand !== 'string' && typeof operand !== 'number');
      return anyOf([
        strings.length === 0 ? FALSE : allOf([texts.isAmong(scalar, strings), isString]),
        numbers.length === 0 ? FALSE : isAmongNumbers(expression, numbers),
        ...others.map(value.equals),
      ]);
    },
    contains: (operand) => {
      const { element, rows } = elementsOf(expression);
      return sql`EXISTS (SELECT 1 FROM ${rows} WHERE ${toValue(element).equals(operand)})`;
    },
    orders: (ordering, operand) => ordersNumber(expression, ordering, operand),
    ordersInTime: (ordering, instant) => ordersInTime(scalar, ordering, instant, texts),
    startsWith: (beginning) => allOf([texts.startsWith(scalar, beginning), isString]),
    matches: (pattern) => allOf([isString, texts.matches(scalar, pattern)]),
  };
  return value;
}

/**
 * The path of a node, with escapes in names decoded. SQLite writes names in paths as the document does, so that `\u00e9` and `é`, which are the
 * same name, would differ.
 */
const UNESCAPED_PATH = String.raw`('"' || replace(replace(replace(path, '\\', '\u005c'), '\"', '\u0022'), '"', '\"') || '"') ->> '$'`;

/**
 * Compares nested values as trees, whose nodes are identified by parent path, name and value. Two trees are equal if
 * they have equally many nodes, no node is missing, and the numbers are equal. Nested conditions would exceed the depth of SQLite's parser.
 */
function equalsNested({ type, scalar }: JsonExpression, operand: JsonArray | JsonObject): Fragment {
  let nodes = 0;
  const text = JSON.stringify(operand, (name, value: JsonValue) => {
    if (name.includes('"')) {
      const message = 'In SQLite, the names of members in an operand must not contain a quotation mark.';
      throw new UnsupportedConstruct('operand', message);
    }
    nodes += 1;
    return value;
  });
  const kind = verbatim(Array.isArray(operand) ? `'array'` : `'object'`);
  const document = sql`CASE WHEN ${type} = ${kind} THEN ${scalar} END`;
  const claim = sql`json_tree(${document})`;
  // Numbers are compared below. `true`, `false` and `null` are compared by their types.
  const node = verbatim(
    `${UNESCAPED_PATH}, key, replace(type, 'integer', 'real'), CASE typeof(atom) WHEN 'text' THEN atom END`,
  );
  return allOf([
    sql`${type} = ${kind}`,
    sql`(SELECT count(*) FROM ${claim}) = ${verbatim(String(nodes))}`,
    sql`NOT EXISTS (SELECT ${node} FROM json_tree(${bind(text)}) EXCEPT SELECT ${node} FROM ${claim})`,
    hasNumbersAt(sql`(${document})`, numbersIn(operand)),
  ]);
}

/** Returns the numbers in a value with their JSON paths. */
function numbersIn(value: JsonValue, path = '$'): readonly (readonly [string, number])[] {
  if (typeof value === 'number') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value)
    ? value.flatMap((inner, index) => numbersIn(inner, `${path}[${index}]`))
    : Object.entries(value).flatMap(([name, inner]) => numbersIn(inner, `${path}.${JSON.stringify(name)}`));
}

/** Returns the elements as rows; none where the value is not an array, on which `json_each` must not be called. */
function elementsOf({ type, scalar, depth }: JsonExpression) {
  const alias = verbatim(`e${depth}`);
  return {
    rows: sql`json_each(CASE WHEN ${type} = 'array' THEN ${scalar} END) AS ${alias}`,
    element: {
      type: sql`${alias}.type`,
      scalar: sql`${alias}.value`,
      json: sql`(${scalar} -> ${alias}.key)`,
      depth: depth + 1,
    },
  };
}

/** Marks U+E000 to U+FFFF, which sort after surrogate pairs by code unit, and before them by byte. The byte order of the result is the order by code unit. */
function codeUnitOrder(text: Fragment): Fragment {
  const character = sql`substr(${text}, i, 1)`;
  const marked = sql`k || CASE WHEN unicode(${character}) BETWEEN 57344 AND 65535 THEN char(1114111) || ${character} WHEN unicode(${character}) = 1114111 THEN char(1114111, 1) ELSE ${character} END`;
  const rows = sql`WITH RECURSIVE keys(i, k) AS (SELECT 1, '' UNION ALL SELECT i + 1, ${marked} FROM keys WHERE i <= length(${text}))`;
  return sql`CASE WHEN length(CAST(${text} AS BLOB)) = length(${text}) THEN ${text} ELSE (${rows} SELECT k FROM keys ORDER BY i DESC LIMIT 1) END`;
}
