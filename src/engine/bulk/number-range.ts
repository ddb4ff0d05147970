/** Which numbers a check holds on, where those are a range or all but a range (L16, L17). */
import { type JsonArray, type JsonValue, nextNumber } from '../claims/json-value.js';
import type { PlannedCheck } from '../compile/plan.js';
import type { NumberRange } from './kernels.js';

const INFINITY = Number.POSITIVE_INFINITY;
const NO_NUMBER: NumberRange = { low: INFINITY, high: -INFINITY, outside: false };
const EVERY_NUMBER: NumberRange = { low: -INFINITY, high: INFINITY, outside: false };

/** The numbers on which a check holds; `undefined` where they are no range. */
export function toNumberRange({ operator, expectedValue }: PlannedCheck): NumberRange | undefined {
  switch (operator) {
    case '==':
      return oneOf([expectedValue], false);
    case '!=':
      return oneOf([expectedValue], true);
    case 'in':
      return oneOf(expectedValue as JsonArray, false);
    case 'notIn':
      return oneOf(expectedValue as JsonArray, true);
    case 'isDefined':
      return EVERY_NUMBER;
    case 'contains':
    case 'startsWith':
    case 'matchRegex':
      return NO_NUMBER;
    default:
      // An operand that is a date compares dates.
      return typeof expectedValue === 'number' ? ordered(operator, expectedValue) : NO_NUMBER;
  }
}

function oneOf(operands: JsonArray, outside: boolean): NumberRange | undefined {
  const [number, ...more] = operands.filter((operand: JsonValue) => typeof operand === 'number');
  if (number === undefined) return outside ? EVERY_NUMBER : NO_NUMBER;
  return more.length > 0 ? undefined : { low: number, high: number, outside };
}

function ordered(operator: '>' | '>=' | '<' | '<=', operand: number): NumberRange {
  switch (operator) {
    // More than a number is from the next one on: one loop serves both.
    case '>':
      return { ...EVERY_NUMBER, low: nextNumber(operand) };
    case '>=':
      return { ...EVERY_NUMBER, low: operand };
    case '<':
      return { ...EVERY_NUMBER, high: -nextNumber(-operand) };
    case '<=':
      return { ...EVERY_NUMBER, high: operand };
  }
}
