/** What each operator asks of a value, in SQL (L14–L18). */
import { type Check, type JsonArray, type OperatorName, parseInstant } from '../engine/index.js';
import { allOf, type Fragment, isNot } from './fragment.js';
import type { Ordering, SqlValue } from './value.js';

/** The operand has the operator's type: the query was parsed. */
type Asked = (value: SqlValue, operand: Check['value']) => Fragment;

const ASKED: Readonly<Record<OperatorName, Asked>> = {
  '==': (value, operand = null) => value.equals(operand),
  // An undefined claim differs from nothing (L14).
  '!=': (value, operand = null) => allOf([value.isDefined, isNot(value.equals(operand))]),
  '>': ordering('>'),
  '>=': ordering('>='),
  '<': ordering('<'),
  '<=': ordering('<='),
  in: (value, operand) => value.isAmong(operand as JsonArray),
  notIn: (value, operand) => allOf([value.isDefined, isNot(value.isAmong(operand as JsonArray))]),
  contains: (value, operand = null) => value.contains(operand),
  startsWith: (value, operand) => value.startsWith(operand as string),
  matchRegex: (value, operand) => value.matches(operand as string),
  isDefined: (value) => value.isDefined,
};

/** The condition under which a value passes a check; false or unknown where it does not. */
export function toCondition({ operator, value: operand }: Check, value: SqlValue): Fragment {
  return ASKED[operator](value, operand);
}

function ordering(name: Ordering): Asked {
  return (value, operand) => {
    if (typeof operand === 'number') return value.orders(name, operand);
    return value.ordersInTime(name, parseInstant(operand as string) ?? Number.NaN);
  };
}
