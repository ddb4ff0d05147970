/** The forms in which checks are stored: what an operator compares, as a code. */
import type { JsonValue } from '../engine/claims/json-value.js';
import type { OperatorName } from '../engine/operators/operators.js';
import type { Check } from '../engine/query/query.js';
import { isPrimitive } from './claim-table.js';

/** Codes of checks; those of groups are smaller. */
export const FORM = {
  /** Any check: tested by the function of its operator. */
  tested: 8,
  defined: 9,
  equals: 10,
  differs: 11,
  in: 12,
  notIn: 13,
  /** A claim that is a number. */
  above: 14,
  from: 15,
  below: 16,
  to: 17,
  /** A claim that is a date. */
  after: 18,
  since: 19,
  before: 20,
  until: 21,
} as const;

/** The code of a form in {@link FORM}. */
export type Form = (typeof FORM)[keyof typeof FORM];

/** The form of a check that compares its claim with one operand at most. */
export type Comparison = Exclude<Form, typeof FORM.tested | typeof FORM.in | typeof FORM.notIn>;

/** Returns whether a code is the form of a comparison. */
export function isComparison(code: number): code is Comparison {
  return code >= FORM.defined && code !== FORM.in && code !== FORM.notIn;
}

type OrderingName = '>' | '>=' | '<' | '<=';

const FORMS_OF_NUMBERS: Readonly<Record<OrderingName, Form>> = {
  '>': FORM.above,
  '>=': FORM.from,
  '<': FORM.below,
  '<=': FORM.to,
};
const FORMS_OF_DATES: Readonly<Record<OrderingName, Form>> = {
  '>': FORM.after,
  '>=': FORM.since,
  '<': FORM.before,
  '<=': FORM.until,
};

/** Returns the form of a check. */
export function formOf({ operator, value }: Check): Form {
  switch (operator) {
    case '==':
      return isPrimitiveOperand(value) ? FORM.equals : FORM.tested;
    case '!=':
      return isPrimitiveOperand(value) ? FORM.differs : FORM.tested;
    case 'in':
      return isPrimitiveList(value) ? FORM.in : FORM.tested;
    case 'notIn':
      return isPrimitiveList(value) ? FORM.notIn : FORM.tested;
    case '>':
    case '>=':
    case '<':
    case '<=':
      return (typeof value === 'number' ? FORMS_OF_NUMBERS : FORMS_OF_DATES)[operator];
    case 'contains':
    case 'startsWith':
    case 'matchRegex':
      return FORM.tested;
    case 'isDefined':
      return FORM.defined;
  }
}

/** Returns the operator of a form. */
export function operatorOf(form: Exclude<Form, typeof FORM.tested>): OperatorName {
  return OPERATORS_BY_FORM[form];
}

const OPERATORS_BY_FORM: Readonly<Record<Exclude<Form, typeof FORM.tested>, OperatorName>> = {
  [FORM.defined]: 'isDefined',
  [FORM.equals]: '==',
  [FORM.differs]: '!=',
  [FORM.in]: 'in',
  [FORM.notIn]: 'notIn',
  [FORM.above]: '>',
  [FORM.from]: '>=',
  [FORM.below]: '<',
  [FORM.to]: '<=',
  [FORM.after]: '>',
  [FORM.since]: '>=',
  [FORM.before]: '<',
  [FORM.until]: '<=',
};

function isPrimitiveOperand(value: JsonValue | undefined): boolean {
  return value !== undefined && isPrimitive(value);
}

/** Lists are searched in order, so long ones are tested by a set. */
const LONGEST_LIST = 64;

function isPrimitiveList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length <= LONGEST_LIST && value.every(isPrimitive);
}
