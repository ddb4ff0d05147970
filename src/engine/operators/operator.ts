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
export type OperandKind = 'none' | 'any' | 'string' | 'array' | 'number-or-date' | 'pattern';

/** Decides on a claim's value; the claim is defined when it is called (L14). Never throws, allocates nothing. */
export type ValueTest = (value: JsonValue) => boolean;

/** What an operand is once parsing has checked it against the rule of its operator. */
export type CheckedOperand = JsonValue | CompiledPattern | undefined;

/** An operator, and what parsing makes sure that its operand is. */
export interface OperatorDefinition<Operand extends CheckedOperand = never> {
  readonly name: OperatorName;
  readonly operand: OperandKind;
  /** Does the operand's work once, and returns the closure that is left. */
  compile(operand: Operand): ValueTest;
}
