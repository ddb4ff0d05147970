/** What an operator is: its name, the operand that it takes, and the closure that it becomes (L14–L18). */
import type { JsonValue } from '../claims/json-value.js';
import type { CompiledPattern } from '../regex-engine.js';

/** The twelve operators, in the order in which documentation lists them. */
export const OPERATOR_NAMES = [
  '==',
  '!=',
  '>',
  '>=',
  '<',
  '<=',
  'in',
  'notIn',
  'contains',
  'startsWith',
  'matchRegex',
  'isDefined',
] as const;

export type OperatorName = (typeof OPERATOR_NAMES)[number];

/** What an operator takes as its operand. */
export type OperandRule =
  | { readonly kind: 'none' }
  | { readonly kind: 'any' }
  | { readonly kind: 'string' }
  | { readonly kind: 'array' }
  | { readonly kind: 'number-or-date' }
  | { readonly kind: 'pattern' };

/** Decides on a claim's value; the claim is defined when it is called (L14). Never throws, allocates nothing. */
export type ValueTest = (value: JsonValue) => boolean;

/** An operand that was checked against its operator's rule, as the operator's closure needs it. */
export interface Operand {
  readonly value: JsonValue;
  /** Set for `matchRegex`, and only there. */
  readonly pattern?: CompiledPattern;
}

export interface OperatorDefinition {
  readonly name: OperatorName;
  readonly operand: OperandRule;
  /** Does the operand's work once, and returns the closure that is left. */
  compile(operand: Operand): ValueTest;
}
