/** What an operator is: the operand that it takes, and the closure that it becomes (L14–L18). */
import type { ClaimSet } from '../claims/claim-set.js';
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

/** Whether something passes on a subject's claims. Never throws, allocates nothing. */
export type Predicate = (claims: ClaimSet) => boolean;

/**
 * What a check's closure does once it knows: it is the end, or goes on where it passed (`and`) or where it did not (`or`).
 *
 * That a closure calls the next itself saves a call for each check: the compiler cannot see through closures that many queries share.
 */
export type Continuation =
  | { readonly joint: 'end'; readonly next?: undefined }
  | { readonly joint: 'and' | 'or'; readonly next: Predicate };

/** What an operand is once parsing has checked it against the rule of its operator. */
export type CheckedOperand = JsonValue | CompiledPattern | undefined;

/** An operator, and what parsing makes sure that its operand is. */
export interface OperatorDefinition<Operand extends CheckedOperand = never> {
  readonly operand: OperandKind;
  /** About how long a check takes, in comparisons of two numbers: of several that could decide, the cheapest is asked first. */
  cost(operand: Operand): number;
  /**
   * Does the operand's work once, and returns the closure that is left. An undefined claim fails, whatever the operator (L14).
   *
   * Types of operand and joints have closures of their own: what the compiler learns of one is not blurred by the others.
   */
  compile(operand: Operand, slot: number, then: Continuation): Predicate;
}

/** Goes on from a test of which there is no closure that does so itself. */
export function join(test: Predicate, { joint, next }: Continuation): Predicate {
  switch (joint) {
    case 'end':
      return test;
    case 'and':
      return (claims) => test(claims) && next(claims);
    case 'or':
      return (claims) => test(claims) || next(claims);
  }
}
