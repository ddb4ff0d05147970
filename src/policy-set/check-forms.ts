/** The kinds of items: groups by how they combine their members, and checks by the form in which their operand is stored. */
import { isPrimitive } from '../engine/claims/json-value.js';
import type { OperatorName } from '../engine/operators/operators.js';
import type { Check } from '../engine/query/query.js';

/** Codes of groups. */
export const GROUP = { allOf: 1, anyOf: 2, not: 3 } as const;

/** The code of a kind of groups in {@link GROUP}. */
export type Group = (typeof GROUP)[keyof typeof GROUP];

/** Codes of checks; those of groups are smaller. */
export const FORM = {
  /** A check of no other form, stored as it is. */
  tested: 8,
  /** A list of values. */
  in: 9,
  notIn: 10,
  /** From here on, one value at most. */
  defined: 11,
  equals: 12,
  differs: 13,
  /** From here on, a number or a date. */
  above: 14,
  from: 15,
  below: 16,
  to: 17,
} as const;

/** The code of a form in {@link FORM}. */
export type Form = (typeof FORM)[keyof typeof FORM];

/** The operators of the forms from `in` on. */
const OPERATORS_OF_FORMS: readonly OperatorName[] = [
  'in',
  'notIn',
  'isDefined',
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
];

/** Maximum length of a list with the form `in` or `notIn`. Longer lists have the form `tested`: the compiled check looks values up in a set. */
const LONGEST_LIST = 64;

/** Returns the form of a check. */
export function formOf({ operator, value }: Check): Form {
  // Other operators have the index −1, and so the form `tested`.
  const form = (FORM.in + OPERATORS_OF_FORMS.indexOf(operator)) as Form;
  const values = form < FORM.defined ? value : value === undefined ? [] : [value];
  return Array.isArray(values) && isFormOf(form, values) && values.every(isPrimitive) ? form : FORM.tested;
}

/** Returns whether a form exists, is not `tested`, and compares with this number of values. Does not check the values themselves. */
export function isFormOf(form: Form, { length }: readonly unknown[]): boolean {
  if (form === FORM.in || form === FORM.notIn) return length > 0 && length <= LONGEST_LIST;
  return form > FORM.tested && FORMS.has(form) && length === (form === FORM.defined ? 0 : 1);
}

const FORMS: ReadonlySet<number> = new Set(Object.values(FORM));

/** Returns the operator of a form. */
export function operatorOf(form: Exclude<Form, typeof FORM.tested>): OperatorName {
  return OPERATORS_OF_FORMS[form - FORM.in] as OperatorName;
}
