/** The forms in which checks are stored: what an operator compares, as a code. */
import type { JsonValue } from '../engine/claims/json-value.js';
import type { OperatorName } from '../engine/operators/operators.js';
import type { Check } from '../engine/query/query.js';
import { isPrimitive } from './claim-table.js';

/** Codes of groups. */
export const GROUP = { allOf: 1, anyOf: 2, not: 3 } as const;

/** The code of a kind of groups in {@link GROUP}. */
export type Group = (typeof GROUP)[keyof typeof GROUP];

/** Codes of checks; those of groups are smaller. */
export const FORM = {
  /** Any check: tested by the function of its operator. */
  tested: 8,
  in: 9,
  notIn: 10,
  /** From here on, one operand at most. */
  defined: 11,
  equals: 12,
  differs: 13,
  /** From here on, a claim that is a number or a date. */
  above: 14,
  from: 15,
  below: 16,
  to: 17,
} as const;

/** The code of a form in {@link FORM}. */
export type Form = (typeof FORM)[keyof typeof FORM];

const FORMS_OF_ORDERINGS: Readonly<Record<'>' | '>=' | '<' | '<=', Form>> = {
  '>': FORM.above,
  '>=': FORM.from,
  '<': FORM.below,
  '<=': FORM.to,
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
      return FORMS_OF_ORDERINGS[operator];
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
  [FORM.in]: 'in',
  [FORM.notIn]: 'notIn',
  [FORM.defined]: 'isDefined',
  [FORM.equals]: '==',
  [FORM.differs]: '!=',
  [FORM.above]: '>',
  [FORM.from]: '>=',
  [FORM.below]: '<',
  [FORM.to]: '<=',
};

function isPrimitiveOperand(value: JsonValue | undefined): boolean {
  return value !== undefined && isPrimitive(value);
}

/** Lists are searched in order, so long ones are tested by a set. */
const LONGEST_LIST = 64;

function isPrimitiveList(value: JsonValue | undefined): boolean {
  return Array.isArray(value) && value.length <= LONGEST_LIST && value.every(isPrimitive);
}
