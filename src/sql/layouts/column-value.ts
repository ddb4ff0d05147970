/** The value of a typed column, as a check may ask about it: what its type cannot hold is never so. */
import { parseInstant } from '../../engine/index.js';
import type { Dialect } from '../dialects/dialect.js';
import { anyOf, FALSE, type Fragment, sql, verbatim } from '../fragment.js';
import { dateBound, ordersInTime } from '../instants.js';
import type { Ordering, SqlValue } from '../value.js';
import type { ColumnType } from './layout.js';

const DATE = /^\d{4}-\d{2}-\d{2}$/;
const FIRST_YEAR = '0001';
const FIRST_DATE = '0001-01-01';

/** What each type answers otherwise than with no. */
type Answers = Partial<Omit<SqlValue, 'isDefined' | 'isAmong'>>;

/** The value of a column that holds no JSON. */
export function toColumnValue(
  column: Fragment,
  type: Exclude<ColumnType, 'json'>,
  dialect: Dialect,
): SqlValue {
  const isDefined = sql`${column} IS NOT NULL`;
  const equals = EQUALS[type](column, dialect);
  return {
    isDefined,
    equals,
    isAmong: (operands) => {
      if (type !== 'text') return anyOf(operands.map(equals));
      const strings = operands.filter((operand) => typeof operand === 'string');
      if (strings.length === 0) return FALSE;
      return dialect.texts.isAmong(dialect.textColumn(column), strings);
    },
    contains: () => FALSE,
    orders: () => FALSE,
    ordersInTime: () => FALSE,
    startsWith: () => FALSE,
    matches: () => FALSE,
    ...ANSWERS[type](column, dialect),
  };
}

type By<Result> = Readonly<
  Record<Exclude<ColumnType, 'json'>, (column: Fragment, dialect: Dialect) => Result>
>;

const EQUALS: By<SqlValue['equals']> = {
  integer: (column, dialect) => (operand) =>
    typeof operand === 'number' && Number.isSafeInteger(operand)
      ? sql`${column} = ${dialect.integer(operand)}`
      : FALSE,
  number: (column, dialect) => (operand) =>
    typeof operand === 'number' ? sql`${column} = ${dialect.double(operand)}` : FALSE,
  text: (column, dialect) => (operand) =>
    typeof operand === 'string' ? sql`${dialect.textColumn(column)} = ${dialect.texts.text(operand)}` : FALSE,
  boolean: (column, dialect) => (operand) =>
    typeof operand === 'boolean' ? sql`${column} = ${dialect.boolean(operand)}` : FALSE,
  date: (column, dialect) => (operand) => {
    const isDate = typeof operand === 'string' && DATE.test(operand) && parseInstant(operand) !== undefined;
    return isDate && operand >= FIRST_YEAR ? sql`${column} = ${dialect.date(operand)}` : FALSE;
  },
};

const ANSWERS: By<Answers> = {
  integer: (column, dialect) => ({
    orders: (ordering, operand) => ordersInteger(column, ordering, operand, dialect),
  }),
  number: (column, dialect) => ({
    orders: (ordering, operand) => sql`${column} ${verbatim(ordering)} ${dialect.double(operand)}`,
  }),
  text: (column, dialect) => onText(dialect.textColumn(column), dialect),
  boolean: () => ({}),
  date: (column, dialect) => ({
    ...onText(dialect.dateText(column), dialect),
    ordersInTime: (ordering, instant) => ordersDate(column, ordering, instant, dialect),
  }),
};

function onText(text: Fragment, { texts }: Dialect): Answers {
  return {
    ordersInTime: (ordering, instant) => ordersInTime(text, ordering, instant, texts),
    startsWith: (beginning) => texts.startsWith(text, beginning),
    matches: (pattern) => texts.matches(text, pattern),
  };
}

/** Whole numbers lie so to a fraction as they lie to the whole number beside it. */
function ordersInteger(column: Fragment, ordering: Ordering, operand: number, dialect: Dialect): Fragment {
  const whole = ordering === '>=' || ordering === '<' ? Math.ceil(operand) : Math.floor(operand);
  if (Number.isSafeInteger(whole)) return sql`${column} ${verbatim(ordering)} ${dialect.integer(whole)}`;
  const isBelow = operand < 0;
  const passes = ordering === '>' || ordering === '>=' ? isBelow : !isBelow;
  return passes ? sql`${column} IS NOT NULL` : FALSE;
}

function ordersDate(column: Fragment, ordering: Ordering, instant: number, dialect: Dialect): Fragment {
  const bound = dateBound(ordering, instant);
  const isLater = ordering === '>' || ordering === '>=';
  const always = sql`${column} IS NOT NULL`;
  if (bound === 'before_all' || (bound !== 'after_all' && bound.date < FIRST_DATE))
    return isLater ? always : FALSE;
  if (bound === 'after_all') return isLater ? FALSE : always;
  return sql`${column} ${verbatim(ordering)} ${dialect.date(bound.date)}`;
}
