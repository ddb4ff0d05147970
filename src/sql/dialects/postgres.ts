/** PostgreSQL with `jsonb`, and compatible databases. */
import type { JsonObject, JsonValue } from '../../engine/index.js';
import { decimalComparison } from '../double-bounds.js';
import { allOf, bind, type Fragment, list, sql, verbatim } from '../fragment.js';
import { DAYS_OF_EACH_YEAR, LEAP_YEAR, ordersInTime } from '../instants.js';
import { jsonPath, quotePath } from '../names.js';
import { toPostgresPattern } from '../patterns/postgres-pattern.js';
import {
  type Dialect,
  isAmong,
  looksLikeJson,
  mayPrefixJson,
  type Ordering,
  prefixUpperBound,
  type SqlValue,
  type TextConditions,
} from './dialect.js';

const DAYS = verbatim(`'{${DAYS_OF_EACH_YEAR.join(',')}}'::text[]`);
const LEAP_DAY = verbatim(`'-02-29'`);
const OF_LEAP_YEAR = verbatim(`'^${LEAP_YEAR}$'`);
const DATE_TIME = `'^[0-9]{4}-[0-9]{2}-[0-9]{2}[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]+)?([Zz]|[+-][0-9]{2}:[0-9]{2})$'`;

/** `jsonb` orders numbers between strings and booleans. No double is below this bound. */
const BELOW_NUMBERS = verbatim(`'-1e131071'::jsonb`);
const ABOVE_NUMBERS = verbatim(`'false'::jsonb`);

const texts: TextConditions = {
  // A pattern of the whole calendar takes several times as long as finding a day in a constant array, which PostgreSQL 14 and later hash.
  isDate: (text) => {
    const [year, day] = [sql`left(${text}, 4) COLLATE "C"`, sql`substr(${text}, 5) COLLATE "C"`];
    const isCommonDay = sql`${day} = ANY (${DAYS}) AND ${year} !~ '[^0-9]'`;
    return sql`(${isCommonDay} OR ${day} = ${LEAP_DAY} AND ${year} ~ ${OF_LEAP_YEAR})`;
  },
  isDateTime: (text) => sql`${text} COLLATE "C" ~ ${verbatim(DATE_TIME)}`,
  slice: (text, from, length) => sql`substr(${text}, ${from}, ${verbatim(String(length))})`,
  integer: (digits) => sql`(${digits})::bigint`,
  divide: (dividend, divisor) => sql`(${dividend} / ${verbatim(String(divisor))})`,
  binary: (text) => sql`${text} COLLATE "C"`,
  // Parts are inlined: with a subquery in its condition, a statement runs on one worker only.
  withParts: (text, parts, condition) => {
    const expressions = parts(text);
    return condition((name) => expressions[name]);
  },
  instant: (at) => sql`${bind(at)}::bigint`,
  text: (value) => sql`${bind(value)}::text`,
  // One parameter instead of many: a list of a thousand is bound and planned as fast as one of two.
  isAmong: (text, values) => sql`${text} = ANY (${bind(arrayOf(values))}::text[])`,
  startsWith: (text, beginning) => {
    const after = prefixUpperBound(beginning);
    const starts = sql`${text} COLLATE "C" >= ${texts.text(beginning)}`;
    // In byte order, all strings with a prefix are adjacent, so that an index finds them.
    return after === undefined
      ? sql`starts_with(${text}, ${texts.text(beginning)})`
      : sql`(${starts} AND ${text} COLLATE "C" < ${texts.text(after)})`;
  },
  matches: (text, pattern) => sql`${text} COLLATE "C" ~ ${texts.text(toPostgresPattern(pattern))}`,
};

export const postgres: Dialect = {
  name: 'postgres',
  maxParameters: 65_535,
  placeholder: (position) => `$${position}`,
  texts,
  asJson: (column) => sql`(${column})::jsonb`,
  json: (document, path, indexed = false) => {
    if (path.length === 0) return toValue(document, sql`(${document} #>> '{}')`);
    const steps = path.map(quotePath);
    const parent = [document, ...steps.slice(0, -1).map(verbatim)];
    const last = verbatim(steps.at(-1) ?? '');
    const value = toValue(
      sql`(${list([...parent, last], ' -> ')})`,
      sql`(${list(parent, ' -> ')} ->> ${last})`,
    );
    if (indexed) return value;
    // A `jsonpath` predicate reads the document once; the comparisons of `toValue` would extract the value twice.
    const place = jsonPath(path);
    const holds = (conditions: readonly string[]) =>
      sql`${document} @@ ${bind(`strict ${conditions.map((one) => `${place} ${one}`).join(' && ')}`)}::jsonpath`;
    const equals = (operand: JsonValue) =>
      typeof operand === 'number'
        ? holds([comparison('>=', operand), comparison('<=', operand)])
        : value.equals(operand);
    return { ...value, equals, orders: (ordering, operand) => holds([comparison(ordering, operand)]) };
  },
  hasMember: (document, name) => sql`(${document} -> ${verbatim(quotePath(name))}) IS NOT NULL`,
  integer: (value) => sql`${bind(value)}::bigint`,
  double: (value) => sql`${bind(value)}::double precision`,
  boolean: (value) => verbatim(value ? 'TRUE' : 'FALSE'),
  dates: {
    literal: (text) => sql`${bind(text)}::date`,
    text: (column) => sql`to_char(${column}, 'YYYY-MM-DD')`,
    ofType: (column, condition) => ofRange('daterange', column, condition),
  },
  timestamps: {
    literal: (text) => sql`${bind(text)}::timestamptz`,
    text: (column) =>
      sql`to_char(date_trunc('milliseconds', ${column} AT TIME ZONE 'UTC'), 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
    ofType: (column, condition) => ofRange('tstzrange', column, condition),
  },
  textColumn: (column) => column,
  // U+E000 to U+FFFF sort after surrogate pairs by code unit, and before them by byte.
  codeUnitOrder: (text) =>
    sql`CASE WHEN octet_length(${text}) = length(${text}) THEN ${text} ELSE regexp_replace(replace(${text}, ${verbatim(`U&'\\+10FFFF', U&'\\+10FFFF\\0001'`)}), ${verbatim(`U&'([\\E000-\\FFFF])', U&'\\+10FFFF\\\\1'`)}, 'g') END COLLATE "C"`,
  once: (rows) => sql`${rows} OFFSET 0`,
  listedTexts: (array) => sql`SELECT jsonb_array_elements_text(${bind(array)}::jsonb)`,
};

/**
 * Makes a statement fail where the column has another type: `@>` does not convert the value to the type of the range's elements. The added condition is
 * always true, and the planner removes it.
 */
function ofRange(range: 'daterange' | 'tstzrange', column: Fragment, condition: Fragment): Fragment {
  return sql`(${condition} AND (TRUE OR ${verbatim(`'empty'::${range}`)} @> ${column}))`;
}

/** @param text - The value as text; the JSON of a value that is not a string. */
function toValue(json: Fragment, text: Fragment): SqlValue {
  const isDefined = sql`${json} IS NOT NULL`;
  const isString = sql`jsonb_typeof(${json}) = 'string'`;
  const requireString = (impliesString: boolean, condition: Fragment) =>
    impliesString ? condition : allOf([condition, isString]);
  const value: SqlValue = {
    isDefined,
    equals: (operand) => {
      switch (typeof operand) {
        case 'string':
          return requireString(!looksLikeJson(operand), sql`${text} = ${texts.text(operand)}`);
        case 'number':
          return allOf([compare(json, '>=', operand), compare(json, '<=', operand)]);
        case 'boolean':
          return allOf([sql`${text} = ${verbatim(`'${operand}'`)}`, sql`jsonb_typeof(${json}) = 'boolean'`]);
      }
      if (operand === null) return sql`${json} = 'null'::jsonb`;
      return Array.isArray(operand) ? equalsArray(json, operand) : equalsObject(json, operand as JsonObject);
    },
    isAmong: (operands) =>
      isAmong(operands, value.equals, (strings) =>
        requireString(!strings.some(looksLikeJson), texts.isAmong(text, strings)),
      ),
    contains: (operand) => {
      if (typeof operand === 'number' || (typeof operand === 'object' && operand !== null)) {
        return containsEqual(json, operand);
      }
      return sql`${json} @> ${bind(JSON.stringify([operand]))}::jsonb`;
    },
    orders: (ordering, operand) =>
      ordering === '>' || ordering === '>='
        ? sql`(${compare(json, ordering, operand)} AND ${json} < ${ABOVE_NUMBERS})`
        : sql`(${compare(json, ordering, operand)} AND ${json} > ${BELOW_NUMBERS})`,
    // The JSON of other types never has the form of a date.
    ordersInTime: (ordering, instant) => ordersInTime(text, ordering, instant, texts),
    startsWith: (beginning) => requireString(!mayPrefixJson(beginning), texts.startsWith(text, beginning)),
    matches: (pattern) => requireString(false, texts.matches(text, pattern)),
  };
  return value;
}

/** Writes a comparison in a `jsonpath`. */
function comparison(ordering: Ordering, operand: number): string {
  const decimal = decimalComparison(ordering, operand);
  return `${decimal.ordering} ${decimal.bound}`;
}

function compare(json: Fragment, ordering: Ordering, operand: number): Fragment {
  const decimal = decimalComparison(ordering, operand);
  return sql`${json} ${verbatim(decimal.ordering)} ${bind(decimal.bound)}::jsonb`;
}

/** Formats an array literal of strings. */
function arrayOf(values: readonly string[]): string {
  return `{${values.map((value) => `"${value.replace(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

function equalsArray(json: Fragment, operand: readonly JsonValue[]): Fragment {
  const elements = operand.map((element, index) => atStep(json, verbatim(String(index))).equals(element));
  const length = sql`jsonb_array_length(${json}) = ${verbatim(String(operand.length))}`;
  return sql`CASE WHEN jsonb_typeof(${json}) = 'array' THEN ${allOf([length, ...elements])} END`;
}

function equalsObject(json: Fragment, operand: JsonObject): Fragment {
  const members = Object.entries(operand).map(([name, member]) =>
    atStep(json, texts.text(name)).equals(member),
  );
  const count = sql`(SELECT count(*) FROM jsonb_object_keys(${json})) = ${verbatim(String(members.length))}`;
  return sql`CASE WHEN jsonb_typeof(${json}) = 'object' THEN ${allOf([count, ...members])} END`;
}

function containsEqual(json: Fragment, operand: JsonValue): Fragment {
  const list = sql`CASE WHEN jsonb_typeof(${json}) = 'array' THEN ${json} ELSE '[]'::jsonb END`;
  const element = toValue(verbatim('e.v'), verbatim(`(e.v #>> '{}')`));
  return sql`EXISTS (SELECT 1 FROM jsonb_array_elements(${list}) AS e(v) WHERE ${element.equals(operand)})`;
}

function atStep(json: Fragment, step: Fragment): SqlValue {
  return toValue(sql`(${json} -> ${step})`, sql`(${json} ->> ${step})`);
}
